"""Objects and arrays that fit a shape, put together from values that fit their parts."""

from collections.abc import Hashable, Iterator, Sequence
from typing import Any, Protocol

from toolproof.phases.fuzz.generate.case import Choice
from toolproof.phases.fuzz.generate.limits import LARGEST_VALUE, MOST_FIELDS, MOST_ITEMS
from toolproof.phases.fuzz.generate.pattern_texts import matching
from toolproof.phases.fuzz.generate.shape import NOTHING, Claim, Node, Shape
from toolproof.phases.fuzz.generate.showing import wire_key
from toolproof.schemas import first_repeated, identity

JsonObject = dict[str, Any]
_EXTRA = ("extra", "more", "x", "a", "A", "1", "key-1")
"""Names of fields that no schema is likely to list."""

_MOST_TRIED = 30


class Maker(Protocol):
    """What makes the parts."""

    def base(self, node: Node, name: str = "", depth: int = 0) -> Any: ...

    def choices(self, node: Node, name: str = "") -> list[Choice]: ...

    def matches(self, pattern: str, text: str) -> bool: ...

    def fits_node(self, node: Node, value: Any) -> bool: ...

    def note(self, node: Node, keyword: str, why: str) -> None: ...


class Structures:
    """Puts objects and arrays together."""

    def __init__(self, maker: Maker) -> None:
        self._maker = maker
        self._closed: dict[int, Shape] = {}  # those that allow no other name, kept for their ids

    def object(self, shape: Shape, depth: int, *, full: bool = False) -> Any:
        """An object with the fields that are required, or with all; NOTHING if one has no value."""
        made: JsonObject = {}
        needed = with_dependents(shape, shape.facts.required)
        wished = dict.fromkeys([*shape.fields][:MOST_FIELDS]) if full else {}
        for name in in_order(shape, [*needed, *wished]):
            value = self._field(shape, name, depth)
            if value is not NOTHING:
                made[name] = value
            elif name in needed:
                return NOTHING
        made = self._without_dangling(shape, made)
        self._fill(shape, made, depth)
        most = shape.facts.most_keys
        if most is not None and len(made) > most:
            for name in [name for name in made if name not in needed][most - len(made) :]:
                del made[name]
        return made

    def objects(self, shape: Shape, depth: int) -> Iterator[Any]:
        """Objects that may fit; where that is not sure, with each other field and without."""
        least = self.object(shape, depth)
        yield least
        if shape.is_sure or least is NOTHING:
            return
        full = self.object(shape, depth, full=True)
        yield full
        others = [name for name in shape.fields if name not in least][:_MOST_TRIED]
        for name in others:
            if name in full:
                yield {**least, name: full[name]}
        for name in others:
            if name in full:
                yield {key: value for key, value in full.items() if key != name}

    def arrays(self, shape: Shape, name: str, depth: int) -> Iterator[Any]:
        """Arrays that may fit; where that is not sure, of several lengths."""
        yield self.array(shape, name, depth)
        if not shape.is_sure:
            for count in (0, 2, 3, shape.front, shape.facts.most_items or 0):
                if shape.facts.fewest_items <= count <= _MOST_TRIED:
                    yield self.array(shape, name, depth, count=count)

    def extra_fields(self, shape: Shape) -> Iterator[tuple[str, Node]]:
        """Names that the schema allows and does not list, each with what is claimed of its value."""
        if id(shape) in self._closed:
            return
        refused = allowed = 0
        for name in self._names(shape):
            if name in shape.fields or name in shape.forbidden:
                continue
            node = shape.field_node(name, self._maker.matches)
            if any(claim.spot.schema is (not claim.holds) for claim in node):
                refused += 1
                if refused > _MOST_TRIED:
                    break
            else:
                allowed += 1
                yield name, node
        if not allowed:
            self._closed[id(shape)] = shape

    def array(self, shape: Shape, name: str, depth: int, *, count: int | None = None) -> Any:
        """An array of `count` items, by default one or as few as there must be."""
        facts = shape.facts
        least = max(facts.fewest_items, sum(c.least for c in shape.contains))
        if count is None:
            wished = max(least, 1)
            count = wished if facts.most_items is None else min(wished, facts.most_items)
        if count > 10 * MOST_ITEMS:
            self._maker.note((), "minItems", f"arrays of {count:,} items are not made")
            return NOTHING
        items = self._items(shape, name, depth, count)
        if len(items) < count and len(items) < least:
            return NOTHING
        return items

    def object_choices(self, shape: Shape) -> Iterator[Choice]:
        """Objects with few fields and with many."""
        least = self.object(shape, 0)
        if least is NOTHING:
            return
        yield Choice(least, "base", "required fields" if least else "{}")
        full = self.object(shape, 0, full=True)
        if full is not NOTHING and len(full) > len(least):
            yield Choice(full, "full", "every field")
        if least and not shape.facts.required:
            yield Choice({}, "empty", "{}")
        yield from self._many_fields(shape, least)

    def array_choices(self, node: Node, shape: Shape, name: str) -> Iterator[Choice]:
        """Arrays of different lengths."""
        facts = shape.facts
        one = self.array(shape, name, 0)
        if one is not NOTHING and one:
            yield Choice(one, "base", "one item" if len(one) == 1 else "as few items as allowed")
        if facts.fewest_items == 0:
            yield Choice([], "empty", "empty")
        if one is not NOTHING and one and not facts.unique:
            yield Choice([one[0], one[0]], "same", "an item twice")
        two = self.array(shape, name, 0, count=max(facts.fewest_items, 1) + 1)
        if two is not NOTHING and len(two) > 1:
            yield Choice(two, "minimum+1", "one item more")
        yield from self._longest(node, shape, name)

    def _longest(self, node: Node, shape: Shape, name: str) -> Iterator[Choice]:
        most = shape.facts.most_items
        if most is None:
            return
        if most > MOST_ITEMS:
            self._maker.note(
                node, "maxItems", f"arrays of more than {MOST_ITEMS:,} items are not tried"
            )
            return
        many = self.array(shape, name, 0, count=most)
        if many is NOTHING or len(many) < most:
            return
        if len(wire_key(many)) > LARGEST_VALUE:
            self._maker.note(node, "maxItems", "so many items are too much for one call")
            return
        yield Choice(many, "maximum", "as many items as allowed")
        if most > max(shape.facts.fewest_items, 1):
            yield Choice(many[:-1], "maximum-1", "one item less than allowed")

    def _many_fields(self, shape: Shape, least: JsonObject) -> Iterator[Choice]:
        for name, field in self.extra_fields(shape):
            value = self._maker.base(field, name, 1)
            if value is not NOTHING:
                yield Choice({**least, name: value}, "extra", "a field that is not listed")
                break
        most = shape.facts.most_keys
        if most is None or most > MOST_ITEMS:
            return
        many = dict(least)
        for name, field in self.extra_fields(shape):
            if len(many) >= most:
                yield Choice(many, "maximum", "as many fields as allowed")
                return
            value = self._maker.base(field, name, 1)
            if value is not NOTHING:
                many[name] = value

    def _field(self, shape: Shape, name: str, depth: int) -> Any:
        if name in shape.forbidden:
            return NOTHING
        return self._maker.base(shape.field_node(name, self._maker.matches), name, depth + 1)

    def _without_dangling(self, shape: Shape, made: JsonObject) -> JsonObject:
        """The object without the fields that need others which could not be made."""
        for name, needs in shape.dependents.items():
            if name in made and not all(need in made for need in needs):
                made = {key: value for key, value in made.items() if key != name}
        return made

    def _fill(self, shape: Shape, made: JsonObject, depth: int) -> None:
        """Add fields until there are as many as there must be."""
        fewest = min(shape.facts.fewest_keys, MOST_ITEMS)
        if fewest < shape.facts.fewest_keys:
            why = f"objects of more than {MOST_ITEMS:,} fields are not made"
            self._maker.note((), "minProperties", why)
        for name in shape.fields if len(made) < fewest else ():
            if len(made) < fewest and name not in made:
                value = self._field(shape, name, depth)
                if value is not NOTHING:
                    made[name] = value
        for name, node in self.extra_fields(shape) if len(made) < fewest else ():
            if len(made) >= fewest:
                break
            value = self._maker.base(node, name, depth + 1)
            if value is not NOTHING:
                made[name] = value

    def _names(self, shape: Shape) -> Iterator[str]:
        wanted = tuple(map(Claim, shape.names))
        told: set[str] = set()
        refused = 0
        for name in self._proposed(shape, wanted):
            if not isinstance(name, str) or name in told:
                continue
            told.add(name)
            if not wanted or self._maker.fits_node(wanted, name):
                yield name
            else:
                refused += 1
                if refused > _MOST_TRIED:
                    return

    def _proposed(self, shape: Shape, wanted: Node) -> Iterator[Any]:
        if wanted:
            yield from (choice.value for choice in self._maker.choices(wanted))
        for rules in shape.field_rules:
            for pattern, _ in rules.patterns:
                yield from (sample.text for sample in matching(pattern))
        yield from _EXTRA
        yield from (f"extra{index}" for index in range(2, MOST_ITEMS))

    def _items(self, shape: Shape, name: str, depth: int, count: int) -> list[Any]:
        items: list[Any] = []
        for contains in shape.contains:
            for _ in range(min(contains.least, count - len(items))):
                node = (*shape.item_node(len(items)), Claim(contains.spot))
                items += self._next(shape, node, items, name, depth)
        wished = tuple(Claim(c.spot, holds=False) for c in shape.contains if c.most is not None)
        while len(items) < count:
            more = self._next(shape, (*shape.item_node(len(items)), *wished), items, name, depth)
            if not more:
                break
            items += more
            if not shape.facts.unique and len(items) > shape.front and not wished:
                items += more * (count - len(items))  # all alike from here on
        return items

    def _next(
        self, shape: Shape, node: Node, before: Sequence[Any], name: str, depth: int
    ) -> list[Any]:
        """One more item in a list; an empty list where there is none."""
        value = self._maker.base(node, name, depth + 1)
        if value is NOTHING:
            return []
        if not shape.facts.unique or first_repeated([*before, value]) is None:
            return [value]
        return self._other(node, before, name)

    def _other(self, node: Node, before: Sequence[Any], name: str) -> list[Any]:
        """An item that is not there yet."""
        there: set[Hashable] = set(map(identity, before))
        for choice in self._maker.choices(node, name):
            if identity(choice.value) not in there:
                return [choice.value]
        for number in range(len(before), len(before) + 3):
            for value in (f"a{number}", number, {"a": number}, [number]):
                if identity(value) not in there and self._maker.fits_node(node, value):
                    return [value]
        return []


def with_dependents(shape: Shape, names: Sequence[str] | dict[str, None]) -> dict[str, None]:
    """The names with all those that they need to be there."""
    found: dict[str, None] = {}
    stack = list(names)[::-1]
    while stack:
        name = stack.pop()
        if name not in found:
            found[name] = None
            stack += shape.dependents.get(name, ())
    return found


def in_order(shape: Shape, names: Sequence[str]) -> list[str]:
    """The names once each, in the order of the schema, then those that it does not list."""
    asked = dict.fromkeys(names)
    return [
        *(name for name in shape.fields if name in asked),
        *(n for n in asked if n not in shape.fields),
    ]
