"""Rule `schema-invalid`."""

from collections.abc import Iterator

from toolproof.phases.checks.definitions import Definition, SchemaView, place_of
from toolproof.phases.checks.examples import CITY, sample, taking
from toolproof.phases.checks.rule import Flaw, each_tool, listing, rule
from toolproof.report import Check, Severity
from toolproof.schemas import Breach, Dialect
from toolproof.text import quoted

_DAYS = {"type": "integer", "description": "How many days to look ahead."}


@rule(
    check=Check.INPUT_SCHEMA,
    severity=Severity.ERROR,
    title="Schema is not valid JSON Schema",
    fix="Correct the keyword, as the specification of the dialect has it.",
    source=(
        "MCP 2026-07-28 basic, Schema Validation; Dokploy/mcp#74; "
        "MarkusPfundstein/mcp-gsuite#52; windmill-labs/windmill#8462"
    ),
    bad=listing(sample(inputSchema=taking(city=CITY, days=_DAYS | {"exclusiveMinimum": True}))),
    good=listing(sample(inputSchema=taking(city=CITY, days=_DAYS | {"exclusiveMinimum": 0}))),
)
@each_tool
def schema_invalid(tool: Definition) -> Iterator[Flaw]:
    """A client that compiles the schema fails, and with it the call or the whole list."""
    for view in tool.schemas:
        for breach in view.breaches:
            yield _flaw(view, breach)
    if "outputSchema" in tool.object and tool.output is None:
        found = quoted(tool.object["outputSchema"], 40)
        yield Flaw(
            f"outputSchema is {found}, expected an object",
            "/outputSchema",
            check=Check.OUTPUT_SCHEMA,
            fix="Describe the result by a schema, or leave outputSchema out.",
        )


def _flaw(view: SchemaView, breach: Breach) -> Flaw:
    pointer = view.pointer + breach.pointer
    dialect = view.dialect.label if view.dialect else ""
    return Flaw(
        f"{breach.keyword or 'schema'} at {place_of(pointer)}: {breach.message} ({dialect})",
        pointer,
        check=view.check,
        fix=_fix(view, breach),
    )


def _fix(view: SchemaView, breach: Breach) -> str | None:
    """What to do about the faults that are seen most; None for the others."""
    keyword = breach.keyword
    fix = None
    match keyword, breach.value:
        case (("exclusiveMinimum" | "exclusiveMaximum"), True):
            bound = "minimum" if keyword == "exclusiveMinimum" else "maximum"
            fix = f"Write the bound itself in {keyword}, in place of {bound} and true."
        case (("exclusiveMinimum" | "exclusiveMaximum"), False):
            fix = f"Leave {keyword} out: since draft-06 it holds a number."
        case "items", list() if view.dialect is Dialect.DRAFT_2020_12:
            fix = "Write prefixItems for a list of schemas, one for each position."
        case (("properties" | "$defs" | "definitions" | "patternProperties"), []):
            fix = f"Write {{}} for an empty {keyword}, not []."
        case "required", (bool() | None):
            fix = "Write a list of names in required, beside properties, or leave it out."
        case "type", (str() | None):
            fix = "Use one of array, boolean, integer, null, number, object and string."
        case _, None if keyword:
            fix = f"Leave {keyword} out, in place of null."
    return fix
