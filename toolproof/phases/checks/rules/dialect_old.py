"""Rule `dialect-old`."""

from collections.abc import Iterator

from toolproof.phases.checks.definitions import SchemaView
from toolproof.phases.checks.examples import CITY, sample, taking
from toolproof.phases.checks.rule import Flaw, each_schema, listing, rule
from toolproof.report import Check, Severity
from toolproof.schemas import Dialect


@rule(
    check=Check.CLIENTS,
    severity=Severity.WARNING,
    title="Schema is of an old dialect",
    fix="Convert the schema to 2020-12.",
    source="invopop/jsonschema#99; Dokploy/mcp#74",
    error_for=["claude"],
    bad=listing(sample(inputSchema=taking(city=CITY) | {"$schema": f"{Dialect.DRAFT_4}#"})),
    good=listing(sample(inputSchema=taking(city=CITY) | {"$schema": f"{Dialect.DRAFT_7}#"})),
)
@each_schema
def dialect_old(view: SchemaView) -> Iterator[Flaw]:
    """Today's clients read 2020-12, some draft-07: what an older schema says is lost on them."""
    if view.dialect is not None and view.dialect.is_old:
        yield Flaw(
            f"$schema of {view.member} names {view.dialect.label}; Claude and others read 2020-12, "
            "some draft-07",
            f"{view.pointer}/$schema",
        )
