"""Rule `capability-not-delivered`."""

from collections.abc import Iterator

from toolproof.connection.observations import Kind, Seen
from toolproof.phases.checks.examples import saw
from toolproof.phases.checks.rule import Flaw, each_seen, rule, seeing
from toolproof.phases.checks.sightings import detail, fact
from toolproof.report import Check, Severity


@rule(
    check=Check.PROTOCOL,
    severity=Severity.ERROR,
    title="A declared capability does not work",
    fix="Declare only what works.",
    source="MCP 2026-07-28 server/resources and server/prompts, Capabilities; arabold/docs-mcp-server#226; modelcontextprotocol/conformance#516",
    bad=seeing(
        saw(
            Kind.CAPABILITY_NOT_DELIVERED,
            "prompts is declared, but prompts/list gives error -32601: Method not found",
            method="prompts/list",
            request="prompts/list",
        )
    ),
    good=seeing(),
)
@each_seen(Kind.CAPABILITY_NOT_DELIVERED, whole=True)
def capability_not_delivered(seen: Seen) -> Iterator[Flaw]:
    """Clients ask for what is declared; some drop the whole server when the answer is an error."""
    for one in seen.kept:
        yield Flaw(detail(one), subject=fact(one, "request"))
