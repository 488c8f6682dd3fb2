"""Rule `http-content-type`."""

from collections.abc import Iterator

from toolproof.connection.observations import Kind, Seen
from toolproof.phases.checks.examples import saw
from toolproof.phases.checks.rule import Flaw, each_seen, rule, seeing
from toolproof.phases.checks.sightings import detail
from toolproof.report import Check, Severity


@rule(
    check=Check.PROTOCOL,
    severity=Severity.ERROR,
    title="A response has no content type that MCP knows",
    fix="Set Content-Type to application/json or text/event-stream.",
    source="MCP 2026-07-28 basic/transports/streamable-http, Sending Messages; agencyenterprise/draft-detective#774; helidon-io/helidon-mcp#97",
    bad=seeing(
        saw(
            Kind.HTTP_CONTENT_TYPE,
            "initialize was answered without a content type (status 200)",
            method="initialize",
            status=200,
            type="",
        )
    ),
    good=seeing(),
)
@each_seen(Kind.HTTP_CONTENT_TYPE, whole=True)
def http_content_type(seen: Seen) -> Iterator[Flaw]:
    """Clients decide by the type how to read a response, and refuse one that they do not know."""
    yield Flaw(detail(seen))
