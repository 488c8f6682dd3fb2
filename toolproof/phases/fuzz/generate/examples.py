"""Values that somebody gave: the user's, and the defaults and examples of the schema."""

from collections.abc import Iterator
from typing import Any

from toolproof.phases.fuzz.generate.drafts import Draft, said, whole
from toolproof.phases.fuzz.generate.showing import shown
from toolproof.phases.fuzz.generate.slots import Slot, put
from toolproof.phases.fuzz.generate.values import Values


def example_drafts(values: Values, slots: list[Slot]) -> Iterator[Draft]:
    """All that is given at once, then each of it alone; nothing where nothing is given."""
    named = [(slot, list(_given(values, slot))) for slot in slots]
    together: Any = slots[0].base
    count = 0
    for slot, given in named:
        if given and len(slot.path) == 1:
            more = put(together, slot.path, given[0][0])
            if values.checker.fits(more):
                together, count = more, count + 1
    if count > 1:
        yield whole(together, "given", "every field that has a value given")
    for turn in range(max((len(given) for _, given in named), default=0)):
        for slot, given in named:
            if turn < len(given):
                value, source = given[turn]
                reason = said(slot.path, f"{shown(value)}, {source}", "=")
                yield Draft(slot.base, slot.path, value, "given", reason, slot.path)


def _given(values: Values, slot: Slot) -> Iterator[tuple[Any, str]]:
    for value in values.given.get(slot.name, ()) if slot.path else ():
        yield value, "as given"
    for shape in values.shapes(slot.node):
        for value in shape.hints:
            yield value, "as the schema says"
