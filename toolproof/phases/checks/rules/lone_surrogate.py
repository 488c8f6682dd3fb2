"""Rule `lone-surrogate`."""

from collections.abc import Iterator

from toolproof.connection.observations import Kind, Seen
from toolproof.phases.checks.examples import saw
from toolproof.phases.checks.rule import Flaw, each_seen, rule, seeing
from toolproof.phases.checks.sightings import fact, times
from toolproof.report import Check, Severity


@rule(
    check=Check.PROTOCOL,
    severity=Severity.WARNING,
    title="A string holds an unpaired surrogate",
    fix="Cut strings between characters, never inside of one.",
    source="microsoft/playwright-mcp#1410; anomalyco/opencode#17758",
    bad=seeing(
        saw(
            Kind.LONE_SURROGATE,
            "an unpaired surrogate at /result/content/0/text",
            tool="get_weather",
            pointer="/result/content/0/text",
        )
    ),
    good=seeing(),
)
@each_seen(Kind.LONE_SURROGATE)
def lone_surrogate(seen: Seen) -> Iterator[Flaw]:
    """The text cannot be written as UTF-8: model APIs refuse the whole conversation that holds it."""
    where = fact(seen, "pointer") or "an unknown place"
    yield Flaw(f"an unpaired surrogate in the message at {where}{times(seen)}")
