"""A digest of what a run was asked for, so that only parts of one run are merged."""

import hashlib
import json
from collections.abc import Collection, Iterable, Sequence

from toolproof.config import Config
from toolproof.report import PhaseName


def config_digest(config: Config, phases: Iterable[str], selection: Iterable[object]) -> str:
    """16 hex digits, the same for all shards of a run, on any machine.

    How the server is reached is left out: it holds secrets, and paths that differ between
    machines. So are seeds.

    Args:
        config: What to run.
        phases: The phases that were asked for.
        selection: What else narrows the run: `-k`, tags, names.
    """
    asked = {
        "config": config.model_dump(mode="json", by_alias=True, exclude={"server", "servers"}),
        "phases": list(phases),
        "selection": list(selection),
    }
    text = json.dumps(asked, sort_keys=True, default=str)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def filtered_phases(
    config: Config,
    *,
    configured: Sequence[str],
    wanted: Collection[str],
    selection: Collection[object],
) -> tuple[str, ...]:
    """The phases of the config of which a run leaves something out.

    Args:
        config: What could be run.
        configured: The phases that a plain run includes.
        wanted: Those that this one does.
        selection: What else narrows the run: `-k`, tags, names.
    """
    left_out = [str(name) for name in configured if name not in wanted]
    if not config.tests:
        left_out = [name for name in left_out if name != PhaseName.TESTS]
    elif selection and PhaseName.TESTS in wanted:
        left_out.append(str(PhaseName.TESTS))
    return tuple(left_out)
