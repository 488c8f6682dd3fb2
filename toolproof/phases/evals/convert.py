"""MCP tools in the formats of providers; nothing is lost in silence."""

import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from toolproof.records import record
from toolproof.report import Note, Tool
from toolproof.text import listed

_ACCEPTED = re.compile(r"[A-Za-z0-9_-]{1,64}\Z")
"""Tool names that both APIs take."""
_COMPOSITION = ("oneOf", "anyOf", "allOf")


@record(kw_only=True)
class Converted:
    """Tools as they are sent, and the way back.

    Attributes:
        tools: In the provider's format, in the order of the list.
        names: The server's name of each name that was sent.
        notes: What had to be changed or left out, by the ids of rules.
    """

    tools: tuple[Mapping[str, Any], ...]
    names: Mapping[str, str]
    notes: tuple[Note, ...] = ()


def converted(tools: Sequence[Tool], provider: str) -> Converted:
    """The tools in the format of a provider: anthropic, openai or command.

    A name that the API refuses is sent in a form that it takes, and named in a note with the rule
    that speaks of it; an entry without a name or a schema that is no object cannot be sent.
    """
    notes: list[Note] = []
    sent: list[Mapping[str, Any]] = []
    names: dict[str, str] = {}
    reserved = {tool.name for tool in tools if _ACCEPTED.match(tool.name)}
    for tool in tools:
        if not tool.name:
            notes.append(Note("left out of the evals: it has no name (name-empty)", tool.label))
            continue
        if tool.name in names.values():
            notes.append(Note("its twin is left out of the evals (duplicate-name)", tool.label))
            continue
        if not tool.input_schema and provider != "command":
            notes.append(
                Note(
                    "left out of the evals: its inputSchema is no object (input-schema-root)",
                    tool.label,
                )
            )
            continue
        name = tool.name
        if provider != "command" and not _ACCEPTED.match(name):
            name = _accepted(name, names.keys() | reserved)
            rule = "name-length" if len(tool.name) > 64 else "name-charset"
            if re.fullmatch(r"[A-Za-z0-9_.-]{1,64}", tool.name):
                rule = "name-dot"
            notes.append(
                Note(f"sent as {name!r}: {provider} refuses its name ({rule})", tool.label)
            )
        names[name] = tool.name
        schema = tool.input_schema
        if provider == "anthropic" and any(key in schema for key in _COMPOSITION):
            found = listed(key for key in _COMPOSITION if key in schema)
            schema = {key: value for key, value in schema.items() if key not in _COMPOSITION}
            notes.append(
                Note(
                    f"sent without {found} at the root of its schema, which {provider} refuses "
                    "(schema-root-composition)",
                    tool.label,
                )
            )
        sent.append(_format(provider, name, tool.description, schema))
    return Converted(tools=tuple(sent), names=names, notes=tuple(notes))


def _format(provider: str, name: str, description: str, schema: dict[str, Any]) -> dict[str, Any]:
    if provider == "anthropic":
        return {"name": name, "description": description, "input_schema": schema}
    if provider == "openai":
        function = {"name": name, "description": description, "parameters": schema}
        return {"type": "function", "function": function}
    return {"name": name, "description": description, "inputSchema": schema}


def _accepted(name: str, taken: Collection[str]) -> str:
    """A name that the APIs take, and that no other tool has."""
    base = re.sub(r"[^A-Za-z0-9_-]", "_", name)[:60] or "tool"
    found, number = base, 1
    while found in taken:
        number += 1
        found = f"{base}_{number}"
    return found
