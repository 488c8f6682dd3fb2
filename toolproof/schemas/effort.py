"""How much work it may take to hold a value against a schema whose references multiply.

`{"allOf": [{"$ref": "#/$defs/b"}, {"$ref": "#/$defs/b"}]}` in a chain of 40 takes 2^40 steps in any
engine that follows each reference anew; so does a choice between two references to the root,
for each level of the value. Source: MCP 2026-07-28 basic, Composition-Keyword Resource Use.
"""

from typing import Any

from toolproof.schemas.dialects import Dialect
from toolproof.schemas.pointers import value_at
from toolproof.schemas.references import References
from toolproof.schemas.walk import DEFINITIONS, subschemas

_SAME_VALUE = frozenset(
    {"allOf", "anyOf", "oneOf", "not", "if", "then", "else", "dependentSchemas", "dependencies"}
)
_KEPT = DEFINITIONS | {"contentSchema"}
ENDLESS = 10**12
"""What the numbers are cut to, so that they stay small."""


_Level = tuple[list[int], list[int]]
"""For each schema the steps that it may take, and how many of them are in each other."""


class Effort:
    """The steps that one schema may take, by the depth of the value.

    A step is one schema held against one part of the value. What a value has beside each other is
    not counted: that only adds up.

    Attributes:
        loops: Whether a schema is held against the value that it is already held against.
    """

    def __init__(self, schema: Any, dialect: Dialect) -> None:
        self._targets: dict[int, dict[str, Any]] = {}
        for reference in References(schema, dialect):
            if reference.target is not None:
                holder = id(value_at(schema, reference.path))
                target = value_at(schema, reference.target)
                self._targets.setdefault(holder, {})[reference.keyword] = target
        self._numbers: dict[int, int] = {}
        self._pending: list[dict[str, Any]] = []
        self._same: list[list[int]] = []  # for each schema those held against the same value
        self._below: list[list[int]] = []  # and those held against what is in it
        self._number(schema)
        while self._pending:
            self._join(self._pending.pop())
        self._order, self.loops = _children_first(self._same)
        nothing = [0] * len(self._same)
        self._levels = [self._level((nothing, nothing))]

    def at(self, depth: int) -> int:
        """The most steps for a value of this many levels; 0 for a scalar."""
        return self._root(depth)[0]

    def height(self, depth: int) -> int:
        """The most steps in steps, for a value of this many levels."""
        return self._root(depth)[1]

    def _root(self, depth: int) -> tuple[int, int]:
        while len(self._levels) <= depth:
            level = self._level(self._levels[-1])
            if level == self._levels[-1]:  # deeper values meet nothing new
                break
            self._levels.append(level)
        steps, heights = self._levels[min(depth, len(self._levels) - 1)]
        return (steps[0], heights[0]) if steps else (1, 1)

    def _number(self, schema: Any) -> int | None:
        if not isinstance(schema, dict):
            return None
        if id(schema) not in self._numbers:
            self._numbers[id(schema)] = len(self._same)
            self._same.append([])
            self._below.append([])
            self._pending.append(schema)
        return self._numbers[id(schema)]

    def _join(self, schema: dict[str, Any]) -> None:
        number = self._numbers[id(schema)]
        for target in self._targets.get(id(schema), {}).values():
            child = self._number(target)
            if child is not None:
                self._same[number].append(child)
        for path, below in subschemas(schema):
            child = None if path[0] in _KEPT else self._number(below)
            if child is not None:
                (self._same if path[0] in _SAME_VALUE else self._below)[number].append(child)

    def _level(self, above: _Level) -> _Level:
        """Steps and heights for values one level deeper than those of `above`."""
        steps, heights = [0] * len(self._same), [0] * len(self._same)
        for number in self._order:
            same, below = self._same[number], self._below[number]
            total = sum([steps[child] for child in same]) + sum(
                [above[0][child] for child in below]
            )
            steps[number] = min(1 + total, ENDLESS)
            tallest = [heights[child] for child in same] + [above[1][child] for child in below]
            heights[number] = 1 + max(tallest, default=0)
        return steps, heights


def _children_first(edges: list[list[int]]) -> tuple[list[int], bool]:
    """The vertices in an order in which each comes after its children; and if there is a cycle.

    On a cycle some do not: there engines stop, or never end.
    """
    order: list[int] = []
    seen = [False] * len(edges)
    done = [False] * len(edges)
    loops = False
    for start in range(len(edges)):
        stack = [(start, False)]
        while stack:
            vertex, is_done = stack.pop()
            if is_done:
                order.append(vertex)
                done[vertex] = True
            elif not seen[vertex]:
                seen[vertex] = True
                stack.append((vertex, True))
                loops = loops or any(seen[child] and not done[child] for child in edges[vertex])
                stack += [(child, False) for child in edges[vertex] if not seen[child]]
    return order, loops
