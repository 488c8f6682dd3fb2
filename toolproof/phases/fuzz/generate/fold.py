"""From the claims on a value to shapes: allOf and $ref joined, alternatives chosen among."""

from collections import deque
from collections.abc import Callable, Hashable, Mapping
from typing import Any

from toolproof.judgement.document import Document, Spot
from toolproof.judgement.facts import Facts
from toolproof.judgement.json_values import is_count
from toolproof.phases.fuzz.generate.limits import MOST_OPTIONS, MOST_SHAPES, MOST_SPOTS
from toolproof.phases.fuzz.generate.negation import ways_to_fail
from toolproof.phases.fuzz.generate.shape import (
    Claim,
    Contains,
    FieldRules,
    ItemRules,
    Node,
    Option,
    Shape,
)
from toolproof.schemas import identity

_SURE = frozenset({"type", "enum", "const", "minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems", "properties", "required", "items", "additionalProperties", "title", "description", "default", "examples", "$schema", "$defs", "definitions", "$ref", "allOf", "anyOf", "$comment", "$id", "deprecated", "readOnly", "writeOnly"})  # fmt: skip
"""Keywords that are modelled so well that a value needs no check of its own."""


def shapes_of(node: Node, document: Document) -> list[Shape]:
    """The shapes of all that fits, one for each choice among the alternatives, at most some.

    Where there are more choices than are followed, each single option is in one of them as long
    as another choice does not exclude it. Empty where nothing can fit.
    """
    start = Shape()
    for claim in node:
        _absorb(start, claim, document)
    done: list[Shape] = []
    queue = deque([start])
    turn = 0
    while queue and len(done) < MOST_SHAPES:
        shape = queue.popleft()
        if _is_dead(shape):
            continue
        if not shape.pending:
            done.append(shape)
            continue
        options = shape.pending.pop(0)
        room = max(MOST_SHAPES - len(queue) - len(done), 1)
        taken = 0
        for step in range(len(options)):
            option = options[(turn + step) % len(options)] if room < len(options) else options[step]
            child = shape.copy() if len(options) > 1 else shape
            _take(child, option, document)
            if not _is_dead(child):
                queue.append(child)
                taken += 1
                if taken >= room:
                    break
        turn += taken
    return done


def _is_dead(shape: Shape) -> bool:
    if shape.why_dead is None:
        clash = shape.facts.clash()
        shape.why_dead = clash.why if clash else None
        for name in shape.facts.required:
            if name in shape.forbidden:
                shape.why_dead = f"{name!r} is required and forbidden"
            elif len(shape.fields.get(name, ())) > 1 and _excluded(shape.fields[name]):
                shape.why_dead = f"nothing can be {name!r}"
    return shape.why_dead is not None


def _excluded(claims: list[Claim]) -> bool:
    """Whether the plain keywords of several claims on one field exclude each other."""
    facts = Facts()
    banned: set[Hashable] = set()
    for spot, holds in claims:
        if isinstance(spot.schema, dict):
            if holds:
                facts.absorb(spot.schema)
            elif spot.schema.keys() <= _CONSTANT:
                banned.update(map(identity, _constants([spot.schema]) or ()))
    if facts.clash():
        return True
    return facts.choices is not None and all(identity(v) in banned for v in facts.choices)


def _take(shape: Shape, option: Option, document: Document) -> None:
    shape.facts.required.update(dict.fromkeys(option.require))
    shape.forbidden.update(dict.fromkeys(option.forbid))
    shape.banned += option.banned
    for name, claim in option.fields:
        shape.fields.setdefault(name, []).append(claim)
    if option.word:
        shape.word = f"{shape.word}, {option.word}" if shape.word else option.word
    for claim in option.claims:
        _absorb(shape, claim, document)


def _absorb(shape: Shape, claim: Claim, document: Document) -> None:
    stack = [claim]
    while stack:
        spot, holds = stack.pop()
        key = (id(spot.schema), holds)
        if key in shape.seen and isinstance(spot.schema, dict):
            continue
        shape.seen[key] = spot.schema
        if len(shape.seen) > MOST_SPOTS:
            shape.is_sure = False
            return
        if spot.schema is (not holds):
            shape.why_dead = "the schema is false" if holds else "nothing is left by its not"
            return
        if not isinstance(spot.schema, dict):
            continue
        if not holds:
            shape.is_sure = False
            _fail(shape, spot, document)
            continue
        targets = document.targets(spot)
        stack += [Claim(target) for target in targets]
        if targets and document.ref_hides:
            continue
        if not spot.schema.keys() <= _SURE:
            shape.is_sure = False
        shape.facts.absorb(spot.schema)
        both = spot.schema.get("allOf")
        if isinstance(both, list):
            stack += [Claim(spot.below("allOf", index)) for index in range(len(both))][::-1]
        for keyword, take in _TAKES.items():
            if keyword in spot.schema:
                take(shape, spot)


def _fail(shape: Shape, spot: Spot, document: Document) -> None:
    """Add the ways in which the schema can fail to match."""
    options = ways_to_fail(spot, document)
    if options is not None:
        if not options:
            shape.why_dead = "nothing is left by its not"
        shape.pending.append(options)


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
        constants = _constants(listed)
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


def _constants(listed: list[Any]) -> list[Any] | None:
    """The values of a choice whose options are nothing but constants."""
    found: list[Any] = []
    for option in listed:
        if not isinstance(option, dict) or not option.keys() <= _CONSTANT:
            return None
        if "const" in option:
            found.append(option["const"])
        elif isinstance(option.get("enum"), list):
            found += option["enum"]
        else:
            return None
    return found


_CONSTANT = frozenset({"const", "enum", "title", "description"})


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


_TAKES: Mapping[str, Callable[[Shape, Spot], None]] = {
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
