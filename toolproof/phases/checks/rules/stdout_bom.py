"""Rule `stdout-bom`."""

from collections.abc import Iterator

from toolproof.connection.observations import Kind, Seen
from toolproof.phases.checks.examples import saw
from toolproof.phases.checks.rule import Flaw, each_seen, rule, seeing
from toolproof.phases.checks.sightings import times
from toolproof.report import Check, Severity


@rule(
    check=Check.PROTOCOL,
    severity=Severity.ERROR,
    title="Messages begin with a byte order mark",
    fix="Write UTF-8 without a byte order mark.",
    source="modelcontextprotocol/typescript-sdk#2790; joshrotenberg/tower-mcp#795",
    bad=seeing(
        saw(Kind.STDOUT_BOM, "a byte order mark (U+FEFF) before a message", method="initialize")
    ),
    good=seeing(),
)
@each_seen(Kind.STDOUT_BOM)
def stdout_bom(seen: Seen) -> Iterator[Flaw]:
    """Most clients cannot parse such a line: they wait for an answer that has long been there."""
    yield Flaw(f"a message begins with a byte order mark, U+FEFF{times(seen)}")
