"""Rule `crash`."""

import json
from collections.abc import Iterator
from typing import Any

from toolproof.connection.observations import Kind, Observation, Seen
from toolproof.phases.checks.examples import saw
from toolproof.phases.checks.rule import Evidence, Flaw, rule, seeing
from toolproof.phases.checks.sightings import ending
from toolproof.report import Check, ConnectionLost, Severity
from toolproof.text import count, one_line, quoted, shorten

_ENDS = (Kind.CRASH, Kind.UNEXPECTED_EXIT, Kind.START_CRASH)


@rule(
    check=Check.PROTOCOL,
    severity=Severity.ERROR,
    calls=True,
    title="Server ends during a call",
    fix="Handle that input: answer with a result that has isError.",
    source="cloudwalk/hermes-mcp#209; kesslerio/attio-mcp-server#344; MemPalace/mempalace#1242",
    bad=seeing(
        saw(
            Kind.CRASH,
            "the server ended during a call: exit code 7",
            tool="get_weather",
            method="tools/call",
            exit="exit code 7",
            last_line="TypeError: Cannot read properties of undefined (reading 'city')",
            arguments={},
        )
    ),
    good=seeing(),
)
def crash(evidence: Evidence) -> Iterator[Flaw]:
    """One call takes down every tool: the client shows a dead server until the user restarts it."""
    for seen in evidence.observations.of(Kind.CRASH):
        yield from _seen(seen)
    if evidence.transport == "stdio" and not evidence.observations.of(*_ENDS):
        yield from _lost(evidence)


def _seen(seen: Seen) -> Iterator[Flaw]:
    smallest = min(seen.kept, key=_size)
    alone = Seen(seen.kind, seen.tool, 1, [smallest])
    called_with = quoted(smallest.facts.get("arguments"), 80)
    in_flight = smallest.facts.get("in_flight")
    others = ""
    if isinstance(in_flight, int) and in_flight > 1:
        others = f", one of {in_flight:,} calls in flight"
    more = f" ({count(seen.count, 'crash', 'crashes')})" if seen.count > 1 else ""
    yield Flaw(
        f"{ending(alone)} during a call with {called_with}{others}{more}",
        tool=seen.tool or "*",
    )


def _size(one: Observation) -> int:
    return _length(one.facts.get("arguments"))


def _length(arguments: Any) -> int:
    try:
        return len(json.dumps(arguments, default=str))
    except (RecursionError, TypeError, ValueError):
        return 1_000_000


def _lost(evidence: Evidence) -> Iterator[Flaw]:
    """Calls that got no answer as the server was gone, where the wire saw no process end."""
    for call in evidence.calls:
        reply = call.result.reply
        if isinstance(reply, ConnectionLost):
            reason = shorten(one_line(reply.reason), 160)
            yield Flaw(
                f"lost during a call with {quoted(call.result.arguments, 80)}: {reason}",
                tool=call.result.tool if call.subject is None else "*",
                subject=call.subject,
            )
