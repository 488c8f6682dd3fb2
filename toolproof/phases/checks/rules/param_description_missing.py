"""Rule `param-description-missing`."""

from collections.abc import Iterator
from typing import Any

from toolproof.phases.checks.definitions import Definition
from toolproof.phases.checks.examples import CITY, sample, taking
from toolproof.phases.checks.rule import Flaw, each_tool, listing, rule
from toolproof.report import Check, Severity
from toolproof.text import count, listed, quoted


@rule(
    check=Check.QUALITY,
    severity=Severity.INFO,
    title="Parameters have no description",
    fix="Describe each parameter: what it means, its unit, an example.",
    source="G-Core/gcore-mcp-server#14; RamaAditya49/titen#98",
    bad=listing(sample(inputSchema=taking(city={"type": "string", "maxLength": 100}))),
    good=listing(sample(inputSchema=taking(city=CITY))),
)
@each_tool
def param_description_missing(tool: Definition) -> Iterator[Flaw]:
    """A model guesses what to send from the name alone: the unit, the format, the kind of id."""
    properties = tool.input.schema.get("properties") if tool.input else None
    if not isinstance(properties, dict):
        return
    names = [name for name, schema in properties.items() if not _is_told(schema)]
    if names:
        yield Flaw(
            f"{count(len(names), 'parameter')} without a description: "
            f"{listed(quoted(name, 40) for name in names)}",
            "/inputSchema/properties",
        )


def _is_told(schema: Any) -> bool:
    """Whether it has words for a model; what stands behind a reference may have them."""
    if not isinstance(schema, dict):
        return False
    description = schema.get("description")
    return (isinstance(description, str) and bool(description.strip())) or "$ref" in schema
