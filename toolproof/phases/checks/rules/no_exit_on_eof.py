"""Rule `no-exit-on-eof`."""

from collections.abc import Iterator

from toolproof.connection.observations import Kind, Seen
from toolproof.phases.checks.examples import saw
from toolproof.phases.checks.rule import Flaw, each_seen, rule, seeing
from toolproof.phases.checks.sightings import fact, seconds
from toolproof.report import Check, Severity


@rule(
    check=Check.PROTOCOL,
    severity=Severity.WARNING,
    title="Server goes on after its input was closed",
    fix="Exit when stdin ends.",
    source="MCP 2026-07-28 basic/transports/stdio, Shutdown; modelcontextprotocol/typescript-sdk#2002; "
    "punkpeye/fastmcp#264",
    bad=seeing(
        saw(
            Kind.NO_EXIT_ON_EOF,
            "still running 2 s after the end of its input; SIGTERM ended it",
            seconds=2,
            signal="SIGTERM",
        )
    ),
    good=seeing(),
)
@each_seen(Kind.NO_EXIT_ON_EOF, whole=True)
def no_exit_on_eof(seen: Seen) -> Iterator[Flaw]:
    """A client that crashes leaves the server behind; after a day there are dozens of them."""
    signal = fact(seen, "signal") or "a signal"
    yield Flaw(f"still running {seconds(seen)} after its input was closed; {signal} ended it")
