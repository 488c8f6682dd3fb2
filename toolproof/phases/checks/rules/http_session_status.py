"""Rule `http-session-status`."""

from collections.abc import Iterator

from toolproof.connection.observations import Kind, Seen
from toolproof.phases.checks.examples import saw
from toolproof.phases.checks.rule import Flaw, each_seen, rule, seeing
from toolproof.phases.checks.sightings import fact
from toolproof.report import Check, Severity


@rule(
    check=Check.PROTOCOL,
    severity=Severity.WARNING,
    probe=True,
    title="An unknown session is not answered with 404",
    fix="Answer 404 to a session id that you do not know.",
    source="MCP 2025-11-25 basic/transports, Session Management; DAWNCR0W/affine-mcp-server#301",
    bad=seeing(
        saw(
            Kind.PROBE_SESSION_STATUS,
            "a request with an unknown Mcp-Session-Id is answered with 400",
            status=400,
        )
    ),
    good=seeing(),
)
@each_seen(Kind.PROBE_SESSION_STATUS, whole=True)
def http_session_status(seen: Seen) -> Iterator[Flaw]:
    """A client starts a new session only on 404; on anything else it gives up until the user restarts it."""
    status = fact(seen, "status") or "another status"
    yield Flaw(f"an unknown session id is answered with {status}, 404 is due")
