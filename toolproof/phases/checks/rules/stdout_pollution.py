"""Rule `stdout-pollution`."""

from collections.abc import Iterator

from toolproof.connection.observations import Kind, Seen
from toolproof.phases.checks.examples import saw
from toolproof.phases.checks.rule import Flaw, each_seen, rule, seeing
from toolproof.phases.checks.sightings import detail, fact, times
from toolproof.report import Check, Severity
from toolproof.text import count, quoted


@rule(
    check=Check.PROTOCOL,
    severity=Severity.ERROR,
    title="Server writes to stdout what is no message",
    fix="Log to stderr; keep stdout for messages.",
    source="MCP 2026-07-28 basic/transports/stdio; azizmazrou/ews-mcp#133; kud/mcp-jenkins#6",
    bad=seeing(
        saw(
            Kind.STDOUT_POLLUTION,
            "not a JSON-RPC message",
            method="initialize",
            line="Weather server v1.2 listening",
        )
    ),
    good=seeing(),
)
@each_seen(Kind.STDOUT_POLLUTION)
def stdout_pollution(seen: Seen) -> Iterator[Flaw]:
    """Some clients skip such a line, others close the connection: it works for you alone."""
    shown = next((line for one in seen.kept if (line := fact(one, "line").strip())), "")
    found = detail(seen)
    if not shown:
        yield Flaw(f"stdout has {count(seen.count, 'blank line')} between the messages")
    elif found.startswith("one message"):
        yield Flaw(f"{found}, a message must be one line{times(seen)}: {quoted(shown)}")
    else:
        what = count(seen.count, "line that is", "lines that are")
        yield Flaw(f"stdout has {what} no message, the first: {quoted(shown)}")
