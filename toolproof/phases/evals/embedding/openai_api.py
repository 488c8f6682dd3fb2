"""Embeddings by an endpoint `/v1/embeddings`, through the official SDK; many servers speak it."""

from collections.abc import Sequence
from typing import Any

from toolproof.config import EvalsConfig
from toolproof.phases.evals.providers.openai_sdk import address_of, openai_client
from toolproof.phases.evals.providers.provider import ProviderError
from toolproof.phases.evals.providers.status import in_our_words
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
        sdk = self._sdk
        try:
            with in_our_words(sdk, sdk.OpenAIError, self._timeout_s, self._address):
                answer: Any = await self._client.embeddings.create(
                    model=self._model,
                    input=list(texts),
                    encoding_format="float",  # not every server knows the SDK's own choice, base64
                )
        except ProviderError as error:
            self._advise(error)
            raise
        return _vectors(answer)

    def _advise(self, error: ProviderError) -> None:
        """What to do is another thing than with a model of `evals`."""
        cause = error.__cause__
        if isinstance(cause, self._sdk.APIStatusError):
            error.fatal = not error.again  # as it stands nothing else will be answered either
            if cause.status_code not in (401, 403):
                error.hint = f"Check the model {self._model!r} and {self._setting}."
        elif isinstance(cause, self._sdk.APIConnectionError) and error.hint:
            error.hint = f"Check {self._setting} and the network."

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
