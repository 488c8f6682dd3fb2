"""Phase `fuzz`: generated inputs for every tool that may be called with them."""

from toolproof.config import Config
from toolproof.phases.phase import Phase, PhaseContext
from toolproof.report import FuzzSection, PhaseName


def _configured(config: Config) -> bool:
    return config.fuzz is not None and config.fuzz.enabled


def _prepare() -> None:
    import toolproof.phases.fuzz.engine


async def _run(context: PhaseContext) -> FuzzSection:
    from toolproof.phases.fuzz.engine import run_fuzz

    return await run_fuzz(context)


PHASE = Phase(PhaseName.FUZZ, _configured, _run, _prepare)
