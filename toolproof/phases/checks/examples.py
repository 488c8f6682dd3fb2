"""What the examples of rules are made of: a tool that breaks no rule, and calls of it."""

from collections.abc import Mapping
from typing import Any

from toolproof.connection.observations import Kind, Observation
from toolproof.report import Answer, CallResult, CallSeen, Fault, Tool

CITY: Mapping[str, Any] = {
    "type": "string",
    "maxLength": 100,
    "description": "The name of the city.",
}
"""A parameter as it should be."""

NOTHING: Mapping[str, Any] = {"type": "object", "additionalProperties": False}
"""The inputSchema of a tool without arguments."""


def taking(*required: str, **properties: Any) -> dict[str, Any]:
    """An inputSchema with these properties; the first is required if none is named."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(required or list(properties)[:1]),
        "additionalProperties": False,
    }


def sample(name: str = "get_weather", **members: Any) -> dict[str, Any]:
    """A tool that breaks no rule, but for these members."""
    made = {
        "name": name,
        "description": "Tells what the sky over a city looks like today.",
        "inputSchema": taking(city=dict(CITY)),
        "annotations": {"readOnlyHint": True},
    }
    return made | members


def answer(words: str, **members: Any) -> dict[str, Any]:
    """A result with one block of text."""
    return {"content": [{"type": "text", "text": words}], **members}


def called(
    reply: Mapping[str, Any] | Fault,
    arguments: Mapping[str, Any] | None = None,
    *,
    valid: bool | None = True,
    raw: Mapping[str, Any] | None = None,
) -> CallSeen:
    """A call of the tool, with what came of it: a result as it came, or why there is none."""
    definition = sample() if raw is None else dict(raw)
    result = CallResult(
        tool=str(definition["name"]),
        arguments={"city": "Oslo"} if arguments is None else arguments,
        latency_ms=12.0,
        reply=Answer(reply) if isinstance(reply, Mapping) else reply,
    )
    return CallSeen(tool=Tool(definition), result=result, valid=valid)


def saw(
    kind: Kind, detail: str, *, tool: str | None = None, method: str | None = None, **facts: Any
) -> Observation:
    """Something that the wire saw."""
    return Observation(kind, detail, tool, method, facts=facts)
