"""Rule `process-leak`."""

from collections.abc import Iterator

from toolproof.connection.observations import Kind, Seen
from toolproof.phases.checks.examples import saw
from toolproof.phases.checks.rule import Flaw, each_seen, rule, seeing
from toolproof.phases.checks.sightings import fact
from toolproof.report import Check, Severity
from toolproof.text import count, quoted


@rule(
    check=Check.PROTOCOL,
    severity=Severity.WARNING,
    title="A process that the server started outlives it",
    fix="End child processes on exit.",
    source="codefuturist/email-mcp#60; ooples/token-optimizer-mcp#177",
    bad=seeing(
        saw(
            Kind.PROCESS_LEAK,
            "process 4711 outlived the server: node worker.js",
            pid=4711,
            command="node worker.js",
        )
    ),
    good=seeing(),
)
@each_seen(Kind.PROCESS_LEAK, whole=True)
def process_leak(seen: Seen) -> Iterator[Flaw]:
    """Nobody ends it any more: it holds memory, ports and files until the machine is restarted."""
    command = fact(seen, "command") or seen.first.detail
    yield Flaw(
        f"{count(seen.count, 'process', 'processes')} outlived the server, "
        f"the first: {quoted(command)}"
    )
