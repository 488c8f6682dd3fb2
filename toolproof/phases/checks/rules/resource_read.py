"""Rule `resource-read`."""

from collections.abc import Iterator

from toolproof.connection.observations import Kind, Seen
from toolproof.phases.checks.examples import saw
from toolproof.phases.checks.rule import Flaw, each_seen, rule, seeing
from toolproof.phases.checks.sightings import detail, fact
from toolproof.report import Check, Severity


@rule(
    check=Check.PROTOCOL,
    severity=Severity.ERROR,
    probe=True,
    title="A listed resource cannot be read",
    fix="List only what can be read; give each content a text or a blob.",
    source="MCP 2026-07-28 server/resources, Resource Contents; PleasePrompto/notebooklm-mcp#15",
    bad=seeing(
        saw(
            Kind.PROBE_RESOURCE_READ,
            "doc://readme is listed, but reading it gives error -32002: Resource not found",
            uri="doc://readme",
        )
    ),
    good=seeing(),
)
@each_seen(Kind.PROBE_RESOURCE_READ, whole=True)
def resource_read(seen: Seen) -> Iterator[Flaw]:
    """The user picks the resource from a list, and gets an error in place of its contents."""
    for one in seen.kept:
        uri = fact(one, "uri")
        named = uri in detail(one)
        yield Flaw(detail(one) if named else f"{uri}: {detail(one)}", subject=f"resource {uri}")
