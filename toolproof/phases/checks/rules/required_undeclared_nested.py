"""Rule `required-undeclared-nested`."""

from collections.abc import Iterator
from typing import Any

from toolproof.phases.checks.declared import Declarations
from toolproof.phases.checks.definitions import Definition
from toolproof.phases.checks.examples import sample, taking
from toolproof.phases.checks.rule import Flaw, each_tool, listing, rule
from toolproof.report import Check, Severity
from toolproof.text import listed, quoted

_PLACE = {"type": "object", "description": "Where to look.", "required": ["city"]}
_CITY = {"type": "string", "maxLength": 100, "description": "The name of the city."}


@rule(
    check=Check.CLIENTS,
    severity=Severity.WARNING,
    title="Required field of an inner object is not declared",
    fix="Declare the field there, or take the name out of required.",
    source="NousResearch/hermes-agent#64054",
    error_for=["gemini"],
    bad=listing(sample(inputSchema=taking(place=_PLACE))),
    good=listing(sample(inputSchema=taking(place=_PLACE | {"properties": {"city": _CITY}}))),
)
@each_tool
def required_undeclared_nested(tool: Definition) -> Iterator[Flaw]:
    """Legal JSON Schema, but the Gemini API refuses the whole request over it."""
    if tool.input is None or tool.input.dialect is None:
        return
    declarations = Declarations(tool.input)
    for node in tool.input.having("required"):
        if node.parent is None or (node.types and "object" not in node.types):
            continue
        missing = () if _is_complete(node.schema) else declarations.missing(node)
        if missing:
            named = listed([quoted(name, 40) for name in missing], most=3)
            yield Flaw(
                f"required at {node.place} names {named}, not declared in properties there; Gemini "
                "refuses it",
                f"{node.pointer}/required",
            )


def _is_complete(schema: dict[str, Any]) -> bool:
    """Whether the object itself declares all that it requires, as most do."""
    names, properties = schema["required"], schema.get("properties")
    if not isinstance(names, list) or not isinstance(properties, dict):
        return False
    return all(isinstance(name, str) and name in properties for name in names)
