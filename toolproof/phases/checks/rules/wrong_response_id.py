"""Rule `wrong-response-id`."""

from collections.abc import Iterator

from toolproof.connection.observations import Kind, Seen
from toolproof.phases.checks.examples import saw
from toolproof.phases.checks.rule import Flaw, each_seen, rule, seeing
from toolproof.phases.checks.sightings import detail, fact, times
from toolproof.report import Check, Severity
from toolproof.text import quoted


@rule(
    check=Check.PROTOCOL,
    severity=Severity.ERROR,
    title="A response has an id that no request waits for",
    fix="Send back the request's id, of the same type.",
    source="MCP 2026-07-28 basic, Responses; helidon-io/helidon-mcp#65; yjacquin/fast-mcp#66",
    bad=seeing(
        saw(
            Kind.WRONG_RESPONSE_ID,
            "a response with the id null in place of 7",
            tool="get_weather",
            id="null",
            text="city must be a string",
        )
    ),
    good=seeing(),
)
@each_seen(Kind.WRONG_RESPONSE_ID, Kind.SECOND_ANSWER)
def wrong_response_id(seen: Seen) -> Iterator[Flaw]:
    """The client cannot tell which call was answered: the call ends with a time-out, and the server's text is lost."""
    text = fact(seen, "text")
    said = f", with the text {quoted(text, 100)}" if text and text not in detail(seen) else ""
    yield Flaw(f"{detail(seen)}{said}{times(seen)}")
