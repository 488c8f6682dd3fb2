"""Rule `handshake-invalid`."""

from collections.abc import Iterator

from toolproof.connection.observations import Kind, Seen
from toolproof.phases.checks.examples import saw
from toolproof.phases.checks.rule import Flaw, each_seen, rule, seeing
from toolproof.phases.checks.sightings import detail, fact
from toolproof.report import Check, Severity


@rule(
    check=Check.PROTOCOL,
    severity=Severity.ERROR,
    title="The answer to the handshake lacks a member",
    fix="Add the member.",
    source="MCP 2025-11-25 basic/lifecycle, Initialization; MCP 2026-07-28 server/discover",
    bad=seeing(
        saw(
            Kind.HANDSHAKE_INVALID,
            "the result of initialize lacks serverInfo, an object",
            method="initialize",
            member="serverInfo",
            request="initialize",
        )
    ),
    good=seeing(),
)
@each_seen(Kind.HANDSHAKE_INVALID, whole=True)
def handshake_invalid(seen: Seen) -> Iterator[Flaw]:
    """Typed clients refuse the answer: for them there is no such server."""
    for one in seen.kept:
        yield Flaw(detail(one), subject=f"{fact(one, 'request')} {fact(one, 'member')}")
