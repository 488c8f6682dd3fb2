"""Rule `notification-answered`."""

from collections.abc import Iterator

from toolproof.connection.observations import Kind, Seen
from toolproof.phases.checks.examples import saw
from toolproof.phases.checks.rule import Flaw, each_seen, rule, seeing
from toolproof.phases.checks.sightings import detail, times
from toolproof.report import Check, Severity


@rule(
    check=Check.PROTOCOL,
    severity=Severity.ERROR,
    title="Server answers a notification",
    fix="Send nothing; over HTTP, answer 202 with an empty body.",
    source="MCP 2026-07-28 basic, Notifications; zeenix/rust-analyzer-mcp#21; pgEdge/pgedge-postgres-mcp#142",
    bad=seeing(
        saw(
            Kind.NOTIFICATION_ANSWERED,
            "a notification was answered with error -32601: Method not found",
            body='{"jsonrpc": "2.0", "id": null, "error": {"code": -32601}}',
        )
    ),
    good=seeing(),
)
@each_seen(Kind.NOTIFICATION_ANSWERED, whole=True)
def notification_answered(seen: Seen) -> Iterator[Flaw]:
    """Strict clients close the connection at a response that nobody asked for."""
    yield Flaw(f"{detail(seen)}; nothing is due{times(seen)}")
