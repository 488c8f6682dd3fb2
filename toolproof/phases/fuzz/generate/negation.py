"""The ways in which a value can fail to match a schema, where they can be told from its keywords."""

from collections.abc import Callable, Mapping
from typing import Any

from toolproof.judgement.document import Document, Spot
from toolproof.judgement.json_values import TYPES, is_count, is_number
from toolproof.phases.fuzz.generate.shape import Claim, Option

_SILENT = frozenset(
    {
        "title",
        "description",
        "default",
        "examples",
        "$comment",
        "$schema",
        "$id",
        "$defs",
        "definitions",
    }
)
"""Keywords that no value can break."""

Fail = Callable[[Spot, Any], list[Option]]


def ways_to_fail(spot: Spot, document: Document) -> list[Option] | None:
    """One option for each keyword that may be broken; None where only trying can tell.

    Args:
        spot: Of a schema that is an object.
    """
    targets = document.targets(spot)
    options = [Option((Claim(target, holds=False),)) for target in targets]
    if targets and document.ref_hides:
        return options
    for keyword, given in spot.schema.items():
        if keyword in _SILENT or (targets and keyword == "$ref"):
            continue
        fail = _FAILS.get(keyword)
        if fail is None:
            return None
        options += fail(spot, given)
    return options


def _plain(spot: Spot, schema: dict[str, Any]) -> Claim:
    """A schema of our own, which holds no references, in place of the one at the spot."""
    return Claim(Spot(schema, spot.path))


def _fail_type(spot: Spot, given: Any) -> list[Option]:
    names = {given} if isinstance(given, str) else set(given) if _is_names(given) else set()
    if "integer" in names:
        names.add("number")
    others = [kind for kind in TYPES if kind not in names]
    return [Option((_plain(spot, {"type": others}),))] if others else []


def _fail_enum(_spot: Spot, given: Any) -> list[Option]:
    return [Option(banned=tuple(given))] if isinstance(given, list) else []


def _fail_const(_spot: Spot, given: Any) -> list[Option]:
    return [Option(banned=(given,))]


def _fail_required(spot: Spot, given: Any) -> list[Option]:
    names = given if _is_names(given) else []
    return [Option((_plain(spot, {"type": "object"}),), forbid=(name,)) for name in names]


def _fail_properties(spot: Spot, given: Any) -> list[Option]:
    return [
        Option(
            (_plain(spot, {"type": "object"}),),
            require=(name,),
            fields=((name, Claim(spot.below("properties", name), holds=False)),),
        )
        for name in (given if isinstance(given, dict) else ())
    ]


def _fail_bound(kind: str, other: str, step: int) -> Fail:
    """Breaks a bound by keeping to another one: `minLength: 3` by `maxLength: 2`."""

    def fail(spot: Spot, given: Any) -> list[Option]:
        if not (is_count(given) if step else is_number(given)) or (step and given + step < 0):
            return []
        return [Option((_plain(spot, {"type": kind, other: given + step}),))]

    return fail


def _fail_all(spot: Spot, given: Any) -> list[Option]:
    return [Option((claim,)) for claim in _failing("allOf", spot, given)]


def _fail_any(keyword: str) -> Fail:
    return lambda spot, given: [Option(tuple(_failing(keyword, spot, given)))]


def _failing(keyword: str, spot: Spot, given: Any) -> list[Claim]:
    many = range(len(given)) if isinstance(given, list) else ()
    return [Claim(spot.below(keyword, index), holds=False) for index in many]


def _fail_not(spot: Spot, _given: Any) -> list[Option]:
    return [Option((Claim(spot.below("not")),))]


def _is_names(given: Any) -> bool:
    return isinstance(given, list) and all(isinstance(name, str) for name in given)


_FAILS: Mapping[str, Fail] = {
    "type": _fail_type,
    "enum": _fail_enum,
    "const": _fail_const,
    "required": _fail_required,
    "properties": _fail_properties,
    "minimum": _fail_bound("number", "exclusiveMaximum", 0),
    "maximum": _fail_bound("number", "exclusiveMinimum", 0),
    "exclusiveMinimum": _fail_bound("number", "maximum", 0),
    "exclusiveMaximum": _fail_bound("number", "minimum", 0),
    "minLength": _fail_bound("string", "maxLength", -1),
    "maxLength": _fail_bound("string", "minLength", 1),
    "minItems": _fail_bound("array", "maxItems", -1),
    "maxItems": _fail_bound("array", "minItems", 1),
    "minProperties": _fail_bound("object", "maxProperties", -1),
    "maxProperties": _fail_bound("object", "minProperties", 1),
    "allOf": _fail_all,
    "anyOf": _fail_any("anyOf"),
    "oneOf": _fail_any("oneOf"),
    "not": _fail_not,
}
