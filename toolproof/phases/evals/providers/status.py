"""Refusals of an API, in words: what they mean and whether asking again may help."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from toolproof.phases.evals.providers.provider import ProviderError, UselessAnswerError
from toolproof.text import shorten

_AGAIN = frozenset({408, 409, 425, 429})
"""Refusals that pass by themselves; 5xx do too."""


@contextmanager
def in_our_words(
    sdk: Any, error: type[Exception], timeout_s: float, base_url: str | None
) -> Iterator[None]:
    """What an SDK raises inside the block, as an error of ours.

    Args:
        sdk: The module of openai or anthropic, whose errors have the same names.
        error: What all of them are.
        timeout_s: What the client was given.
        base_url: Where it asks; None for the API itself.

    Raises:
        ProviderError: Instead of an error of the SDK.
    """
    try:
        yield
    except sdk.APITimeoutError as exc:
        raise UselessAnswerError(f"no answer within {timeout_s:g} s", again=True) from exc
    except sdk.APIStatusError as exc:
        words = _told(exc.body, exc.message)
        raise _refusal(exc.status_code, words, exc.response.headers) from exc
    except sdk.APIConnectionError as exc:
        raise _unreachable(exc, base_url) from exc
    except (error, ValueError, TypeError) as exc:
        raise _unusable(exc) from exc


def _told(body: Any, otherwise: str) -> str:
    """The API's own words in the body of a refusal.

    Args:
        body: As an SDK read it: of any type.
        otherwise: The SDK's words, which stand for a body that has no message.
    """
    inner = body.get("error", body) if isinstance(body, Mapping) else None
    message = inner.get("message") if isinstance(inner, Mapping) else inner
    return message if isinstance(message, str) and message.strip() else otherwise


def _refusal(status: int, message: str, headers: Mapping[str, str]) -> ProviderError:
    """What a status of an API means.

    Args:
        status: 400 or above.
        message: The API's own words.
        headers: For `Retry-After`.
    """
    words = f"the API answered {status}: {shorten(' '.join(str(message).split()), 300)}"
    if status in (401, 403):
        return ProviderError(words, hint="Check the key, and what it may do.", fatal=True)
    if status == 404:
        return ProviderError(words, hint="Check evals.model and evals.base_url.", fatal=True)
    again = status in _AGAIN or status >= 500
    return ProviderError(words, again=again, after_s=_seconds(headers.get("retry-after")))


def _unreachable(error: Exception, base_url: str | None) -> ProviderError:
    """No connection: it is tried again, and if that does not help, no other question will do better."""
    where = f" at {base_url}" if base_url is not None else ""
    return ProviderError(
        f"the API cannot be reached{where}: {error.__cause__ or error}",
        hint="Check evals.base_url and the network.",
        again=True,
        fatal=True,
    )


def _unusable(error: Exception) -> ProviderError:
    """What an SDK raises before it asks, or over an answer that it cannot take."""
    if isinstance(error, TypeError) and "unexpected keyword argument" in str(error):
        name = str(error).rpartition(" ")[2]
        return ProviderError(
            f"evals.params: the SDK knows no parameter {name}",
            hint="Parameters that only a compatible API knows go into evals.params.extra_body.",
            fatal=True,
        )
    return UselessAnswerError(f"the answer cannot be read: {error}")


def _seconds(text: str | None) -> float | None:
    try:
        seconds = float(text or "")
    except ValueError:  # a date: rare, and the clock of the other side is not ours
        return None
    return seconds if seconds >= 0 else None
