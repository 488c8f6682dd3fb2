"""Rule `enum-duplicate`."""

from collections.abc import Iterator

from toolproof.phases.checks.definitions import SchemaView
from toolproof.phases.checks.examples import CITY, sample, taking
from toolproof.phases.checks.rule import Flaw, each_schema, listing, rule
from toolproof.report import Check, Severity
from toolproof.schemas import Dialect, first_repeated
from toolproof.text import quoted

_UNIT = {"type": "string", "description": "The unit of the temperature."}


@rule(
    check=Check.CLIENTS,
    severity=Severity.WARNING,
    title="Enum holds a value twice",
    fix="Drop the repeated value.",
    source="PostHog/mcp#141; postmanlabs/postman-mcp-server#106",
    error_for=["vscode"],
    bad=listing(sample(inputSchema=taking(city=CITY, unit=_UNIT | {"enum": ["C", "F", "C"]}))),
    good=listing(sample(inputSchema=taking(city=CITY, unit=_UNIT | {"enum": ["C", "F"]}))),
)
@each_schema
def enum_duplicate(view: SchemaView) -> Iterator[Flaw]:
    """VS Code refuses the tool over a repeated value."""
    if view.dialect is Dialect.DRAFT_4:  # there it is invalid, and schema-invalid says so
        return
    for node in view.having("enum"):
        options = node.schema["enum"]
        index = first_repeated(options) if isinstance(options, list) else None
        if index is not None:
            yield Flaw(
                f"enum at {node.place} holds {quoted(options[index], 60)} twice; VS Code refuses it",
                f"{node.pointer}/enum",
            )
