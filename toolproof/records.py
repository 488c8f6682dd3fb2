"""Immutable records that cost little to define.

`dataclass(frozen=True, slots=True)` compiles six functions for each class, and a run defines some two
hundred: a sixth of its start. A record has one function of its own, the initializer, and shares the
others. That nothing sets its fields later is the type checker's to see, not the interpreter's: what
users of the library hold (`CallResult`, `RunReport`) is a frozen dataclass.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, fields
from operator import attrgetter
from typing import Any, TypeVar, dataclass_transform, overload

_T = TypeVar("_T")


@overload
def record(cls: type[_T], /) -> type[_T]: ...
@overload
def record(*, kw_only: bool) -> Callable[[type[_T]], type[_T]]: ...
@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def record(
    cls: type[_T] | None = None, /, *, kw_only: bool = False
) -> type[_T] | Callable[[type[_T]], type[_T]]:
    """A dataclass with slots, equality, a hash and a repr, as `dataclasses` would write them.

    Args:
        cls: The class, with its fields as annotations.
        kw_only: Whether the initializer takes nothing by position.
    """

    def made(cls: type[_T]) -> type[_T]:
        for name, method in _SHARED.items():
            if cls.__dict__.get(name) is None:
                setattr(cls, name, method)
        return dataclass(eq=False, repr=False, slots=True, kw_only=kw_only)(cls)

    return made if cls is None else made(cls)


_compared: dict[type, Callable[[Any], Any]] = {}


def _values(one: Any) -> Any:
    """The fields that count for equality: a tuple, or the only one."""
    cls = type(one)
    if cls not in _compared:
        names = [found.name for found in fields(cls) if found.compare]
        _compared[cls] = attrgetter(*names) if names else lambda _: ()
    return _compared[cls](one)


def _equal(self: object, other: object) -> Any:  # a bool, or NotImplemented
    if type(self) is not type(other):
        return NotImplemented
    # As in tuples, what is the same object is equal: NaN too.
    return (_values(self),) == (_values(other),)


def _hash(self: object) -> int:
    return hash(_values(self))


def _repr(self: Any) -> str:
    shown = ", ".join(
        f"{found.name}={getattr(self, found.name)!r}" for found in fields(self) if found.repr
    )
    return f"{type(self).__qualname__}({shown})"


_SHARED = {"__eq__": _equal, "__hash__": _hash, "__repr__": _repr}
