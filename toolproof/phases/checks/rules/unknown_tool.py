"""Rule `unknown-tool`."""

from collections.abc import Iterator

from toolproof.connection.observations import Kind, Seen
from toolproof.phases.checks.examples import saw
from toolproof.phases.checks.rule import Flaw, each_seen, rule, seeing
from toolproof.phases.checks.sightings import fact
from toolproof.report import Check, Severity
from toolproof.text import quoted


@rule(
    check=Check.PROTOCOL,
    severity=Severity.ERROR,
    probe=True,
    title="A call of a tool that does not exist is not refused",
    fix="Answer with the JSON-RPC error -32602.",
    source="MCP 2026-07-28 server/tools, Error Handling; modelcontextprotocol/typescript-sdk#1510; f/mcptools#53",
    bad=seeing(
        saw(
            Kind.PROBE_UNKNOWN_TOOL,
            "a call of a tool that does not exist succeeds",
            outcome="success",
            text="Unknown tool: no_such_tool",
        )
    ),
    good=seeing(),
)
@each_seen(Kind.PROBE_UNKNOWN_TOOL, whole=True)
def unknown_tool(seen: Seen) -> Iterator[Flaw]:
    """A model that makes up a name is told that the call worked, and goes on as if it had."""
    text = fact(seen, "text")
    said = f": {quoted(text, 80)}" if text else ""
    if fact(seen, "outcome") == "success":
        yield Flaw(f"a call of a tool that does not exist succeeds{said}")
    else:
        yield Flaw(
            f"a call of a tool that does not exist gives a result with isError, "
            f"the error -32602 is due{said}",
            severity=Severity.INFO,
        )
