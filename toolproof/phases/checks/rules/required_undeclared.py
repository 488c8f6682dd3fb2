"""Rule `required-undeclared`."""

from collections.abc import Iterator

from toolproof.phases.checks.declared import Declarations
from toolproof.phases.checks.definitions import Definition
from toolproof.phases.checks.examples import CITY, sample, taking
from toolproof.phases.checks.rule import Flaw, each_tool, listing, rule
from toolproof.report import Check, Severity
from toolproof.text import listed, quoted


@rule(
    check=Check.REQUIRED_FIELDS,
    severity=Severity.ERROR,
    title="A required field is not declared",
    fix="Declare the field, or take the name out of required.",
    source=(
        "MarkusPfundstein/mcp-obsidian#105; google-gemini/gemini-cli#1458; probelabs/probe#569"
    ),
    bad=listing(sample(inputSchema=taking("city", "country", city=CITY))),
    good=listing(sample(inputSchema=taking("city", city=CITY))),
)
@each_tool
def required_undeclared(tool: Definition) -> Iterator[Flaw]:
    """A valid call cannot be built from the schema: nobody knows what the field takes."""
    view = tool.input
    if view is None or view.dialect is None:
        return
    missing = Declarations(view).missing(view.root)
    if missing:
        named = listed([quoted(name, 40) for name in missing])
        yield Flaw(f"required fields not listed in properties: {named}", "/inputSchema/required")
