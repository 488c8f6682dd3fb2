"""Random arguments, all from one seed."""

from collections.abc import Iterator
from random import Random
from typing import Any

from toolproof.phases.fuzz.generate.drafts import Draft, said, whole
from toolproof.phases.fuzz.generate.hostile import TEXTS
from toolproof.phases.fuzz.generate.limits import DEEPEST, LARGEST_VALUE
from toolproof.phases.fuzz.generate.numeric import is_writable, random_number
from toolproof.phases.fuzz.generate.shape import NOTHING, Node, Shape
from toolproof.phases.fuzz.generate.showing import wire_key
from toolproof.phases.fuzz.generate.slots import Slot
from toolproof.phases.fuzz.generate.structures import with_dependents
from toolproof.phases.fuzz.generate.texts import random_text
from toolproof.phases.fuzz.generate.values import Values, kinds_of
from toolproof.phases.fuzz.generate.wrong import Wrongs

_TRIES = 4
_MOST_PARTS = 300  # values in one random value
_MOST_FIELDS = 60  # optional ones in one random object
_HOSTILE = 0.15
_PLAIN = 0.15
_KNOWN = 0.1


class Chance:
    """Makes random values.

    Args:
        rng: Where all the chance comes from.
    """

    def __init__(self, values: Values, rng: Random) -> None:
        self._values = values
        self._rng = rng
        self._parts = 0

    def valid_drafts(self, root: Node) -> Iterator[Draft]:
        """Arguments without an end that should fit."""
        while True:
            self._parts = _MOST_PARTS
            value = self.value(root, "", 0)
            if value is not NOTHING and len(wire_key(value)) <= LARGEST_VALUE:
                yield whole(value, "random", "random")
            else:
                yield whole(self._values.base(root), "random", "random")

    def invalid_drafts(self, root: Node, slots: list[Slot], wrongs: Wrongs) -> Iterator[Draft]:
        """Arguments without an end that should not fit: random ones with a wrong part."""
        places = [slot for slot in slots if slot.path]
        for valid in self.valid_drafts(root):
            if not places:
                extra = {**valid.value, "toolproof": self._any(0)}
                yield whole(extra, "random", "random extra key")
                continue
            slot = self._rng.choice(places)
            made = wrongs.of(slot.node, slot.name)
            if made and self._rng.random() > _KNOWN:
                choice = self._rng.choice(made)
                value, word, keyword = choice.value, choice.word, choice.keyword
            else:
                value, word, keyword = self._any(0), "random", ""
            base = valid.value if _is_there(valid.value, slot) else slot.base
            reason = said(slot.path, word)
            yield Draft(base, slot.path, value, "random", reason, slot.path, keyword)

    def value(self, node: Node, name: str, depth: int) -> Any:
        """A random value that fits the claims; the plain one where chance finds none."""
        self._parts -= 1
        shapes = self._values.shapes(node)
        if (
            not shapes
            or self._parts < 0
            or depth > DEEPEST
            or self._rng.random() < _PLAIN * bool(depth)
        ):
            return self._values.base(node, name, depth)
        for _ in range(_TRIES):
            shape = self._rng.choice(shapes)
            made = self._of_shape(shape, name, depth)
            if made is not NOTHING and self._values.is_right(node, shape, made):
                return made
        return self._values.base(node, name, depth)

    def _of_shape(self, shape: Shape, name: str, depth: int) -> Any:
        named = [*self._values.given.get(name, ()), *shape.hints]
        if named and self._rng.random() < _KNOWN:
            return self._rng.choice(named)
        if shape.facts.choices is not None:
            return self._rng.choice(shape.facts.choices) if shape.facts.choices else NOTHING
        kinds = kinds_of(shape)
        if not kinds:
            return NOTHING
        kind = self._rng.choice(kinds)
        if kind == "array":
            return self._array(shape, name, depth)
        if kind == "object":
            return self._object(shape, depth)
        return self._scalar(shape, kind)

    def _scalar(self, shape: Shape, kind: str) -> Any:
        match kind:
            case "string":
                rules = shape.text_rules()
                if rules.is_free and self._rng.random() < _HOSTILE:
                    return self._rng.choice(TEXTS)[0]
                return random_text(rules, self._rng)
            case "number":
                return self._number(shape)
            case "boolean":
                return bool(self._rng.getrandbits(1))
        return None

    def _number(self, shape: Shape) -> Any:
        try:
            number = random_number(shape.facts, self._rng)
        except (OverflowError, ValueError, ZeroDivisionError):
            return NOTHING
        return number if is_writable(number) else NOTHING

    def _array(self, shape: Shape, name: str, depth: int) -> Any:
        facts = shape.facts
        count = max(facts.fewest_items, self._rng.choice((0, 1, 1, 2, 3, 5, 9)))
        if facts.most_items is not None:
            count = min(count, facts.most_items)
        if count > _MOST_PARTS:
            return NOTHING
        items = [self.value(shape.item_node(index), name, depth + 1) for index in range(count)]
        return NOTHING if any(item is NOTHING for item in items) else items

    def _object(self, shape: Shape, depth: int) -> Any:
        share = self._rng.choice((0.0, 0.3, 0.5, 0.8, 1.0))
        names = list(shape.fields)
        if len(names) > _MOST_FIELDS:
            names = self._rng.sample(names, _MOST_FIELDS)
        wished = [name for name in names if self._rng.random() < share]
        needed = with_dependents(shape, shape.facts.required)
        made: dict[str, Any] = {}
        for name in with_dependents(shape, [*needed, *wished]):
            if name not in shape.forbidden:
                node = shape.field_node(name, self._values.matches)
                value = self.value(node, name, depth + 1)
                if value is not NOTHING:
                    made[name] = value
        wish = max(shape.facts.fewest_keys, len(made) + self._rng.choice((0, 0, 0, 1, 2)))
        extra = self._values.structures.extra_fields(shape) if len(made) < wish else ()
        for name, node in extra:
            if len(made) >= wish:
                break
            value = self.value(node, name, depth + 1)
            if value is not NOTHING:
                made[name] = value
        return made

    def _any(self, depth: int) -> Any:
        """A value of any type."""
        match self._rng.randrange(6 if depth < _TRIES else 4):
            case 0:
                return None
            case 1:
                return bool(self._rng.getrandbits(1))
            case 2:
                return self._rng.choice((0, -1, 1.5, 2**53 + 1, self._rng.getrandbits(16)))
            case 3:
                return self._rng.choice(TEXTS)[0]
            case 4:
                return [self._any(depth + 1) for _ in range(self._rng.randrange(3))]
        keys = self._rng.sample(("a", "b", "id", "", "é"), self._rng.randrange(3))
        return {key: self._any(depth + 1) for key in keys}


def _is_there(arguments: Any, slot: Slot) -> bool:
    """Whether the place above the slot is in the arguments."""
    for step in slot.path[:-1]:
        if isinstance(arguments, dict) and step in arguments:
            arguments = arguments[step]
            continue
        if not (isinstance(arguments, list) and isinstance(step, int) and step < len(arguments)):
            return False
        arguments = arguments[step]
    return isinstance(arguments, list if isinstance(slot.path[-1], int) else dict)
