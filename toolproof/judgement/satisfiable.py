"""Proofs that no value can match a schema: what excludes itself, where, and why."""

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from toolproof.judgement.document import Document, Spot
from toolproof.judgement.facts import Facts
from toolproof.schemas.walk import subschemas

_MOST_MEMBERS = 256  # of one conjunction; what is beyond is not looked at, so no proof is wrong
_MOST_STEPS = 5_000  # of one proof
_DEEPEST = 40
_NEGATING = frozenset({"not", "if"})  # a schema there is meant to match little


class Contradiction(NamedTuple):
    """A place where no value can match.

    Attributes:
        pointer: JSON pointer into the schema, to the subschema; empty for the root.
        keyword: The keyword to look at.
        why: One clause, lower case, without a final period: "minimum 10 is above maximum 5".
    """

    pointer: str
    keyword: str
    why: str


def contradictions(schema: Any) -> Iterator[Contradiction]:
    """Every subschema whose keywords exclude each other, together with its `allOf` and `$ref`.

    One for each place. A bound above its counterpart counts where another type is still allowed,
    as it is a mistake there too. A plain `false` is none: it is how a field is forbidden. Nothing
    below `not` and `if` counts. The time is linear in the schema.
    """
    proof = _Proof(schema)
    stack = [Spot(schema, ())]
    while stack:
        spot = stack.pop()
        if not isinstance(spot.schema, dict):
            continue
        found = proof.clash_at(spot)
        if found is not None:
            yield found
        below = [
            Spot(sub, spot.path + path)
            for path, sub in subschemas(spot.schema)
            if path[0] not in _NEGATING
        ]
        below.sort(key=lambda sub: list(map(str, sub.path)), reverse=True)
        stack += below


def unsatisfiable(schema: Any, *, of_type: str | None = None) -> Contradiction | None:
    """Why no value at all matches the schema; None where one may.

    Only what is proved is said: a schema may be unsatisfiable for a reason that is not seen here.

    Args:
        schema: Of any type; what is no schema matches everything.
        of_type: The only type that values can have; `object` for the arguments of a tool.
    """
    try:
        return _Proof(schema).none_fits(Spot(schema, ()), of_type)
    except RecursionError:
        return None


class _Proof:
    """The search for a reason; gives up, without one, after a number of steps."""

    def __init__(self, root: Any) -> None:
        self._document = Document(root)
        self._under_way: set[int] = set()
        self._steps = 0

    def clash_at(self, spot: Spot) -> Contradiction | None:
        """The clash of one subschema's plain keywords, alone or with those that hold beside it."""
        pointer = spot.pointer
        own = _facts([spot])
        clash = own.clash() or next(
            (c for kind in own.types for c in [own.clash_of(kind)] if c is not None), None
        )
        if clash is not None:
            return Contradiction(pointer, *clash)
        forbidden = _forbidden(spot.schema)
        if forbidden is not None:
            return Contradiction(
                pointer, "required", f"{forbidden!r} is required, its schema is false"
            )
        members = self.members(spot)
        if len(members) > 1 and not any(_facts([member]).clash() for member in members):
            clash = _facts(members).clash()
        return None if clash is None else Contradiction(pointer, *clash)

    def members(self, spot: Spot) -> list[Spot]:
        """The schemas that must all match where this one must: itself, its `allOf`, its `$ref`."""
        found: list[Spot] = []
        seen: set[int] = set()
        stack = [spot]
        while stack and len(found) < _MOST_MEMBERS:
            member = stack.pop()
            if id(member.schema) in seen:
                continue
            seen.add(id(member.schema))
            if not isinstance(member.schema, dict):
                found.append(member)
                continue
            targets = self._document.targets(member)
            stack += targets
            if targets and self._document.ref_hides:
                continue
            found.append(member)
            both = member.schema.get("allOf")
            if isinstance(both, list):
                path = (*member.path, "allOf")
                stack += [Spot(sub, (*path, index)) for index, sub in enumerate(both)][::-1]
        return found

    def none_fits(self, spot: Spot, of_type: str | None = None) -> Contradiction | None:
        """Why no value matches; a schema met within itself needs a value without an end."""
        self._steps += 1
        if self._steps > _MOST_STEPS or len(self._under_way) > _DEEPEST:
            return None
        pointer = spot.pointer
        if id(spot.schema) in self._under_way:
            return Contradiction(pointer, "required", "it needs itself without an end")
        if spot.schema is False:
            return Contradiction(pointer, "false", "the schema is false")
        if not isinstance(spot.schema, dict):
            return None
        self._under_way.add(id(spot.schema))
        try:
            return self._look(pointer, self.members(spot), of_type)
        finally:
            self._under_way.discard(id(spot.schema))

    def _look(self, pointer: str, members: list[Spot], of_type: str | None) -> Contradiction | None:
        for member in members:
            if member.schema is False:
                return Contradiction(member.pointer, "false", "the schema is false")
        facts = _facts(members)
        if of_type is not None:
            facts.types &= {of_type}
        clash = facts.clash()
        if clash is not None:
            return Contradiction(pointer, *clash)
        for member in members:
            found = self._dead_choice(member)
            if found is not None:
                return found
        return self._needed(facts, members)

    def _dead_choice(self, member: Spot) -> Contradiction | None:
        """A list of alternatives of which none can match, or a `not` of everything."""
        schema = member.schema
        if isinstance(schema, dict) and schema.get("not", False) in (True, {}):
            return Contradiction(member.pointer, "not", "nothing is left by its not")
        for keyword in ("anyOf", "oneOf"):
            options = schema.get(keyword) if isinstance(schema, dict) else None
            if (
                isinstance(options, list)
                and options
                and all(
                    self.none_fits(Spot(option, (*member.path, keyword, index)))
                    for index, option in enumerate(options)
                )
            ):
                return Contradiction(
                    member.pointer, keyword, f"none of its {len(options)} options can match"
                )
        return None

    def _needed(self, facts: Facts, members: list[Spot]) -> Contradiction | None:
        """What must be inside every value and cannot be."""
        if facts.types == {"object"}:
            for name in facts.required:
                for found in self._fields(name, members):
                    return found
        if facts.types == {"array"} and facts.fewest_items > 0:
            for member in members:
                items = member.schema.get("items") if isinstance(member.schema, dict) else None
                if isinstance(items, (dict, bool)) and "prefixItems" not in member.schema:
                    return self.none_fits(Spot(items, (*member.path, "items")))
        return None

    def _fields(self, name: str, members: list[Spot]) -> Iterator[Contradiction]:
        for member in members:
            if not isinstance(member.schema, dict):
                continue
            declared = member.schema.get("properties")
            if isinstance(declared, dict) and name in declared:
                found = self.none_fits(member.below("properties", name))
                if found is not None:
                    yield found
            elif member.schema.get("additionalProperties") is False and not member.schema.get(
                "patternProperties"
            ):
                why = f"{name!r} is required and not declared"
                yield Contradiction(member.pointer, "required", why)


def _facts(spots: Iterable[Spot]) -> Facts:
    facts = Facts()
    for spot in spots:
        if isinstance(spot.schema, dict):
            facts.absorb(spot.schema)
    return facts


def _forbidden(schema: dict[str, Any]) -> str | None:
    """A field that is required and has the schema `false`."""
    declared, required = schema.get("properties"), schema.get("required")
    if not isinstance(declared, dict) or not isinstance(required, list):
        return None
    return next(
        (name for name in required if isinstance(name, str) and declared.get(name) is False), None
    )
