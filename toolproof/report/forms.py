"""What a type hint means in JSON: one of nine forms, and the hint of what is inside."""

import dataclasses
import types
import typing
from collections.abc import Callable, Mapping, Sequence
from enum import Enum, auto
from functools import cache
from typing import Any


class Form(Enum):
    """How a value stands in JSON."""

    FREE = auto()  # any JSON value
    CHOICE = auto()  # one of some literals
    OPTIONAL = auto()  # something, or null
    PAIRS = auto()  # an object, of `tuple[tuple[str, X], ...]`
    OBJECT = auto()  # an object with any keys
    LIST = auto()
    RECORD = auto()  # an object with the keys of a dataclass
    SCALAR = auto()


@cache
def form_of(hint: Any) -> Form:
    """The form of a hint."""
    return next(form for form, fits in _FORMS if fits(hint))


def inside(hint: Any) -> Any:
    """The hint of what an optional value, a list or an object holds."""
    arguments = typing.get_args(hint)
    match form_of(hint):
        case Form.OPTIONAL:
            others = [part for part in arguments if part is not types.NoneType]
            return others[0] if len(others) == 1 else Any
        case Form.PAIRS:
            return typing.get_args(arguments[0])[1]
        case Form.OBJECT:
            return arguments[1]
        case _:
            return arguments[0]


def _is_free(hint: Any) -> bool:
    if hint is Any:
        return True
    arguments = typing.get_args(hint)
    if _is_union(hint):
        return all(part is types.NoneType or _is_free(part) for part in arguments)
    return _is_object(hint) and arguments[-1] is Any


def _is_choice(hint: Any) -> bool:
    return typing.get_origin(hint) is typing.Literal


def _is_union(hint: Any) -> bool:
    return typing.get_origin(hint) in (typing.Union, types.UnionType)


def _is_object(hint: Any) -> bool:
    origin = typing.get_origin(hint)
    return isinstance(origin, type) and issubclass(origin, Mapping)


def _is_list(hint: Any) -> bool:
    origin = typing.get_origin(hint)
    return isinstance(origin, type) and issubclass(origin, Sequence | frozenset)


def _is_pairs(hint: Any) -> bool:
    arguments = typing.get_args(hint)
    if typing.get_origin(hint) is not tuple or not arguments:
        return False
    inner = arguments[0]
    return typing.get_origin(inner) is tuple and typing.get_args(inner)[:1] == (str,)


def _is_record(hint: Any) -> bool:
    return isinstance(hint, type) and dataclasses.is_dataclass(hint)


def _is_anything(_hint: Any) -> bool:
    return True


_FORMS: Sequence[tuple[Form, Callable[[Any], bool]]] = (
    (Form.FREE, _is_free),
    (Form.CHOICE, _is_choice),
    (Form.OPTIONAL, _is_union),
    (Form.PAIRS, _is_pairs),
    (Form.OBJECT, _is_object),
    (Form.LIST, _is_list),
    (Form.RECORD, _is_record),
    (Form.SCALAR, _is_anything),
)
