"""Rule `slow-start`."""

from collections.abc import Iterator

from toolproof.connection.observations import Kind, Seen
from toolproof.phases.checks.examples import saw
from toolproof.phases.checks.rule import Flaw, each_seen, rule, seeing
from toolproof.phases.checks.sightings import seconds
from toolproof.report import Check, Severity


@rule(
    check=Check.PROTOCOL,
    severity=Severity.WARNING,
    title="Server is slow to start",
    fix="Load what is slow when it is first needed.",
    source="palewire/datawrapper-mcp#82; artokun/comfyui-mcp#1447",
    bad=seeing(saw(Kind.SLOW_START, "the first answer took 7.2 s", seconds=7.2)),
    good=seeing(),
)
@each_seen(Kind.SLOW_START, whole=True)
def slow_start(seen: Seen) -> Iterator[Flaw]:
    """Some clients give up after a few seconds, and every user waits at each start."""
    yield Flaw(f"the first answer took {seconds(seen)}, more than 5 s")
