"""Embeddings by an endpoint `/v1/embeddings`, through the official SDK; many servers speak it."""

import os
from collections.abc import Sequence
from typing import Any

from toolproof.config import EvalsConfig
from toolproof.phases.evals.providers.provider import ProviderError
from toolproof.phases.evals.providers.status import refusal, told, unreachable, unusable
from toolproof.text import shorten

DEFAULT_TIMEOUT_S = 30.0
"""Where the config does not say: a local server may first load its model."""


class OpenAiEmbedder:
    """Asks a model of the OpenAI API, or of what speaks like it.

    Args:
        model: As the endpoint spells it.
        config: `base_url` and `timeout_s` count where the provider is openai; else OPENAI_BASE_URL.

    Raises:
        ProviderError: There is no name, the SDK is not installed, or there is no key.
    """

    most_texts = 64  # what the smallest limit of those servers allows

    def __init__(self, model: str, config: EvalsConfig) -> None:
        if not model.strip():
            raise ProviderError("there is no model after 'openai:'", fatal=True)
        try:
            import openai
        except ImportError as exc:
            raise ProviderError(
                "the package openai is not installed",
                hint="Install it: pip install 'toolproof[openai]'.",
                fatal=True,
            ) from exc
        ours = config.provider == "openai"
        given = config.base_url if ours else None
        self._setting = "OPENAI_BASE_URL" if given is None else "evals.base_url"
        self._address = given or os.environ.get("OPENAI_BASE_URL") or None
        key = os.environ.get("OPENAI_API_KEY")
        if not key and self._address is None:
            raise ProviderError(
                "there is no key: OPENAI_API_KEY is not set",
                hint="Set it; or OPENAI_BASE_URL, for a server of your own that needs none.",
                fatal=True,
            )
        asked = ours and "timeout_s" in config.model_fields_set
        self._timeout_s = config.timeout_s if asked else DEFAULT_TIMEOUT_S
        self._sdk = openai
        self._model = model
        try:
            if self._address and not self._address.startswith(("http://", "https://")):
                raise ValueError("it must begin with http:// or https://")  # noqa: TRY301
            self._client = openai.AsyncOpenAI(
                api_key=key or "none",
                base_url=self._address,
                timeout=self._timeout_s,
                max_retries=0,  # whoever asks counts the tries
            )
        except Exception as exc:  # its HTTP client has an error of its own for addresses
            words = f"{self._setting} is no address, {self._address!r}: {exc}"
            raise ProviderError(words, fatal=True) from exc

    async def embed(self, texts: Sequence[str]) -> list[object]:
        """A vector for each text, as it came.

        Raises:
            ProviderError: There are none.
        """
        try:
            answer: Any = await self._client.embeddings.create(
                model=self._model,
                input=list(texts),
                encoding_format="float",  # not every server knows the SDK's own choice, base64
            )
        except self._sdk.APITimeoutError as exc:
            words = f"no answer within {self._timeout_s:g} s"
            raise ProviderError(words, again=True) from exc
        except self._sdk.APIStatusError as exc:
            error = refusal(exc.status_code, told(exc.body, exc.message), exc.response.headers)
            error.fatal = not error.again  # as it stands nothing else will be answered either
            if exc.status_code not in (401, 403):
                error.hint = f"Check the model {self._model!r} and {self._setting}."
            raise error from exc
        except self._sdk.APIConnectionError as exc:
            error = unreachable(exc, self._address)
            error.hint = f"Check {self._setting} and the network."
            raise error from exc
        except (self._sdk.OpenAIError, ValueError, TypeError) as exc:
            raise unusable(exc) from exc
        return _vectors(answer)

    async def close(self) -> None:
        """Let connections go."""
        await self._client.close()


def _vectors(answer: Any) -> list[object]:
    """The SDK does not validate answers: each part is looked at before it is believed."""
    if isinstance(answer, str):  # the SDK gives a body that is no JSON as its text
        raise ProviderError(f"the answer is no JSON: {shorten(answer, 100)!r}")
    data = getattr(answer, "data", None)
    if not isinstance(data, list):
        raise ProviderError("the answer has no vectors")
    places = [getattr(entry, "index", None) for entry in data]
    vectors: list[object] = [getattr(entry, "embedding", None) for entry in data]
    order = {place: at for at, place in enumerate(places) if isinstance(place, int)}
    if order.keys() == set(range(len(data))):
        return [vectors[order[place]] for place in range(len(data))]
    return vectors
