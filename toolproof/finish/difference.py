"""One difference of two schemas: where it is, what it does to the values that fit, and the words for it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Flag, auto
from typing import Any

from toolproof.text import listed, quoted

Steps = tuple[str | int, ...]


class Effect(Flag):
    """What a change does to the set of values that fit.

    TEXT: nothing, but a model reads it. With neither NARROWS nor WIDENS nothing changes for values.
    """

    NONE = 0
    NARROWS = auto()
    WIDENS = auto()
    TEXT = auto()
    ADDS_PROPERTY = auto()
    DROPS_PROPERTY = auto()
    BOTH = NARROWS | WIDENS

    @property
    def turned(self) -> "Effect":
        """The effect of the same under a `not`."""
        narrows, widens = Effect.NARROWS in self, Effect.WIDENS in self
        rest = self & ~(Effect.NARROWS | Effect.WIDENS)
        return (
            rest
            | (Effect.WIDENS if narrows else Effect.NONE)
            | (Effect.NARROWS if widens else Effect.NONE)
        )


@dataclass(frozen=True, slots=True)
class Difference:
    """One change.

    Attributes:
        steps: Where, from the schema: in the new one, or in the old one for what is gone.
        place: The value that it is about, as a person writes it: `filter.days[]`; empty for all.
        message: What changed, without the place.
    """

    steps: Steps
    place: str
    effect: Effect
    message: str

    @property
    def loses(self) -> bool:
        """Whether something that fitted no longer does, or is no longer looked at."""
        return bool(self.effect & (Effect.NARROWS | Effect.DROPS_PROPERTY))


def types_told(types: frozenset[str], whole: frozenset[str]) -> Sequence[str]:
    """The types to name: integer goes without saying beside number."""
    shown = types - {"integer"} if "number" in types else types
    fraction = "number" in types and "integer" in whole - types
    return sorted("a fraction" if one == "number" and fraction else one for one in shown)


def alternatives_told(number: int) -> str:
    """How many alternatives, with their verb."""
    return "1 alternative is" if number == 1 else f"{number:,} alternatives are"


def member(place: str, name: str) -> str:
    """The place of a member of an object."""
    shown = name if name.replace("_", "a").replace("-", "a").isalnum() else quoted(name, 40)
    return f"{place}.{shown}" if place else shown


def some(values: Sequence[Any]) -> str:
    """The first of some values."""
    return listed((quoted(one, 40) for one in values), most=4)


def shown(schema: Mapping[str, Any], key: str) -> str:
    """A keyword's value, or that there is none."""
    return quoted(schema[key], 40) if key in schema else "none"
