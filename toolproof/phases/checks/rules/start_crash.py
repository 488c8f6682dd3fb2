"""Rule `start-crash`."""

from collections.abc import Iterator

from toolproof.connection.observations import Kind, Seen
from toolproof.phases.checks.examples import saw
from toolproof.phases.checks.rule import Flaw, each_seen, rule, seeing
from toolproof.phases.checks.sightings import ending
from toolproof.report import Check, Severity


@rule(
    check=Check.PROTOCOL,
    severity=Severity.ERROR,
    title="Server ended before it answered anything",
    fix="Read the last line of stderr: it names what is missing or broken.",
    source="tumf/mcp-shell-server#47; ergut/mcp-logseq#92; modelcontextprotocol/servers#4577",
    bad=seeing(
        saw(
            Kind.START_CRASH,
            "the server ended with exit code 1 before it answered initialize",
            method="initialize",
            exit="exit code 1",
            last_line="ModuleNotFoundError: No module named 'weather'",
        )
    ),
    good=seeing(),
)
@each_seen(Kind.START_CRASH, whole=True)
def start_crash(seen: Seen) -> Iterator[Flaw]:
    """No client gets a single tool; most of them say only that the connection was closed."""
    yield Flaw(f"{ending(seen)} before it answered the first request")
