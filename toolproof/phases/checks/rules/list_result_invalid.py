"""Rule `list-result-invalid`."""

from collections.abc import Iterator

from toolproof.connection.observations import Kind, Seen
from toolproof.phases.checks.examples import saw
from toolproof.phases.checks.rule import Flaw, each_seen, rule, seeing
from toolproof.phases.checks.sightings import detail, fact
from toolproof.report import Check, Severity


@rule(
    check=Check.PROTOCOL,
    severity=Severity.ERROR,
    title="The result of a list method has the wrong shape",
    fix="Send an array; leave nextCursor out on the last page.",
    source="MCP 2026-07-28 server/utilities/pagination; gensecaihq/Wazuh-MCP-Server#75; OvertliDS/mcp-searxng-enhanced#2",
    bad=seeing(
        saw(
            Kind.LIST_RESULT_INVALID,
            "in the result of tools/list, nextCursor must be a string but is null",
            method="tools/list",
            request="tools/list",
            member="nextCursor",
        )
    ),
    good=seeing(),
)
@each_seen(Kind.LIST_RESULT_INVALID, whole=True)
def list_result_invalid(seen: Seen) -> Iterator[Flaw]:
    """Typed clients refuse the whole list: they show a server without tools."""
    for one in seen.kept:
        yield Flaw(detail(one), subject=f"{fact(one, 'request')} {fact(one, 'member')}")
