"""Rule `description-missing`."""

from collections.abc import Iterator

from toolproof.phases.checks.definitions import Definition
from toolproof.phases.checks.examples import sample
from toolproof.phases.checks.rule import Flaw, each_tool, listing, rule
from toolproof.report import Check, Severity

_BARE = {member: value for member, value in sample().items() if member != "description"}


@rule(
    check=Check.DESCRIPTION,
    severity=Severity.ERROR,
    title="Tool has no description",
    fix="Say in a sentence or two what the tool does and what it returns.",
    source="higress-group/himarket#73; rohitg00/agentmemory#884",
    bad=listing(_BARE),
    good=listing(sample()),
)
@each_tool
def description_missing(tool: Definition) -> Iterator[Flaw]:
    """A model picks a tool by its description; without one it can go only by the name."""
    if not isinstance(tool.raw, dict):
        return
    given = tool.object.get("description")
    if "description" not in tool.object:
        yield Flaw("tool has no description")
    elif given is None:
        yield Flaw("the description is null", "/description")
    elif isinstance(given, str) and not given.strip():
        yield Flaw("the description is blank", "/description")
