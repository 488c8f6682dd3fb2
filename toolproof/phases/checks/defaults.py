"""Whether a default fits the schema that it stands in."""

from itertools import islice
from typing import Any

from toolproof.judgement.json_values import is_whole, type_of
from toolproof.phases.checks.definitions import Node, SchemaView
from toolproof.schemas import SchemaError, Validator, subschemas

_SAYS_NOTHING = frozenset(
    {
        "title",
        "description",
        "default",
        "example",
        "examples",
        "$comment",
        "deprecated",
        "readOnly",
        "writeOnly",
        "format",
        "nullable",
    }
)
"""Keywords that no value is held against."""

_SHARED = ("$schema", "$defs", "definitions")
_MOST_SUBSCHEMAS = 2_000


def default_breach(view: SchemaView, node: Node) -> str | None:
    """How the default of a subschema does not fit it; None where it does, or is not known.

    Args:
        view: The schema in which the subschema stands; it must be sound.
        node: An object with a `default`.
    """
    value = node.schema["default"]
    plain = _by_type(node.schema, value)
    if plain is not None:
        return plain or None
    root = {name: view.schema[name] for name in _SHARED if name in view.schema}
    if not _is_whole_with(node.schema, root):
        return None
    try:
        validator = Validator(root | {"allOf": [node.schema]}, view.dialect)
    except SchemaError:
        return None
    first = next(iter(validator.breaches(value)), None)
    if first is None:
        return None
    return f"at {first.pointer}, {first.message}" if first.pointer else first.message


def _by_type(schema: dict[str, Any], value: Any) -> str | None:
    """The verdict where `type` alone decides: a reason, or empty for a fit; None where it does not."""
    kinds = schema.get("type")
    if kinds is None or any(
        keyword not in _SAYS_NOTHING and keyword != "type" for keyword in schema
    ):
        return None
    wanted = kinds if isinstance(kinds, list) else [kinds]
    found = type_of(value)
    if found in wanted or (found == "number" and "integer" in wanted and is_whole(value)):
        return ""
    return f"it is of type {found}, {' or '.join(map(str, wanted))} is expected"


def _is_whole_with(schema: dict[str, Any], root: dict[str, Any]) -> bool:
    """Whether every reference in it leads to a definition at the root, so that both stand alone."""
    stack: list[Any] = [
        schema,
        *root.get("$defs", {}).values(),
        *root.get("definitions", {}).values(),
    ]
    for _ in range(_MOST_SUBSCHEMAS):
        if not stack:
            return True
        part = stack.pop()
        if not isinstance(part, dict):
            continue
        for keyword in ("$ref", "$dynamicRef", "$recursiveRef"):
            target = part.get(keyword, "#/$defs/")
            if not str(target).startswith(("#/$defs/", "#/definitions/")):
                return False
        if "$id" in part or "id" in part:
            return False
        stack += [sub for _path, sub in islice(subschemas(part), _MOST_SUBSCHEMAS)]
    return False
