"""Rule `type-missing`."""

from collections.abc import Iterator

from toolproof.phases.checks.definitions import Definition, Node
from toolproof.phases.checks.examples import CITY, sample, taking
from toolproof.phases.checks.rule import Flaw, each_tool, listing, rule
from toolproof.report import Check, Severity

_UNIT = {"description": "The unit of the temperature, C or F."}
_TELLING = frozenset(
    {"type", "$ref", "$dynamicRef", "$recursiveRef", "const", "anyOf", "oneOf", "allOf"}
)
_CONDITIONS = frozenset({"if", "then", "else", "not"})


@rule(
    check=Check.CLIENTS,
    severity=Severity.INFO,
    title="Property has no type",
    fix="Name the type.",
    source="google-gemini/gemini-cli#6632",
    bad=listing(sample(inputSchema=taking(city=CITY, unit=_UNIT))),
    good=listing(
        sample(inputSchema=taking(city=CITY, unit=_UNIT | {"type": "string", "maxLength": 1}))
    ),
)
@each_tool
def type_missing(tool: Definition) -> Iterator[Flaw]:
    """Some clients refuse it, others make a string of it; a model has to guess."""
    if tool.input is None or tool.input.dialect is None:
        return
    for node in tool.input.nodes:
        if node.keyword != "properties" or not isinstance(node.schema, dict):
            continue
        if _TELLING.isdisjoint(node.schema) and not _is_in_a_condition(node):
            yield Flaw(f"the property at {node.place} has no type", node.pointer)


def _is_in_a_condition(node: Node) -> bool:
    """Whether it only tells cases apart: the type stands where the property is declared."""
    above = node.parent
    return above is not None and above.keyword in _CONDITIONS
