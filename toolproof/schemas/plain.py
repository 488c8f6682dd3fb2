"""Which values an engine can take: bounded in depth, and of nothing but what JSON text can say."""

import math
from enum import Enum, auto
from typing import Any

DEEPEST = 200
"""Levels of objects and lists. The engines recurse; jsonschema-rs takes up to 4 KB of stack each."""

_MOST_BITS = 1024
"""Of an integer that jsonschema-rs takes: it misreads those of more than 4,300 digits."""


class Shape(Enum):
    """What a value is to an engine.

    PLAIN goes to any. ODD is what only Python can hold (a lone surrogate, an endless integer, an
    infinite float, which is how Python reads 1e400). DEEP goes to none.
    """

    PLAIN = auto()
    ODD = auto()
    DEEP = auto()


def shape_of(value: Any) -> Shape:
    """What the value is to an engine."""
    return look_through(value)[0]


def look_through(value: Any) -> tuple[Shape, int]:
    """The shape, and how many levels of objects and lists there are: none in a scalar."""
    odd = False
    level: list[Any] = [[value]]
    for depth in range(DEEPEST + 1):
        below: list[Any] = []
        for part in level:
            if type(part) is dict:
                odd = odd or not _are_keys(part)
                values = part.values()
            else:
                values = part
            for one in values:
                kind = type(one)
                if kind is str:
                    if not one.isascii():
                        odd = odd or not _is_text(one)
                elif kind is dict or kind is list:
                    below.append(one)
                elif not (one is None or kind is bool):
                    odd = odd or not _is_plain_number(one)
        if not below:
            return Shape.ODD if odd else Shape.PLAIN, depth
        level = below
    return Shape.DEEP, DEEPEST + 1


def _is_plain_number(value: Any) -> bool:
    if type(value) is int:
        return value.bit_length() <= _MOST_BITS
    return type(value) is float and math.isfinite(value)


def tamed(value: Any) -> Any:
    """A copy in which no integer has more digits than Python writes; of a value that is not DEEP."""
    if isinstance(value, dict):
        return {key: tamed(part) for key, part in value.items()}
    if isinstance(value, list):
        return [tamed(part) for part in value]
    if type(value) is int and value.bit_length() > _BOUND.bit_length():
        return _BOUND if value > 0 else -_BOUND
    return value


_BOUND = 10**4000  # sys.set_int_max_str_digits allows 4,300 digits unless a user sets it lower


def _are_keys(names: dict[Any, Any]) -> bool:
    try:
        together = "".join(names)
    except TypeError:  # one is no string
        return False
    return together.isascii() or _is_text(together)


def _is_text(text: str) -> bool:
    """Whether UTF-8 can hold it: it has no lone surrogate."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
