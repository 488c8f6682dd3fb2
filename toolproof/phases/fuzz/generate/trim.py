"""Copies of a schema with less in it: long enums cut short, keywords left out."""

from collections.abc import Hashable
from typing import Any, NamedTuple

from toolproof.phases.fuzz.generate.limits import MOST_OPTIONS
from toolproof.schemas import identity, subschemas
from toolproof.schemas.pointers import Path, value_at

_LONG = 2 * MOST_OPTIONS
_LAST = 8  # values kept from the end


class Trimmed(NamedTuple):
    """A schema with shorter enums.

    A value in which no part equals a dropped value fits it exactly if it fits the whole schema.

    Attributes:
        schema: The given one, if nothing was cut.
        dropped: Identities of the values that some enum no longer has.
        cut: The paths of the subschemas with an enum that was cut, and how many values it had.
    """

    schema: Any
    dropped: frozenset[Hashable]
    cut: tuple[tuple[Path, int], ...]


def trimmed(schema: Any) -> Trimmed:
    """Cut the enums of more than some hundred plain values; lists and objects are left alone."""
    dropped: set[Hashable] = set()
    cut: list[tuple[Path, int]] = []
    made = schema
    for path, values in _long_enums(schema):
        kept = [*values[: MOST_OPTIONS - _LAST], *values[-_LAST:]]
        dropped.update(map(identity, values[MOST_OPTIONS - _LAST : -_LAST]))
        cut.append((path, len(values)))
        made = _replaced(made, (*path, "enum"), kept)
    return Trimmed(made, frozenset(dropped), tuple(cut))


def holds_any(value: Any, dropped: frozenset[Hashable]) -> bool:
    """Whether some part of the value is one of the dropped ones."""
    stack = [value]
    while stack:
        part = stack.pop()
        if isinstance(part, dict):
            stack += part.values()
            stack += part  # propertyNames may have an enum
        elif isinstance(part, list):
            stack += part
        elif identity(part) in dropped:
            return True
    return False


def without_keywords(schema: Any, keywords: frozenset[str]) -> Any:
    """The schema without these keywords, wherever they stand; the given one if it has none."""
    made = schema
    stack: list[tuple[Path, Any]] = [((), schema)]
    while stack:
        path, part = stack.pop()
        if not isinstance(part, dict):
            continue
        if not keywords.isdisjoint(part):
            now = value_at(made, path)
            made = _replaced(made, path, {k: v for k, v in now.items() if k not in keywords})
        stack += [
            ((*path, *below), sub) for below, sub in subschemas(part) if below[0] not in keywords
        ]
    return made


def _long_enums(schema: Any) -> list[tuple[Path, list[Any]]]:
    found: list[tuple[Path, list[Any]]] = []
    stack: list[tuple[Path, Any]] = [((), schema)]
    while stack:
        path, part = stack.pop()
        if not isinstance(part, dict):
            continue
        values = part.get("enum")
        if isinstance(values, list) and len(values) > _LONG and not any(map(_holds, values)):
            found.append((path, values))
        stack += [((*path, *below), sub) for below, sub in subschemas(part)]
    return sorted(found, key=lambda one: str(one[0]))


def _holds(value: Any) -> bool:
    return isinstance(value, (list, dict))


def _replaced(schema: Any, path: Path, value: Any) -> Any:
    """A copy with another value at the path; what is beside the path is shared."""
    if not path:
        return value
    step = path[0]
    below = _replaced(value_at(schema, (step,)), path[1:], value)
    if isinstance(schema, list):
        return [below if index == step else item for index, item in enumerate(schema)]
    return {**schema, step: below}
