"""A flat picture of what one choice among a schema's alternatives asks of a value."""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple, Self

from toolproof.judgement.document import Spot
from toolproof.judgement.facts import Facts
from toolproof.phases.fuzz.generate.formats import FORMATS
from toolproof.phases.fuzz.generate.limits import MOST_CLAIMS
from toolproof.phases.fuzz.generate.texts import TextRules

NOTHING: Final = object()
"""There is no value, or none was found."""


class Claim(NamedTuple):
    """A subschema that must match, or must not."""

    spot: Spot
    holds: bool = True


Node = tuple[Claim, ...]
"""Claims on one and the same value; empty where any value will do."""


def node_key(node: Node) -> Hashable:
    """Equal for nodes of the same subschemas; the schemas must be kept alive."""
    return tuple([(id(claim.spot.schema), claim.holds) for claim in node])


class Option(NamedTuple):
    """One of several ways to fit.

    Attributes:
        claims: What then holds.
        require: Fields that must be there.
        forbid: Fields that must not.
        banned: Values that it must not be.
        fields: Claims on fields, by their name.
        word: For the reason: "option 2".
    """

    claims: tuple[Claim, ...] = ()
    require: tuple[str, ...] = ()
    forbid: tuple[str, ...] = ()
    banned: tuple[Any, ...] = ()
    fields: tuple[tuple[str, Claim], ...] = ()
    word: str = ""


class FieldRules(NamedTuple):
    """One schema's own rules for fields that it does not list by name.

    Attributes:
        listed: The names that it lists.
        patterns: Expressions, and the schema of the fields whose name matches.
        others: The schema of all further fields, if there is one.
    """

    listed: frozenset[str]
    patterns: tuple[tuple[str, Spot], ...]
    others: Spot | None


class ItemRules(NamedTuple):
    """One schema's own rules for items: those at the front, and the rest."""

    front: tuple[Spot, ...]
    rest: Spot | None


class Contains(NamedTuple):
    """How many items must match a schema; `most` is None for any number."""

    spot: Spot
    least: int
    most: int | None


@dataclass(slots=True)
class Shape:
    """What one choice among the alternatives asks for.

    Attributes:
        why_dead: Why nothing fits; None while something may.
        is_sure: Whether values made by this picture fit for sure, so that no check is needed.
        fields: The claims on fields that are listed by name, in the order of the schema.
        pending: Alternatives that are still to be chosen among.
        hints: Values that the schema names: const, default, examples.
        word: Which alternatives were taken.
        seen: The schemas that were absorbed, by their ids: kept, so that no id is used again.
        nodes: What is claimed of single fields, once the shape changes no more.
    """

    facts: Facts = field(default_factory=Facts)
    why_dead: str | None = None
    is_sure: bool = True
    patterns: list[str] = field(default_factory=list)
    formats: list[str] = field(default_factory=list)
    encodings: list[str] = field(default_factory=list)
    fields: dict[str, list[Claim]] = field(default_factory=dict)
    field_rules: list[FieldRules] = field(default_factory=list)
    names: list[Spot] = field(default_factory=list)
    unevaluated_fields: list[Spot] = field(default_factory=list)
    dependents: dict[str, list[str]] = field(default_factory=dict)
    forbidden: dict[str, None] = field(default_factory=dict)
    item_rules: list[ItemRules] = field(default_factory=list)
    contains: list[Contains] = field(default_factory=list)
    unevaluated_items: list[Spot] = field(default_factory=list)
    banned: list[Any] = field(default_factory=list)
    hints: list[Any] = field(default_factory=list)
    pending: list[Sequence[Option]] = field(default_factory=list)
    word: str = ""
    seen: dict[Hashable, Any] = field(default_factory=dict)
    nodes: dict[str, Node] = field(default_factory=dict)

    def copy(self) -> Self:
        """An equal one that may be changed without changing this."""
        made = type(self)(*(_copied(getattr(self, name)) for name in self.__dataclass_fields__))
        made.fields = {name: list(claims) for name, claims in self.fields.items()}
        return made

    def text_rules(self) -> TextRules:
        """What strings must be."""
        known = [name for name in self.formats if name in FORMATS]
        return TextRules(self.facts, self.patterns, known, self.encodings)

    def field_node(self, name: str, matches: Callable[[str, str], bool]) -> Node:
        """What is claimed of the field of this name.

        Args:
            name: A key of the object.
            matches: Whether a pattern is found in a text.
        """
        if name not in self.nodes:
            self.nodes[name] = self._field_node(name, matches)
        return self.nodes[name]

    def _field_node(self, name: str, matches: Callable[[str, str], bool]) -> Node:
        claims = list(self.fields.get(name, ()))
        known = name in self.fields
        for rules in self.field_rules:
            found = [Claim(spot) for pattern, spot in rules.patterns if matches(pattern, name)]
            if not found and name not in rules.listed and rules.others is not None:
                found = [Claim(rules.others)]
            known = known or bool(found)
            claims += found
        if not known:
            claims += map(Claim, self.unevaluated_fields)
        return tuple(claims[:MOST_CLAIMS])

    def item_node(self, index: int) -> Node:
        """What is claimed of the item at this index."""
        claims: list[Claim] = []
        for rules in self.item_rules:
            if index < len(rules.front):
                claims.append(Claim(rules.front[index]))
            elif rules.rest is not None:
                claims.append(Claim(rules.rest))
        return tuple(claims) or tuple(map(Claim, self.unevaluated_items))

    @property
    def front(self) -> int:
        """How many items have rules of their own."""
        return max((len(rules.front) for rules in self.item_rules), default=0)


def _copied(value: Any) -> Any:
    return value.copy() if isinstance(value, (list, dict, Facts)) else value
