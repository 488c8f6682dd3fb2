"""Integers that JavaScript cannot hold."""

from collections.abc import Iterator
from typing import Any

from toolproof.schemas.pointers import escape_token

SAFE_INTEGER = 2**53 - 1
"""The largest integer that JavaScript holds exactly. Source: ECMA-262, Number.MAX_SAFE_INTEGER."""


def unsafe_integers(value: Any) -> Iterator[tuple[str, int]]:
    """Every integer in a JSON value that is outside +-(2^53-1), with its pointer; in order."""
    stack: list[tuple[str, Any]] = [("", value)] if _may_hold(value) else []
    while stack:
        pointer, item = stack.pop()
        if isinstance(item, int):
            yield pointer, item
        elif isinstance(item, dict):
            stack += [
                (f"{pointer}/{escape_token(key)}", below)
                for key, below in reversed(item.items())
                if _may_hold(below)
            ]
        else:
            stack += [
                (f"{pointer}/{index}", item[index])
                for index in range(len(item) - 1, -1, -1)
                if _may_hold(item[index])
            ]


def _may_hold(value: Any) -> bool:
    """Whether it is an unsafe integer, or something in which one may be."""
    if type(value) is int:
        return not -SAFE_INTEGER <= value <= SAFE_INTEGER
    return isinstance(value, dict | list)
