"""What every provider is asked, and what it answers."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Any, Protocol

from toolproof.config.secrets import SECRET_NAME
from toolproof.masking import Secrets
from toolproof.records import record

SHORTEST_KEY = 8
"""Shorter values of variables are no keys: "none", where a local server wants none."""


@record(kw_only=True)
class Question:
    """One prompt with the tools to choose from.

    Attributes:
        tools: In the provider's own format, in the order in which they are sent.
        repeat: Which repetition this is, from 0.
    """

    prompt: str
    tools: Sequence[Mapping[str, Any]]
    repeat: int = 0


@record(kw_only=True)
class Pick:
    """One tool call that the model asked for, under the name that the server gave the tool."""

    tool: str
    arguments: Mapping[str, Any] = field(default_factory=dict)


@record(kw_only=True)
class Reply:
    """What the model said.

    Attributes:
        picks: The calls that it asked for, in its order; names as they were sent.
        text: What it said besides.
        input_tokens: As the provider counted them; None where it did not. Likewise output_tokens.
        cost_usd: Where the provider tells it itself.
        refused: Whether it declined to answer at all.
    """

    picks: Sequence[Pick] = ()
    text: str = ""
    input_tokens: int | None = None
    output_tokens: int | None = None
    cost_usd: float | None = None
    refused: bool = False


class ProviderError(Exception):
    """A question that got no answer.

    An API may quote the key that it refuses, and a program all that it finds in its environment:
    values of variables whose name speaks of a secret are masked.

    Attributes:
        hint: What to do about it.
        again: Whether asking again may help: too many requests, a fault of the provider's servers.
        after_s: How long the provider wants to be left alone first, if it says.
        fatal: Whether no other question will get one either: no key, an unknown model; with `again`
            once further tries were in vain.
        charged: Whether it may cost something all the same.
    """

    charged = False

    def __init__(
        self,
        message: str,
        *,
        hint: str | None = None,
        again: bool = False,
        after_s: float | None = None,
        fatal: bool = False,
    ) -> None:
        super().__init__(_keys().mask(message))
        self.hint = hint
        self.again = again
        self.after_s = after_s
        self.fatal = fatal

    def pause_s(self, attempt: int) -> float:
        """Seconds until the next try after the first, second, ... one: as asked for, else longer each time."""
        return self.after_s if self.after_s is not None else 0.5 * 2**attempt


def not_installed(package: str, extra: str) -> ProviderError:
    """The library of an optional extra is missing."""
    hint = f"Install it: pip install 'toolproof[{extra}]'."
    return ProviderError(f"the package {package} is not installed", hint=hint, fatal=True)


class UselessAnswerError(ProviderError):
    """An answer that came too late, or that is not as it should be; it may be paid for nonetheless."""

    charged = True


def _keys() -> Secrets:
    found = {
        name: value
        for name, value in os.environ.items()
        if SECRET_NAME.search(name) and len(value) >= SHORTEST_KEY
    }
    return Secrets.of(found)


class Provider(Protocol):
    """Asks one model."""

    name: str
    most_output_tokens: int

    async def ask(self, question: Question) -> Reply:
        """The model's answer.

        Raises:
            ProviderError: There is none.
        """

    async def close(self) -> None:
        """Let connections go."""
