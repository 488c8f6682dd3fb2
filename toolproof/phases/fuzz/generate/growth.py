"""Series of valid inputs that grow, for the question how time grows with size."""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from toolproof.phases.fuzz.generate.drafts import said
from toolproof.phases.fuzz.generate.plan import Plan
from toolproof.phases.fuzz.generate.slots import Slot
from toolproof.report.fuzz import InputMode
from toolproof.schemas.pointers import pointer_of

SIZES = (1_000, 2_000, 4_000, 8_000, 16_000, 32_000)
"""Characters or items, each twice as many as before: four of them tell an exponent."""

_FEWEST = 4

_FILLS: tuple[tuple[str, Callable[[int], Any]], ...] = (
    ("letters", lambda size: "a" * size),
    ("blanks", lambda size: " " * size),
    ("open parentheses", lambda size: "(" * size),
    ("items", lambda size: ["a"] * size),
    ("numbers", lambda size: [1] * size),
    ("objects", lambda size: [{}] * size),
)


class Growth(NamedTuple):
    """One series.

    Attributes:
        pointer: Of the place that grows, in the arguments.
        reason: "text of n letters".
        steps: Sizes with arguments, the smallest first; all valid.
    """

    pointer: str
    reason: str
    steps: tuple[tuple[int, Any], ...]


def growths(plan: Plan, sizes: tuple[int, ...] = SIZES) -> Iterator[Growth]:
    """Every series of at least four sizes that the schema allows, place by place."""
    for slot in plan.slots:
        if slot.path:
            yield from _of_slot(plan, slot, sizes)


def _of_slot(plan: Plan, slot: Slot, sizes: tuple[int, ...]) -> Iterator[Growth]:
    there: Any = slot.base
    for step in slot.path[:-1]:
        there = there[step]
    own = there.get(slot.path[-1]) if isinstance(there, dict) else None
    fills = list(_FILLS)
    if isinstance(own, list) and own:
        fills.append(("items like the first", lambda size: own[:1] * size))
    for word, fill in fills:
        steps: list[tuple[int, Any]] = []
        for size in sizes:
            arguments = slot.put(fill(size))
            if plan.label(arguments) is not InputMode.VALID:
                break
            steps.append((size, arguments))
        if len(steps) >= _FEWEST:
            reason = said(slot.path, f"n {word}", "=")
            yield Growth(pointer_of(slot.path), reason, tuple(steps))
