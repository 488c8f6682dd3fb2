"""Values far down along a schema that refers to itself: programs run out of stack there."""

from collections.abc import Hashable, Iterator, Sequence
from itertools import islice
from typing import Any

from toolproof.phases.fuzz.generate.drafts import Draft, said
from toolproof.phases.fuzz.generate.shape import node_key
from toolproof.phases.fuzz.generate.slots import Slot, put
from toolproof.schemas.pointers import Path

LEVELS = (50, 200)
"""Many parsers of JSON give up at 128 levels, and one level here may be two of them."""

_MOST_PLACES = 3


def deep_drafts(slots: Sequence[Slot]) -> Iterator[Draft]:
    """For each place that stands in one of its own kind: many of them, one in the other."""
    places = list(islice(_recursive(slots), _MOST_PLACES))
    for levels in LEVELS:
        for outer, inner in places:
            value = _wrapped(outer, inner, levels)
            reason = said(outer.path, f"{levels} levels deep", "=")
            yield Draft(inner.base, outer.path, value, "deep", reason, outer.path)


def _recursive(slots: Sequence[Slot]) -> Iterator[tuple[Slot, Slot]]:
    """A place with the nearest one inside it that has the same claims; each kind of place once."""
    first: dict[Hashable, Slot] = {}
    told: set[tuple[Hashable, Path]] = set()
    for slot in slots:
        key = node_key(slot.node)
        outer = first.setdefault(key, slot)
        length = len(outer.path)
        way = slot.path[length:]
        if outer is slot or not slot.node or slot.path[:length] != outer.path:
            continue
        if not any(way[: len(known)] == known for kind, known in told if kind == key):
            told.add((key, way))
            yield outer, slot


def _wrapped(outer: Slot, inner: Slot, levels: int) -> Any:
    template: Any = inner.base
    for step in outer.path:
        template = template[step]
    way = inner.path[len(outer.path) :]
    value: Any = template
    for _ in range(levels):
        value = put(template, way, value)
    return value
