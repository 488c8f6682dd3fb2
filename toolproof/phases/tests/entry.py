"""Phase `tests`: the calls that toolproof.yaml lists, and what they should give."""

from toolproof.config import Config
from toolproof.phases.phase import Phase, PhaseContext
from toolproof.report import PhaseName, ToolTestSection


def _configured(_config: Config) -> bool:
    return True  # a run without any test shall be seen as one


def _prepare() -> None:
    import toolproof.phases.tests.engine


async def _run(context: PhaseContext) -> ToolTestSection:
    from toolproof.phases.tests.engine import run_tests

    return await run_tests(context)


PHASE = Phase(PhaseName.TESTS, _configured, _run, _prepare)
