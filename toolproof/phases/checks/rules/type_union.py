"""Rule `type-union`."""

from collections.abc import Iterator

from toolproof.phases.checks.definitions import Definition
from toolproof.phases.checks.examples import CITY, sample, taking
from toolproof.phases.checks.rule import Flaw, Profile, each_tool, listing, rule
from toolproof.report import Check, Severity
from toolproof.text import quoted

_DAYS = {"description": "How many days to look ahead.", "minimum": 1, "maximum": 10}


@rule(
    check=Check.CLIENTS,
    severity=Severity.INFO,
    title="Type is a list",
    fix="Leave the field out of required instead of allowing null.",
    source=("google-gemini/gemini-cli#21094; github/copilot-cli#4623; baruchiro/paperless-mcp#138"),
    error_for=["gemini"],
    bad=listing(sample(inputSchema=taking(city=CITY, days=_DAYS | {"type": ["integer", "null"]}))),
    good=listing(sample(inputSchema=taking(city=CITY, days=_DAYS | {"type": "integer"}))),
)
@each_tool
def type_union(tool: Definition) -> Iterator[Flaw]:
    """Clients turn a list of types into one of them, and refuse it where one is array."""
    if tool.input is None or tool.input.dialect is None:
        return
    for node in tool.input.having("type"):
        kinds = node.schema["type"]
        if not isinstance(kinds, list) or not kinds or len(node.types) < len(kinds):
            continue
        told = f"type at {node.place} is the list {quoted(kinds, 60)}, expected one type"
        if "array" in kinds:
            yield Flaw(
                f"{told}; Gemini refuses a list with array",
                f"{node.pointer}/type",
                severity=Severity.WARNING,
            )
        else:
            yield Flaw(
                f"{told}; some clients keep only the first",
                f"{node.pointer}/type",
                error_for=frozenset[Profile](),
            )
