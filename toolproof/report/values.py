"""Values of any origin as JSON that every reader takes: no NaN, no endless nesting, no giant strings."""

import json
import math
from collections.abc import Mapping
from typing import Any

MOST_BYTES = 64 * 1024
"""A longer string is shortened in the middle (reports.md, section 6)."""

_ALWAYS_SHORT = MOST_BYTES // 4
_DEPTH = 100
_SAFE_INTEGER = 2**53 - 1
_MOST_BITS = 13_000  # Python writes integers of at most 4,300 digits


def short(text: str) -> str:
    """The text; if it is longer than `MOST_BYTES` in UTF-8, with its middle left out."""
    if len(text) <= _ALWAYS_SHORT:
        return text
    limit = MOST_BYTES - 200 if text.isascii() else _ALWAYS_SHORT - 200
    if len(text.encode("utf-8", "surrogatepass")) <= MOST_BYTES:
        return text
    head = limit * 2 // 3
    tail = limit - head
    return f"{text[:head]}… {len(text) - limit} more characters …{text[-tail:]}"


def plain(value: Any) -> tuple[Any, bool]:
    """The value as JSON readers in any language can hold it, and whether it is exactly that value.

    NaN and infinities become strings, what is nested deeper than 100 levels becomes its JSON text.
    An integer beyond 2^53 stays a number, but is not exact: JavaScript rounds it.
    """
    tidy = _Tidy()
    return tidy.value(value, 0), tidy.exact


def json_of(value: Any) -> str:
    """The value's JSON text, NaN and infinities included; shortened if it is long."""
    try:
        return short(json.dumps(value, ensure_ascii=False, default=str))
    except (RecursionError, TypeError, ValueError):  # too deep, odd keys, endless integers
        return short(json.dumps(plain(value)[0], ensure_ascii=False))


class _Tidy:
    """One walk over a value, and what it came across."""

    def __init__(self) -> None:
        self.exact = True

    def value(self, value: Any, depth: int) -> Any:
        if not isinstance(value, Mapping | list | tuple):
            return self._scalar(value)
        if depth >= _DEPTH:
            return self._odd(_deep(value))
        if isinstance(value, Mapping):
            return {
                self._text(str(key)): self.value(item, depth + 1) for key, item in value.items()
            }
        return [self.value(item, depth + 1) for item in value]

    def _scalar(self, value: Any) -> Any:
        match value:
            case None | bool():
                return value
            case str():
                return self._text(value)
            case int():
                return self._integer(value)
            case float():
                return value if math.isfinite(value) else self._odd(_name_of(value))
            case _:
                return self._odd(short(str(value)))

    def _text(self, text: str) -> str:
        shortened = short(text)
        if shortened is not text:
            self.exact = False
        return shortened

    def _integer(self, number: int) -> int | str:
        if -_SAFE_INTEGER <= number <= _SAFE_INTEGER:
            return int(number)
        self.exact = False
        if number.bit_length() > _MOST_BITS:
            return f"an integer of {number.bit_length()} bits"
        return int(number)

    def _odd(self, text: str) -> str:
        self.exact = False
        return text


def _name_of(number: float) -> str:
    if math.isnan(number):
        return "NaN"
    return "Infinity" if number > 0 else "-Infinity"


def _deep(value: Any) -> str:
    try:
        return short(json.dumps(value, ensure_ascii=False, default=str))
    except (RecursionError, TypeError, ValueError):
        return "… nested too deeply …"
