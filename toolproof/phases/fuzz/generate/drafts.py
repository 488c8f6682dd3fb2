"""Drafts of cases, and the order in which many sorts of them take turns."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, Final, NamedTuple, TypeVar

from toolproof.phases.fuzz.generate.showing import label
from toolproof.phases.fuzz.generate.slots import put, without
from toolproof.schemas.pointers import Path

T = TypeVar("T")


REMOVED: Final = object()
"""In place of a value: what is there is taken away."""


class Draft(NamedTuple):
    """An input without a label: a validator gives it one.

    It is put together only when it is asked for, as most drafts of a large schema never are.

    Attributes:
        base: Arguments, or whatever is given in their place.
        at: The path in the base where the value goes; empty for the value itself.
        value: What goes there, or REMOVED.
        kind: The sort of change, for the order.
        path: From the arguments to what the reason is about.
        keyword: The keyword that it should break, if it should break one.
    """

    base: Any
    at: Path
    value: Any
    kind: str
    reason: str
    path: Path = ()
    keyword: str = ""

    @property
    def arguments(self) -> Any:
        """What is called with."""
        if self.value is REMOVED:
            return without(self.base, self.at)
        return put(self.base, self.at, self.value)


def whole(arguments: Any, kind: str, reason: str, path: Path = (), keyword: str = "") -> Draft:
    """A draft of ready arguments."""
    return Draft(None, (), arguments, kind, reason, path, keyword)


def said(path: Path, word: str, link: str = " ") -> str:
    """The reason: `day missing`, or `width=maximum` with `=` for a link."""
    name = label(path)
    return f"{name}{link}{word}" if name else word


def chunks(items: Iterable[T], size: int) -> Iterator[list[T]]:
    """The items in lists of a size, so that endless ones are looked at bit by bit."""
    iterator = iter(items)
    while part := list(islice(iterator, size)):
        yield part


def by_kind(drafts: Iterable[Draft]) -> dict[str, list[Draft]]:
    """The drafts of each kind, in their order."""
    tracks: dict[str, list[Draft]] = {}
    for draft in drafts:
        tracks.setdefault(draft.kind, []).append(draft)
    return tracks


def in_turns(tracks: Mapping[str, Sequence[Draft]], order: Sequence[str]) -> Iterator[Draft]:
    """One draft of each kind, then a second of each, and so on; unknown kinds come last.

    Each kind goes from place to place, and begins one place further on than the kind before, so
    that a short budget meets many places.
    """
    rank = {kind: index for index, kind in enumerate(order)}
    kinds = sorted(tracks, key=lambda kind: rank.get(kind, len(rank)))
    turned = [_spread(tracks[kind], first=index) for index, kind in enumerate(kinds)]
    for turn in range(max(map(len, turned), default=0)):
        for track in turned:
            if turn < len(track):
                yield track[turn]


def _spread(track: Sequence[Draft], *, first: int) -> list[Draft]:
    """One draft for each place, then a second for each, and so on."""
    places: dict[Path, list[Draft]] = {}
    for draft in track:
        places.setdefault(draft.path, []).append(draft)
    queues = list(places.values())
    start = first % len(queues) if queues else 0
    queues = [*queues[start:], *queues[:start]]
    most = max(map(len, queues), default=0)
    return [queue[turn] for turn in range(most) for queue in queues if turn < len(queue)]
