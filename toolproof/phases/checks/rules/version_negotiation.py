"""Rule `version-negotiation`."""

from collections.abc import Iterator

from toolproof.connection.observations import Kind, Seen
from toolproof.phases.checks.examples import saw
from toolproof.phases.checks.rule import Flaw, each_seen, rule, seeing
from toolproof.phases.checks.sightings import detail, fact
from toolproof.report import Check, Severity
from toolproof.text import quoted


@rule(
    check=Check.PROTOCOL,
    severity=Severity.ERROR,
    title="Protocol version is not negotiated",
    fix="Answer with a version that you support, whatever was asked for.",
    source="MCP 2025-11-25 basic/lifecycle, Version Negotiation; hkr04/cpp-mcp#10; pgEdge/pgedge-postgres-mcp#212",
    bad=seeing(
        saw(
            Kind.VERSION_REFUSED,
            "initialize with 2025-11-25 was refused with an error; 2024-11-05 was agreed on",
            method="initialize",
            asked="2025-11-25",
            agreed="2024-11-05",
        )
    ),
    good=seeing(),
)
@each_seen(Kind.VERSION_REFUSED, Kind.VERSION_UNKNOWN, Kind.PROBE_VERSION_ECHOED, whole=True)
def version_negotiation(seen: Seen) -> Iterator[Flaw]:
    """Every client that is newer than the server fails to connect, or speaks a protocol that the server does not."""
    asked = quoted(fact(seen, "asked") or "a newer version", 40)
    if seen.kind is Kind.VERSION_REFUSED:
        agreed = quoted(fact(seen, "agreed") or "an older one", 40)
        yield Flaw(
            f"initialize with {asked} was refused with an error; {agreed} was then agreed on",
            subject="version refused",
        )
    elif seen.kind is Kind.VERSION_UNKNOWN:
        yield Flaw(detail(seen), subject="version unknown")
    else:
        yield Flaw(
            f"initialize with the made-up version {asked} was agreed to",
            severity=Severity.WARNING,
            subject="version echoed",
        )
