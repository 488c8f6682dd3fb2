"""Rule `ref-unresolvable`."""

from collections.abc import Iterator

from toolproof.phases.checks.definitions import SchemaView, place_of
from toolproof.phases.checks.examples import CITY, sample, taking
from toolproof.phases.checks.rule import Flaw, each_schema, listing, rule
from toolproof.report import Check, Severity
from toolproof.schemas import RefKind
from toolproof.text import quoted

_REFERRING = taking(city={"$ref": "#/$defs/City"})


@rule(
    check=Check.INPUT_SCHEMA,
    severity=Severity.ERROR,
    title="Reference points to nothing",
    fix="Add the missing entry under $defs, or put the schema in place of the reference.",
    source=(
        "davideast/stitch-mcp#184; anthropics/claude-code#76040; "
        "universal-tool-calling-protocol/typescript-utcp#12"
    ),
    bad=listing(sample(inputSchema=_REFERRING)),
    good=listing(sample(inputSchema=_REFERRING | {"$defs": {"City": CITY}})),
)
@each_schema
def ref_unresolvable(view: SchemaView) -> Iterator[Flaw]:
    """A client that follows the reference fails; the meta-schema does not see it."""
    for reference in view.references:
        if reference.kind is RefKind.DANGLING:
            pointer = view.pointer + reference.pointer
            yield Flaw(
                f"{reference.keyword} {quoted(reference.ref, 60)} at {place_of(pointer)} "
                "points to nothing in the schema",
                pointer,
                check=view.check,
                fix=_fix(view, reference.ref),
            )


def _fix(view: SchemaView, ref: str) -> str | None:
    """The reference that was probably meant, where the name is kept under the other keyword."""
    for wrong, right in (("definitions", "$defs"), ("$defs", "definitions")):
        kept = view.schema.get(right)
        name = ref.removeprefix(f"#/{wrong}/")
        if name != ref and isinstance(kept, dict) and name in kept:
            return f"Write {quoted(f'#/{right}/{name}', 60)}."
    return None
