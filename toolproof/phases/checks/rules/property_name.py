"""Rule `property-name`."""

import re
from collections.abc import Iterator

from toolproof.phases.checks.definitions import Definition, Node
from toolproof.phases.checks.examples import CITY, sample, taking
from toolproof.phases.checks.rule import Flaw, each_tool, listing, rule
from toolproof.report import Check, Severity
from toolproof.text import listed, quoted

_MOST = 64
_FITS = re.compile(rf"[A-Za-z0-9_.-]{{1,{_MOST}}}")


@rule(
    check=Check.CLIENTS,
    severity=Severity.WARNING,
    title="Property name has characters or a length that Claude refuses",
    fix="Rename the fields, and map them inside the server.",
    source="twilio-labs/mcp#56; freee/freee-mcp#15; ComposioHQ/composio#3500",
    error_for=["claude"],
    bad=listing(sample(inputSchema=taking(**{"city[]": CITY}))),
    good=listing(sample(inputSchema=taking(city=CITY))),
)
@each_tool
def property_name(tool: Definition) -> Iterator[Flaw]:
    """The Claude API refuses the whole request over one such name."""
    if tool.input is None or tool.input.dialect is None:
        return
    first: Node | None = None
    names: dict[str, None] = {}
    for node in tool.input.having("properties"):
        declared = node.schema["properties"]
        for name in declared if isinstance(declared, dict) else ():
            if not _FITS.fullmatch(name):
                first = first or node
                names[name] = None
    if first is not None:
        shown = listed([_shown(name) for name in names], most=4)
        yield Flaw(
            f"Claude takes names of 1 to {_MOST} letters, digits, '_', '.' and '-', found {shown}",
            f"{first.pointer}/properties",
        )


def _shown(name: str) -> str:
    if len(name) <= _MOST:
        return quoted(name, _MOST)
    return f"{quoted(name[:20])}… of {len(name):,} characters"
