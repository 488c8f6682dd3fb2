"""The subschemas of a schema: which keywords hold schemas, and where."""

from collections.abc import Iterator
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
    for keyword, below in schema.items():
        if keyword not in HOLDERS:
            continue
        if keyword in NAMED:
            if isinstance(below, dict):
                for name, sub in below.items():
                    if isinstance(sub, (dict, bool)):
                        yield (keyword, name), sub
        elif isinstance(below, list):
            if keyword not in ONE:
                for index, sub in enumerate(below):
                    if isinstance(sub, (dict, bool)):
                        yield (keyword, index), sub
        elif isinstance(below, (dict, bool)) and keyword not in MANY:
            yield (keyword,), below
