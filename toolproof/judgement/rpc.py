"""JSON-RPC errors: which ones are a fault of the server, and which codes do not exist."""

from collections.abc import Iterable, Mapping
from typing import Any

from toolproof.connection.wire import MODERN
from toolproof.judgement.traces import unhandled_exception
from toolproof.judgement.wording import is_environment

INTERNAL_ERROR = -32603
INVALID_PARAMS = -32602
METHOD_NOT_FOUND = -32601

STANDARD = frozenset({-32700, -32600, METHOD_NOT_FOUND, INVALID_PARAMS, INTERNAL_ERROR})
"""Source: JSON-RPC 2.0, section 5.1."""

MODERN_CODES = frozenset({-32020, -32021, -32022})
"""Source: MCP 2026-07-28 basic, Error Codes."""

_RESERVED = range(-32099, -32019)
_LEGACY_ONLY = {-32002: "resource not found", -32042: "URL elicitation needed"}


def internal_error(error: Mapping[str, Any] | None) -> str | None:
    """Why a JSON-RPC error is a fault of the server, in words that quote it; None where it is none.

    That is code -32603, or the text of an exception that nobody caught. A text that names the
    network or a login is the environment's.

    Args:
        error: `code`, `message` and perhaps `data`, of whatever type.
    """
    if not error:
        return None
    text = error_text(error)
    if is_environment(text):
        return None
    if error.get("code") == INTERNAL_ERROR:
        return text
    return unhandled_exception(text)


def error_text(error: Mapping[str, Any]) -> str:
    """The message, and the strings right below `data`, a line each."""
    data = error.get("data")
    parts: Iterable[Any] = [data]
    if isinstance(data, Mapping):
        parts = data.values()
    elif isinstance(data, list):
        parts = data
    texts = [part for part in (error.get("message"), *parts) if isinstance(part, str)]
    return "\n".join(texts)


def error_code_flaw(code: Any, revision: str) -> str | None:
    """What is wrong with an error's code on that revision, in one clause; None where nothing is.

    Source: JSON-RPC 2.0, section 5.1; MCP 2026-07-28 basic, Error Codes.
    """
    if isinstance(code, bool) or not isinstance(code, int):
        return "an error's code must be an integer"
    if code >= 0:
        return f"{code} is no JSON-RPC error code: those are negative"
    if code in STANDARD:
        return None
    if revision == MODERN:
        if code in _LEGACY_ONLY:
            return f"{code} ({_LEGACY_ONLY[code]}) must not be sent on {MODERN}"
        if code in _RESERVED and code not in MODERN_CODES:
            return f"{code} is reserved for the specification, which gives it no meaning"
    return None
