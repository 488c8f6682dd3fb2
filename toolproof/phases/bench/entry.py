"""Phase `bench`: latency percentiles, throughput and error rate of tools."""

from toolproof.config import BenchConfig, Config
from toolproof.phases.phase import Phase, PhaseContext
from toolproof.report import BenchSection, PhaseName


def _configured(config: Config) -> bool:
    return config.bench is not None and config.bench.enabled


def _prepare() -> None:
    import toolproof.phases.bench.engine


async def _run(context: PhaseContext) -> BenchSection:
    from toolproof.phases.bench.engine import run_bench

    return await run_bench(context)


def _elsewhere(context: PhaseContext) -> BenchSection:
    from toolproof.phases.bench.engine import plans_of

    plans = plans_of(context, context.config.bench or BenchConfig())
    return BenchSection(whole=tuple(plan.name for plan in plans))


PHASE = Phase(PhaseName.BENCH, _configured, _run, _prepare, elsewhere=_elsewhere)
