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
    """Look through a value once, level by level."""
    odd = False
    level = [value]
    for _ in range(DEEPEST):
        below: list[Any] = []
        for part in level:
            kind = type(part)
            if kind is str:
                odd = odd or not (part.isascii() or _is_text(part))
            elif kind is dict:
                odd = odd or not all(map(_is_key, part))
                below += part.values()
            elif kind is list:
                below += part
            elif kind is int:
                odd = odd or part.bit_length() > _MOST_BITS
            elif kind is float:
                odd = odd or not math.isfinite(part)
            elif part is not None and kind is not bool:
                odd = True
        if not below:
            return Shape.ODD if odd else Shape.PLAIN
        level = below
    return Shape.DEEP


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


def _is_key(key: Any) -> bool:
    return type(key) is str and (key.isascii() or _is_text(key))


def _is_text(text: str) -> bool:
    """Whether UTF-8 can hold it: it has no lone surrogate."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
