"""What a single value must be like: in the data of a result, and in the arguments of a call."""

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, ClassVar

from pydantic import Field

from toolproof.config.mistakes import Mistake
from toolproof.config.strict import Strict, keys_of
from toolproof.config.value import choice, several
from toolproof.config.values import Flag, Json, OneOrMorePatterns, Schema, number, whole

JSON_TYPES = ("string", "number", "integer", "boolean", "array", "object", "null")

Length = Annotated[int, whole(least=0)]


class Matcher(Strict):
    """What one value must be like. Anything but a mapping is short for `equals`.

    Attributes:
        equals: The value itself.
        type: Its JSON type, or several of them.
        min: The least number.
        max: The greatest number.
        length: Characters of a text, entries of a list, keys of an object.
        min_length: The least length.
        max_length: The greatest length.
        contains: A part of the text, or an entry of the list.
        regex: A pattern that stands somewhere in the text.
        one_of: The values that it may have.
        exists: Whether there is a value at all.
    """

    SHORT_FORM: ClassVar[Mapping[str, Any] | None] = {"not": {"type": "object"}}

    equals: Json = None
    type: Annotated[tuple[str, ...], several(choice(*JSON_TYPES))] | None = None
    min: Annotated[float, number()] | None = None
    max: Annotated[float, number()] | None = None
    length: Length | None = None
    min_length: Length | None = None
    max_length: Length | None = None
    contains: Json = None
    regex: OneOrMorePatterns | None = None
    one_of: tuple[Json, ...] | None = None
    exists: Flag | None = None

    @classmethod
    def long_form(cls, given: Any) -> Any:
        return given if isinstance(given, Mapping) else {"equals": given}

    @classmethod
    def together(cls, given: Mapping[str, Any]) -> Iterator[Mistake]:
        if not given:
            yield Mistake((), "it says nothing; write {exists: true}, or {equals: {}}")
        for low, high in (("min", "max"), ("min_length", "max_length")):
            least, most = given.get(low), given.get(high)
            if isinstance(least, int | float) and isinstance(most, int | float) and least > most:
                yield Mistake((high,), f"it is below {low!r}, so nothing can fit")


class ArgMatcher(Strict):
    """What one argument of an expected call must be like.

    Attributes:
        equals: The value itself.
        one_of: The values that it may have.
        regex: A pattern that stands somewhere in the text.
        optional: Whether it may be left out.
        approx: A number that it must be near.
        tolerance: How far from `approx` it may be; null: a millionth of it.
        schema: A JSON Schema that it must fit.
    """

    SHORT_FORM: ClassVar[Mapping[str, Any] | None] = {}

    equals: Json = None
    one_of: tuple[Json, ...] | None = None
    regex: OneOrMorePatterns | None = None
    optional: Flag = False
    approx: Annotated[float, number()] | None = None
    tolerance: Annotated[float, number(least=0)] | None = None
    json_schema: Schema | None = Field(default=None, alias="schema")

    @classmethod
    def long_form(cls, given: Any) -> Any:
        """A mapping is a matcher if it has one of the keys of one; else it is a value."""
        matcher = isinstance(given, Mapping) and any(key in keys_of(cls) for key in given)
        return given if matcher else {"equals": given}

    @classmethod
    def together(cls, given: Mapping[str, Any]) -> Iterator[Mistake]:
        if given.get("tolerance") is not None and given.get("approx") is None:
            yield Mistake(("tolerance",), "it goes with 'approx'")
