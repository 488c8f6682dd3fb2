"""Values that fit a subschema: one plain one, or all that are worth a try."""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from typing import Any, Final

from toolproof.judgement.json_values import type_of
from toolproof.phases.fuzz.generate.case import Choice, Unmodelled
from toolproof.phases.fuzz.generate.checker import Checker
from toolproof.phases.fuzz.generate.fold import shapes_of
from toolproof.phases.fuzz.generate.limits import (
    DEEPEST,
    LONGEST_TEXT,
    MOST_CHOICES,
    MOST_OPTIONS,
    MOST_SHAPES,
    MOST_STEPS,
)
from toolproof.phases.fuzz.generate.numeric import is_writable, number_choices
from toolproof.phases.fuzz.generate.plausible import liked_number, liked_text
from toolproof.phases.fuzz.generate.shape import NOTHING, Node, Shape, node_key
from toolproof.phases.fuzz.generate.showing import shown, wire_key
from toolproof.phases.fuzz.generate.structures import Structures
from toolproof.phases.fuzz.generate.texts import desperate_texts, text_choices
from toolproof.schemas import identity, pointer_of

_LAST_RESORT: Final[tuple[Any, ...]] = (
    *(-100, -2, 1.5, 2, 3, 4, 5, 6, 7, 10, 12, 60, 100, 1_000),
    *("aa", "aaa", "aaaaa", "A", "1", "a" * 10, "a" * 100, "aA1!", "\n"),
    *([1, 2, 3], [{}], [[]], [None], [1], ["a", "b"], {"a": 1, "b": 2}),
)
"""What is tried where nothing that was made fits, as what is forbidden could not be modelled."""


class Values:
    """Makes values for the subschemas of one document; everything is made once.

    Args:
        given: Values that the user has for fields of these names.
    """

    def __init__(self, checker: Checker, given: Mapping[str, Sequence[Any]]) -> None:
        self.checker = checker
        self.document = checker.document
        self.given = given
        self.notes: dict[Unmodelled, None] = dict.fromkeys(
            Unmodelled(
                pointer_of(path), "enum", f"only {MOST_OPTIONS} of its {count:,} values are tried"
            )
            for path, count in checker.cut
        )
        self.steps = MOST_STEPS
        self._shapes: dict[Hashable, tuple[Node, list[Shape]]] = {}
        self._bases: dict[Hashable, Any] = {}
        self._choices: dict[Hashable, list[Choice]] = {}
        self._under_way: set[Hashable] = set()
        self._cut_short = False
        self._is_quiet = False
        self.structures = Structures(self)

    def shapes(self, node: Node) -> list[Shape]:
        """The shapes of what the claims ask for."""
        key = node_key(node)
        if key not in self._shapes:
            shapes = shapes_of(node, self.document)
            self._shapes[key] = node, shapes
            if len(shapes) >= MOST_SHAPES:
                self.note(node, "", f"only {MOST_SHAPES} choices among its alternatives are tried")
        return self._shapes[key][1]

    def matches(self, pattern: str, text: str) -> bool:
        """Whether an ECMA-262 expression is found in the text."""
        return self.checker.matches(pattern, text)

    def fits_node(self, node: Node, value: Any) -> bool:
        """Whether the value fits the claims, as far as that can be told without the rest."""
        return self.checker.fits_node(node, value)

    def note(self, node: Node, keyword: str, why: str) -> None:
        """Say what is not followed."""
        pointer = node[0].spot.pointer if node else ""
        self.notes.setdefault(Unmodelled(pointer, keyword, why))

    def base(self, node: Node, name: str = "", depth: int = 0) -> Any:
        """One plain value that fits; NOTHING where none was found.

        Args:
            name: Of the field that it is for.
            depth: How many values are around it.
        """
        key = node_key(node)
        if (key, name) in self._bases:
            return self._bases[key, name]
        self.steps -= 1
        if depth > DEEPEST:
            self.note(node, "", f"values in more than {DEEPEST} values are not made")
        if key in self._under_way or depth > DEEPEST or self.steps < 0:
            self._cut_short = True  # by a value that is being made around it: no verdict on this
            return NOTHING
        self._under_way.add(key)
        outer, self._cut_short = self._cut_short, False
        found = next(self._fitting(node, name, depth), NOTHING)
        self._under_way.discard(key)
        if found is not NOTHING or not self._cut_short or not self._under_way:
            self._bases[key, name] = found
            if found is NOTHING and self.shapes(node) and not self._is_quiet:
                self.note(node, "", "no value that fits was found")
        self._cut_short = self._cut_short or outer
        return found

    def base_of(self, node: Node, shape: Shape, name: str = "") -> Any:
        """One plain value of this shape; NOTHING where none was found."""
        return next(self._of_one_shape(node, shape, name, 0), NOTHING)

    def attempt(self, node: Node, name: str = "") -> Any:
        """Like `base`, where it is no matter if there is nothing: no note is made."""
        self._is_quiet = True
        try:
            return self.base(node, name)
        finally:
            self._is_quiet = False

    def choices(self, node: Node, name: str = "") -> list[Choice]:
        """The values that are worth a try, each with its kind; plain ones first."""
        key = (node_key(node), name)
        if key not in self._choices:
            self._choices[key] = list(self._all_choices(node, name))
        return self._choices[key]

    def _named_values(self, shape: Shape, name: str) -> Iterator[Any]:
        """What the user or the schema gives: values, examples, an enum."""
        yield from self.given.get(name, ())
        yield from shape.hints
        yield from shape.facts.choices or ()

    def _fitting(self, node: Node, name: str, depth: int) -> Iterator[Any]:
        for shape in self.shapes(node):
            yield from self._of_one_shape(node, shape, name, depth)

    def _of_one_shape(self, node: Node, shape: Shape, name: str, depth: int) -> Iterator[Any]:
        for value in self._named_values(shape, name):
            if self.is_right(node, shape, value, was_made=False):
                yield value
        for value in self._plain_values(shape, name, depth):
            if value is not NOTHING and self.is_right(node, shape, value, was_made=True):
                yield value

    def _plain_values(self, shape: Shape, name: str, depth: int) -> Iterator[Any]:
        """Values made for a shape, the best first."""
        if shape.facts.choices is not None:
            return
        for kind in kinds_of(shape):
            match kind:
                case "object":
                    yield from self.structures.objects(shape, depth)
                case "array":
                    yield from self.structures.arrays(shape, name, depth)
                case _:
                    for choice in self._scalars(shape, kind, name):
                        yield choice.value
                    if kind == "string":
                        for choice in desperate_texts(shape.text_rules()):
                            yield choice.value
        if not shape.is_sure:
            yield from _LAST_RESORT

    def _all_choices(self, node: Node, name: str) -> Iterator[Choice]:
        told: set[str] = set()
        shapes = self.shapes(node)
        for index, shape in enumerate(shapes):
            most = 2 * MOST_OPTIONS if shape.facts.choices is not None else MOST_CHOICES
            for choice in self._of_shape(node, shape, name):
                if most <= 0:
                    break
                key = wire_key(choice.value)
                if key not in told and self.is_right(
                    node, shape, choice.value, was_made=choice.kind not in {"given", "enum"}
                ):
                    most -= 1
                    told.add(key)
                    if len(shapes) > 1 and choice.kind == "base":
                        word = shape.word or type_of(choice.value)
                        yield Choice(choice.value, f"branch {index}", word)
                    else:
                        yield choice

    def _of_shape(self, node: Node, shape: Shape, name: str) -> Iterator[Choice]:
        for value in self.given.get(name, ()):
            yield Choice(value, "given", shown(value))
        if shape.facts.choices is not None:
            for value in shape.facts.choices:
                yield Choice(value, "enum", shown(value))
            return
        for value in shape.hints:
            yield Choice(value, "given", shown(value))
        for kind in kinds_of(shape):
            match kind:
                case "object":
                    yield from self.structures.object_choices(shape)
                case "array":
                    yield from self.structures.array_choices(node, shape, name)
                case _:
                    yield from self._scalars(shape, kind, name)

    def _scalars(self, shape: Shape, kind: str, name: str) -> Iterator[Choice]:
        match kind:
            case "string":
                if shape.facts.shortest > LONGEST_TEXT:
                    why = f"texts of more than {LONGEST_TEXT:,} characters are not made"
                    self.note((), "minLength", why)
                yield from text_choices(shape.text_rules(), liked_text(name))
            case "number":
                for choice in safely(number_choices(shape.facts, liked_number(name))):
                    if is_writable(choice.value) and shape.facts.admits(choice.value):
                        yield choice
            case "boolean":
                yield Choice(True, "base", "true")  # noqa: FBT003 - a value, not a flag
                yield Choice(False, "false", "false")  # noqa: FBT003
            case _:
                yield Choice(None, "null", "null")

    def is_right(self, node: Node, shape: Shape, value: Any, *, was_made: bool = True) -> bool:
        if shape.banned and identity(value) in set(map(identity, shape.banned)):
            return False
        if not shape.facts.admits(value):
            return False
        return (shape.is_sure and was_made) or self.checker.fits_node(node, value)


def kinds_of(shape: Shape) -> list[str]:
    """The types that are left, the most likely first."""
    likely = ["string", "number", "boolean", "object", "array", "null"]
    if shape.item_rules or shape.contains:
        likely.insert(0, "array")
    if shape.fields or shape.field_rules:
        likely.insert(0, "object")
    kinds = [kind for kind in dict.fromkeys(likely) if kind in shape.facts.types]
    return [kind for kind in kinds if shape.facts.clash_of(kind) is None]


def safely(choices: Iterator[Choice]) -> Iterator[Choice]:
    """The choices up to the first that no arithmetic can tell, as at 10 to the power of 4,000."""
    while True:
        try:
            yield next(choices)
        except (StopIteration, OverflowError, ValueError, ZeroDivisionError):
            return
