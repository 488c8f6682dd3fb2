"""Rule `unknown-method-code`."""

from collections.abc import Iterator

from toolproof.connection.observations import Kind, Seen
from toolproof.phases.checks.examples import saw
from toolproof.phases.checks.rule import Flaw, each_seen, rule, seeing
from toolproof.phases.checks.sightings import detail
from toolproof.report import Check, Severity


@rule(
    check=Check.PROTOCOL,
    severity=Severity.INFO,
    probe=True,
    title="An unknown method is refused with another code than -32601",
    fix="Use -32601 for methods that do not exist.",
    source="JSON-RPC 2.0; modelcontextprotocol/python-sdk#1561",
    bad=seeing(
        saw(
            Kind.PROBE_UNKNOWN_METHOD,
            "an unknown method is refused with -32602: Invalid request parameters",
            code=-32602,
        )
    ),
    good=seeing(),
)
@each_seen(Kind.PROBE_UNKNOWN_METHOD, whole=True)
def unknown_method_code(seen: Seen) -> Iterator[Flaw]:
    """Clients tell an older server from a broken one by this code."""
    yield Flaw(f"{detail(seen)}, -32601 is due")
