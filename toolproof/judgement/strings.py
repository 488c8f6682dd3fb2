"""The strings in a JSON value."""

from collections.abc import Iterator
from typing import Any

_MOST = 100_000


def strings_in(value: Any) -> Iterator[str]:
    """Every string in a value, keys included, in no particular order; however deep it is nested."""
    stack = [value]
    for _ in range(_MOST):
        if not stack:
            return
        item = stack.pop()
        if isinstance(item, str):
            yield item
        elif isinstance(item, dict):
            stack += item.keys()
            stack += item.values()
        elif isinstance(item, list | tuple):
            stack += item
