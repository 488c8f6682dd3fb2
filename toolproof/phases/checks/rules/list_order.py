"""Rule `list-order`."""

from collections.abc import Iterator

from toolproof.connection.observations import Kind, Seen
from toolproof.phases.checks.examples import saw
from toolproof.phases.checks.rule import Flaw, each_seen, rule, seeing
from toolproof.phases.checks.sightings import detail
from toolproof.report import Check, Severity


@rule(
    check=Check.PROTOCOL,
    severity=Severity.WARNING,
    probe=True,
    title="The same tools come in another order each time",
    fix="Sort the list, or keep it in the order in which tools were added.",
    source="MCP 2026-07-28 server/tools, Capabilities; googleapis/mcp-toolbox#3463",
    bad=seeing(
        saw(
            Kind.PROBE_LIST_ORDER,
            "two lists of one session hold the same tools in another order",
            request="tools/list",
        )
    ),
    good=seeing(),
)
@each_seen(Kind.PROBE_LIST_ORDER, whole=True)
def list_order(seen: Seen) -> Iterator[Flaw]:
    """Model providers cache a prompt by its exact beginning: with another order, every request is paid in full."""
    yield Flaw(f"the same tools come in another order: {detail(seen)}")
