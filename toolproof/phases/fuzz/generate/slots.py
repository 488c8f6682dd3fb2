"""The places inside the arguments that are varied one by one, each in arguments that fit."""

from collections import deque
from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, NamedTuple

from toolproof.phases.fuzz.generate.limits import DEEPEST_SLOT, MOST_SLOTS
from toolproof.phases.fuzz.generate.shape import NOTHING, Node, Shape, node_key
from toolproof.phases.fuzz.generate.structures import with_dependents
from toolproof.phases.fuzz.generate.values import Values
from toolproof.schemas.pointers import Path

_MOST_FRONT = 8  # items with schemas of their own
_MOST_FORMS = 16  # shapes of one place whose insides are looked at
_MOST_NESTED = 2  # of one and the same subschema inside itself


@dataclass(eq=False, slots=True)
class Slot:
    """One place.

    Attributes:
        path: From the arguments; empty for the arguments themselves.
        node: What is claimed of the value there.
        base: Arguments that fit, in which the place can be set.
        is_required: Whether it is a field that must be there.
        forms: Where objects or arrays may stand there: the place in each shape it can have.
    """

    path: Path
    node: Node
    base: Any
    is_required: bool = False
    forms: list["Form"] = field(default_factory=list)

    @property
    def name(self) -> str:
        """The nearest field name on the way to it; empty for the arguments themselves."""
        return next((step for step in reversed(self.path) if isinstance(step, str)), "")

    def put(self, value: Any) -> Any:
        """The arguments with the value in this place."""
        return put(self.base, self.path, value)


class Form(NamedTuple):
    """A place in one of its shapes, with arguments in which it has it."""

    slot: Slot
    shape: Shape
    value: Any
    arguments: Any


def put(arguments: Any, path: Path, value: Any) -> Any:
    """A copy with the value at the path; what is beside the path is shared.

    A field that is not there is added, and so is an item right behind the last one.
    """
    if not path:
        return value
    step = path[0]
    below = _get(arguments, step) if len(path) > 1 else None
    new = put(below, path[1:], value) if len(path) > 1 else value
    if isinstance(arguments, dict):
        return {**arguments, step: new}
    if isinstance(arguments, list) and isinstance(step, int):
        return [*arguments[:step], new, *arguments[step + 1 :]]
    return {step: new} if isinstance(step, str) else [new]


def without(arguments: Any, path: Path) -> Any:
    """A copy without the field or item at the path, which must be there."""
    above = arguments
    for step in path[:-1]:
        above = above[step]
    if isinstance(above, dict):
        left: Any = {key: value for key, value in above.items() if key != path[-1]}
    else:
        left = [value for index, value in enumerate(above) if index != path[-1]]
    return put(arguments, path[:-1], left)


def _forms(values: Values, slot: Slot) -> Iterator[Form]:
    """The slot in each of its shapes for which there are arguments that fit."""
    for shape in values.shapes(slot.node)[:_MOST_FORMS]:
        if shape.facts.types.isdisjoint({"object", "array"}):
            continue
        value = values.base_of(slot.node, shape, slot.name)
        if value is NOTHING:
            continue
        arguments = slot.put(value)
        if values.checker.fits(arguments):
            yield Form(slot, shape, value, arguments)


def slots_of(values: Values, root: Node) -> list[Slot]:
    """The places, those near the root first; the first one is for the arguments themselves."""
    base = values.base(root)
    if base is NOTHING:
        return []
    queue: deque[tuple[Slot, tuple[Hashable, ...]]] = deque([(Slot((), root, base), ())])
    found: list[Slot] = []
    there: set[tuple[Path, Hashable]] = set()
    while queue and len(found) < MOST_SLOTS:
        slot, above = queue.popleft()
        key = node_key(slot.node)
        if (slot.path, key) in there:
            continue
        there.add((slot.path, key))
        found.append(slot)
        slot.forms += _forms(values, slot)
        if len(slot.path) >= DEEPEST_SLOT or (slot.node and above.count(key) >= _MOST_NESTED):
            continue
        for form in slot.forms:
            room = MOST_SLOTS - len(found) - len(queue) + 1
            inside = islice(_inside(values, form), max(room, 0))
            queue += [(inner, (*above, key)) for inner in inside]
    if queue:
        values.note(root, "", f"only {MOST_SLOTS} of its places are varied one by one")
    return found


def _inside(values: Values, form: Form) -> Iterator[Slot]:
    if isinstance(form.value, dict):
        yield from _fields(values, form)
    elif isinstance(form.value, list):
        yield from _items(form)


def _fields(values: Values, form: Form) -> Iterator[Slot]:
    shape, path = form.shape, form.slot.path
    for name in shape.fields:
        if name in shape.forbidden:
            continue
        node = shape.field_node(name, values.matches)
        base = form.arguments
        if name not in form.value:
            whole = _with(values, form, name)
            if whole is NOTHING:
                continue
            base = put(form.arguments, path, whole)
            if not values.checker.fits(base):
                continue
        yield Slot((*path, name), node, base, name in shape.facts.required)
    for name, node in values.structures.extra_fields(shape):
        if any(claim.spot.schema is not True for claim in node):
            yield Slot((*path, name), node, form.arguments)
        break


def _with(values: Values, form: Form, name: str) -> Any:
    """The object with one field more, and with those that this one needs."""
    whole = dict(form.value)
    for needed in with_dependents(form.shape, [name]):
        if needed not in whole:
            node = form.shape.field_node(needed, values.matches)
            whole[needed] = values.base(node, needed)
            if whole[needed] is NOTHING:
                return NOTHING
    return whole


def _items(form: Form) -> Iterator[Slot]:
    shape, path = form.shape, form.slot.path
    if not form.value:
        return
    for index in range(min(max(shape.front, 0), len(form.value), _MOST_FRONT)):
        yield Slot((*path, index), shape.item_node(index), form.arguments)
    if len(form.value) > shape.front:
        index = len(form.value) - 1
        yield Slot((*path, index), shape.item_node(index), form.arguments)


def _get(container: Any, step: str | int) -> Any:
    if isinstance(container, dict):
        return container.get(step)
    if isinstance(container, list) and isinstance(step, int) and step < len(container):
        return container[step]
    return None
