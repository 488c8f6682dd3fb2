"""Frozen records to JSON and back, by their type hints alone.

So a new attribute of a result is in the JSON report, in its schema (`record_schema.py`) and in what
`merge` reads, without a line here.
"""

import dataclasses
import json
import math
import typing
from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import StrEnum
from functools import cache
from typing import Any

from toolproof.records import record
from toolproof.report.forms import Form, form_of, inside
from toolproof.report.values import json_of, plain, short

Dump = Callable[[Any], Any]
Load = Callable[[Any], Any]

EXACT = "_json"
"""Behind a key: the exact JSON text of a value that not every reader could hold."""

OPTIONAL = {"optional": True}
"""Metadata of a field whose key is left out where the value is None."""


class Mismatch(ValueError):  # noqa: N818 - told as a ConfigError, never shown by this name
    """What was read does not fit the record; the message starts with the path."""


@record
class Special:
    """How a class is written, read and described that is not just the sum of its fields."""

    dump: Dump
    load: Load
    schema: Mapping[str, Any]


KEYS: dict[type, tuple[str, ...]] = {}
"""Of a class: the keys that come first, in order, and derived properties among them."""

SPECIALS: dict[type, Special] = {}


@record
class Key:
    """One key of a record's object.

    Attributes:
        stored: Whether it is a field; what is derived is written and not read.
        needed: Whether the record cannot be made without it.
        optional: Whether it is left out where it is None.
    """

    name: str
    hint: Any
    stored: bool
    needed: bool = False
    optional: bool = False

    @property
    def free(self) -> bool:
        """Whether it holds a value of any shape, so that exactness matters."""
        return form_of(self.hint) is Form.FREE


@cache
def keys_of(cls: type) -> tuple[Key, ...]:
    """The keys of a record's object, in the order in which they are written."""
    return tuple(_keys(cls))


def _keys(cls: type) -> Iterator[Key]:
    hints = typing.get_type_hints(cls)
    fields = {field.name: field for field in dataclasses.fields(cls)}
    first = KEYS.get(cls, ())
    for name in (*first, *(name for name in fields if name not in first)):
        field = fields.get(name)
        if field is None:
            yield Key(name, typing.get_type_hints(getattr(cls, name).fget)["return"], stored=False)
        else:
            yield Key(
                name,
                hints[name],
                stored=True,
                needed=field.default is field.default_factory is dataclasses.MISSING,
                optional=bool(field.metadata.get("optional")),
            )


@cache
def dumper(hint: Any) -> Dump:
    """A function that makes JSON of a value of that type."""
    match form_of(hint):
        case Form.FREE:
            return lambda value: plain(value)[0]
        case Form.RECORD:
            return SPECIALS[hint].dump if hint in SPECIALS else _record_dumper(hint)
        case Form.CHOICE | Form.SCALAR:
            return _SCALARS.get(hint, _text)
        case form:
            return _holder_dumper(form, dumper(inside(hint)))


def _holder_dumper(form: Form, inner: Dump) -> Dump:
    match form:
        case Form.OPTIONAL:
            return lambda value: None if value is None else inner(value)
        case Form.PAIRS:
            return lambda value: {short(name): inner(item) for name, item in value}
        case Form.OBJECT:
            return lambda value: {short(name): inner(item) for name, item in value.items()}
        case _:
            return lambda value: [inner(item) for item in value]


def _record_dumper(cls: type) -> Dump:
    plan = [(key, key.name, key.free, _dump_of(key)) for key in keys_of(cls)]

    def dump(record: Any) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for key, name, free, dump_value in plan:
            value = getattr(record, name)
            if value is None and key.optional:
                continue
            if not free:
                found[name] = dump_value(value)
                continue
            found[name], exact = plain(value)
            if not exact:
                found[name + EXACT] = json_of(value)
        return found

    return dump


def _dump_of(key: Key) -> Dump:
    is_time = key.hint is float and key.name.endswith(("_ms", "_s"))
    return _measured if is_time else dumper(key.hint)


def _number(value: Any) -> float | None:
    number = float(value)
    return number if math.isfinite(number) else None


def _measured(value: Any) -> float | None:
    """A time in whole nanoseconds: what a clock gave, less the noise of subtracting."""
    number = _number(value)
    return None if number is None else round(number, 6)


def _text(value: Any) -> str:
    return short(str(value))


_SCALARS: Mapping[Any, Dump] = {bool: bool, int: int, float: _number}


@cache
def loader(hint: Any) -> Load:
    """A function that makes a value of that type of JSON; raises `Mismatch`."""
    match form_of(hint):
        case Form.FREE | Form.CHOICE:
            return lambda value: value
        case Form.RECORD:
            return SPECIALS[hint].load if hint in SPECIALS else _record_loader(hint)
        case Form.SCALAR:
            return _scalar_loader(hint)
        case form:
            return _holder_loader(form, loader(inside(hint)))


def _holder_loader(form: Form, inner: Load) -> Load:
    match form:
        case Form.OPTIONAL:
            return lambda value: None if value is None else inner(value)
        case Form.PAIRS:
            return lambda value: tuple(_load_object(value, inner).items())
        case Form.OBJECT:
            return lambda value: _load_object(value, inner)
        case _:
            return lambda value: tuple(_load_items(value, inner))


def _load_object(value: Any, inner: Load) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise Mismatch(f": expected an object, got {_kind(value)}")
    return {name: _at(f".{name}", inner, item) for name, item in value.items()}


def _load_items(value: Any, inner: Load) -> Sequence[Any]:
    if not isinstance(value, list):
        raise Mismatch(f": expected a list, got {_kind(value)}")
    return [_at(f"[{index}]", inner, item) for index, item in enumerate(value)]


def _at(step: str, inner: Load, value: Any) -> Any:
    try:
        return inner(value)
    except Mismatch as exc:
        raise Mismatch(f"{step}{exc}") from None


def _record_loader(cls: type) -> Load:
    plan = [(key, loader(key.hint)) for key in keys_of(cls) if key.stored]

    def load(value: Any) -> Any:
        if not isinstance(value, dict):
            raise Mismatch(f": expected an object, got {_kind(value)}")
        given = {}
        for key, load_value in plan:
            if key.free and key.name in value:
                given[key.name] = exactly(value, key.name)
            elif key.name in value:
                given[key.name] = _at(f".{key.name}", load_value, value[key.name])
            elif key.needed:
                raise Mismatch(f": there is no {key.name!r}")
        return cls(**given)

    return load


def exactly(found: Mapping[str, Any], name: str) -> Any:
    """The value under a key, from its exact text where there is one."""
    text = found.get(name + EXACT)
    if not isinstance(text, str):
        return found.get(name)
    try:
        return json.loads(text)
    except (ValueError, RecursionError):  # the text had been shortened
        return found.get(name)


def _scalar_loader(hint: Any) -> Load:
    words, kinds = _KINDS.get(hint, ("text", str))
    members = hint if isinstance(hint, type) and issubclass(hint, StrEnum) else None

    def load(value: Any) -> Any:
        if hint is float and value is None:  # what was measured was no number
            return math.nan
        if not isinstance(value, kinds) or (isinstance(value, bool) and hint is not bool):
            raise Mismatch(f": expected {words}, got {_kind(value)}")
        if members is None:
            return value
        try:
            return members(value)
        except ValueError:
            raise Mismatch(f": {value!r} is none of {', '.join(members)}") from None

    return load


_KINDS: Mapping[Any, tuple[str, Any]] = {
    bool: ("true or false", bool),
    int: ("a whole number", int),
    float: ("a number", (int, float)),
}
_KIND_WORDS: Mapping[type, str] = {
    dict: "an object",
    list: "a list",
    str: "text",
    bool: "true or false",
    type(None): "null",
}


def _kind(value: Any) -> str:
    return _KIND_WORDS.get(type(value), "a number")
