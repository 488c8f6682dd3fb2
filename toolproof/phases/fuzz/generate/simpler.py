"""Simpler versions of a JSON value, the boldest cuts first, and what simpler means."""

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from toolproof.judgement.facts import Number
from toolproof.phases.fuzz.generate.case import ABSENT
from toolproof.phases.fuzz.generate.slots import put
from toolproof.schemas.pointers import Path

Keeps = Callable[[Any], bool]
"""Whether a candidate still is what the case is about: valid, or wrong in the same way."""

Weight = tuple[int, int, int, int, int]

_MOST_PLACES = 300
_MOST_LETTERS = 24  # of a text whose letters are simplified one by one
_PLAIN = "a0 é"
_SIMPLE: tuple[Any, ...] = ("", 0, False, None, [], {}, "a", 1, True, "0", -1)
_RANKS = {str: 0, int: 1, bool: 2, type(None): 3, list: 4, dict: 5, float: 6}
_FEW_DIGITS = (0, 1, 3, 6)


def weight(arguments: Any) -> Weight:
    """Less for what is simpler: `{}`, then no arguments, then the fewest and plainest parts.

    Parts first, then letters and digits, then how plain they are, then the type (text, a number,
    a boolean, null, a list, an object), and last how far numbers are from zero.
    """
    if arguments is ABSENT:
        return (0, 1, 0, 0, 0)
    if arguments == {}:
        return (0, 0, 0, 0, 0)
    parts = letters = fancy = ranks = far = 0
    stack = [arguments]
    while stack:
        value = stack.pop()
        parts += 1
        ranks += _RANKS.get(type(value), 0)
        if isinstance(value, dict):
            stack += value.values()
            letters += sum(map(len, value))
        elif isinstance(value, list):
            stack += value
        elif isinstance(value, str):
            letters += len(value)
            fancy += sum(map(_fancy, value))
        elif isinstance(value, (int, float)) and not isinstance(value, bool):
            digits, strange = _size(value)
            letters += digits
            fancy += strange
            far += _distance(value)
    return parts, letters, fancy, ranks, far


def simpler(arguments: Any, keeps: Keeps) -> Iterator[Any]:
    """Candidates, the boldest first. Not each is lighter, and not each keeps what it must.

    Args:
        keeps: Tells which fields and items can be left out at all, so that many go at once.
    """
    yield {}
    yield ABSENT
    if not isinstance(arguments, (dict, list)):
        yield from _simpler_scalar(arguments)
        return
    places = list(_places(arguments))
    for path, value in places:
        if isinstance(value, dict):
            yield from _fewer(arguments, path, list(value), keeps, _without_keys)
        elif isinstance(value, list):
            yield from _fewer(arguments, path, list(range(len(value))), keeps, _without_items)
    for path, value in places:
        yield from (put(arguments, path, inner) for inner in _lifted(value))
        if path:
            yield from (put(arguments, path, simple) for simple in _SIMPLE)
    for path, value in places:
        yield from (put(arguments, path, plain) for plain in _simpler_scalar(value))


def _places(arguments: Any) -> Iterator[tuple[Path, Any]]:
    """Every value with its path, the outer ones first."""
    level: list[tuple[Path, Any]] = [((), arguments)]
    count = 0
    while level and count < _MOST_PLACES:
        below: list[tuple[Path, Any]] = []
        for path, value in level:
            yield path, value
            count += 1
            if count >= _MOST_PLACES:
                return
            if isinstance(value, dict):
                below += [((*path, key), inner) for key, inner in value.items()]
            elif isinstance(value, list):
                below += [((*path, index), inner) for index, inner in enumerate(value)]
        level = below


def _fewer(
    arguments: Any,
    path: Path,
    steps: Sequence[Any],
    keeps: Keeps,
    less: Callable[[Any, set[Any]], Any],
) -> Iterator[Any]:
    """Without many of the fields or items, then without fewer: delta debugging."""
    here = arguments
    for step in path:
        here = here[step]
    free = list(steps)
    if isinstance(here, dict):
        free = [
            step
            for step in steps[-_MOST_PLACES:]
            if keeps(put(arguments, path, less(here, {step})))
        ]
    size = len(free)
    while size:
        for start in range(0, len(free), size):
            yield put(arguments, path, less(here, set(free[start : start + size])))
        size //= 2


def _without_keys(value: dict[str, Any], keys: set[Any]) -> dict[str, Any]:
    return {key: inner for key, inner in value.items() if key not in keys}


def _without_items(value: list[Any], indices: set[Any]) -> list[Any]:
    return [inner for index, inner in enumerate(value) if index not in indices]


def _lifted(value: Any) -> Iterator[Any]:
    """What is inside, in place of what is around it: for schemas that contain themselves."""
    inside = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    for inner in inside:
        if isinstance(inner, dict):
            yield inner
        elif isinstance(inner, list):
            yield inner
            yield from (item for item in inner[:2] if isinstance(item, dict))


def _simpler_scalar(value: Any) -> Iterator[Any]:
    if isinstance(value, str):
        yield from _simpler_text(value)
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        yield from _simpler_number(value)


def _simpler_text(text: str) -> Iterator[str]:
    """Less of the text, then plainer letters."""
    size = (len(text) + 1) // 2
    while size and len(text) > 1:
        for start in range(0, len(text), size):
            yield text[start : start + size]
        for start in range(0, len(text), size):
            yield text[:start] + text[start + size :]
        if len(text) // size > _MOST_LETTERS:
            break
        size = size // 2 if size > 1 else 0
    for plain in _PLAIN:
        yield plain * len(text)
    if len(text) <= _MOST_LETTERS:
        for index in range(len(text)):
            for plain in _PLAIN:
                yield text[:index] + plain + text[index + 1 :]


def _simpler_number(number: Number) -> Iterator[Number]:
    """Towards zero, by ever smaller steps; without a fraction, or with fewer digits of it."""
    if isinstance(number, float):
        if not math.isfinite(number):
            return
        yield int(number)
        yield from (round(number, digits) for digits in _FEW_DIGITS)
        if not number.is_integer():
            return
        number = int(number)
    yield -number
    sign = -1 if number < 0 else 1
    step = abs(number)
    while step:
        yield number - sign * step
        step //= 2


def _fancy(char: str) -> int:
    if char in _PLAIN:
        return _PLAIN.index(char)
    if not char.isascii():
        return 9
    return 5 if char.isalnum() else 7


def _distance(number: Number) -> int:
    """From zero; of infinity and NaN, which no search needs to keep, more than of any float."""
    if isinstance(number, float) and not math.isfinite(number):
        return 1 << 1_024
    return abs(int(number))


def _size(number: Number) -> tuple[int, int]:
    """Digits, and how strange it is: negative, or with a point."""
    if isinstance(number, float) and not number.is_integer():
        return len(repr(abs(number))), 3 + (number < 0)
    whole = int(number)
    digits = whole.bit_length()
    return digits, 2 * isinstance(number, float) + (whole < 0)
