"""What each keyword of a schema adds to a shape."""

from collections.abc import Callable, Mapping
from typing import Any

from toolproof.judgement.document import Spot
from toolproof.judgement.json_values import is_count
from toolproof.phases.fuzz.generate.limits import MOST_OPTIONS
from toolproof.phases.fuzz.generate.shape import (
    Claim,
    Contains,
    FieldRules,
    ItemRules,
    Option,
    Shape,
)


def _take_texts(keyword: str, attribute: str) -> Callable[[Shape, Spot], None]:
    def take(shape: Shape, spot: Spot) -> None:
        given = spot.schema[keyword]
        known = getattr(shape, attribute)
        if isinstance(given, str) and given not in known:
            known.append(given)

    return take


def _take_fields(shape: Shape, spot: Spot) -> None:
    schema = spot.schema
    listed = schema.get("properties")
    listed = listed if isinstance(listed, dict) else {}
    for name in listed:
        shape.fields.setdefault(name, []).append(Claim(spot.below("properties", name)))


def _take_field_rules(shape: Shape, spot: Spot) -> None:
    schema = spot.schema
    listed, patterns = schema.get("properties"), schema.get("patternProperties")
    others = spot.below("additionalProperties") if "additionalProperties" in schema else None
    if others is not None and not isinstance(others.schema, (dict, bool)):
        others = None
    shape.field_rules.append(
        FieldRules(
            frozenset(listed if isinstance(listed, dict) else ()),
            tuple((name, spot.below("patternProperties", name)) for name in patterns)
            if isinstance(patterns, dict)
            else (),
            others,
        )
    )


def _take_items(shape: Shape, spot: Spot) -> None:
    schema = spot.schema
    front: tuple[Spot, ...] = ()
    rest = spot.below("items") if isinstance(schema.get("items"), (dict, bool)) else None
    for keyword in ("prefixItems", "items"):
        listed = schema.get(keyword)
        if isinstance(listed, list):
            front = tuple(spot.below(keyword, index) for index in range(len(listed)))
            if keyword == "items" and isinstance(schema.get("additionalItems"), (dict, bool)):
                rest = spot.below("additionalItems")
            break
    shape.item_rules.append(ItemRules(front, rest))


def _take_contains(shape: Shape, spot: Spot) -> None:
    least, most = spot.schema.get("minContains", 1), spot.schema.get("maxContains")
    shape.contains.append(
        Contains(
            spot.below("contains"),
            int(least) if is_count(least) else 1,
            int(most) if is_count(most) else None,
        )
    )


def _take_spot(keyword: str, attribute: str) -> Callable[[Shape, Spot], None]:
    def take(shape: Shape, spot: Spot) -> None:
        getattr(shape, attribute).append(spot.below(keyword))

    return take


def _take_options(keyword: str) -> Callable[[Shape, Spot], None]:
    def take(shape: Shape, spot: Spot) -> None:
        listed = spot.schema[keyword]
        if not isinstance(listed, list) or not listed:
            return
        constants = constants_of(listed)
        if constants is not None:  # a choice between constants is an enum
            shape.facts.absorb({"enum": constants})
            return
        total = len(listed)
        shape.pending.append(
            [
                Option((Claim(spot.below(keyword, index)),), word=f"option {index + 1}")
                for index in range(min(total, MOST_OPTIONS))
            ]
        )

    return take


def constants_of(listed: list[Any]) -> list[Any] | None:
    """The values of a choice whose options are nothing but constants."""
    found: list[Any] = []
    for option in listed:
        if not isinstance(option, dict) or not option.keys() <= CONSTANT:
            return None
        if "const" in option:
            found.append(option["const"])
        elif isinstance(option.get("enum"), list):
            found += option["enum"]
        else:
            return None
    return found


CONSTANT = frozenset({"const", "enum", "title", "description"})


def _take_not(shape: Shape, spot: Spot) -> None:
    shape.pending.append([Option((Claim(spot.below("not"), holds=False),))])


def _take_if(shape: Shape, spot: Spot) -> None:
    test = spot.below("if")
    yes = (Claim(spot.below("then")),) if "then" in spot.schema else ()
    no = (Claim(spot.below("else")),) if "else" in spot.schema else ()
    if yes or no:
        shape.pending.append(
            [
                Option((Claim(test), *yes), word="the condition holds"),
                Option((Claim(test, holds=False), *no), word="the condition does not hold"),
            ]
        )


def _take_dependents(keyword: str) -> Callable[[Shape, Spot], None]:
    def take(shape: Shape, spot: Spot) -> None:
        given = spot.schema[keyword]
        if not isinstance(given, dict):
            return
        for name, needs in given.items():
            if isinstance(needs, list):
                shape.dependents.setdefault(name, []).extend(
                    need for need in needs if isinstance(need, str)
                )
            else:
                inner = Claim(spot.below(keyword, name))
                shape.pending.append(
                    [
                        Option(forbid=(name,), word=f"without {name}"),
                        Option((inner,), require=(name,), word=f"with {name}"),
                    ]
                )

    return take


def _take_hints(keyword: str) -> Callable[[Shape, Spot], None]:
    def take(shape: Shape, spot: Spot) -> None:
        given = spot.schema[keyword]
        many = keyword == "examples" and isinstance(given, list)
        shape.hints += given if many else [given]

    return take


TAKES: Mapping[str, Callable[[Shape, Spot], None]] = {
    "pattern": _take_texts("pattern", "patterns"),
    "format": _take_texts("format", "formats"),
    "contentEncoding": _take_texts("contentEncoding", "encodings"),
    "properties": _take_fields,
    "patternProperties": _take_field_rules,
    "additionalProperties": lambda shape, spot: (
        None if "patternProperties" in spot.schema else _take_field_rules(shape, spot)
    ),
    "propertyNames": _take_spot("propertyNames", "names"),
    "unevaluatedProperties": _take_spot("unevaluatedProperties", "unevaluated_fields"),
    "prefixItems": _take_items,
    "items": lambda shape, spot: None if "prefixItems" in spot.schema else _take_items(shape, spot),
    "contains": _take_contains,
    "unevaluatedItems": _take_spot("unevaluatedItems", "unevaluated_items"),
    "dependentRequired": _take_dependents("dependentRequired"),
    "dependentSchemas": _take_dependents("dependentSchemas"),
    "dependencies": _take_dependents("dependencies"),
    "anyOf": _take_options("anyOf"),
    "oneOf": _take_options("oneOf"),
    "not": _take_not,
    "if": _take_if,
    "default": _take_hints("default"),
    "example": _take_hints("example"),
    "examples": _take_hints("examples"),
}
