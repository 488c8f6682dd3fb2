"""Rule `capability-undeclared`."""

from collections.abc import Iterator

from toolproof.connection.observations import Kind, Seen
from toolproof.phases.checks.examples import saw
from toolproof.phases.checks.rule import Flaw, each_seen, rule, seeing
from toolproof.phases.checks.sightings import detail
from toolproof.report import Check, Severity


@rule(
    check=Check.PROTOCOL,
    severity=Severity.ERROR,
    title="Tools are listed, but the capability is not declared",
    fix="Declare the capability tools.",
    source="MCP 2026-07-28 server/tools, Capabilities",
    bad=seeing(
        saw(
            Kind.CAPABILITY_UNDECLARED,
            "tools/list gives 3 tools, but the capability tools is not declared",
            tools=3,
        )
    ),
    good=seeing(),
)
@each_seen(Kind.CAPABILITY_UNDECLARED, whole=True)
def capability_undeclared(seen: Seen) -> Iterator[Flaw]:
    """Clients ask only for what is declared: they show a server without tools."""
    yield Flaw(detail(seen))
