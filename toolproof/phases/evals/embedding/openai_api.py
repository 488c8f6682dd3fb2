"""Embeddings by an endpoint `/v1/embeddings`, through the official SDK; many servers speak it."""

from collections.abc import Sequence
from typing import Any

from toolproof.config import EvalsConfig
from toolproof.phases.evals.providers.openai_sdk import address_of, openai_client
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
        ours = config.provider == "openai"
        given = config.base_url if ours else None
        asked = ours and "timeout_s" in config.model_fields_set
        self._timeout_s = config.timeout_s if asked else DEFAULT_TIMEOUT_S
        self._setting, self._address = address_of(given)
        self._model = model
        self._sdk, self._client = openai_client(
            given,
            self._timeout_s,
            without_key="Set it; or OPENAI_BASE_URL, for a server of your own that needs none.",
        )

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
