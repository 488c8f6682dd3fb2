"""Provider `openai`: the Chat Completions API, through the official SDK; many others speak it too."""

import json
from typing import Any

from toolproof.config import EvalsConfig
from toolproof.phases.evals.providers.openai_sdk import openai_client
from toolproof.phases.evals.providers.provider import (
    Pick,
    Question,
    Reply,
    UselessAnswerError,
)
from toolproof.phases.evals.providers.status import in_our_words
from toolproof.text import shorten

MOST_OUTPUT_TOKENS = 1024
"""What one answer is taken to cost at most, where `params` set no limit."""


class OpenAiProvider:
    """Asks a model of the OpenAI API, or of what speaks like it at `base_url`.

    Raises:
        ProviderError: The SDK is not installed, or there is no key.
    """

    name = "openai"

    def __init__(self, config: EvalsConfig) -> None:
        self._sdk, self._client = openai_client(
            config.base_url,
            config.timeout_s,
            without_key="Set it, or commit the cache of a run that had one.",
        )
        self._config = config
        self._params = dict(config.params)
        self._params.pop("price_per_mtok", None)
        limit = self._params.get("max_completion_tokens", self._params.get("max_tokens"))
        self.most_output_tokens = int(limit) if isinstance(limit, int) else MOST_OUTPUT_TOKENS

    async def ask(self, question: Question) -> Reply:
        """The model's answer.

        Raises:
            ProviderError: There is none.
        """
        messages = [{"role": "user", "content": question.prompt}]
        if self._config.system is not None:
            messages.insert(0, {"role": "system", "content": self._config.system})
        request: dict[str, Any] = {
            "model": self._config.model,
            "messages": messages,
            **({"tools": list(question.tools)} if question.tools else {}),
            **self._params,
        }
        config, sdk = self._config, self._sdk
        with in_our_words(sdk, sdk.OpenAIError, config.timeout_s, config.base_url):
            completion = await self._client.chat.completions.create(**request)
        return _reply(completion)

    async def close(self) -> None:
        """Let connections go."""
        await self._client.close()


def _reply(completion: Any) -> Reply:
    """The SDK does not validate answers: each part is looked at before it is believed."""
    if isinstance(completion, str):  # the SDK gives a body that is no JSON as its text
        raise UselessAnswerError(f"the answer is no JSON: {shorten(completion, 100)!r}")
    choices = getattr(completion, "choices", None)
    if not isinstance(choices, list) or not choices:
        raise UselessAnswerError("the answer has no choices")
    message = getattr(choices[0], "message", None)
    if message is None:
        raise UselessAnswerError("the answer has no message")
    picks: list[Pick] = []
    for call in getattr(message, "tool_calls", None) or []:
        function = getattr(call, "function", None)
        name, text = getattr(function, "name", None), getattr(function, "arguments", None)
        if not isinstance(name, str):
            raise UselessAnswerError("the answer has a tool call without a name")
        picks.append(Pick(tool=name, arguments=_arguments(name, text)))
    usage = getattr(completion, "usage", None)
    content = getattr(message, "content", None)
    return Reply(
        picks=picks,
        text=content if isinstance(content, str) else "",
        input_tokens=_count(getattr(usage, "prompt_tokens", None)),
        output_tokens=_count(getattr(usage, "completion_tokens", None)),
        refused=bool(getattr(message, "refusal", None))
        or getattr(choices[0], "finish_reason", None) == "content_filter",
    )


def _arguments(name: str, text: Any) -> dict[str, Any]:
    """The arguments, which this API sends as JSON text that a model wrote."""
    if text in (None, ""):
        return {}
    try:
        found = json.loads(text)
    except (TypeError, ValueError, RecursionError) as exc:
        raise UselessAnswerError(f"the arguments of {name!r} are no JSON: {exc}") from exc
    if not isinstance(found, dict):
        raise UselessAnswerError(f"the arguments of {name!r} are no object")
    return found


def _count(value: Any) -> int | None:
    return value if isinstance(value, int) else None
