"""Rule `properties-missing`."""

from collections.abc import Iterator

from toolproof.phases.checks.definitions import Definition
from toolproof.phases.checks.examples import NOTHING, sample
from toolproof.phases.checks.rule import Flaw, each_tool, listing, rule
from toolproof.report import Check, Severity

_DECLARING = ("properties", "patternProperties", "$ref", "allOf", "anyOf", "oneOf")


@rule(
    check=Check.CLIENTS,
    severity=Severity.INFO,
    title="Object declares no properties",
    fix="Nothing, or add properties: {}.",
    source="xpzouying/xiaohongshu-mcp#677; laravel/mcp#97",
    bad=listing(sample(inputSchema={"type": "object"})),
    good=listing(sample(inputSchema=NOTHING)),
)
@each_tool
def properties_missing(tool: Definition) -> Iterator[Flaw]:
    """Legal; only old stacks want properties even where there are none."""
    view = tool.input
    if view is None or view.dialect is None or view.schema.get("type") != "object":
        return
    is_closed = view.schema.get("additionalProperties") is False
    if not is_closed and not any(keyword in view.schema for keyword in _DECLARING):
        yield Flaw(
            "inputSchema has neither properties nor additionalProperties: false; old stacks refuse "
            "it",
            "/inputSchema",
        )
