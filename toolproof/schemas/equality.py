"""Equality as JSON Schema has it: 1 is 1.0 and is not true, and objects have no order."""

from collections.abc import Iterable
from typing import Any


def first_repeated(values: Iterable[Any]) -> int | None:
    """The index of the first value that was there before; None where all differ."""
    seen: set[Any] = set()
    for index, value in enumerate(values):
        key = identity(value)
        if key in seen:
            return index
        seen.add(key)
    return None


def identity(value: Any) -> Any:
    """Something hashable that is equal for equal values, and for those alone.

    It takes any depth: what nests is flattened, with marks where a list or an object begins.
    """
    if isinstance(value, bool):
        return ("boolean", value)
    if not isinstance(value, (list, dict)):
        return value if value is None or isinstance(value, (str, int, float)) else repr(value)
    flat: list[Any] = []
    stack: list[Any] = [value]
    while stack:
        part = stack.pop()
        if isinstance(part, list):
            flat.append(("list", len(part)))
            stack += reversed(part)
        elif isinstance(part, dict):
            names = sorted(part, key=str)
            flat.append(("object", *names))
            stack += [part[name] for name in reversed(names)]
        else:
            flat.append(identity(part))
    return tuple(flat)
