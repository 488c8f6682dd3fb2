"""One word per phase, from the YAML key to the report's view."""

import pytest

from toolproof.config import Config
from toolproof.phases.phase import Phase
from toolproof.phases.registry import PHASES
from toolproof.report import PhaseName, RunReport


def test_phases_run_in_the_order_of_their_names() -> None:
    assert [phase.name for phase in PHASES] == list(PhaseName)


@pytest.mark.parametrize("phase", PHASES, ids=lambda phase: phase.name)
def test_a_phase_has_its_config_key(phase: Phase) -> None:
    assert phase.name in Config.model_fields


@pytest.mark.parametrize("name", [name for name in PhaseName if name is not PhaseName.PROTOCOL])
def test_a_phase_has_its_view(name: PhaseName) -> None:
    """Probes have none of their own: what they show is in `checks`."""
    assert isinstance(getattr(RunReport, name), property)
