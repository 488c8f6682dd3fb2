"""Which characters a part of an ECMA-262 expression stands for."""

import unicodedata
from random import Random

from toolproof.schemas.pattern_tree import Char, Class, ClassEscape, Dot, Part, Property, Range

PLAIN = "a0A1zZ9bB-_ ./:@#+,=;%&!?\"'()[]{}<>|*~^$`\\\n\téß日😀\x00"
FOREIGN = "é日😀ßа١\u00a0\u200b" + PLAIN
"""Characters in the order in which they are liked."""

_SURROGATES = range(0xD800, 0xE000)
_BYTE_ORDER_MARK = 0xFEFF
_LINE_ENDS = frozenset({0x0A, 0x0D, 0x2028, 0x2029})
_EVEN = 0.5


def first(part: Part, palette: str) -> str:
    """The first character of the palette that the part stands for, else one that it lists."""
    for char in palette:
        if _has(part, ord(char)):
            return char
    ranges = _ranges(part)
    return chr(ranges[0][0]) if ranges else "a"


def last(part: Part, palette: str) -> str:
    """The last character that the part lists, else the first of the palette."""
    ranges = _ranges(part)
    return chr(ranges[-1][1]) if ranges else first(part, palette)


def some(part: Part, rng: Random) -> str:
    """A random character that the part stands for."""
    likely = [char for char in rng.sample(FOREIGN, 12) if _has(part, ord(char))]
    ranges = _ranges(part)
    if ranges and (not likely or rng.random() < _EVEN):
        low, high = rng.choice(ranges)
        code = rng.randint(low, high)
        return chr(low if code in _SURROGATES else code)
    return likely[0] if likely else first(part, PLAIN)


def _ranges(part: Part) -> list[tuple[int, int]]:
    """The ranges that a class lists, without surrogates; none for one that says what it is not."""
    if not isinstance(part, Class) or part.negated:
        return []
    listed = [(item.low, item.high) for item in part.items if isinstance(item, Range)]
    return [
        (low, high) for low, high in listed if low not in _SURROGATES and high not in _SURROGATES
    ]


def _has(part: Part | Range, code: int) -> bool:
    found = False
    match part:
        case Range(low, high):
            found = low <= code <= high
        case Char(own):
            found = code == own
        case Dot():
            found = code not in _LINE_ENDS
        case ClassEscape(letter):
            found = _has_escape(letter.lower(), code) is letter.islower()
        case Property(text, negated):
            found = _has_property(text.rpartition("=")[2], code) is not negated
        case Class(items, negated):
            found = any(_has(item, code) for item in items) is not negated
        case _:
            pass
    return found


def _has_escape(letter: str, code: int) -> bool:
    char = chr(code)
    if letter == "d":
        return char.isascii() and char.isdigit()
    if letter == "w":
        return char.isascii() and (char.isalnum() or char == "_")
    return char.isspace() or code == _BYTE_ORDER_MARK


def _has_property(name: str, code: int) -> bool:
    """By general category, roughly: a validator decides."""
    category = unicodedata.category(chr(code))
    first = name[:1]
    return category.startswith(name) if len(name) <= len("Lu") else category[0] == first
