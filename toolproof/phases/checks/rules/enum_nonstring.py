"""Rule `enum-nonstring`."""

from collections.abc import Iterator
from typing import Any

from toolproof.phases.checks.definitions import Definition
from toolproof.phases.checks.examples import CITY, sample, taking
from toolproof.phases.checks.rule import Flaw, each_tool, listing, rule
from toolproof.report import Check, Severity
from toolproof.schemas import type_of
from toolproof.text import quoted

_DETAIL = {"description": "How much to tell."}


@rule(
    check=Check.CLIENTS,
    severity=Severity.WARNING,
    title="Enum has values that are not strings",
    fix="Use strings, or minimum and maximum.",
    source=(
        "router-for-me/CLIProxyAPI#1075; microsoft/azure-devops-mcp#145; hyperdxio/hyperdx#2967"
    ),
    error_for=["gemini"],
    bad=listing(
        sample(inputSchema=taking(city=CITY, detail=_DETAIL | {"type": "integer", "enum": [0, 1]}))
    ),
    good=listing(
        sample(
            inputSchema=taking(
                city=CITY, detail=_DETAIL | {"type": "string", "enum": ["short", "full"]}
            )
        )
    ),
)
@each_tool
def enum_nonstring(tool: Definition) -> Iterator[Flaw]:
    """The Gemini API takes only strings there, and refuses the whole request over a number."""
    if tool.input is None or tool.input.dialect is None:
        return
    for node in tool.input.having("enum"):
        options = node.schema["enum"]
        for option in options if isinstance(options, list) else ():
            if not isinstance(option, str) and _may_take(node.types, option):
                yield Flaw(
                    f"enum at {node.place} has {quoted(option, 40)}; Gemini refuses values that are "
                    "not strings",
                    f"{node.pointer}/enum",
                )
                break


def _may_take(types: tuple[str, ...], value: Any) -> bool:
    """Whether a field of these types could hold the value; without types it could hold any."""
    kind = type_of(value)
    names = {kind, "number", "integer"} if kind in {"integer", "number"} else {kind}
    return not types or not names.isdisjoint(types)
