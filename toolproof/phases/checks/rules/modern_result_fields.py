"""Rule `modern-result-fields`."""

from collections.abc import Iterator

from toolproof.connection.observations import Kind, Seen
from toolproof.phases.checks.examples import saw
from toolproof.phases.checks.rule import Flaw, each_seen, rule, seeing
from toolproof.phases.checks.sightings import detail, fact
from toolproof.report import Check, Severity


@rule(
    check=Check.PROTOCOL,
    severity=Severity.ERROR,
    title="A result lacks the members that 2026-07-28 wants",
    fix="Add resultType; on lists, reads and server/discover also ttlMs and cacheScope.",
    source="MCP 2026-07-28 basic, ResultType; server/utilities/caching",
    bad=seeing(
        saw(
            Kind.MODERN_RESULT_FIELDS,
            "in the result of tools/list, ttlMs is missing, cacheScope is missing",
            method="tools/list",
            request="tools/list",
            members="ttlMs, cacheScope",
        ),
        revision="2026-07-28",
    ),
    good=seeing(revision="2026-07-28"),
)
@each_seen(Kind.MODERN_RESULT_FIELDS, whole=True)
def modern_result_fields(seen: Seen) -> Iterator[Flaw]:
    """Clients of this revision refuse the result, or ask for the list again and again, as they may not keep it."""
    for one in seen.kept:
        yield Flaw(detail(one), subject=fact(one, "request"))
