"""Phase `evals`: does a model pick the right tool."""

from toolproof.config import Config
from toolproof.errors import ConfigError
from toolproof.phases.phase import Phase, PhaseContext
from toolproof.report import EvalSection, PhaseName


def _configured(config: Config) -> bool:
    return config.evals is not None and config.evals.enabled


def _validate(config: Config) -> None:
    if config.evals is None:
        raise ConfigError(
            "the phase evals needs the section 'evals' in the config",
            where=str(config.path) if config.path else None,
            hint="Say provider, model and cases there.",
        )


def _prepare() -> None:
    import toolproof.phases.evals.engine


async def _run(context: PhaseContext) -> EvalSection:
    from toolproof.phases.evals.engine import run_evals

    return await run_evals(context)


PHASE = Phase(PhaseName.EVALS, _configured, _run, _prepare, validate=_validate)
