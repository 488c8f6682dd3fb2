"""Rule `ping-unsupported`."""

from collections.abc import Iterator

from toolproof.connection.observations import Kind, Seen
from toolproof.phases.checks.examples import saw
from toolproof.phases.checks.rule import Flaw, each_seen, rule, seeing
from toolproof.phases.checks.sightings import detail
from toolproof.report import Check, Severity


@rule(
    check=Check.PROTOCOL,
    severity=Severity.WARNING,
    probe=True,
    title="ping is not answered",
    fix="Answer ping with an empty result.",
    source="MCP 2025-11-25 basic/utilities/ping",
    bad=seeing(
        saw(
            Kind.PROBE_PING,
            "ping is answered with error -32601: Method not found",
            method="ping",
            code=-32601,
        )
    ),
    good=seeing(),
)
@each_seen(Kind.PROBE_PING, whole=True)
def ping_unsupported(seen: Seen) -> Iterator[Flaw]:
    """Clients ping to see whether a server lives; one that refuses is taken for dead and restarted."""
    yield Flaw(f"{detail(seen)}; an empty result is due")
