"""Rule `wrong-result-under-load`."""

from collections.abc import Iterator

from toolproof.connection.observations import Kind, Seen
from toolproof.phases.checks.examples import saw
from toolproof.phases.checks.rule import Flaw, each_seen, rule, seeing
from toolproof.phases.checks.sightings import detail, fact, times
from toolproof.report import Check, Severity


@rule(
    check=Check.PROTOCOL,
    severity=Severity.ERROR,
    calls=True,
    title="With calls in flight, a call got the result of another",
    fix="Tie each answer to its request.",
    source="zoedsoupe/anubis-mcp#143; n8n-io/n8n#15710",
    bad=seeing(
        saw(
            Kind.WRONG_RESULT_UNDER_LOAD,
            "the result differs from what the same arguments give alone: '7 C in Rome', alone '2 C in Oslo'",
            tool="get_weather",
            arguments='{"city": "Oslo"}',
        )
    ),
    good=seeing(),
)
@each_seen(Kind.WRONG_RESULT_UNDER_LOAD)
def wrong_result_under_load(seen: Seen) -> Iterator[Flaw]:
    """One user sees another user's data, and no error tells anyone."""
    arguments = fact(seen, "arguments")
    called = f" called with {arguments}" if arguments else ""
    yield Flaw(f"under load{called}: {detail(seen)}{times(seen)}")
