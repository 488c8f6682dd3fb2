"""Rule `http-auth-required`."""

from collections.abc import Iterator

from toolproof.connection.observations import Kind, Seen
from toolproof.phases.checks.examples import saw
from toolproof.phases.checks.rule import Flaw, each_seen, rule, seeing
from toolproof.phases.checks.sightings import detail
from toolproof.report import Check, Severity


@rule(
    check=Check.PROTOCOL,
    severity=Severity.ERROR,
    title="The server asks for credentials",
    fix="Pass a token with --header, or in the configuration.",
    source="MCP 2025-11-25 basic/authorization; hoeloe15/imagine#36",
    bad=seeing(
        saw(
            Kind.HTTP_AUTH_REQUIRED,
            "authentication is required (401); metadata: https://mcp.acme.test/.well-known/oauth-protected-resource",
            metadata="https://mcp.acme.test/.well-known/oauth-protected-resource",
        )
    ),
    good=seeing(),
)
@each_seen(Kind.HTTP_AUTH_REQUIRED, whole=True)
def http_auth_required(seen: Seen) -> Iterator[Flaw]:
    """Without a token nothing can be tested; a user's client will begin to sign in here."""
    yield Flaw(detail(seen))
