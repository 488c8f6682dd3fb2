"""Rule `response-invalid`."""

from collections.abc import Iterator

from toolproof.connection.observations import Kind, Seen
from toolproof.phases.checks.examples import saw
from toolproof.phases.checks.rule import Flaw, each_seen, rule, seeing
from toolproof.phases.checks.sightings import detail, times
from toolproof.report import Check, Severity


@rule(
    check=Check.PROTOCOL,
    severity=Severity.ERROR,
    title="A response is not valid JSON-RPC 2.0",
    fix='Send jsonrpc "2.0", and either result or error, an error with an integer code and a string message.',
    source="MCP 2026-07-28 basic, Responses",
    bad=seeing(
        saw(
            Kind.RESPONSE_INVALID,
            "a response with neither result nor error",
            tool="get_weather",
            method="tools/call",
        )
    ),
    good=seeing(),
)
@each_seen(Kind.RESPONSE_INVALID)
def response_invalid(seen: Seen) -> Iterator[Flaw]:
    """Strict clients drop such a response and wait for another one until their time limit."""
    yield Flaw(f"{detail(seen)}{times(seen)}")
