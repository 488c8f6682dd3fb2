"""A schema in a form in which two of them can be held side by side: what says nothing is left out."""

from collections.abc import Mapping
from typing import Any

from toolproof.schemas import References, dialect_of, identity, type_of

TYPES = frozenset({"array", "boolean", "integer", "null", "number", "object", "string"})
TEXTS = frozenset({"title", "description", "examples", "example", "default", "deprecated"})
"""Keywords that restrict nothing, and that a model reads."""
SILENT = frozenset(
    {
        *("$schema", "$id", "id", "$comment", "$defs", "definitions", "$anchor", "$dynamicAnchor"),
        *("readOnly", "writeOnly", "$vocabulary", "contentSchema", "contentEncoding"),
        "contentMediaType",
    }
)
"""Keywords that restrict nothing, and that nobody reads."""
ANYTHING: Mapping[str, Any] = {}
NOTHING: Mapping[str, Any] = {"not": {}}

_TRIVIAL: Mapping[str, tuple[Any, ...]] = {
    "minLength": (0,),
    "minItems": (0,),
    "minProperties": (0,),
    "uniqueItems": (False,),
    "additionalProperties": (True, {}),
    "unevaluatedProperties": (True, {}),
    "additionalItems": (True, {}),
    "unevaluatedItems": (True, {}),
    "items": (True, {}),
    "propertyNames": (True, {}),
    "required": ([],),
    "allOf": ([],),
    "patternProperties": ({},),
    "dependentRequired": ({},),
    "dependentSchemas": ({},),
}
"""Values with which a keyword says nothing."""

_LONGEST_CHAIN = 50


class Document:
    """One schema with all that it refers to."""

    def __init__(self, root: Any) -> None:
        self.root = root
        self._references = References(root, dialect_of(root)) if isinstance(root, dict) else None

    def plain(self, schema: Any) -> dict[str, Any]:
        """The schema without references, booleans and words that say nothing, at its top level.

        What is no schema at all is taken as one that allows anything.
        """
        if isinstance(schema, bool):
            return dict(ANYTHING if schema else NOTHING)
        found = self._merged(self._followed(schema)[0]) if isinstance(schema, dict) else {}
        if "const" in found:
            consts = {key: value for key, value in found.items() if key != "const"}
            same = [
                value
                for value in _list(found.get("enum", [found["const"]]))
                if identity(value) == identity(found["const"])
            ]
            found = {**consts, "enum": same}
        found = _types_of_alternatives(found)
        return {
            key: value
            for key, value in found.items()
            if not any(type(value) is type(one) and value == one for one in _TRIVIAL.get(key, ()))
        }

    def place(self, schema: Any) -> Any:
        """The very schema that this one refers to, where it does nothing else; else itself."""
        if not isinstance(schema, dict):
            return schema
        target, beside = self._followed(schema)[1:]
        return schema if set(beside) - TEXTS - SILENT else target

    def _followed(self, schema: dict[str, Any]) -> tuple[dict[str, Any], Any, dict[str, Any]]:
        """What a chain of references comes to, what it ends at, and what stands beside them."""
        beside: dict[str, Any] = {}
        for _ in range(_LONGEST_CHAIN):
            ref = schema.get("$ref")
            if not isinstance(ref, str) or self._references is None:
                break
            target = self._references.resolve(ref)
            if target is None:
                break
            others = {key: value for key, value in schema.items() if key != "$ref"}
            beside = _both(others, beside)
            if not isinstance(target[0], dict):
                schema = dict(ANYTHING if target[0] is True else NOTHING)
                break
            schema = target[0]
        return _both(schema, beside), schema, beside

    def _merged(self, schema: dict[str, Any]) -> dict[str, Any]:
        """The schema with what its `allOf` says, as far as it can stand beside the rest."""
        parts = schema.get("allOf")
        if not isinstance(parts, list) or not parts:
            return schema
        if any(part is False for part in parts):
            return dict(NOTHING)
        whole = {key: value for key, value in schema.items() if key != "allOf"}
        left = []
        for part in parts[:_MOST_PARTS]:
            plain = self._followed(part)[0] if isinstance(part, dict) else part
            if isinstance(plain, dict) and _can_stand_beside(plain, whole):
                whole = {**plain, **whole, **_members_of_both(plain, whole)}
            else:
                left.append(part)
        left += parts[_MOST_PARTS:]
        return {**whole, "allOf": left} if left else whole

    def types(self, schema: Any, depth: int = 0) -> frozenset[str]:
        """The types that values of the schema can have; integer stands beside number."""
        plain = self.plain(schema)
        if plain == NOTHING:
            return frozenset()
        found = declared_types(plain)
        if depth < 4:  # deeper alternatives are looked at where they stand
            for key in ("anyOf", "oneOf"):
                branches = _list(plain.get(key))
                if branches:
                    found &= frozenset().union(*(self.types(one, depth + 1) for one in branches))
            for one in _list(plain.get("allOf")):
                found &= self.types(one, depth + 1)
        return found


def _both(schema: Mapping[str, Any], beside: Mapping[str, Any]) -> dict[str, Any]:
    """What holds where both do: what says nothing about values is taken from `beside`."""
    clashing = {
        key
        for key in schema.keys() & beside.keys()
        if key not in TEXTS | SILENT and schema[key] != beside[key]
    }
    merged = {**schema, **{key: beside[key] for key in beside if key not in clashing}}
    if clashing:
        merged["allOf"] = [*_list(merged.get("allOf")), {key: beside[key] for key in clashing}]
    return merged


_MOST_PARTS = 50
_TOGETHER = (
    frozenset({"properties", "patternProperties", "additionalProperties"}),
    frozenset({"items", "prefixItems", "additionalItems"}),
    frozenset({"contains", "minContains", "maxContains"}),
    frozenset({"if", "then", "else"}),
    frozenset({"minimum", "exclusiveMinimum"}),
    frozenset({"maximum", "exclusiveMaximum"}),
)
"""Keywords that mean something together, so that two schemas' cannot be mixed."""


def _can_stand_beside(part: Mapping[str, Any], whole: Mapping[str, Any]) -> bool:
    """Whether one schema with the keywords of both says what the two say."""
    if any(key.startswith("unevaluated") for key in part) or "allOf" in part or "$ref" in part:
        return False
    shared = part.keys() & whole.keys() - TEXTS - SILENT - {"required"}
    if shared <= {"properties"} and _are_apart(part, whole):
        return True
    return not shared and not any(
        group & part.keys() and group & whole.keys() for group in _TOGETHER
    )


def _are_apart(part: Mapping[str, Any], whole: Mapping[str, Any]) -> bool:
    """Whether both name members, none alike, and neither says anything of all others."""
    ours, theirs = part.get("properties"), whole.get("properties")
    if not isinstance(ours, dict) or not isinstance(theirs, dict):
        return False
    others = {"patternProperties", "additionalProperties"} & {*part, *whole}
    groups = [group for group in _TOGETHER if "properties" not in group]
    mixed = any(group & part.keys() and group & whole.keys() for group in groups)
    return not others and not mixed and not ours.keys() & theirs.keys()


def _members_of_both(part: Mapping[str, Any], whole: Mapping[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    if "properties" in part and "properties" in whole:
        found["properties"] = {**whole["properties"], **part["properties"]}
    if "required" in part and "required" in whole:
        found["required"] = [*_list(whole["required"]), *_list(part["required"])]
    return found


def _types_of_alternatives(schema: dict[str, Any]) -> dict[str, Any]:
    """`anyOf` of mere types as a list of types: how some libraries write what may be null."""
    for key in ("anyOf", "oneOf"):
        branches = schema.get(key)
        if not isinstance(branches, list) or "type" in schema or not branches:
            continue
        names: list[str] = []
        for branch in branches:
            if not isinstance(branch, dict) or branch.keys() - TEXTS != {"type"}:
                break
            names += _list(branch["type"]) or [branch["type"]]
        else:
            rest = {name: value for name, value in schema.items() if name != key}
            return {**rest, "type": names}
    return schema


def declared_types(plain: Mapping[str, Any]) -> frozenset[str]:
    """The types that `type` and `enum` of a schema allow."""
    found = _named(plain.get("type"))
    if isinstance(plain.get("enum"), list):
        found &= _with_integer(frozenset(map(_type_of, plain["enum"])))
    return found


def _type_of(value: Any) -> str:
    return "integer" if isinstance(value, float) and value.is_integer() else type_of(value)


def _named(value: Any) -> frozenset[str]:
    names = [value] if isinstance(value, str) else value
    if not isinstance(names, list):
        return TYPES
    return _with_integer(frozenset(name for name in names if isinstance(name, str)) & TYPES)


def _with_integer(types: frozenset[str]) -> frozenset[str]:
    return types | {"integer"} if "number" in types else types


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []
