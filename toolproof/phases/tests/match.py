"""Matchers of `expect.jsonpath`: what a path should lead to."""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from toolproof.text import shorten

_TYPES: Mapping[str, Callable[[Any], bool]] = {
    "string": lambda value: isinstance(value, str),
    "number": lambda value: isinstance(value, int | float) and not isinstance(value, bool),
    "integer": lambda value: (
        (isinstance(value, int) and not isinstance(value, bool))
        or (isinstance(value, float) and value.is_integer())
    ),
    "boolean": lambda value: isinstance(value, bool),
    "array": lambda value: isinstance(value, list),
    "object": lambda value: isinstance(value, dict),
    "null": lambda value: value is None,
}


def show(value: Any) -> str:
    """A value as a person reads it in one line."""
    return shorten(repr(value), 200)


def _type(value: Any, wanted: Any) -> Iterator[str]:
    names = [wanted] if isinstance(wanted, str) else wanted
    if not any(_TYPES[name](value) for name in names):
        yield f"expected {' or '.join(names)}, got {_type_of(value)} {show(value)}"


def _type_of(value: Any) -> str:
    kinds = ("null", "boolean", "integer", "number", "string", "array", "object")
    return next((name for name in kinds if _TYPES[name](value)), type(value).__name__)


def _min(value: Any, wanted: float) -> Iterator[str]:
    if not _TYPES["number"](value) or value < wanted:
        yield f"expected at least {wanted}, got {show(value)}"


def _max(value: Any, wanted: float) -> Iterator[str]:
    if not _TYPES["number"](value) or value > wanted:
        yield f"expected at most {wanted}, got {show(value)}"


def _length(value: Any, wanted: int) -> Iterator[str]:
    if not isinstance(value, str | list | dict) or len(value) != wanted:
        yield f"expected length {wanted}, got {_length_of(value)}"


def _min_length(value: Any, wanted: int) -> Iterator[str]:
    if not isinstance(value, str | list | dict) or len(value) < wanted:
        yield f"expected a length of at least {wanted}, got {_length_of(value)}"


def _max_length(value: Any, wanted: int) -> Iterator[str]:
    if not isinstance(value, str | list | dict) or len(value) > wanted:
        yield f"expected a length of at most {wanted}, got {_length_of(value)}"


def _length_of(value: Any) -> str:
    return str(len(value)) if isinstance(value, str | list | dict) else show(value)


def _contains(value: Any, wanted: Any) -> Iterator[str]:
    for one in wanted if isinstance(wanted, list | tuple) else [wanted]:
        inside = isinstance(value, list | dict) or (isinstance(value, str) and isinstance(one, str))
        if not inside or one not in value:
            yield f"expected something that contains {one!r}, got {show(value)}"


def _regex(value: Any, wanted: Any) -> Iterator[str]:
    for pattern in [wanted] if isinstance(wanted, str) else wanted:
        if not isinstance(value, str) or re.search(pattern, value) is None:
            yield f"expected a string that matches /{pattern}/, got {show(value)}"


def _one_of(value: Any, wanted: Any) -> Iterator[str]:
    if not any(same(value, one) for one in wanted):
        yield f"expected one of {show(list(wanted))}, got {show(value)}"


def _equals(value: Any, wanted: Any) -> Iterator[str]:
    if not same(value, wanted):
        yield f"expected {show(wanted)}, got {show(value)}"


def same(left: Any, right: Any) -> bool:
    """Equal as JSON: 1 and 1.0 are, True and 1 are not; the order of keys does not count."""
    if isinstance(left, bool) or isinstance(right, bool):
        return left is right
    if isinstance(left, dict) and isinstance(right, dict):
        return left.keys() == right.keys() and all(same(left[key], right[key]) for key in left)
    if isinstance(left, list) and isinstance(right, list | tuple):
        return len(left) == len(right) and all(map(same, left, right))
    return bool(left == right)


MATCHERS: Mapping[str, Callable[[Any, Any], Iterator[str]]] = {
    "type": _type,
    "min": _min,
    "max": _max,
    "length": _length,
    "min_length": _min_length,
    "max_length": _max_length,
    "contains": _contains,
    "regex": _regex,
    "one_of": _one_of,
    "equals": _equals,
}
"""By their key in the file; `exists` is about the path and not about a value."""


def values_at(data: Any, path: str) -> list[Any]:
    """Every value that a JSONPath (RFC 9535) leads to."""
    import jsonpath  # noqa: PLC0415 - 0.1 s, for the few tests that look into JSON

    return [match.obj for match in jsonpath.finditer(path, data)]


def mismatches_of_path(data: Any, path: str, wanted: Mapping[str, Any]) -> Iterator[str]:
    """Why what the path leads to is not what is wanted; every value that it leads to must be.

    Args:
        data: The result's data.
        path: A JSONPath.
        wanted: Matchers by name: {"type": "number", "min": 0}.
    """
    found = values_at(data, path)
    if wanted.get("exists") is False:
        if found:
            yield f"expected nothing there, got {show(found[0])}"
        return
    if not found:
        yield "nothing is there"
        return
    for value in found:
        for name, argument in wanted.items():
            if name in MATCHERS:
                yield from MATCHERS[name](value, argument)
