"""Rule `ref-recursive`."""

from collections.abc import Iterator

from toolproof.phases.checks.definitions import SchemaView, place_of
from toolproof.phases.checks.examples import CITY, sample, taking
from toolproof.phases.checks.rule import Flaw, each_schema, listing, rule
from toolproof.report import Check, Severity
from toolproof.schemas import RefKind
from toolproof.text import quoted

_AREA = {
    "type": "object",
    "description": "An area, with those in it.",
    "properties": {
        "city": CITY,
        "areas": {
            "type": "array",
            "maxItems": 9,
            "description": "The areas in it.",
            "items": {"$ref": "#/$defs/Area"},
        },
    },
}
_FLAT = {"type": "object", "description": "An area.", "properties": {"city": CITY}}


@rule(
    check=Check.CLIENTS,
    severity=Severity.INFO,
    title="Reference leads back to itself",
    fix="Limit the depth in the schema if clients expand references.",
    source="mastra-ai/mastra#15341; PrefectHQ/fastmcp#3893",
    bad=listing(
        sample(inputSchema=taking(area={"$ref": "#/$defs/Area"}) | {"$defs": {"Area": _AREA}})
    ),
    good=listing(sample(inputSchema=taking(area=_FLAT))),
)
@each_schema
def ref_recursive(view: SchemaView) -> Iterator[Flaw]:
    """A client that puts the schema in place of each reference never ends, or gives up."""
    recursive = [r for r in view.references if r.kind is RefKind.RECURSIVE]
    if recursive:
        first = recursive[0]
        pointer = view.pointer + first.pointer
        yield Flaw(
            f"{first.keyword} {quoted(first.ref, 60)} at {place_of(pointer)} leads back to itself; "
            "clients that expand references never end",
            pointer,
        )
