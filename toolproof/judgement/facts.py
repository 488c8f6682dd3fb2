"""What the plain keywords of one or more schemas say together about a value, and whether they clash."""

import math
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Self

from toolproof.judgement.json_values import TYPES, is_count, is_number, is_whole, type_of
from toolproof.schemas.equality import identity

Number = int | float
_ALL = frozenset(TYPES)
_MOST_DIGITS = 128  # bits of a number that a message still shows


class Limit(NamedTuple):
    """One end of a range of numbers.

    Attributes:
        value: The number.
        excluded: Whether the number itself is outside.
    """

    value: Number
    excluded: bool


class Clash(NamedTuple):
    """Why no value can match.

    Attributes:
        keyword: The keyword to look at.
        why: One clause, lower case, without a final period.
    """

    keyword: str
    why: str


@dataclass(slots=True)
class Facts:
    """The conjunction of the plain keywords of the schemas that were absorbed.

    Attributes:
        types: The types that are left; `number` stands for integers too.
        integral: Whether numbers must be whole.
        choices: The values that are left, where `enum` or `const` lists them.
        multiples: Every number must be a multiple of each.
        required: Names of fields, in the order in which they were met.
    """

    types: frozenset[str] = _ALL
    integral: bool = False
    choices: Sequence[Any] | None = None
    low: Limit | None = None
    high: Limit | None = None
    multiples: tuple[Number, ...] = ()
    shortest: int = 0
    longest: int | None = None
    fewest_items: int = 0
    most_items: int | None = None
    fewest_keys: int = 0
    most_keys: int | None = None
    unique: bool = False
    required: dict[str, None] = field(default_factory=dict)

    def copy(self) -> Self:
        """An equal one that may be changed without changing this."""
        made = type(self)(*(getattr(self, name) for name in self.__dataclass_fields__))
        made.required = dict(self.required)
        return made

    def absorb(self, schema: Mapping[str, Any]) -> None:
        """Add what the schema's own keywords say; a keyword of the wrong type says nothing."""
        for keyword in schema:
            take = _TAKES.get(keyword)
            if take is not None:
                take(self, schema[keyword], schema)

    def admits(self, value: Any) -> bool:
        """Whether the value fits all but `choices`, `multiples`, `unique` and `required`."""
        kind = type_of(value)
        if kind not in self.types:
            return False
        match kind:
            case "number":
                return self._in_range(value) and (is_whole(value) or not self.integral)
            case "string":
                return _within(len(value), self.shortest, self.longest)
            case "array":
                return _within(len(value), self.fewest_items, self.most_items)
            case "object":
                return _within(len(value), self.fewest_keys, self.most_keys)
        return True

    def left(self) -> Sequence[Any]:
        """The choices that fit everything else."""
        return [value for value in self.choices or () if self.admits(value)]

    def clash(self) -> Clash | None:
        """Why no value can match, so far as these facts tell; None where one may."""
        if not self.types:
            return Clash("type", "the types exclude each other")
        if self.choices is not None:
            return None if any(map(self.admits, self.choices)) else self._no_choice()
        clashes = [self.clash_of(kind) for kind in TYPES if kind in self.types]
        return next((clash for clash in clashes if clash), None) if all(clashes) else None

    def clash_of(self, kind: str) -> Clash | None:
        """Why no value of this type can match; None where one may."""
        match kind:
            case "number":
                return self._no_number()
            case "string":
                return _crossed("minLength", self.shortest, "maxLength", self.longest)
            case "array":
                return _crossed("minItems", self.fewest_items, "maxItems", self.most_items)
            case "object":
                named = max(self.fewest_keys, len(self.required))
                name = "minProperties" if self.fewest_keys >= named else "the count of required"
                return _crossed(name, named, "maxProperties", self.most_keys)
        return None

    def _in_range(self, value: Number) -> bool:
        above = self.low is None or (
            value > self.low.value or (value == self.low.value and not self.low.excluded)
        )
        return above and (
            self.high is None
            or value < self.high.value
            or (value == self.high.value and not self.high.excluded)
        )

    def _no_choice(self) -> Clash:
        count = len(self.choices or ())
        if not count:
            return Clash("enum", "no value is in all of its enums")
        of_type = [value for value in self.choices or () if self._is_of_type(value)]
        if of_type:
            return Clash("enum", f"none of its {count} values is within the bounds beside it")
        kinds = [kind for kind in TYPES if kind in self.types]
        names = ["integer" if kind == "number" and self.integral else kind for kind in kinds]
        return Clash("enum", f"none of its {count} values is of type {' or '.join(names)}")

    def _is_of_type(self, value: Any) -> bool:
        kind = type_of(value)
        return kind in self.types and (kind != "number" or not self.integral or is_whole(value))

    def _no_number(self) -> Clash | None:
        low, high = self.low, self.high
        if low is None or high is None:
            return None
        lower = "exclusiveMinimum" if low.excluded else "minimum"
        upper = "exclusiveMaximum" if high.excluded else "maximum"
        shown = f"{lower} {show(low.value)}", f"{upper} {show(high.value)}"
        if low.value > high.value:
            return Clash(lower, f"{shown[0]} is above {shown[1]}")
        if low.value == high.value and (low.excluded or high.excluded):
            return Clash(lower, f"no number is between {shown[0]} and {shown[1]}")
        steps = [1] * self.integral + [step for step in self.multiples if type(step) is int]
        for step in steps:
            if not _has_multiple(low, high, step):
                what = "whole number" if step == 1 else f"multiple of {show(step)}"
                return Clash(
                    lower if step == 1 else "multipleOf",
                    f"no {what} is between {shown[0]} and {shown[1]}",
                )
        return None


def show(number: Number) -> str:
    """The number for a message, however many digits it has."""
    if type(number) is int and number.bit_length() > _MOST_DIGITS:
        return f"{'-' if number < 0 else ''}2^{number.bit_length() - 1} and more"
    return str(number)


def _has_multiple(low: Limit, high: Limit, step: int) -> bool:
    first = math.ceil(low.value) if isinstance(low.value, float) else low.value
    first = -(-first // step) * step
    if first == low.value and low.excluded:
        first += step
    return first < high.value or (first == high.value and not high.excluded)


def _within(size: int, least: int, most: int | None) -> bool:
    return size >= least and (most is None or size <= most)


def _crossed(lower: str, least: int, upper: str, most: int | None) -> Clash | None:
    if most is None or least <= most:
        return None
    return Clash(lower, f"{lower} {show(least)} is above {upper} {show(most)}")


def _is_type(name: Any) -> bool:
    return isinstance(name, str) and (name == "integer" or name in _ALL)


def _take_type(facts: Facts, given: Any, _schema: Mapping[str, Any]) -> None:
    names = [given] if isinstance(given, str) else given
    if not isinstance(names, list) or not names or not all(map(_is_type, names)):
        return  # what is no type is told as a fault of the schema
    kinds = {"number" if name == "integer" else name for name in names}
    facts.types &= kinds
    facts.integral = facts.integral or ("integer" in names and "number" not in names)


def _take_enum(facts: Facts, given: Any, _schema: Mapping[str, Any]) -> None:
    if not isinstance(given, list):
        return
    if facts.choices is None:
        facts.choices = given
        return
    other: set[Hashable] = {identity(value) for value in given}
    facts.choices = [value for value in facts.choices if identity(value) in other]


def _take_const(facts: Facts, given: Any, schema: Mapping[str, Any]) -> None:
    _take_enum(facts, [given], schema)


def _raise_low(facts: Facts, value: Number, *, excluded: bool) -> None:
    new = Limit(value, excluded)
    facts.low = new if facts.low is None else max(facts.low, new)


def _lower_high(facts: Facts, value: Number, *, excluded: bool) -> None:
    old = facts.high
    if old is None or value < old.value or (value == old.value and excluded):
        facts.high = Limit(value, excluded)


def _take_minimum(facts: Facts, given: Any, schema: Mapping[str, Any]) -> None:
    if is_number(given):  # `exclusiveMinimum: true` is how draft-04 writes it
        _raise_low(facts, given, excluded=schema.get("exclusiveMinimum") is True)


def _take_maximum(facts: Facts, given: Any, schema: Mapping[str, Any]) -> None:
    if is_number(given):
        _lower_high(facts, given, excluded=schema.get("exclusiveMaximum") is True)


def _take_exclusive_minimum(facts: Facts, given: Any, _schema: Mapping[str, Any]) -> None:
    if is_number(given):
        _raise_low(facts, given, excluded=True)


def _take_exclusive_maximum(facts: Facts, given: Any, _schema: Mapping[str, Any]) -> None:
    if is_number(given):
        _lower_high(facts, given, excluded=True)


def _take_multiple(facts: Facts, given: Any, _schema: Mapping[str, Any]) -> None:
    if is_number(given) and given > 0 and given not in facts.multiples:
        facts.multiples = (*facts.multiples, given)


def _take_required(facts: Facts, given: Any, _schema: Mapping[str, Any]) -> None:
    if isinstance(given, list):
        facts.required.update((name, None) for name in given if isinstance(name, str))


def _take_unique(facts: Facts, given: Any, _schema: Mapping[str, Any]) -> None:
    facts.unique = facts.unique or given is True


def _at_least(name: str) -> Callable[[Facts, Any, Mapping[str, Any]], None]:
    def take(facts: Facts, given: Any, _schema: Mapping[str, Any]) -> None:
        if is_count(given):
            setattr(facts, name, max(getattr(facts, name), int(given)))

    return take


def _at_most(name: str) -> Callable[[Facts, Any, Mapping[str, Any]], None]:
    def take(facts: Facts, given: Any, _schema: Mapping[str, Any]) -> None:
        if is_count(given):
            old = getattr(facts, name)
            setattr(facts, name, int(given) if old is None else min(old, int(given)))

    return take


_TAKES: Mapping[str, Callable[[Facts, Any, Mapping[str, Any]], None]] = {
    "type": _take_type,
    "enum": _take_enum,
    "const": _take_const,
    "minimum": _take_minimum,
    "maximum": _take_maximum,
    "exclusiveMinimum": _take_exclusive_minimum,
    "exclusiveMaximum": _take_exclusive_maximum,
    "multipleOf": _take_multiple,
    "minLength": _at_least("shortest"),
    "maxLength": _at_most("longest"),
    "minItems": _at_least("fewest_items"),
    "maxItems": _at_most("most_items"),
    "minProperties": _at_least("fewest_keys"),
    "maxProperties": _at_most("most_keys"),
    "uniqueItems": _take_unique,
    "required": _take_required,
}
