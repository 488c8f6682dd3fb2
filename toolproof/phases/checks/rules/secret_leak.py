"""Rule `secret-leak`."""

from collections.abc import Iterator

from toolproof.connection.observations import Kind, Seen
from toolproof.phases.checks.examples import saw
from toolproof.phases.checks.rule import Flaw, each_seen, rule, seeing
from toolproof.phases.checks.sightings import detail, request, times
from toolproof.report import Check, Severity


@rule(
    check=Check.PROTOCOL,
    severity=Severity.ERROR,
    title="A message of the server holds a secret",
    fix="Keep credentials out of messages; revoke this one.",
    source="apify/apify-mcp-server#1162; w0h1v/mcp-shodan#10",
    bad=seeing(
        saw(
            Kind.SECRET_LEAK,
            "a message of the server holds a secret value",
            tool="get_weather",
            method="tools/call",
        )
    ),
    good=seeing(),
)
@each_seen(Kind.SECRET_LEAK)
def secret_leak(seen: Seen) -> Iterator[Flaw]:
    """The model reads it, and so does everyone who reads the conversation, its logs and its traces."""
    method = request(seen)
    where = f" in answer to {method}" if method else ""
    yield Flaw(f"{detail(seen)}{where}{times(seen)}; it is shown as ***")
