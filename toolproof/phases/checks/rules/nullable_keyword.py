"""Rule `nullable-keyword`."""

from collections.abc import Iterator

from toolproof.phases.checks.definitions import SchemaView
from toolproof.phases.checks.examples import CITY, sample, taking
from toolproof.phases.checks.rule import Flaw, each_schema, listing, rule
from toolproof.report import Check, Severity

_UNIT = {"type": "string", "maxLength": 1, "description": "The unit of the temperature."}


@rule(
    check=Check.CLIENTS,
    severity=Severity.WARNING,
    title="Keyword nullable does nothing",
    fix='Use type: ["string", "null"], or leave the field optional.',
    source="PrefectHQ/fastmcp#3744; langflow-ai/langflow#9359",
    error_for=["strict"],
    bad=listing(sample(inputSchema=taking(city=CITY, unit=_UNIT | {"nullable": True}))),
    good=listing(sample(inputSchema=taking(city=CITY, unit=_UNIT))),
)
@each_schema
def nullable_keyword(view: SchemaView) -> Iterator[Flaw]:
    """It is OpenAPI's: JSON Schema ignores it, so the null that it promises is refused."""
    for node in view.having("nullable"):
        if node.schema["nullable"] is not False and "null" not in node.types:
            yield Flaw(
                f"nullable at {node.place} is a keyword of OpenAPI that JSON Schema ignores, so "
                "null is refused; strict validators refuse the keyword",
                f"{node.pointer}/nullable",
            )
