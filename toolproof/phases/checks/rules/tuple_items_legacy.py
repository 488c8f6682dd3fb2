"""Rule `tuple-items-legacy`."""

from collections.abc import Iterator

from toolproof.phases.checks.definitions import SchemaView
from toolproof.phases.checks.examples import sample, taking
from toolproof.phases.checks.rule import Flaw, each_schema, listing, rule
from toolproof.report import Check, Severity
from toolproof.schemas import Dialect

_POINT = {"type": "array", "description": "Latitude and longitude.", "maxItems": 2}
_PAIR = [{"type": "number"}, {"type": "number"}]


@rule(
    check=Check.CLIENTS,
    severity=Severity.WARNING,
    title="Tuple is written as a list in items",
    fix="Use prefixItems and 2020-12.",
    source="NousResearch/hermes-agent#20976; hyperdxio/hyperdx#2967",
    error_for=["claude", "gemini"],
    bad=listing(
        sample(
            inputSchema=taking(point=_POINT | {"items": _PAIR}) | {"$schema": f"{Dialect.DRAFT_7}#"}
        )
    ),
    good=listing(sample(inputSchema=taking(point=_POINT | {"prefixItems": _PAIR}))),
)
@each_schema
def tuple_items_legacy(view: SchemaView) -> Iterator[Flaw]:
    """Valid in the dialect it declares, but clients read 2020-12, where items is one schema."""
    if view.dialect is Dialect.DRAFT_2020_12:  # there it is invalid, and schema-invalid says so
        return
    for node in view.having("items"):
        if isinstance(node.schema["items"], list):
            yield Flaw(
                f"items at {node.place} is a list of schemas; Claude and Gemini refuse it, expected "
                "prefixItems",
                f"{node.pointer}/items",
            )
