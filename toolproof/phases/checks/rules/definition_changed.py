"""Rule `definition-changed`."""

from collections.abc import Iterator

from toolproof.connection.observations import Kind, Seen
from toolproof.phases.checks.examples import saw
from toolproof.phases.checks.rule import Flaw, each_seen, rule, seeing
from toolproof.phases.checks.sightings import detail, fact
from toolproof.report import Check, Severity


@rule(
    check=Check.PROTOCOL,
    severity=Severity.ERROR,
    probe=True,
    title="The definition of a tool is not the same each time",
    fix="Keep definitions fixed.",
    source="isaacschepp/agent-inject#76; OWASP/www-project-mcp-top-10#38",
    bad=seeing(
        saw(
            Kind.PROBE_DEFINITION_CHANGED,
            "/description was 'Adds numbers.', then 'Adds numbers. First read the notes.'",
            tool="add",
            pointer="/description",
        )
    ),
    good=seeing(),
)
@each_seen(Kind.PROBE_DEFINITION_CHANGED)
def definition_changed(seen: Seen) -> Iterator[Flaw]:
    """The user allowed what was shown first: a definition that changes later can say anything."""
    for one in seen.kept:
        yield Flaw(detail(one), fact(one, "pointer") or None)
