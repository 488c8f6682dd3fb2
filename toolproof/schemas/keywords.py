"""What each dialect allows as the value of its keywords, as its meta-schema says it."""

import functools
import math
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from toolproof.records import record
from toolproof.schemas.dialects import Dialect
from toolproof.schemas.equality import first_repeated
from toolproof.schemas.pointers import Path
from toolproof.schemas.walk import MANY, NAMED, ONE

TYPES = ("array", "boolean", "integer", "null", "number", "object", "string")


@record
class Fault:
    """A value that a meta-schema does not allow, and what it does allow there."""

    value: Any
    expected: str


Faults = Iterator[tuple[Path, Fault]]
"""Faults with their path from the keyword's value."""

Check = Callable[[Any], Faults]


@functools.cache
def keywords_of(dialect: Dialect) -> Mapping[str, Check]:
    """The keywords whose value the meta-schema of a dialect restricts, but for schemas in it."""
    checks = dict(_EVERYWHERE)
    for since, only in _ADDED.items():
        if dialect in since:
            checks.update(only)
    return checks


@functools.cache
def holders_in(dialect: Dialect) -> frozenset[str]:
    """The keywords that hold schemas in a dialect."""
    since_6 = {"contains", "propertyNames"}
    since_7 = {"if", "then", "else"}
    since_2019 = {
        "$defs", "contentSchema", "dependentSchemas", "unevaluatedItems", "unevaluatedProperties",
    }  # fmt: skip
    held = frozenset(NAMED | MANY | ONE | {"items"})
    if dialect is Dialect.DRAFT_2020_12:
        return held - {"additionalItems"}
    held -= {"prefixItems"}
    if dialect.is_draft:
        held -= since_2019
    if dialect.is_old:
        held -= since_7
    return held - since_6 if dialect is Dialect.DRAFT_4 else held


def held_by(keyword: str, value: Any, dialect: Dialect) -> Iterator[tuple[Path, Any]]:
    """What must be a schema below a keyword, of whatever type it is, with its path from there."""
    if keyword not in holders_in(dialect):
        return
    if keyword in NAMED:
        for name, sub in value.items() if isinstance(value, dict) else ():
            if not (keyword == "dependencies" and isinstance(sub, list)):
                yield (name,), sub
    elif keyword in MANY or (
        keyword == "items" and isinstance(value, list) and dialect is not Dialect.DRAFT_2020_12
    ):
        for index, sub in enumerate(value) if isinstance(value, list) else ():
            yield (index,), sub
    else:
        yield (), value


def is_number(value: Any) -> bool:
    """Whether JSON calls it a number: true is none."""
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def is_whole(value: Any) -> bool:
    """Whether JSON Schema calls it an integer: 1.0 is one since draft-06."""
    if isinstance(value, float):
        return math.isfinite(value) and value.is_integer()
    return isinstance(value, int) and not isinstance(value, bool)


def _of(kind: type, expected: str) -> Check:
    def check(value: Any) -> Faults:
        if not isinstance(value, kind):
            yield (), Fault(value, expected)

    return check


def _that(fits: Callable[[Any], bool], expected: str) -> Check:
    def check(value: Any) -> Faults:
        if not fits(value):
            yield (), Fault(value, expected)

    return check


def _schemas(value: Any) -> Faults:
    if not isinstance(value, list) or not value:
        yield (), Fault(value, "a list of one or more schemas")


def _anything(_: Any) -> Faults:
    return iter(())


def _items(value: Any) -> Faults:
    if isinstance(value, list) and not value:
        yield (), Fault(value, "a schema, or a list of one or more")


def _strings(least: int) -> Check:
    expected = "a list of names" if not least else "a list of one or more names"

    def check(value: Any) -> Faults:
        if not isinstance(value, list) or len(value) < least:
            yield (), Fault(value, expected)
            return
        for index, name in enumerate(value):
            if not isinstance(name, str):
                yield (index,), Fault(name, "a name, which is a string")
        if first_repeated(value) is not None:
            yield (), Fault(value, "a list of names that all differ")

    return check


def _dependencies(least: int) -> Check:
    strings = _strings(least)

    def check(value: Any) -> Faults:
        if not isinstance(value, dict):
            yield (), Fault(value, "an object of schemas or lists of names")
            return
        for name, wanted in value.items():
            if isinstance(wanted, list):
                yield from (((name, *path), fault) for path, fault in strings(wanted))

    return check


def _dependent_required(value: Any) -> Faults:
    if not isinstance(value, dict):
        yield (), Fault(value, "an object of lists of names")
        return
    for name, wanted in value.items():
        yield from (((name, *path), fault) for path, fault in _strings(0)(wanted))


def _type(value: Any) -> Faults:
    if isinstance(value, list):
        if not value:
            yield (), Fault(value, "a type, or a list of one or more")
        for index, kind in enumerate(value):
            if kind not in TYPES:
                yield (index,), Fault(kind, _A_TYPE)
        if first_repeated(value) is not None:
            yield (), Fault(value, "a list of types that all differ")
    elif value not in TYPES:
        yield (), Fault(value, f"{_A_TYPE}, or a list of them")


def _enum_of_draft_4(value: Any) -> Faults:
    if not isinstance(value, list) or not value:
        yield (), Fault(value, "a list of one or more values")
    elif first_repeated(value) is not None:
        yield (), Fault(value, "a list of values that all differ")


def _vocabulary(value: Any) -> Faults:
    if not isinstance(value, dict):
        yield (), Fault(value, "an object of booleans")
        return
    for name, used in value.items():
        if not isinstance(used, bool):
            yield (name,), Fault(used, "a boolean")


def _matching(pattern: str, expected: str) -> Check:
    fits = re.compile(pattern).fullmatch
    return _that(lambda value: isinstance(value, str) and bool(fits(value)), expected)


_A_TYPE = "one of " + ", ".join(map(repr, TYPES))
_TEXT = _of(str, "a string")
_BOOLEAN = _of(bool, "a boolean")
_LIST = _of(list, "a list")
_OBJECT = _of(dict, "an object of schemas")
_NUMBER = _that(is_number, "a number")
_ABOVE_0 = _that(lambda value: is_number(value) and value > 0, "a number above 0")
_SIZE = _that(lambda value: is_whole(value) and value >= 0, "an integer from 0")
_SIZE_4 = _that(lambda value: type(value) is int and value >= 0, "an integer from 0")
_ID = _matching(r"[^#]*#?", "a URI reference without a fragment")
_ANCHOR_2019 = _matching(r"[A-Za-z][-A-Za-z0-9.:_]*", "a name of letters, digits and '-.:_'")
_ANCHOR = _matching(r"[A-Za-z_][-A-Za-z0-9._]*", "a name of letters, digits and '-._'")

_SIZES = ("minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties")

_EVERYWHERE: Mapping[str, Check] = {
    "$schema": _TEXT,
    "title": _TEXT,
    "description": _TEXT,
    "format": _TEXT,
    "pattern": _TEXT,
    "minimum": _NUMBER,
    "maximum": _NUMBER,
    "multipleOf": _ABOVE_0,
    **dict.fromkeys(_SIZES, _SIZE),
    "uniqueItems": _BOOLEAN,
    "type": _type,
    "items": _items,
    "properties": _OBJECT,
    "patternProperties": _OBJECT,
    "definitions": _OBJECT,
    "allOf": _schemas,
    "anyOf": _schemas,
    "oneOf": _schemas,
}
_DRAFT_4: Mapping[str, Check] = {
    "id": _TEXT,
    "exclusiveMinimum": _BOOLEAN,
    "exclusiveMaximum": _BOOLEAN,
    **dict.fromkeys(_SIZES, _SIZE_4),
    "required": _strings(1),
    "dependencies": _dependencies(1),
    "enum": _enum_of_draft_4,
}
_SINCE_6: Mapping[str, Check] = {
    "$id": _TEXT,
    "$ref": _TEXT,
    "examples": _LIST,
    "enum": _LIST,
    "required": _strings(0),
    "dependencies": _dependencies(0),
    "exclusiveMinimum": _NUMBER,
    "exclusiveMaximum": _NUMBER,
}
_SINCE_7: Mapping[str, Check] = {
    "$comment": _TEXT,
    "readOnly": _BOOLEAN,
    "contentMediaType": _TEXT,
    "contentEncoding": _TEXT,
}
_SINCE_2019: Mapping[str, Check] = {
    "$id": _ID,
    "$vocabulary": _vocabulary,
    "$defs": _OBJECT,
    "dependentSchemas": _OBJECT,
    "dependentRequired": _dependent_required,
    "minContains": _SIZE,
    "maxContains": _SIZE,
    "deprecated": _BOOLEAN,
    "writeOnly": _BOOLEAN,
    "$recursiveRef": _TEXT,
}
_ONLY_2019: Mapping[str, Check] = {"$anchor": _ANCHOR_2019, "$recursiveAnchor": _BOOLEAN}
_SINCE_2020: Mapping[str, Check] = {
    "prefixItems": _schemas,
    "items": _anything,
    "$anchor": _ANCHOR,
    "$dynamicAnchor": _ANCHOR,
    "$dynamicRef": _TEXT,
    "$recursiveAnchor": _ANCHOR,
}
_ADDED: Mapping[frozenset[Dialect], Mapping[str, Check]] = {
    frozenset({Dialect.DRAFT_4}): _DRAFT_4,
    frozenset(Dialect) - {Dialect.DRAFT_4}: _SINCE_6,
    frozenset(Dialect) - {Dialect.DRAFT_4, Dialect.DRAFT_6}: _SINCE_7,
    frozenset({Dialect.DRAFT_2019_09, Dialect.DRAFT_2020_12}): _SINCE_2019,
    frozenset({Dialect.DRAFT_2019_09}): _ONLY_2019,
    frozenset({Dialect.DRAFT_2020_12}): _SINCE_2020,
}
