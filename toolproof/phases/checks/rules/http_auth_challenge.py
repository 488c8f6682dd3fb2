"""Rule `http-auth-challenge`."""

from collections.abc import Iterator

from toolproof.connection.observations import Kind, Seen
from toolproof.phases.checks.examples import saw
from toolproof.phases.checks.rule import Flaw, each_seen, rule, seeing
from toolproof.phases.checks.sightings import detail
from toolproof.report import Check, Severity


@rule(
    check=Check.PROTOCOL,
    severity=Severity.ERROR,
    title="A 401 does not say how to sign in",
    fix="Send WWW-Authenticate with resource_metadata, as RFC 9728 says.",
    source="MCP 2025-11-25 basic/authorization, Protected Resource Metadata; garrytan/gbrain#1410; czlonkowski/n8n-mcp#604",
    bad=seeing(
        saw(
            Kind.HTTP_AUTH_CHALLENGE,
            "authentication is required (401), and clients cannot begin to sign in: there is no WWW-Authenticate header",
            header="",
        )
    ),
    good=seeing(),
)
@each_seen(Kind.HTTP_AUTH_CHALLENGE, whole=True)
def http_auth_challenge(seen: Seen) -> Iterator[Flaw]:
    """Clients cannot find the authorization server: nobody can begin to sign in."""
    yield Flaw(detail(seen))
