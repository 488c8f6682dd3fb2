"""Rule `keyword-type-mismatch`."""

from collections.abc import Iterator

from toolproof.phases.checks.definitions import Definition
from toolproof.phases.checks.examples import CITY, sample, taking
from toolproof.phases.checks.rule import Flaw, each_tool, listing, rule
from toolproof.report import Check, Severity
from toolproof.schemas.keywords import TYPES
from toolproof.text import listed, quoted

_PLACE = {
    "description": "Where the city lies.",
    "properties": {"country": {"type": "string", "maxLength": 2, "description": "Its country."}},
}


@rule(
    check=Check.CLIENTS,
    severity=Severity.WARNING,
    title="Keywords of an object stand beside another type",
    fix="Make it an object, or drop the keywords.",
    source="anomalyco/opencode#11889",
    error_for=["gemini"],
    bad=listing(
        sample(inputSchema=taking(city=CITY, place=_PLACE | {"type": "string", "maxLength": 99}))
    ),
    good=listing(sample(inputSchema=taking(city=CITY, place=_PLACE | {"type": "object"}))),
)
@each_tool
def keyword_type_mismatch(tool: Definition) -> Iterator[Flaw]:
    """They have no effect, and the Gemini API refuses the whole request over them."""
    if tool.input is None or tool.input.dialect is None:
        return
    nodes = dict.fromkeys([*tool.input.having("properties"), *tool.input.having("required")])
    for node in nodes:
        kinds = node.types
        if "object" in kinds or not any(kind in TYPES for kind in kinds):
            continue
        used = [
            keyword
            for keyword, kind in (("properties", dict), ("required", list))
            if isinstance(node.schema.get(keyword), kind)
        ]
        if used:
            yield Flaw(
                f"{listed(used)} beside the type {quoted(node.schema['type'], 40)} at {node.place} "
                f"{'has' if len(used) == 1 else 'have'} no effect; Gemini refuses it",
                f"{node.pointer}/{used[0]}",
            )
