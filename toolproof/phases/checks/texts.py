"""The strings of a definition that a model may read, with their pointers."""

from collections.abc import Sequence
from typing import Any

from toolproof.records import record
from toolproof.schemas.pointers import escape_token

_READ = frozenset(
    {"title", "description", "enum", "const", "default", "examples", "example", "$comment"}
)
"""Members whose strings, at any depth, end up in what a model reads."""

_MAPS = frozenset(
    {
        "properties",
        "patternProperties",
        "$defs",
        "definitions",
        "dependentSchemas",
        "dependencies",
    }
)
"""Keywords whose members are names: a property may be called `description`."""

_UNREAD = frozenset({"_meta", "icons", "name", "execution"})
"""Members of a tool that clients keep to themselves, or that rules of their own are about."""


@record
class Text:
    """One string that a model may read.

    Attributes:
        pointer: From the tool's definition: `/inputSchema/properties/city/description`.
    """

    pointer: str
    text: str


def texts_of(definition: dict[str, Any]) -> Sequence[Text]:
    """Every such string, in the order of the definition; however deep it is nested."""
    found: list[Text] = []
    stack = [
        (f"/{escape_token(member)}", value, False, member in _READ)
        for member, value in reversed(definition.items())
        if member not in _UNREAD
    ]
    while stack:
        pointer, value, of_names, is_read = stack.pop()
        if isinstance(value, str):
            if is_read:
                found.append(Text(pointer, value))
        elif isinstance(value, dict):
            stack += [
                (
                    f"{pointer}/{escape_token(key)}",
                    below,
                    not of_names and not is_read and key in _MAPS,
                    is_read or (not of_names and key in _READ),
                )
                for key, below in reversed(value.items())
                if isinstance(below, str | dict | list)
            ]
        elif isinstance(value, list):
            stack += [
                (f"{pointer}/{index}", value[index], False, is_read)
                for index in range(len(value) - 1, -1, -1)
                if isinstance(value[index], str | dict | list)
            ]
    return found
