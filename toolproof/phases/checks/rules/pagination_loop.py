"""Rule `pagination-loop`."""

from collections.abc import Iterator

from toolproof.connection.observations import Kind, Seen
from toolproof.phases.checks.examples import saw
from toolproof.phases.checks.rule import Flaw, each_seen, rule, seeing
from toolproof.phases.checks.sightings import detail, fact
from toolproof.report import Check, Severity


@rule(
    check=Check.PROTOCOL,
    severity=Severity.ERROR,
    title="Pages of a list never end",
    fix="Leave nextCursor out on the last page.",
    source="MCP 2026-07-28 server/utilities/pagination; DeusData/codebase-memory-mcp#1247; openai/codex#27290",
    bad=seeing(
        saw(
            Kind.PAGINATION_LOOP,
            "tools/list: page 3 gives the cursor 'b', which it gave before",
            method="tools/list",
            request="tools/list",
            pages=3,
        )
    ),
    good=seeing(),
)
@each_seen(Kind.PAGINATION_LOOP, whole=True)
def pagination_loop(seen: Seen) -> Iterator[Flaw]:
    """A client that follows the pages never comes to an end: it hangs at the start, or fills its memory."""
    for one in seen.kept:
        yield Flaw(detail(one), subject=fact(one, "request"))
