"""Rule `http-redirect`."""

from collections.abc import Iterator

from toolproof.connection.observations import Kind, Seen
from toolproof.phases.checks.examples import saw
from toolproof.phases.checks.rule import Flaw, each_seen, rule, seeing
from toolproof.phases.checks.sightings import detail
from toolproof.report import Check, Severity


@rule(
    check=Check.PROTOCOL,
    severity=Severity.WARNING,
    title="The endpoint redirects",
    fix="Use the final address, or serve both.",
    source="BerriAI/litellm#23688; zoho/analytics-mcp-server#22",
    bad=seeing(
        saw(
            Kind.HTTP_REDIRECT,
            "https://acme.test/mcp redirects (308) to https://acme.test/mcp/",
            status=308,
            target="https://acme.test/mcp/",
        )
    ),
    good=seeing(),
)
@each_seen(Kind.HTTP_REDIRECT, whole=True)
def http_redirect(seen: Seen) -> Iterator[Flaw]:
    """Most clients turn the POST into a GET, or drop the credentials on the way, and fail."""
    yield Flaw(detail(seen))
