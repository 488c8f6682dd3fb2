"""Rule `name-empty`."""

from collections.abc import Iterator

from toolproof.phases.checks.definitions import Definition
from toolproof.phases.checks.examples import sample
from toolproof.phases.checks.rule import Flaw, each_tool, listing, rule
from toolproof.report import Check, Severity
from toolproof.schemas import type_of
from toolproof.text import quoted


@rule(
    check=Check.NAME,
    severity=Severity.ERROR,
    title="Tool has no name",
    fix="Give the tool a name.",
    source="MCP 2026-07-28 server/tools, Tool Names",
    bad=listing(sample("")),
    good=listing(sample("get_weather")),
)
@each_tool
def name_empty(tool: Definition) -> Iterator[Flaw]:
    """Nobody can call a tool without a name, and some clients lose the whole list over it."""
    if tool.name:
        return
    if not isinstance(tool.raw, dict):
        yield Flaw(f"the entry is {quoted(tool.raw, 40)}, expected an object with a name")
    elif "name" not in tool.object:
        yield Flaw("the tool has no name, expected a string with something in it")
    else:
        name = tool.object["name"]
        found = quoted(name, 40) if isinstance(name, str) else f"of type {type_of(name)}"
        yield Flaw(f"the name is {found}, expected a string with something in it", "/name")
