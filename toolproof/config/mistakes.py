"""What is wrong in a config: where, and in words for whoever wrote it."""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from pydantic import ValidationError
from pydantic_core import InitErrorDetails, PydanticCustomError

from toolproof.text import shorten

Steps = tuple[str | int, ...]
"""The way to a value: keys of mappings, and positions in lists from 0."""

DEEPEST = 256
"""Levels of lists and mappings in each other; more is refused, as not every reader can take it."""

MARK = "toolproof"
"""The type of a pydantic error whose message is ours already."""


class Mistake(NamedTuple):
    """One thing that is wrong.

    Attributes:
        steps: The way to the value that it is about; empty for the whole.
        message: What is wrong, and what was expected.
    """

    steps: Steps
    message: str


def as_error(message: str) -> PydanticCustomError:
    """The message as pydantic wants it from a function that validates one value."""
    return PydanticCustomError(MARK, "{message}", {"message": message})


def mistaken(mistakes: Iterable[Mistake]) -> ValidationError:
    """The mistakes as one error, which pydantic takes apart again at the level above."""
    details = [
        InitErrorDetails(type=as_error(message), loc=steps, input=None)
        for steps, message in mistakes
    ]
    return ValidationError.from_exception_data("toolproof", details, hide_input=True)


def mistakes_in(error: ValidationError) -> list[Mistake]:
    """The mistakes that pydantic found, in our words."""
    return [
        Mistake(
            _without_key_mark(found["loc"]), _message(found["type"], found["msg"], found["input"])
        )
        for found in error.errors(include_url=False, include_context=False)
    ]


def _without_key_mark(steps: Steps) -> Steps:
    """The way to an entry: pydantic says `[key]` where its key is wrong, not its value."""
    return steps[:-1] if steps[-1:] == ("[key]",) else steps


def _message(kind: str, message: str, given: Any) -> str:
    match kind:
        case "toolproof":
            return message
        case "missing":
            return "it is needed"
        case "tuple_type":
            return f"expected a list, got {seen(given)}"
        case "dict_type" | "model_type" | "model_attributes_type":
            return f"expected a mapping, got {seen(given)}"
        case _:
            return message[:1].lower() + message[1:]


def seen(value: Any) -> str:
    """A value as a message shows it, short."""
    if isinstance(value, str):
        return repr(shorten(str(value), 60))
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        many = isinstance(value, int) and value.bit_length() > _MANY_BITS
        return "a number of over 3,000 digits" if many else str(value)
    for kinds, name in _NAMES:
        if isinstance(value, kinds):
            return name
    return f"a {type(value).__name__}"


_MANY_BITS = 10_000  # str() refuses a number of more than 4,300 digits
_NAMES = ((type(None), "nothing"), (Mapping, "a mapping"), ((list, tuple), "a list"))


def shown(steps: Steps) -> str:
    """The way to a value as people write it: `tests[3].expect.jsonpath["$.id"].min`."""
    text = ""
    for step in steps:
        if isinstance(step, int):
            text += f"[{step}]"
        elif step.replace("-", "_").isidentifier():
            text += f".{step}" if text else step
        else:
            text += f"[{shorten(step, 60)!r}]"
    return text
