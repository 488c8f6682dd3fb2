"""Phase `bench`: latency percentiles, throughput and error rate of tools."""

from toolproof.config import Config
from toolproof.phases.phase import Phase, PhaseContext
from toolproof.report import BenchSection, PhaseName


def _configured(config: Config) -> bool:
    return config.bench is not None and config.bench.enabled


def _prepare() -> None:
    import toolproof.phases.bench.engine


async def _run(context: PhaseContext) -> BenchSection:
    from toolproof.phases.bench.engine import run_bench

    return await run_bench(context)


PHASE = Phase(PhaseName.BENCH, _configured, _run, _prepare)
