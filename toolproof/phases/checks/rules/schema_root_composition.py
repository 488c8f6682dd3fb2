"""Rule `schema-root-composition`."""

from collections.abc import Iterator

from toolproof.phases.checks.definitions import Definition
from toolproof.phases.checks.examples import CITY, sample, taking
from toolproof.phases.checks.rule import Flaw, each_tool, listing, rule
from toolproof.report import Check, Severity
from toolproof.text import listed

_CHOICES = ("oneOf", "anyOf", "allOf")
_EITHER = [{"required": ["city"]}, {"required": ["station"]}]
_STATION = {"type": "string", "maxLength": 20, "description": "The code of a weather station."}


@rule(
    check=Check.CLIENTS,
    severity=Severity.WARNING,
    title="Input schema has a choice at its root",
    fix="Move the choice under a property, or state it in the descriptions.",
    source=(
        "makenotion/notion-mcp-server#340; evoila/meho#905; anthropics/claude-code#95504; SEP-2106"
    ),
    error_for=["claude"],
    bad=listing(
        sample(inputSchema=taking("city", city=CITY, station=_STATION) | {"anyOf": _EITHER})
    ),
    good=listing(sample(inputSchema=taking("city", city=CITY, station=_STATION))),
)
@each_tool
def schema_root_composition(tool: Definition) -> Iterator[Flaw]:
    """Legal from 2026-07-28 on, but the Claude API refuses the whole request over one such tool."""
    view = tool.input
    if view is None or view.dialect is None or view.schema.get("type") != "object":
        return
    used = [keyword for keyword in _CHOICES if isinstance(view.schema.get(keyword), list)]
    if used:
        yield Flaw(
            f"{listed(used)} at the root of inputSchema; the Claude API answers 400 for the whole "
            "request, expected type, properties and required alone",
            f"/inputSchema/{used[0]}",
        )
