"""Phase `protocol`: probes that are sent only where asked for."""

from toolproof.config import Config
from toolproof.phases.phase import Phase, PhaseContext
from toolproof.report import PhaseName, ProtocolSection


def _configured(config: Config) -> bool:
    return config.protocol is not None and config.protocol.enabled


def _prepare() -> None:
    import toolproof.phases.protocol.engine


async def _run(context: PhaseContext) -> ProtocolSection:
    from toolproof.phases.protocol.engine import run_probes

    return await run_probes(context)


async def _finish(context: PhaseContext) -> None:
    from toolproof.phases.protocol.lists import compare_after_calls

    await compare_after_calls(context)


def _elsewhere(_context: PhaseContext) -> ProtocolSection:
    from toolproof.phases.protocol.engine import PROBES

    return ProtocolSection(whole=tuple(probe.name for probe in PROBES))


PHASE = Phase(PhaseName.PROTOCOL, _configured, _run, _prepare, finish=_finish, elsewhere=_elsewhere)
