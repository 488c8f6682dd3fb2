"""Rule `unexpected-exit`."""

from collections.abc import Iterator

from toolproof.connection.observations import Kind, Seen
from toolproof.phases.checks.examples import saw
from toolproof.phases.checks.rule import Flaw, each_seen, rule, seeing
from toolproof.phases.checks.sightings import ending, fact, request
from toolproof.report import Check, Severity


@rule(
    check=Check.PROTOCOL,
    severity=Severity.ERROR,
    title="Server ended while it was still needed",
    fix="Keep serving until stdin is closed.",
    source="smart-mcp-proxy/mcpproxy-go#33",
    bad=seeing(
        saw(
            Kind.UNEXPECTED_EXIT,
            "the server ended outside of a tool call: exit code 0; tools/list was lost",
            method="tools/list",
            exit="exit code 0",
            last_line="",
            request="tools/list",
        )
    ),
    good=seeing(),
)
@each_seen(Kind.UNEXPECTED_EXIT, whole=True)
def unexpected_exit(seen: Seen) -> Iterator[Flaw]:
    """Clients start a server once and rely on it: all that it offers is gone in mid-conversation."""
    what = fact(seen, "request") or request(seen)
    lost = f"; the request {what} was lost" if what else ""
    yield Flaw(f"{ending(seen)} after the handshake, outside of a tool call{lost}")
