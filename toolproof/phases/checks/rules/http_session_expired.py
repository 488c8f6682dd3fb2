"""Rule `http-session-expired`."""

from collections.abc import Iterator

from toolproof.connection.observations import Kind, Seen
from toolproof.phases.checks.examples import saw
from toolproof.phases.checks.rule import Flaw, each_seen, rule, seeing
from toolproof.phases.checks.sightings import detail, times
from toolproof.report import Check, Severity


@rule(
    check=Check.PROTOCOL,
    severity=Severity.INFO,
    title="The server ended the session",
    fix="Nothing, unless sessions end too early.",
    source="MCP 2025-11-25 basic/transports, Session Management; modelcontextprotocol/python-sdk#1676",
    bad=seeing(
        saw(
            Kind.HTTP_SESSION_EXPIRED,
            "the server ended the session: tools/call was answered with 404",
            method="tools/call",
        )
    ),
    good=seeing(),
)
@each_seen(Kind.HTTP_SESSION_EXPIRED, whole=True)
def http_session_expired(seen: Seen) -> Iterator[Flaw]:
    """Clients start a new session and go on; what the server kept for the old one is gone."""
    yield Flaw(f"{detail(seen)}; a new one was started{times(seen)}")
