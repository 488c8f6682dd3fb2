"""Rule `array-items-missing`."""

from collections.abc import Iterator

from toolproof.phases.checks.definitions import Definition
from toolproof.phases.checks.examples import sample, taking
from toolproof.phases.checks.rule import Flaw, each_tool, listing, rule
from toolproof.report import Check, Severity

_IDS = {"type": "array", "description": "The cities, by their ids.", "maxItems": 20}
_ID = {"type": "string", "maxLength": 20}


@rule(
    check=Check.CLIENTS,
    severity=Severity.WARNING,
    title="Array has no items",
    fix='Add items, at least {"type": "string"} or what the elements are.',
    source=(
        "ruvnet/ruflo#1294; agentscope-ai/ReMe#84; nocobase/nocobase#9411; anomalyco/opencode#48073"
    ),
    error_for=["openai", "gemini", "vscode"],
    bad=listing(sample(inputSchema=taking(ids=_IDS))),
    good=listing(sample(inputSchema=taking(ids=_IDS | {"items": _ID}))),
)
@each_tool
def array_items_missing(tool: Definition) -> Iterator[Flaw]:
    """Legal JSON Schema, but three clients refuse the tool, or the whole request, over it."""
    if tool.input is None or tool.input.dialect is None:
        return
    for node in tool.input.having("type"):
        if "items" in node.schema or "prefixItems" in node.schema:
            continue
        if "array" in node.types:
            yield Flaw(
                f"array at {node.place} has no items; OpenAI, Gemini and VS Code refuse it",
                node.pointer,
            )
