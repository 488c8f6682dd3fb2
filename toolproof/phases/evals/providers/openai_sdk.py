"""The client of the OpenAI SDK, for answers and for vectors alike."""

import os
from typing import Any

from toolproof.phases.evals.providers.provider import ProviderError, not_installed


def openai_client(base_url: str | None, timeout_s: float, *, without_key: str) -> tuple[Any, Any]:
    """The SDK, and a client for `base_url`, OPENAI_BASE_URL or the API itself.

    Args:
        base_url: Of the config.
        without_key: What to do where there is no key, and the API itself is asked.

    Raises:
        ProviderError: The SDK is not installed, there is no key, or the address is none.
    """
    try:
        import openai
    except ImportError as exc:
        raise not_installed("openai", "openai") from exc
    key = os.environ.get("OPENAI_API_KEY")
    setting, address = address_of(base_url)
    if not key and address is None:
        raise ProviderError(
            "there is no key: OPENAI_API_KEY is not set", hint=without_key, fatal=True
        )
    if address and not address.startswith(("http://", "https://")):
        words = f"{setting} is no address, {address!r}: it must begin with http:// or https://"
        raise ProviderError(words, fatal=True)
    try:
        client = openai.AsyncOpenAI(
            api_key=key or "none",
            base_url=address,
            timeout=timeout_s,
            max_retries=0,  # whoever asks counts and limits retries, for all providers alike
        )
    except Exception as exc:  # its HTTP client has an error of its own for addresses
        raise ProviderError(f"{setting} is no address, {address!r}: {exc}", fatal=True) from exc
    return openai, client


def address_of(base_url: str | None) -> tuple[str, str | None]:
    """What sets the address, and the address; None for the API itself."""
    if base_url is not None:
        return "evals.base_url", base_url
    return "OPENAI_BASE_URL", os.environ.get("OPENAI_BASE_URL") or None
