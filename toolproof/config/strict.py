"""The base of every section: frozen, typos are mistakes, and all mistakes are told at once."""

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any, ClassVar, Self, get_args

from pydantic import BaseModel, ConfigDict, ValidationError, model_validator

from toolproof.config.mistakes import Mistake, mistaken, mistakes_in, seen
from toolproof.text import listed, nearest

MOST_GUESSED = 50
"""For so many unknown keys of a section the nearest is looked for: it takes its time."""


class Strict(BaseModel):
    """A part of toolproof.yaml.

    A key without a value counts as not given, unless null means something for it.
    """

    model_config = ConfigDict(
        frozen=True, extra="forbid", defer_build=True, hide_input_in_errors=True
    )

    SHORT_FORM: ClassVar[Mapping[str, Any] | None] = None
    """The JSON Schema of what `long_form` takes besides a mapping with the keys."""

    @classmethod
    def long_form(cls, given: Any) -> Any:
        """What a short form stands for; anything else as it is."""
        return given

    @classmethod
    def together(cls, _given: Mapping[str, Any]) -> Iterator[Mistake]:
        """What is wrong with the keys as a whole: what one of them needs, or excludes.

        Their values may still be of any type.
        """
        return iter(())

    @model_validator(mode="wrap")
    @classmethod
    def _every_mistake(cls, given: Any, handler: Callable[[Any], Self]) -> Self:
        if isinstance(given, cls):
            return given
        given = cls.long_form(given)
        if not isinstance(given, Mapping):
            keys = listed(keys_of(cls), most=20)
            raise mistaken([Mistake((), f"expected a mapping with {keys}; got {seen(given)}")])
        known = {
            key: value
            for key, value in given.items()
            if key in _accepted(cls) and (value is not None or key in _nullable(cls))
        }
        unknown = [str(key) for key in given if key not in _accepted(cls)]
        meant = {key: nearest(key, keys_of(cls)) for key in unknown[:MOST_GUESSED]}
        mistakes = [_unknown(cls, key, meant.get(key)) for key in unknown]
        misspelt = any(meant.values())
        mistakes += [
            found for found in cls.together(known) if found.steps or not misspelt
        ]  # what a misspelt key leaves missing is not missing
        try:
            made = handler(known)
        except ValidationError as exc:
            told = {mistake.steps for mistake in mistakes}
            mistakes += [found for found in mistakes_in(exc) if found.steps not in told]
            raise mistaken(mistakes) from None
        if mistakes:
            raise mistaken(mistakes)
        return made


@cache
def keys_of(model: type[BaseModel]) -> tuple[str, ...]:
    """The keys of a section as the file spells them."""
    return tuple(
        field.alias or name for name, field in model.model_fields.items() if not field.exclude
    )


@cache
def _accepted(model: type[BaseModel]) -> frozenset[str]:
    """The keys, and what only code may set."""
    return frozenset(field.alias or name for name, field in model.model_fields.items())


@cache
def _nullable(model: type[BaseModel]) -> frozenset[str]:
    """The keys for which null is a value of its own."""
    return frozenset(
        field.alias or name
        for name, field in model.model_fields.items()
        if field.annotation is Any or type(None) in get_args(field.annotation)
    )


def _unknown(model: type[BaseModel], key: str, meant: str | None) -> Mistake:
    known = listed(keys_of(model), most=40)
    hint = f"did you mean {meant!r}?" if meant else f"known are {known}"
    return Mistake((key,), f"there is no such key; {hint}")
