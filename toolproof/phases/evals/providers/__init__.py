"""Who answers prompts: two kinds of API through their official SDKs, or a program."""

from pathlib import Path

from toolproof.config import EvalsConfig
from toolproof.phases.evals.providers.provider import Provider


def provider_of(config: EvalsConfig, folder: Path) -> Provider:
    """The provider that the config names; its SDK is imported here.

    Args:
        config: The section `evals`.
        folder: Where a program starts: that of toolproof.yaml.

    Raises:
        ProviderError: Its SDK is not installed, or there is no key.
    """
    if config.provider == "anthropic":
        from toolproof.phases.evals.providers.anthropic_api import AnthropicProvider

        return AnthropicProvider(config)
    if config.provider == "openai":
        from toolproof.phases.evals.providers.openai_api import OpenAiProvider

        return OpenAiProvider(config)
    from toolproof.phases.evals.providers.program import ProgramProvider

    return ProgramProvider(config, folder)


__all__ = ["Provider", "provider_of"]
