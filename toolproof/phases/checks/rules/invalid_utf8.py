"""Rule `invalid-utf8`."""

from collections.abc import Iterator

from toolproof.connection.observations import Kind, Seen
from toolproof.phases.checks.examples import saw
from toolproof.phases.checks.rule import Flaw, each_seen, rule, seeing
from toolproof.phases.checks.sightings import detail, times
from toolproof.report import Check, Severity


@rule(
    check=Check.PROTOCOL,
    severity=Severity.ERROR,
    title="A message is not valid UTF-8",
    fix="Write UTF-8, whatever the locale of the machine is.",
    source="MCP 2025-11-25 basic/transports; NousResearch/hermes-agent#46104; MoonshotAI/kimi-code#886",
    bad=seeing(
        saw(
            Kind.INVALID_UTF8,
            "byte 0xe9 at offset 61 is not UTF-8",
            tool="get_weather",
            byte=0xE9,
            offset=61,
        )
    ),
    good=seeing(),
)
@each_seen(Kind.INVALID_UTF8)
def invalid_utf8(seen: Seen) -> Iterator[Flaw]:
    """Clients drop the connection, or show the answer with letters missing."""
    yield Flaw(f"a message is not valid UTF-8: {detail(seen)}{times(seen)}")
