"""Rule `unbounded-size`."""

from collections.abc import Iterator
from typing import Any

from toolproof.phases.checks.definitions import Definition, Node
from toolproof.phases.checks.examples import CITY, sample, taking
from toolproof.phases.checks.rule import Flaw, each_tool, listing, rule
from toolproof.report import Check, Severity
from toolproof.text import count, listed, quoted

_NOTE = {"type": "string", "description": "The text of the note."}
_LIMITING = ("maxLength", "enum", "const", "format", "pattern")


@rule(
    check=Check.QUALITY,
    severity=Severity.INFO,
    title="Strings or arrays have no limit on their size",
    fix="Set the limit that the server has anyway: maxLength, maxItems.",
    source="general practice",
    bad=listing(sample("add_note", inputSchema=taking(note=_NOTE, city=CITY))),
    good=listing(
        sample("add_note", inputSchema=taking(note=_NOTE | {"maxLength": 500}, city=CITY))
    ),
)
@each_tool
def unbounded_size(tool: Definition) -> Iterator[Flaw]:
    """A model that pastes a whole file in finds the server's own limit the hard way."""
    if tool.input is None:
        return
    places = [_place(node) for node in tool.input.having("type") if _is_unbounded(node.schema)]
    if places:
        yield Flaw(
            f"no limit on the size of {count(len(places), 'value')}: "
            f"{listed(quoted(place, 60) for place in places)}",
            "/inputSchema",
        )


def _is_unbounded(schema: dict[str, Any]) -> bool:
    kinds = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    if "string" in kinds and not any(keyword in schema for keyword in _LIMITING):
        return True
    return "array" in kinds and not any(word in schema for word in ("maxItems", "enum", "const"))


def _place(node: Node) -> str:
    """The pointer in short: `tags/items` for `/inputSchema/properties/tags/items`."""
    return node.pointer.removeprefix("/inputSchema/").replace("properties/", "")
