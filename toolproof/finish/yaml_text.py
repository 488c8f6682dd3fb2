"""Values as YAML that every reader takes for the same: for files that we write."""

import re
from typing import Any

from toolproof.config.words import value_of

_PLAIN = re.compile(r"[A-Za-z0-9_/$.][A-Za-z0-9_/$.<>()+*@=~^;%! -]*(?<! )", re.ASCII)
_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t", "\r": "\\r"}


def scalar(text: str) -> str:
    """A text as a YAML scalar on one line: plain where that is safe, else in double quotes."""
    text = str(text)  # a word of a StrEnum, too
    if _PLAIN.fullmatch(text) and " #" not in text and _reads_as_text(text):
        return text
    return in_quotes(text)


def in_quotes(text: str) -> str:
    """The text in double quotes, with what cannot be seen as an escape."""
    return f'"{"".join(map(_shown, text))}"'


def flow(value: Any, depth: int = 0) -> str:
    """A JSON value on one line, in YAML's flow style.

    Args:
        value: What JSON can hold, of at most 50 levels; deeper ones become text.
    """
    match value:
        case None | bool() | int():
            return "null" if value is None else str(value).lower()
        case float():
            return _number(value)
        case str():
            return scalar(value) if _fits_flow(value) else in_quotes(value)
        case dict() if depth < 50:
            inside = ", ".join(f"{flow(str(k))}: {flow(v, depth + 1)}" for k, v in value.items())
            return f"{{ {inside} }}" if inside else "{}"
        case list() | tuple() if depth < 50:
            return f"[{', '.join(flow(one, depth + 1) for one in value)}]"
        case _:
            return in_quotes(str(value)[:1000])


def _number(value: float) -> str:
    text = repr(value)
    if "e" in text and "." not in text:  # YAML 1.1 reads 1e5 as text
        mantissa, _, exponent = text.partition("e")
        text = f"{mantissa}.0e{exponent}"
    return {"nan": ".nan", "inf": ".inf", "-inf": "-.inf"}.get(text, text)


def _fits_flow(text: str) -> bool:
    return not any(char in ",[]{}" for char in text)


def _reads_as_text(text: str) -> bool:
    try:
        return type(value_of(text)) is str
    except ValueError:
        return False


def _shown(char: str) -> str:
    if char in _ESCAPES:
        return _ESCAPES[char]
    if char.isprintable():
        return char
    code = ord(char)
    if code <= 0xFF:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"
