"""Rule `tuple-output-closed`."""

from collections.abc import Iterator

from toolproof.phases.checks.definitions import Definition
from toolproof.phases.checks.examples import sample
from toolproof.phases.checks.rule import Flaw, each_tool, listing, rule
from toolproof.report import Check, Severity

_PAIR = [{"type": "number"}, {"type": "number"}]


def _giving(point: dict[str, object]) -> dict[str, object]:
    return {"type": "object", "properties": {"point": point}, "required": ["point"]}


@rule(
    check=Check.CLIENTS,
    severity=Severity.INFO,
    title="Output schema closes a tuple",
    fix="Describe the array with one items schema.",
    source="ScriptedAlchemy/agent-bundle#580",
    error_for=["cursor"],
    bad=listing(
        sample(outputSchema=_giving({"type": "array", "prefixItems": _PAIR, "items": False}))
    ),
    good=listing(sample(outputSchema=_giving({"type": "array", "items": {"type": "number"}}))),
)
@each_tool
def tuple_output_closed(tool: Definition) -> Iterator[Flaw]:
    """A validator that only knows draft-07 overlooks prefixItems, and refuses every result."""
    if tool.output is None or tool.output.dialect is None:
        return
    for node in tool.output.having("prefixItems"):
        if isinstance(node.schema["prefixItems"], list) and node.schema.get("items") is False:
            yield Flaw(
                f"prefixItems with items: false at {node.place}; Cursor reads draft-07 and refuses "
                "every result",
                node.pointer,
            )
