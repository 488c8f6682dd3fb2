"""A kind of value: what it accepts, what it is called when it refuses, and its JSON Schema."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pydantic_core import core_schema

from toolproof.config.mistakes import Mistake, mistaken, seen
from toolproof.config.scalars import Kind, Odd
from toolproof.records import record
from toolproof.text import nearest


class Unfit(Exception):  # noqa: N818 - says no to a value; nothing failed
    """A value that a key does not take.

    Attributes:
        advice: What is wrong, or what to do, if "expected X, got Y" does not say it.
        whole: Whether the advice is all that there is to say.
        inside: What is wrong inside the value, if it is not the value itself.
    """

    def __init__(
        self, advice: str = "", *, whole: bool = False, inside: Sequence[Mistake] = ()
    ) -> None:
        super().__init__(advice)
        self.advice = advice
        self.whole = whole
        self.inside = inside


@dataclass(frozen=True, slots=True, eq=False)
class Value:
    """A kind of value, for `Annotated`: pydantic asks it for validation and for its JSON Schema.

    Attributes:
        expected: What it is called: "text", "a whole number, 1 or more".
        read: The value as the models hold it; raises `Unfit`.
        schema: The JSON Schema of what is accepted.
    """

    expected: str
    read: Callable[[Any], Any]
    schema: Mapping[str, Any] = field(default_factory=dict)

    def take(self, given: Any) -> tuple[Any, list[Mistake]]:
        """The value, and what is wrong with it: then it is None."""
        try:
            return self.read(given), []
        except Unfit as exc:
            if exc.inside:
                return None, list(exc.inside)
            return None, [
                Mistake((), exc.advice if exc.whole else self._refusal(given, exc.advice))
            ]

    def check(self, given: Any) -> Any:
        value, mistakes = self.take(given)
        if mistakes:
            raise mistaken(mistakes)
        return value

    def _refusal(self, given: Any, advice: str) -> str:
        if not isinstance(given, Odd):
            refusal = f"expected {self.expected}, got {seen(given)}"
        elif given.kind is Kind.NUMBER:
            refusal = f"expected {self.expected}, got {given.shown}"
        else:
            refusal = f"expected {self.expected}, but {given.reading}"
        return f"{refusal}: {advice}" if advice else refusal

    def __get_pydantic_core_schema__(self, _source: Any, _handler: Any) -> core_schema.CoreSchema:
        return core_schema.no_info_plain_validator_function(self.check)

    def __get_pydantic_json_schema__(self, _core: Any, _handler: Any) -> dict[str, Any]:
        return dict(self.schema)


def several(one: Value) -> Value:
    """One value, or a list of them."""

    def read(given: Any) -> tuple[Any, ...]:
        if not isinstance(given, list | tuple):
            value, mistakes = one.take(given)
            values: tuple[Any, ...] = (value,)
        else:
            values, mistakes = _each(one, given)
        if mistakes:
            raise Unfit(inside=mistakes)
        return values

    schema = {"anyOf": [one.schema, {"type": "array", "items": one.schema}]}
    return Value(f"{one.expected}, or a list", read, schema)


def _each(one: Value, given: Sequence[Any]) -> tuple[tuple[Any, ...], list[Mistake]]:
    values: list[Any] = []
    mistakes: list[Mistake] = []
    for index, item in enumerate(given):
        value, wrong = one.take(item)
        values.append(value)
        mistakes += [Mistake((index, *steps), message) for steps, message in wrong]
    return tuple(values), mistakes


@record
class Bounds:
    """What a number must be: above one, at least one, at most one."""

    above: float | None = None
    least: float | None = None
    most: float | None = None

    def hold(self, number: float) -> bool:
        return (
            (self.above is None or number > self.above)
            and (self.least is None or number >= self.least)
            and (self.most is None or number <= self.most)
        )

    def __str__(self) -> str:
        if self.least is not None and self.most is not None:
            return f" from {self.least} to {self.most}"
        if self.least is not None:
            return f", {self.least} or more"
        return "" if self.above is None else f" above {self.above}"

    @property
    def schema(self) -> dict[str, float]:
        bounds = {"exclusiveMinimum": self.above, "minimum": self.least, "maximum": self.most}
        return {keyword: bound for keyword, bound in bounds.items() if bound is not None}


def bounded(name: str, read: Callable[[Any], float], kind: str, bounds: Bounds) -> Value:
    """A number within bounds.

    Args:
        name: What it is called without them.
        read: The number, of whatever size.
        kind: Its type in JSON Schema.
        bounds: The bounds.
    """

    def within(given: Any) -> float:
        number = read(given)
        if not bounds.hold(number):
            raise Unfit
        return number

    return Value(f"{name}{bounds}", within, {"type": kind} | bounds.schema)


def choice(*words: str) -> Value:
    """One of a few words; the nearest is suggested in place of another."""

    def read(given: Any) -> str:
        if isinstance(given, str) and str(given) in words:
            return str(given)
        meant = nearest(given, words) if isinstance(given, str) else None
        raise Unfit(f"did you mean {meant!r}?" if meant else "")

    known = " or ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)
    return Value(known, read, {"enum": list(words)})
