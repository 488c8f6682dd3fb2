"""The smallest arguments that still fail: candidates in batches, so that calls can overlap."""

from collections.abc import Awaitable, Callable, Iterator, Sequence
from typing import Any, NamedTuple

from toolproof.phases.fuzz.generate.case import ABSENT
from toolproof.phases.fuzz.generate.showing import wire_key
from toolproof.phases.fuzz.generate.simpler import Keeps, simpler, weight

StillFail = Callable[[Sequence[Any]], Awaitable[Sequence[bool]]]
"""Which of these arguments still fail; they may be called at the same time, on several servers."""

_MOST_LOOKED_AT = 20_000
"""Candidates that are made for one search, whether they are called or not."""


class Shrunk(NamedTuple):
    """The end of a search.

    Attributes:
        arguments: The smallest that fail, of those that were tried.
        calls: How many were made.
    """

    arguments: Any
    calls: int


class Shrinker:
    """A search without I/O: it proposes, and is told what failed. Deterministic.

    Args:
        arguments: They fail.
        keeps: Whether a candidate still is what the case is about; see `Plan.keeper`.
        most_calls: How many candidates are proposed in all.
        batch: How many are proposed at once.

    Attributes:
        best: The smallest arguments that fail, so far.
        calls: How many candidates were proposed.
    """

    def __init__(
        self, arguments: Any, keeps: Keeps, *, most_calls: int = 200, batch: int = 8
    ) -> None:
        self.best = arguments
        self.calls = 0
        self._keeps = keeps
        self._most_calls = most_calls
        self._batch = batch
        self._proposed: list[Any] = []
        self._known = {_key(arguments)}
        self._looked_at = 0
        self._candidates = self._lighter()

    def propose(self) -> Sequence[Any]:
        """The next candidates, the simplest cut first; none at the end of the search."""
        self._proposed = []
        for candidate in self._candidates:
            if self.calls >= self._most_calls:
                break
            self._proposed.append(candidate)
            self.calls += 1
            if len(self._proposed) >= self._batch:
                break
        return self._proposed

    def tell(self, failing: Sequence[bool]) -> None:
        """Take up which of the proposed candidates fail; the lightest of them is the new best."""
        failed = [one for one, fails in zip(self._proposed, failing, strict=True) if fails]
        if failed:
            self.best = min(failed, key=weight)
            self._candidates = self._lighter()

    def _lighter(self) -> Iterator[Any]:
        limit = weight(self.best)
        for candidate in simpler(self.best, self._keeps):
            self._looked_at += 1
            if self._looked_at > _MOST_LOOKED_AT:
                return
            key = _key(candidate)
            if key in self._known or weight(candidate) >= limit:
                continue
            self._known.add(key)
            if self._keeps(candidate):
                yield candidate


async def shrink(
    arguments: Any,
    still_fail: StillFail,
    keeps: Keeps,
    *,
    most_calls: int = 200,
    batch: int = 8,
) -> Shrunk:
    """Search for the smallest arguments that fail; see `Shrinker`.

    Never for a hang: each candidate may cost a whole time limit.
    """
    search = Shrinker(arguments, keeps, most_calls=most_calls, batch=batch)
    while candidates := search.propose():
        search.tell(await still_fail(candidates))
    return Shrunk(search.best, search.calls)


def _key(arguments: Any) -> int:
    return hash("" if arguments is ABSENT else wire_key(arguments))
