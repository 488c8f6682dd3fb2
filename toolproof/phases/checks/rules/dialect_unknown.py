"""Rule `dialect-unknown`."""

from collections.abc import Iterator

from toolproof.phases.checks.definitions import Definition, SchemaView
from toolproof.phases.checks.examples import CITY, sample, taking
from toolproof.phases.checks.rule import Flaw, each_tool, listing, rule
from toolproof.report import Check, Severity
from toolproof.schemas import Dialect
from toolproof.text import nearest, quoted


@rule(
    check=Check.CLIENTS,
    severity=Severity.WARNING,
    title="Dialect of a schema is not known",
    fix="Use 2020-12, or leave $schema out.",
    source="MCP 2026-07-28 basic, JSON Schema Usage",
    error_for=["strict"],
    bad=listing(
        sample(inputSchema=taking(city=CITY) | {"$schema": "https://example.com/schema/v1"})
    ),
    good=listing(sample(inputSchema=taking(city=CITY) | {"$schema": Dialect.DRAFT_2020_12.value})),
)
@each_tool
def dialect_unknown(tool: Definition) -> Iterator[Flaw]:
    """Nobody can say what the schema means: strict validators refuse it, others guess."""
    for view in (tool.input, tool.output):
        if view is not None and view.dialect is None:
            yield _flaw(view)


def _flaw(view: SchemaView) -> Flaw:
    declared = str(view.schema["$schema"])
    meant = nearest(declared[:200], [dialect.value for dialect in Dialect])
    known = f"Write {meant!r}, or leave $schema out." if meant else None
    return Flaw(
        f"$schema {quoted(declared, 60)} names no known dialect; strict validators refuse it, and "
        f"{view.member} is not checked or fuzzed further",
        f"{view.pointer}/$schema",
        fix=known,
    )
