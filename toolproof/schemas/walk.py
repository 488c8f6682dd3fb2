"""The subschemas of a schema: which keywords hold schemas, and where."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from toolproof.schemas.pointers import Path

ONE = frozenset(
    {
        "additionalProperties",
        "unevaluatedProperties",
        "propertyNames",
        "additionalItems",
        "unevaluatedItems",
        "contains",
        "contentSchema",
        "not",
        "if",
        "then",
        "else",
    }
)
"""Keywords whose value is a schema."""

MANY = frozenset({"allOf", "anyOf", "oneOf", "prefixItems"})
"""Keywords whose value is a list of schemas."""

NAMED = frozenset(
    {
        "properties",
        "patternProperties",
        "$defs",
        "definitions",
        "dependentSchemas",
        "dependencies",  # draft-04 to -07: a name's value is a schema, or a list of names
    }
)
"""Keywords whose value maps names to schemas."""

DEFINITIONS = frozenset({"$defs", "definitions"})
"""Keywords that keep schemas without holding any value against them."""

HOLDERS = ONE | MANY | NAMED | {"items"}
"""Every keyword that holds schemas, of any dialect; `items` holds one, or a list of them."""


def subschemas(schema: dict[str, Any]) -> Iterator[tuple[Path, Any]]:
    """The schemas right below, each with its path from here: `("properties", "a")`.

    They are found by their keywords, those of all dialects, so that a property called `items`, or a
    value inside `enum`, is not taken for one. Only objects and booleans are given: what else
    stands at such a place is no schema.
    """
    for keyword, value in schema.items():
        find = _FINDERS.get(keyword)
        if find is not None:
            yield from find(keyword, value)


def _one(keyword: str, value: Any) -> Iterator[tuple[Path, Any]]:
    if isinstance(value, dict | bool):
        yield (keyword,), value


def _many(keyword: str, value: Any) -> Iterator[tuple[Path, Any]]:
    if isinstance(value, list):
        for index, sub in enumerate(value):
            if isinstance(sub, dict | bool):
                yield (keyword, index), sub


def _named(keyword: str, value: Any) -> Iterator[tuple[Path, Any]]:
    if isinstance(value, dict):
        for name, sub in value.items():
            if isinstance(sub, dict | bool):
                yield (keyword, name), sub


def _one_or_many(keyword: str, value: Any) -> Iterator[tuple[Path, Any]]:
    return (_many if isinstance(value, list) else _one)(keyword, value)


_FINDERS: Mapping[str, Callable[[str, Any], Iterator[tuple[Path, Any]]]] = {
    **dict.fromkeys(ONE, _one),
    **dict.fromkeys(MANY, _many),
    **dict.fromkeys(NAMED, _named),
    "items": _one_or_many,
}

FORMATS = frozenset(
    # Source: JSON Schema 2020-12 validation, 7.3; the older dialects have fewer.
    [
        "date-time",
        "date",
        "time",
        "duration",
        "email",
        "idn-email",
        "hostname",
        "idn-hostname",
        "ipv4",
        "ipv6",
        "uri",
        "uri-reference",
        "iri",
        "iri-reference",
        "uuid",
        "uri-template",
        "json-pointer",
        "relative-json-pointer",
        "regex",
    ]
)
"""The values of `format` that are registered."""
