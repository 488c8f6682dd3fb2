"""Rule `invalid-cursor-accepted`."""

from collections.abc import Iterator

from toolproof.connection.observations import Kind, Seen
from toolproof.phases.checks.examples import saw
from toolproof.phases.checks.rule import Flaw, each_seen, rule, seeing
from toolproof.report import Check, Severity


@rule(
    check=Check.PROTOCOL,
    severity=Severity.INFO,
    probe=True,
    title="A cursor that the server never gave is accepted",
    fix="Answer with the error -32602.",
    source="MCP 2026-07-28 server/utilities/pagination, Error Handling; LIghtJUNction/OniMods#235",
    bad=seeing(
        saw(
            Kind.PROBE_CURSOR_ACCEPTED,
            "tools/list with a made-up cursor gave a list",
            request="tools/list",
        )
    ),
    good=seeing(),
)
@each_seen(Kind.PROBE_CURSOR_ACCEPTED, whole=True)
def invalid_cursor_accepted(_seen: Seen) -> Iterator[Flaw]:
    """A client whose cursor has expired gets the first page again, and may go round in circles."""
    yield Flaw(
        "a cursor that the server never gave is answered with a list, the error -32602 is due"
    )
