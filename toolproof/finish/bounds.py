"""Bounds, patterns and formats of two schemas: which values that lets in, or keeps out."""

from collections.abc import Iterator, Mapping
from typing import Any

from toolproof.text import quoted

Change = tuple[str, str, str]
"""A keyword, NARROWS or WIDENS or both, and the words for it."""

NARROWS, WIDENS, BOTH = "NARROWS", "WIDENS", "BOTH"

_LEAST = {
    "minLength": "characters",
    "minItems": "items",
    "minProperties": "members",
    "minContains": "matching items",
}
_MOST = {
    "maxLength": "characters",
    "maxItems": "items",
    "maxProperties": "members",
    "maxContains": "matching items",
}


def bound_changes(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[Change]:
    """What differs in keywords that hold a number, a pattern or a name."""
    yield from _limits(before, after)
    for key, noun in _LEAST.items():
        yield from _count(key, noun, before, after, grows=NARROWS, words="at least")
    for key, noun in _MOST.items():
        yield from _count(key, noun, before, after, grows=WIDENS, words="at most")
    yield from _multiples(before, after)
    for key in ("pattern", "format"):
        yield from _named(key, before, after)
    if bool(before.get("uniqueItems")) != bool(after.get("uniqueItems")):
        unique = bool(after.get("uniqueItems"))
        words = "its items must differ now" if unique else "its items need not differ any more"
        yield "uniqueItems", NARROWS if unique else WIDENS, words
    yield from _dependent(before, after)


def _limits(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[Change]:
    """Minimum and maximum, exclusive or not."""
    old, new = _low(before), _low(after)
    if old != new:
        key = _key(before, after, "minimum", "exclusiveMinimum")
        yield key, NARROWS if _rank(new) > _rank(old) else WIDENS, _words("minimum", old, new)
    old, new = _high(before), _high(after)
    if old != new:
        key = _key(before, after, "maximum", "exclusiveMaximum")
        yield key, NARROWS if _rank(new) > _rank(old) else WIDENS, _words("maximum", old, new)


_Bound = tuple[float, bool] | None
"""A limit, turned so that the larger one is the narrower, and whether it is excluded itself."""


def _low(schema: Mapping[str, Any]) -> _Bound:
    return _bound(schema.get("minimum"), schema.get("exclusiveMinimum"), 1)


def _high(schema: Mapping[str, Any]) -> _Bound:
    return _bound(schema.get("maximum"), schema.get("exclusiveMaximum"), -1)


def _bound(limit: Any, exclusive: Any, sign: int) -> _Bound:
    bounds: list[tuple[float, bool]] = []
    if _is_number(limit):
        bounds.append((limit * sign, exclusive is True))  # a boolean in draft 4
    if _is_number(exclusive):
        bounds.append((exclusive * sign, True))
    return max(bounds, default=None)


def _rank(bound: _Bound) -> tuple[bool, float, bool]:
    return (False, 0, False) if bound is None else (True, *bound)


def _words(name: str, old: _Bound, new: _Bound) -> str:
    def shown(bound: _Bound) -> str:
        if bound is None:
            return "none"
        value = abs(bound[0]) if bound[0] == 0 else bound[0] * (1 if name == "minimum" else -1)
        return f"{quoted(value, 40)}{' (excluded)' if bound[1] else ''}"

    return f"its {name} changed from {shown(old)} to {shown(new)}"


def _count(  # noqa: PLR0913 - both schemas, and how to read and tell the keyword
    key: str,
    noun: str,
    before: Mapping[str, Any],
    after: Mapping[str, Any],
    *,
    grows: str,
    words: str,
) -> Iterator[Change]:
    old, new = before.get(key), after.get(key)
    old, new = (value if _is_number(value) else None for value in (old, new))
    if old == new:
        return
    shrinks = WIDENS if grows == NARROWS else NARROWS
    if new is None:
        effect, told = WIDENS, f"it needs no longer have {words} {quoted(old, 40)} {noun}"
    else:
        larger = grows if old is None and grows == NARROWS else None
        larger = larger or (NARROWS if old is None else grows if new > old else shrinks)
        effect, told = larger, f"it must have {words} {quoted(new, 40)} {noun}"
        told += f", before {quoted(old, 40)}" if old is not None else ""
    yield key, effect, told


def _multiples(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[Change]:
    old, new = before.get("multipleOf"), after.get("multipleOf")
    if old == new:
        return
    words = f"its multipleOf changed from {quoted(old, 40)} to {quoted(new, 40)}"
    if not _is_number(old) or not _is_number(new) or old == 0 or new == 0:
        yield "multipleOf", NARROWS if old is None else WIDENS, words
    elif isinstance(old, int) and isinstance(new, int) and new % old == 0:
        yield "multipleOf", NARROWS, words
    elif isinstance(old, int) and isinstance(new, int) and old % new == 0:
        yield "multipleOf", WIDENS, words
    else:
        yield "multipleOf", BOTH, words


def _named(key: str, before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[Change]:
    old, new = before.get(key), after.get(key)
    if old == new:
        return
    words = f"its {key} changed from {_or_none(old)} to {_or_none(new)}"
    yield key, BOTH if None not in (old, new) else WIDENS if new is None else NARROWS, words


def _dependent(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[Change]:
    key = "dependentRequired"
    old, new = _needs(before.get(key)), _needs(after.get(key))
    for name, other in sorted(new - old):
        yield key, NARROWS, f"{quoted(name, 40)} now needs {quoted(other, 40)} beside it"
    for name, other in sorted(old - new):
        yield key, WIDENS, f"{quoted(name, 40)} no longer needs {quoted(other, 40)} beside it"


def _needs(value: Any) -> set[tuple[str, str]]:
    if not isinstance(value, dict):
        return set()
    return {
        (str(name), other)
        for name, others in value.items()
        for other in (others if isinstance(others, list) else ())
        if isinstance(other, str)
    }


def _key(before: Mapping[str, Any], after: Mapping[str, Any], first: str, second: str) -> str:
    return next(
        (key for key in (first, second) if key in after), first if first in before else second
    )


def _or_none(value: Any) -> str:
    return "none" if value is None else quoted(value, 60)


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and value == value  # noqa: PLR0124 - no NaN
