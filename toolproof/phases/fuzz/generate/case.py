"""What the generator gives out: labelled inputs, and what it could not make."""

from enum import Enum, StrEnum
from typing import Any, Final, NamedTuple

from toolproof.report.fuzz import InputMode


class Absent(Enum):
    """The type of ABSENT: a call without the key `arguments`."""

    ABSENT = "arguments left out"


ABSENT: Final = Absent.ABSENT
"""In place of arguments: the key `arguments` is left out, as the protocol allows."""


class Stage(StrEnum):
    """The stages of the generator, in their order."""

    EXAMPLES = "examples"
    COVERAGE = "coverage"
    DICTIONARY = "dictionary"
    PAIRS = "pairs"
    RANDOM = "random"


ARGUMENTS: Final = "arguments"
"""The keyword of a case that is wrong in the member `arguments` itself: absent, null, a list."""


class Case(NamedTuple):
    """One input, with a label that a validator confirmed.

    Cases share parts of their arguments: who changes them copies them first.

    Attributes:
        arguments: Of any JSON type in a case that is about `arguments` itself; or ABSENT.
        mode: Whether `{}` or the arguments fit the tool's schema.
        reason: How it was made, short, for people: "width=maximum", "day missing", "extra key".
        pointer: JSON pointer into the arguments, to what makes the case; empty for all of them.
        keyword: In an invalid case the keyword that is broken, or `arguments`; else empty.
    """

    arguments: Any
    mode: InputMode
    reason: str
    stage: Stage
    pointer: str = ""
    keyword: str = ""


class Unmodelled(NamedTuple):
    """A part of a schema for which nothing, or not everything, could be made.

    Attributes:
        pointer: JSON pointer into the schema.
        keyword: What could not be followed; empty where it is the whole subschema.
        why: One clause, lower case, without a final period.
    """

    pointer: str
    keyword: str
    why: str


class Choice(NamedTuple):
    """One value that a place may have, or must not.

    Attributes:
        value: The value.
        kind: Which sort of value; one of each sort is tried before a second.
        word: The end of the reason: "maximum" in "width=maximum", "missing" in "day missing".
        keyword: For a wrong value the keyword that it breaks.
    """

    value: Any
    kind: str
    word: str
    keyword: str = ""
