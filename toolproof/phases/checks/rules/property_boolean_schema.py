"""Rule `property-boolean-schema`."""

from collections.abc import Iterator

from toolproof.phases.checks.definitions import SchemaView
from toolproof.phases.checks.examples import CITY, sample, taking
from toolproof.phases.checks.rule import Flaw, each_schema, listing, rule
from toolproof.report import Check, Severity
from toolproof.schemas import Dialect


@rule(
    check=Check.CLIENTS,
    severity=Severity.WARNING,
    title="A property's schema is true or false",
    fix="Write {}, or the type it has.",
    source="anthropics/claude-code#92900; anomalyco/opencode#49464; docker/docker-agent#3634",
    error_for=["claude", "gemini"],
    bad=listing(sample(inputSchema=taking(city=CITY, unit=True))),
    good=listing(
        sample(
            inputSchema=taking(
                city=CITY,
                unit={"type": "string", "maxLength": 1, "description": "The unit, C or F."},
            )
        )
    ),
)
@each_schema
def property_boolean_schema(view: SchemaView) -> Iterator[Flaw]:
    """Typed clients expect an object there, and drop the tool or the whole list."""
    if view.dialect is Dialect.DRAFT_4:  # there it is invalid, and schema-invalid says so
        return
    for node in view.nodes:
        if node.keyword == "properties" and isinstance(node.schema, bool):
            yield Flaw(
                f"the schema of the property at {node.place} is {str(node.schema).lower()}; Claude "
                "and Gemini refuse it, expected an object",
                node.pointer,
            )
