"""Words for people: counting, shortening, quoting, guessing what was meant."""

import json
import re
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from typing import Any

RETURN_SIGN = "\N{DOWNWARDS ARROW WITH CORNER LEFTWARDS}"
"""Stands for a line end in places of one line."""

_ANSI = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)")


def count(number: int, noun: str, plural: str | None = None) -> str:
    """The number with its noun: "1 error", "2 errors", "1,204 calls"."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def shorten(text: str, limit: int = 200) -> str:
    """The text, with its middle left out if it has more than `limit` characters.

    Both ends are kept, as a message often says what at its start and why at its end.
    """
    if len(text) <= limit:
        return text
    left_out = len(text) - limit
    head = limit * 2 // 3
    return f"{text[:head]} … {left_out:,} more characters … {text[len(text) - (limit - head) :]}"


def listed(names: Iterable[str], *, most: int = 5) -> str:
    """Names as a list for people: "a, b, c and 4 more"."""
    names = list(names)
    shown = ", ".join(names[:most])
    return shown if len(names) <= most else f"{shown} and {len(names) - most} more"


def nearest(word: str, known: Sequence[str]) -> str | None:
    """The known word that was most likely meant, if one is near enough."""
    close = get_close_matches(word, known, n=1)
    return close[0] if close else None


def one_line(text: str) -> str:
    r"""The text on one line, with nothing hidden in it: what cannot be seen shows as `\u{202E}`.

    For messages that quote a server; doing it twice changes nothing.
    """
    if text.isprintable():
        return text
    text = _ANSI.sub("", text).replace("\r\n", "\n").replace("\r", "\n")
    return "".join(char if char.isprintable() else _shown(char) for char in text)


def quoted(value: Any, most: int = 80) -> str:
    """A value as a message shows it: a string in quotes, all else as JSON; on one line, shortened.

    Args:
        value: Anything that JSON can hold, or cannot: NaN, endless integers, deep nesting.
        most: So many characters are shown; what is longer loses its middle.
    """
    if isinstance(value, str):
        mark = '"' if "'" in value and '"' not in value else "'"
        return f"{mark}{shorten(one_line(value), most)}{mark}"
    try:
        text = json.dumps(value, ensure_ascii=False, default=str)
    except (RecursionError, TypeError, ValueError):  # too deep, odd keys, endless integers
        text = f"a value of type {type(value).__name__}"
    return shorten(one_line(text), most)


def _shown(char: str) -> str:
    if char == "\n":
        return RETURN_SIGN
    if char.isspace() and ord(char) not in _LINE_SEPARATORS:
        return " "
    return f"\\u{{{ord(char):X}}}"


_LINE_SEPARATORS = frozenset({*range(0x0B, 0x20), 0x85, 0x2028, 0x2029})
