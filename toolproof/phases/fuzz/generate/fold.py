"""From the claims on a value to shapes: allOf and $ref joined, alternatives chosen among."""

from collections import deque
from collections.abc import Hashable, Sequence

from toolproof.judgement.document import Document, Spot
from toolproof.judgement.facts import Facts
from toolproof.phases.fuzz.generate.keywords import CONSTANT, TAKES, constants_of
from toolproof.phases.fuzz.generate.limits import MOST_SHAPES, MOST_SPOTS
from toolproof.phases.fuzz.generate.negation import ways_to_fail
from toolproof.phases.fuzz.generate.shape import Claim, Node, Option, Shape
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
        if any(_is_impossible(shape, name) for name in shape.facts.required):
            shape.facts.types -= {"object"}
        clash = shape.facts.clash()
        shape.why_dead = clash.why if clash else None
    return shape.why_dead is not None


def _is_impossible(shape: Shape, name: str) -> bool:
    """Whether a field that is required is forbidden, or has claims that exclude each other."""
    claims = shape.fields.get(name, ())
    return name in shape.forbidden or (len(claims) > 1 and _excluded(claims))


def _excluded(claims: Sequence[Claim]) -> bool:
    """Whether the plain keywords of several claims on one field exclude each other."""
    facts = Facts()
    banned: set[Hashable] = set()
    for spot, holds in claims:
        if isinstance(spot.schema, dict):
            if holds:
                facts.absorb(spot.schema)
            elif spot.schema.keys() <= CONSTANT:
                banned.update(map(identity, constants_of([spot.schema]) or ()))
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
    """Add a claim, with all that follows from it: references and `allOf`."""
    stack = [claim]
    while stack and shape.why_dead is None:
        spot, holds = stack.pop()
        key = (id(spot.schema), holds)
        if len(shape.seen) >= MOST_SPOTS:
            shape.is_sure = False
        elif spot.schema is (not holds):
            shape.why_dead = "the schema is false" if holds else "nothing is left by its not"
        elif isinstance(spot.schema, dict) and key not in shape.seen:
            shape.seen[key] = spot.schema
            if holds:
                stack += _say(shape, spot, document)
            else:
                _fail(shape, spot, document)


def _say(shape: Shape, spot: Spot, document: Document) -> list[Claim]:
    """Add what the schema itself says; give the schemas that must match as well, the last first."""
    more = [Claim(target) for target in document.targets(spot)]
    if more and document.ref_hides:
        return more
    if not spot.schema.keys() <= _SURE:
        shape.is_sure = False
    shape.facts.absorb(spot.schema)
    for keyword, take in TAKES.items():
        if keyword in spot.schema:
            take(shape, spot)
    both = spot.schema.get("allOf")
    if isinstance(both, list):
        more += [Claim(spot.below("allOf", index)) for index in range(len(both))][::-1]
    return more


def _fail(shape: Shape, spot: Spot, document: Document) -> None:
    """Add the ways in which the schema can fail to match."""
    shape.is_sure = False
    options = ways_to_fail(spot, document)
    if options is not None:
        if not options:
            shape.why_dead = "nothing is left by its not"
        shape.pending.append(options)
