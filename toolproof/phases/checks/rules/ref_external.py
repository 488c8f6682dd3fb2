"""Rule `ref-external`."""

from collections.abc import Iterator

from toolproof.phases.checks.definitions import SchemaView, place_of
from toolproof.phases.checks.examples import CITY, sample, taking
from toolproof.phases.checks.rule import Flaw, each_schema, listing, rule
from toolproof.report import Check, Severity
from toolproof.schemas import RefKind
from toolproof.text import quoted


@rule(
    check=Check.INPUT_SCHEMA,
    severity=Severity.ERROR,
    title="Reference leads to another document",
    fix="Copy the referenced schema under $defs.",
    source="MCP 2026-07-28 basic, $ref Resolution",
    bad=listing(sample(inputSchema=taking(city={"$ref": "https://example.com/city.json"}))),
    good=listing(
        sample(inputSchema=taking(city={"$ref": "#/$defs/City"}) | {"$defs": {"City": CITY}})
    ),
)
@each_schema
def ref_external(view: SchemaView) -> Iterator[Flaw]:
    """Clients must not fetch it, so that nobody knows what the schema says."""
    for reference in view.references:
        if reference.kind is RefKind.EXTERNAL:
            pointer = view.pointer + reference.pointer
            yield Flaw(
                f"{reference.keyword} {quoted(reference.ref, 60)} at {place_of(pointer)} "
                "leads to another document, which is never fetched",
                pointer,
                check=view.check,
                fix=_fix(view, reference.ref),
            )


def _fix(view: SchemaView, ref: str) -> str | None:
    """The reference that was probably meant, where a definition has just that name."""
    for keyword in ("$defs", "definitions"):
        definitions = view.schema.get(keyword)
        if isinstance(definitions, dict) and ref in definitions:
            return f"Write {quoted(f'#/{keyword}/{ref}', 60)}."
    return None
