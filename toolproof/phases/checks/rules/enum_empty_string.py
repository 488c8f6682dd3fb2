"""Rule `enum-empty-string`."""

from collections.abc import Iterator

from toolproof.phases.checks.definitions import Definition
from toolproof.phases.checks.examples import CITY, sample, taking
from toolproof.phases.checks.rule import Flaw, each_tool, listing, rule
from toolproof.report import Check, Severity

_UNIT = {"type": "string", "description": "The unit of the temperature."}


@rule(
    check=Check.CLIENTS,
    severity=Severity.WARNING,
    title="Enum holds the empty string",
    fix="Leave the field optional and drop the empty value.",
    source="sbroenne/mcp-server-excel#607",
    error_for=["gemini"],
    bad=listing(sample(inputSchema=taking(city=CITY, unit=_UNIT | {"enum": ["C", "F", ""]}))),
    good=listing(sample(inputSchema=taking(city=CITY, unit=_UNIT | {"enum": ["C", "F"]}))),
)
@each_tool
def enum_empty_string(tool: Definition) -> Iterator[Flaw]:
    """The Gemini API refuses the whole request over an empty value."""
    if tool.input is None or tool.input.dialect is None:
        return
    for node in tool.input.having("enum"):
        options = node.schema["enum"]
        if isinstance(options, list) and "" in options:
            yield Flaw(
                f"enum at {node.place} holds the empty string; Gemini refuses it",
                f"{node.pointer}/enum",
            )
