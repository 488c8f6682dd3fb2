"""Rule `http-legacy-sse`."""

from collections.abc import Iterator

from toolproof.connection.observations import Kind, Seen
from toolproof.phases.checks.examples import saw
from toolproof.phases.checks.rule import Flaw, each_seen, rule, seeing
from toolproof.phases.checks.sightings import detail
from toolproof.report import Check, Severity


@rule(
    check=Check.PROTOCOL,
    severity=Severity.ERROR,
    title="The server speaks only legacy HTTP+SSE",
    fix="Offer Streamable HTTP.",
    source="MCP 2026-07-28 basic/transports/streamable-http, HTTP+SSE Transport; hkr04/cpp-mcp#10",
    bad=seeing(
        saw(
            Kind.HTTP_LEGACY_SSE,
            "the server speaks legacy HTTP+SSE, the transport of 2024-11-05: POST is answered with HTTP 405",
            status=405,
        )
    ),
    good=seeing(),
)
@each_seen(Kind.HTTP_LEGACY_SSE, whole=True)
def http_legacy_sse(seen: Seen) -> Iterator[Flaw]:
    """The transport of 2024-11-05 is deprecated: current clients no longer speak it."""
    found = detail(seen)
    known = "legacy HTTP+SSE" in found
    yield Flaw(found if known else f"the server speaks legacy HTTP+SSE: {found}")
