"""Which references of a document lead back to themselves."""

from collections.abc import Collection, Sequence

from toolproof.schemas.pointers import Path
from toolproof.schemas.walk import DEFINITIONS, HOLDERS, NAMED

Lead = tuple[Path, Path]
"""From the schema that holds a reference to the one that it leads to."""


def on_a_cycle(leads: Sequence[Lead]) -> Collection[Lead]:
    """Those from whose target they are reached again.

    The document's tree is thinned to what matters: the places that hold a reference and those that
    one leads to, each below the nearest such place above it. A reference is on a cycle if it and
    its target are in one strongly connected component of that graph.
    """
    targets = {target for _, target in leads}
    if not any(_is_in(holder, targets) for holder, _ in leads):
        return ()
    places = sorted({place for lead in leads for place in lead}, key=_order)
    number = {place: index for index, place in enumerate(places)}
    edges: list[list[int]] = [[] for _ in places]
    above: list[int] = []
    for index, place in enumerate(places):
        while above and places[above[-1]] != place[: len(places[above[-1]])]:
            above.pop()
        if above and _is_applied(place[len(places[above[-1]]) :]):
            edges[above[-1]].append(index)
        above.append(index)
    for holder, target in leads:
        edges[number[holder]].append(number[target])
    component = _Components(edges).component
    return {lead for lead in leads if component[number[lead[0]]] == component[number[lead[1]]]}


def _is_in(path: Path, places: Collection[Path]) -> bool:
    return any(path[:length] in places for length in range(len(path) + 1))


def _is_applied(path: Path) -> bool:
    """Whether a value is held against the schema at `path` below: `$defs` only keep schemas."""
    rest = list(reversed(path))
    while rest:
        keyword = rest.pop()
        if keyword not in HOLDERS or keyword in DEFINITIONS:
            return False
        if rest and (keyword in NAMED or isinstance(rest[-1], int)):
            rest.pop()
    return True


def _order(path: Path) -> tuple[tuple[bool, str | int], ...]:
    return tuple((isinstance(token, str), token) for token in path)


class _Components:
    """The strongly connected components of a graph, each called by one of its vertices.

    Source: R. Tarjan, Depth-first search and linear graph algorithms (1972), without recursion.
    """

    def __init__(self, edges: Sequence[Sequence[int]]) -> None:
        self._edges = edges
        self._seen = [-1] * len(edges)
        self._low = [0] * len(edges)
        self._pending: list[int] = []
        self._clock = 0
        self.component = [-1] * len(edges)
        for start in range(len(edges)):
            if self._seen[start] < 0:
                self._search(start)

    def _search(self, start: int) -> None:
        work = [(start, 0)]  # a vertex, and how many of its edges were followed
        while work:
            vertex, followed = work.pop()
            if followed:
                self._lower(vertex, self._low[self._edges[vertex][followed - 1]], followed - 1)
            else:
                self._seen[vertex] = self._low[vertex] = self._clock
                self._clock += 1
                self._pending.append(vertex)
            for step in range(followed, len(self._edges[vertex])):
                target = self._edges[vertex][step]
                if self._seen[target] < 0:
                    work += [(vertex, step + 1), (target, 0)]
                    break
                self._lower(vertex, self._seen[target], step)
            else:
                self._close(vertex)

    def _lower(self, vertex: int, reached: int, step: int) -> None:
        if self.component[self._edges[vertex][step]] < 0:
            self._low[vertex] = min(self._low[vertex], reached)

    def _close(self, vertex: int) -> None:
        if self._low[vertex] == self._seen[vertex]:
            member = -1
            while member != vertex:
                member = self._pending.pop()
                self.component[member] = vertex
