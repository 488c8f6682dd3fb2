"""Rule `x-mcp-header-invalid`."""

import re
from collections.abc import Iterator

from toolproof.phases.checks.definitions import Definition, Node
from toolproof.phases.checks.examples import CITY, sample, taking
from toolproof.phases.checks.rule import Flaw, each_tool, listing, rule
from toolproof.report import Check, Severity
from toolproof.text import quoted

_TOKEN = re.compile(r"[!#$%&'*+\-.^_`|~0-9A-Za-z]+")  # RFC 9110, 5.6.2
_TYPES = ("string", "integer", "boolean")
_KEYWORD = "x-mcp-header"


@rule(
    check=Check.CLIENTS,
    severity=Severity.ERROR,
    title="Value of x-mcp-header breaks the protocol",
    fix="Use a unique token on a string, integer or boolean field.",
    source="MCP 2026-07-28 server/tools, x-mcp-header; stacklok/toolhive#6013",
    bad=listing(sample(inputSchema=taking(city={**CITY, _KEYWORD: "The City"}))),
    good=listing(sample(inputSchema=taking(city={**CITY, _KEYWORD: "City"}))),
)
@each_tool
def x_mcp_header_invalid(tool: Definition) -> Iterator[Flaw]:
    """Clients must leave the tool out over HTTP: its users do not see it."""
    if tool.input is None or tool.input.dialect is None:
        return
    seen: set[str] = set()
    for node in tool.input.having(_KEYWORD):
        faults = list(_faults(node, seen))
        if faults:
            shown = quoted(node.schema[_KEYWORD], 40)
            yield Flaw(
                f"{_KEYWORD} {shown} at {node.place} {' and '.join(faults)}; clients leave the tool "
                "out over HTTP",
                f"{node.pointer}/{_KEYWORD}",
            )


def _faults(node: Node, seen: set[str]) -> Iterator[str]:
    header = node.schema[_KEYWORD]
    if not isinstance(header, str) or not _TOKEN.fullmatch(header):
        yield "is no HTTP token"
    elif header.lower() in seen:
        yield "repeats another one of the schema"
    else:
        seen.add(header.lower())
    if node.schema.get("type") not in _TYPES:
        yield "is on a field that is no string, integer or boolean"
    if not _is_reached_by_properties(node):
        yield "is not reached through properties alone"


def _is_reached_by_properties(node: Node) -> bool:
    top = node
    while top.keyword == "properties" and top.parent is not None:
        top = top.parent
    return top.parent is None and node.depth > 0
