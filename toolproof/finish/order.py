"""Results of several shards in the order that the whole has."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeVar

_One = TypeVar("_One")


def in_place(
    ones: Iterable[_One], order: Sequence[str], name: Callable[[_One], str]
) -> tuple[_One, ...]:
    """The ones in the order that their names have in the whole; of equal names the first is first.

    What the order does not name comes last.
    """
    places: dict[str, Iterator[int]] = {}
    found: dict[str, list[int]] = defaultdict(list)
    for index, known in enumerate(order):
        found[known].append(index)
    placed = []
    for one in ones:
        named = name(one)
        at = next(places.setdefault(named, iter(found.get(named, ()))), len(order))
        placed.append((at, one))
    return tuple(one for _, one in sorted(placed, key=lambda pair: pair[0]))
