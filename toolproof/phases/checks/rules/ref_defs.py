"""Rule `ref-defs`."""

from collections.abc import Iterator

from toolproof.phases.checks.definitions import SchemaView, place_of
from toolproof.phases.checks.examples import CITY, sample, taking
from toolproof.phases.checks.rule import Flaw, each_schema, listing, rule
from toolproof.report import Check, Severity
from toolproof.text import count

_REFERRING = taking(city={"$ref": "#/$defs/City"}) | {"$defs": {"City": CITY}}


@rule(
    check=Check.CLIENTS,
    severity=Severity.INFO,
    title="Schema refers to its own parts",
    fix="Put the schema in place of the reference for old clients.",
    source="PrefectHQ/fastmcp#2861; basicmachines-co/basic-memory#444",
    bad=listing(sample(inputSchema=_REFERRING)),
    good=listing(sample(inputSchema=taking(city=CITY))),
)
@each_schema
def ref_defs(view: SchemaView) -> Iterator[Flaw]:
    """Legal and common; only old clients pass the schema on without what it refers to."""
    local = [reference for reference in view.references if reference.target is not None]
    if local:
        first = view.pointer + local[0].pointer
        yield Flaw(
            f"{view.member} has {count(len(local), 'reference')} to its own parts, the first at "
            f"{place_of(first)}; old clients do not follow them",
            first,
        )
