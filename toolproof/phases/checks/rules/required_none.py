"""Rule `required-none`."""

from collections.abc import Iterator

from toolproof.phases.checks.declared import Declarations
from toolproof.phases.checks.definitions import Definition
from toolproof.phases.checks.examples import CITY, sample, taking
from toolproof.phases.checks.rule import Flaw, each_tool, listing, rule
from toolproof.report import Check, Severity
from toolproof.text import count

_OPTIONAL = {word: value for word, value in taking(city=CITY).items() if word != "required"}


@rule(
    check=Check.REQUIRED_FIELDS,
    severity=Severity.WARNING,
    title="No field is required",
    fix="List in required the fields that the tool cannot work without.",
    source="product specification",
    bad=listing(sample(inputSchema=_OPTIONAL)),
    good=listing(sample(inputSchema=taking("city", city=CITY))),
)
@each_tool
def required_none(tool: Definition) -> Iterator[Flaw]:
    """A model may leave everything out; often that is fine, sometimes the list was forgotten."""
    view = tool.input
    if view is None or view.dialect is None:
        return
    properties = view.schema.get("properties")
    if not isinstance(properties, dict) or not properties or view.schema.get("required", []) != []:
        return
    if not Declarations(view).requires(view.root):
        optional = count(len(properties), "property", "properties")
        yield Flaw(f"the schema has {optional} and none is required", "/inputSchema/properties")
