"""Values that do not fit a place, each wrong in one way."""

from collections.abc import Hashable, Iterator, Mapping
from itertools import combinations, islice
from typing import Any

from toolproof.judgement.json_values import TYPES, type_of
from toolproof.phases.fuzz.generate.case import Choice
from toolproof.phases.fuzz.generate.limits import LARGEST_VALUE, MOST_ITEMS
from toolproof.phases.fuzz.generate.numeric import is_writable, wrong_numbers
from toolproof.phases.fuzz.generate.shape import NOTHING, Claim, Node, Shape, node_key
from toolproof.phases.fuzz.generate.showing import shown, wire_key
from toolproof.phases.fuzz.generate.texts import wrong_texts
from toolproof.phases.fuzz.generate.values import Values, kinds_of, safely

_MIXED_UP: Mapping[str, tuple[tuple[Any, str], ...]] = {
    "string": (
        (1, "is a number"),
        (["a"], "is a list"),
        ({}, "is an object"),
        (True, "is true"),
        (0, "is 0"),
        (False, "is false"),
    ),
    "number": (
        ("1", "is a number as text"),
        ("a", "is text"),
        (True, "is true"),
        ([1], "is a list"),
        ({}, "is an object"),
        ("", "is empty text"),
        (False, "is false"),
    ),
    "boolean": (
        ("true", "is true as text"),
        (1, "is 1"),
        (0, "is 0"),
        ("yes", "is text"),
        ([], "is a list"),
        ({}, "is an object"),
        ("", "is empty text"),
    ),
    "array": (
        ("a", "is text"),
        ({}, "is an object"),
        (1, "is a number"),
        ("[]", "is a list as text"),
        (True, "is true"),
        ({"0": "a"}, "is an object with indices"),
    ),
    "object": (
        ("a", "is text"),
        ([], "is a list"),
        (1, "is a number"),
        ("{}", "is an object as text"),
        (True, "is true"),
    ),
    "null": (("null", "is null as text"), (0, "is 0"), ("", "is empty text")),
}
"""What is taken for a value of a type most often, first."""


_MOST_PAIRS = 6  # of options that exclude each other


class Wrongs:
    """Wrong values for the subschemas of one document; everything is made once."""

    def __init__(self, values: Values) -> None:
        self._values = values
        self._made: dict[Hashable, list[Choice]] = {}

    def of(self, node: Node, name: str) -> list[Choice]:
        """Values that should not fit; the whole schema decides."""
        key = (node_key(node), name)
        if node and key not in self._made:
            told: dict[str, Choice] = {}
            for choice in self._all(node, name):
                told.setdefault(wire_key(choice.value), choice)
            self._made[key] = list(told.values())
        return self._made.get(key, [])

    def _all(self, node: Node, name: str) -> Iterator[Choice]:
        shapes = self._values.shapes(node)
        kinds = list(dict.fromkeys(kind for shape in shapes for kind in _kinds(shape)))
        if any(shape.facts.choices is not None for shape in shapes):
            yield from self._outside_enum(shapes)
        yield from _of_other_types(kinds, shapes)
        for shape in shapes:
            if shape.facts.choices is None:
                yield from self._out_of_shape(node, shape, name)
        yield from self.denied(node, name)

    def _out_of_shape(self, node: Node, shape: Shape, name: str) -> Iterator[Choice]:
        kinds = kinds_of(shape)
        if "number" in kinds:
            yield from (c for c in safely(wrong_numbers(shape.facts)) if is_writable(c.value))
            if shape.facts.integral:
                yield Choice(1.5, "type", "has a fraction", "type")
        if "string" in kinds:
            right = [c.value for c in self._values.choices(node, name) if type(c.value) is str]
            yield from wrong_texts(shape.text_rules(), right)
        if "array" in kinds:
            yield from self._wrong_arrays(shape, name)

    def _wrong_arrays(self, shape: Shape, name: str) -> Iterator[Choice]:
        facts, structures = shape.facts, self._values.structures
        if facts.fewest_items:
            few = structures.array(shape, name, 0)
            if few is not NOTHING:
                yield Choice(few[: facts.fewest_items - 1], "few", "has too few items", "minItems")
            yield Choice([], "few", "is empty", "minItems")
        most = facts.most_items
        if most is not None and most < MOST_ITEMS:
            loose = shape.copy()
            loose.facts.most_items = None
            many = structures.array(loose, name, 0, count=most + 1)
            if many is not NOTHING and len(many) > most and len(wire_key(many)) < LARGEST_VALUE:
                yield Choice(many, "many", "has too many items", "maxItems")
        if facts.unique:
            loose = shape.copy()
            loose.facts.unique = False
            twice = structures.array(loose, name, 0, count=max(2, facts.fewest_items))
            if twice is not NOTHING and len(twice) > 1:
                yield Choice([twice[0], *twice[:-1]], "same", "has an item twice", "uniqueItems")
        for contains in shape.contains:
            yield from self._wrong_contains(shape, Claim(contains.spot), name)

    def _wrong_contains(self, shape: Shape, claim: Claim, name: str) -> Iterator[Choice]:
        node = (*shape.item_node(0), claim._replace(holds=False))
        other = self._values.attempt(node, name)
        if other is not NOTHING:
            count = max(shape.facts.fewest_items, 1)
            if count <= MOST_ITEMS:
                yield Choice([other] * count, "contains", "lacks what it must contain", "contains")

    def _outside_enum(self, shapes: list[Shape]) -> Iterator[Choice]:
        known = [value for shape in shapes for value in (shape.facts.choices or ())[:20]]
        texts = [value for value in known if isinstance(value, str)]
        for text in texts[:1]:
            yield Choice(f"{text}x", "enum", "outside enum", "enum")
        for text in texts[:2]:
            yield Choice(text.swapcase(), "enum", f"outside enum: {shown(text.swapcase())}", "enum")
            yield Choice(text.title(), "enum", f"outside enum: {shown(text.title())}", "enum")
            yield Choice(f" {text}", "enum", "outside enum: with a blank", "enum")
        if texts:
            yield Choice("", "enum", "outside enum: empty", "enum")
            yield Choice(",".join(texts[:2]), "enum", "outside enum: two values", "enum")
        numbers = [value for value in known if type_of(value) == "number"]
        if numbers:
            for value in (max(numbers) + 1, min(numbers) - 1):
                if is_writable(value):
                    yield Choice(value, "enum", "outside enum", "enum")

    def denied(self, node: Node, name: str) -> Iterator[Choice]:
        """Values that match what a `not` forbids, or two options of a `oneOf`."""
        for claim in node:
            schema = claim.spot.schema
            if not claim.holds or not isinstance(schema, dict):
                continue
            others = tuple(one for one in node if one is not claim)
            if isinstance(schema.get("not"), dict):
                rest = Claim(claim.spot._replace(schema=_left(schema, "not")))
                forbidden = (rest, Claim(claim.spot.below("not")), *others)
                value = self._values.attempt(forbidden, name)
                if value is not NOTHING:
                    yield Choice(value, "not", "is what its not forbids", "not")
            options = schema.get("oneOf")
            if isinstance(options, list) and len(options) > 1:
                rest = Claim(claim.spot._replace(schema=_left(schema, "oneOf")))
                for pair in islice(combinations(range(len(options)), 2), _MOST_PAIRS):
                    both = [Claim(claim.spot.below("oneOf", index)) for index in pair]
                    value = self._values.attempt((rest, *both, *others), name)
                    if value is not NOTHING:
                        yield Choice(value, "oneOf", "fits two options", "oneOf")


def _left(schema: dict[str, Any], keyword: str) -> dict[str, Any]:
    return {key: value for key, value in schema.items() if key != keyword}


def _of_other_types(kinds: list[str], shapes: list[Shape]) -> Iterator[Choice]:
    """Values of types that are not allowed, the most mistakable first."""
    is_typed = all(len(shape.facts.types) < len(TYPES) for shape in shapes)
    keyword = "type" if is_typed else "enum"
    if "null" not in kinds and kinds:
        yield Choice(None, "null", "null", keyword)
    for kind in kinds:
        for value, word in _MIXED_UP.get(kind, ()):
            if type_of(value) not in kinds:
                yield Choice(value, "type", word, keyword)


def _kinds(shape: Shape) -> list[str]:
    """The types that values can have."""
    if shape.facts.choices is None:
        return kinds_of(shape)
    return list(dict.fromkeys(map(type_of, shape.facts.left())))
