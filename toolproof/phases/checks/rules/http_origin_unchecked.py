"""Rule `http-origin-unchecked`."""

from collections.abc import Iterator

from toolproof.connection.observations import Kind, Seen
from toolproof.phases.checks.examples import saw
from toolproof.phases.checks.rule import Flaw, each_seen, rule, seeing
from toolproof.phases.checks.sightings import fact
from toolproof.report import Check, Severity


@rule(
    check=Check.PROTOCOL,
    severity=Severity.WARNING,
    probe=True,
    title="A request with a foreign Origin is served",
    fix="Answer 403 to an Origin that you do not know.",
    source="MCP 2026-07-28 basic/transports/streamable-http, Security & Endpoint; zereight/gitlab-mcp#555",
    bad=seeing(
        saw(
            Kind.PROBE_ORIGIN,
            "a request with Origin https://attacker.invalid is answered with 200",
            origin="https://attacker.invalid",
            status=200,
        )
    ),
    good=seeing(),
)
@each_seen(Kind.PROBE_ORIGIN, whole=True)
def http_origin_unchecked(seen: Seen) -> Iterator[Flaw]:
    """Any web page that the user opens can then call the tools of a server on the same machine."""
    origin, status = fact(seen, "origin") or "a foreign one", fact(seen, "status")
    with_status = f" with status {status}" if status else ""
    yield Flaw(f"a request with the Origin {origin} is served{with_status}, 403 is due")
