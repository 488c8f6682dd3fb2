"""The rules on names, descriptions, schemas and clients, and how their tests ask them."""

from collections.abc import Iterable
from types import SimpleNamespace
from typing import Any

from toolproof.phases.checks.engine import check, raise_broken
from toolproof.phases.checks.rule import Evidence, Flaw, Rule
from toolproof.phases.checks.rules import all_rules
from toolproof.report import Problem, Severity

IDS = frozenset(
    [
        "name-empty",
        "duplicate-name",
        "description-missing",
        "description-length",
        "input-schema-root",
        "schema-invalid",
        "ref-unresolvable",
        "ref-external",
        "pattern-invalid",
        "required-undeclared",
        "required-none",
        "schema-root-composition",
        "output-schema-root",
        "array-items-missing",
        "type-union",
        "enum-nonstring",
        "enum-empty-string",
        "enum-duplicate",
        "keyword-type-mismatch",
        "nullable-keyword",
        "pattern-lookaround",
        "unsafe-integer",
        "schema-id-duplicate",
        "x-mcp-header-invalid",
        "dialect-unknown",
        "dialect-old",
        "tuple-items-legacy",
        "tuple-output-closed",
        "property-boolean-schema",
        "property-name",
        "required-undeclared-nested",
        "name-charset",
        "name-dot",
        "name-length",
        "name-length-with-server",
        "name-collision",
        "format-unsupported",
        "format-unknown",
        "properties-missing",
        "type-missing",
        "ref-defs",
        "ref-recursive",
    ]
)
RULES = [rule for rule in all_rules() if rule.id in IDS]


def rule(name: str) -> Rule:
    return next(rule for rule in RULES if rule.id == name)


def problems(
    evidence: Evidence, *, clients: Iterable[str] = (), rules: list[Rule] | None = None
) -> list[Problem]:
    """What the engine reports, with no rule broken."""
    config = SimpleNamespace(
        max_description_length=evidence.limits.max_description_length,
        max_tokens=None,
        clients=list(clients),
        ignore=[],
    )
    checked = check(evidence, config, rules=rules)
    raise_broken(checked.notes)
    return checked.problems


def flaws(name: str, *entries: Any, **more: Any) -> list[Flaw]:
    return list(rule(name).find(Evidence(entries=entries, **more)))


def of_schema(name: str, schema: Any, *, output: bool = False, **more: Any) -> list[Flaw]:
    """What a rule says of a tool with this schema."""
    member = "outputSchema" if output else "inputSchema"
    return flaws(name, {"name": "tool", "description": "Does it.", member: schema}, **more)


def pointers(name: str, schema: Any, *, output: bool = False) -> list[str | None]:
    return [flaw.pointer for flaw in of_schema(name, schema, output=output)]


def of_property(name: str, schema: Any) -> list[str | None]:
    """Where a rule finds fault with a property `p`; pointers are given from the property."""
    found = pointers(name, {"type": "object", "properties": {"p": schema}})
    return [(pointer or "").removeprefix("/inputSchema/properties/p") for pointer in found]


def severities(name: str, evidence: Evidence, *clients: str) -> set[Severity]:
    return {p.severity for p in problems(evidence, clients=clients, rules=[rule(name)])}
