"""Rule `start-timeout`."""

from collections.abc import Iterator

from toolproof.connection.observations import Kind, Seen
from toolproof.phases.checks.examples import saw
from toolproof.phases.checks.rule import Flaw, each_seen, rule, seeing
from toolproof.phases.checks.sightings import last_words, seconds
from toolproof.report import Check, Severity


@rule(
    check=Check.PROTOCOL,
    severity=Severity.ERROR,
    title="Server lives, but answers nothing",
    fix="Answer the handshake first; do slow work afterwards.",
    source="obot-platform/obot#6185; IBM/mcp-cli#101",
    bad=seeing(
        saw(
            Kind.START_TIMEOUT,
            "no answer to initialize within 30 s",
            method="initialize",
            seconds=30,
        )
    ),
    good=seeing(),
)
@each_seen(Kind.START_TIMEOUT, whole=True)
def start_timeout(seen: Seen) -> Iterator[Flaw]:
    """Clients wait for as long, then show the server as failed, without a reason."""
    yield Flaw(f"no answer to the first request within {seconds(seen)}{last_words(seen)}")
