"""Provider `anthropic`: the Messages API, through the official SDK."""

import os
from typing import Any

from toolproof.config import EvalsConfig
from toolproof.phases.evals.providers.provider import (
    Pick,
    ProviderError,
    Question,
    Reply,
    UselessAnswerError,
    not_installed,
)
from toolproof.phases.evals.providers.status import in_our_words
from toolproof.text import shorten

MOST_OUTPUT_TOKENS = 1024
"""Enough for a tool call; `params.max_tokens` sets another limit."""


class AnthropicProvider:
    """Asks a model of the Anthropic API, or of what speaks like it.

    Raises:
        ProviderError: The SDK is not installed, or there is no key.
    """

    name = "anthropic"

    def __init__(self, config: EvalsConfig) -> None:
        try:
            import anthropic
        except ImportError as exc:
            raise not_installed("anthropic", "anthropic") from exc
        key = os.environ.get("ANTHROPIC_API_KEY")
        elsewhere = config.base_url is not None or os.environ.get("ANTHROPIC_BASE_URL")
        if not key and not elsewhere:
            raise ProviderError(
                "there is no key: ANTHROPIC_API_KEY is not set",
                hint="Set it, or commit the cache of a run that had one.",
                fatal=True,
            )
        self._sdk = anthropic
        self._config = config
        self._params = {"max_tokens": MOST_OUTPUT_TOKENS, **config.params}
        self._params.pop("price_per_mtok", None)
        limit = self._params["max_tokens"]
        self.most_output_tokens = limit if isinstance(limit, int) else MOST_OUTPUT_TOKENS
        self._client = anthropic.AsyncAnthropic(
            api_key=key or "none",
            base_url=config.base_url,
            timeout=config.timeout_s,
            max_retries=0,  # the engine counts and limits retries for all providers alike
        )

    async def ask(self, question: Question) -> Reply:
        """The model's answer.

        Raises:
            ProviderError: There is none.
        """
        request: dict[str, Any] = {
            "model": self._config.model,
            "messages": [{"role": "user", "content": question.prompt}],
            "tools": list(question.tools),
            **self._params,
        }
        if self._config.system is not None:
            request["system"] = self._config.system
        config, sdk = self._config, self._sdk
        with in_our_words(sdk, sdk.AnthropicError, config.timeout_s, config.base_url):
            message = await self._client.messages.create(**request)
        return _reply(message)

    async def close(self) -> None:
        """Let connections go."""
        await self._client.close()


def _reply(message: Any) -> Reply:
    """The SDK does not validate answers: each part is looked at before it is believed."""
    if isinstance(message, str):  # the SDK gives a body that is no JSON as its text
        raise UselessAnswerError(f"the answer is no JSON: {shorten(message, 100)!r}")
    content = getattr(message, "content", None)
    if not isinstance(content, list):
        raise UselessAnswerError("the answer has no content")
    picks: list[Pick] = []
    texts: list[str] = []
    for block in content:
        kind = getattr(block, "type", None)
        name, arguments = getattr(block, "name", None), getattr(block, "input", None)
        if kind == "tool_use":
            if not isinstance(name, str) or not isinstance(arguments, dict):
                raise UselessAnswerError("the answer has a tool call without a name or arguments")
            picks.append(Pick(tool=name, arguments=arguments))
        elif kind == "text":
            texts.append(str(getattr(block, "text", "")))
    usage = getattr(message, "usage", None)
    return Reply(
        picks=picks,
        text="\n".join(texts),
        input_tokens=_count(getattr(usage, "input_tokens", None)),
        output_tokens=_count(getattr(usage, "output_tokens", None)),
        refused=getattr(message, "stop_reason", None) == "refusal",
    )


def _count(value: Any) -> int | None:
    return value if isinstance(value, int) else None
