"""Rule `annotations-contradictory`."""

from collections.abc import Iterator

from toolproof.phases.checks.definitions import Definition
from toolproof.phases.checks.examples import sample
from toolproof.phases.checks.rule import Flaw, each_tool, listing, rule
from toolproof.report import Check, Severity


@rule(
    check=Check.ANNOTATIONS,
    severity=Severity.WARNING,
    title="Tool is said to be read-only and destructive at once",
    fix="Set only the hint that holds.",
    source="SigNoz/signoz-mcp-server#102",
    bad=listing(sample(annotations={"readOnlyHint": True, "destructiveHint": True})),
    good=listing(sample(annotations={"readOnlyHint": True, "destructiveHint": False})),
)
@each_tool
def annotations_contradictory(tool: Definition) -> Iterator[Flaw]:
    """One client runs the tool without asking, the next asks each time: both follow a hint."""
    match tool.object.get("annotations"):
        case {"readOnlyHint": True, "destructiveHint": True}:
            yield Flaw("readOnlyHint and destructiveHint are both true", "/annotations")
