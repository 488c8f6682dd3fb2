"""Habits of whole SDKs, which are no fault of one tool: how they are recognised, and when they count (pure)."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from toolproof.schemas import Breach, steps_of, value_at
from toolproof.text import count

TRUE_FOR_NUMBER = "true and false are taken for numbers"
TEXT_FOR_NUMBER = "numbers written as text are taken for numbers"
WORD_FOR_BOOLEAN = "words and numbers are taken for booleans"
NUMBER_FOR_TEXT = "numbers are taken for texts"
JSON_FOR_STRUCTURE = "JSON in a text is taken for a list or an object"
EXTRA_KEYS = "keys that a closed schema does not allow are ignored"
NO_OBJECT = "arguments that are no object are taken for none"
NULL_FOR_OPTIONAL = "null is taken for fields that may be left out"

_TOOLS = 2
_SHARE = 0.5
"""A habit is shown by so many tools at least, and by so large a share of those it was tried on."""

_SDK = re.compile(
    r"MCP error -32602: Input validation error: Invalid arguments for tool"
    r"|\d{1,6} validation errors? for \w{1,150}Arguments\b"
)
"""How the SDKs for TypeScript and Python refuse arguments: then what they let pass is theirs too.

Source: @modelcontextprotocol/sdk 1.x, server/mcp.ts; mcp 1.x and 2.x, func_metadata.
"""


def speaks_for_an_sdk(text: str) -> bool:
    """Whether a refusal was written by an SDK rather than by the tool."""
    return _SDK.search(text[:500]) is not None


def trait_of(breaches: Sequence[Breach], schema: Any) -> str:
    """The habit that arguments which are wrong in this way show if they are accepted; "" for none.

    Args:
        breaches: All that is wrong with them.
        schema: The tool's inputSchema.
    """
    found = {_trait(breach, schema) for breach in breaches}
    return found.pop() if len(found) == 1 else ""


def _trait(breach: Breach, schema: Any) -> str:
    match breach.keyword:
        case "additionalProperties" | "unevaluatedProperties":
            return EXTRA_KEYS
        case "type" | "anyOf" | "oneOf" | "enum" if breach.value is None:
            return NULL_FOR_OPTIONAL if _is_optional(breach, schema) else ""
        case "type" | "anyOf" | "oneOf":
            return _coercion(breach.value, breach.message.rpartition("expected")[2])
        case _:
            return ""


def _coercion(value: Any, wanted: str) -> str:
    numeric = "number" in wanted or "integer" in wanted
    boolean = "boolean" in wanted
    found = ""
    match value:
        case bool():
            found = TRUE_FOR_NUMBER if numeric else ""
        case str() if numeric and _is_number(value):
            found = TEXT_FOR_NUMBER
        case str() if boolean and value.strip().lower() in _BOOLEANS:
            found = WORD_FOR_BOOLEAN
        case str() if value.lstrip()[:1] in _OPENING and ("array" in wanted or "object" in wanted):
            found = JSON_FOR_STRUCTURE
        case int() | float() if boolean and value in (0, 1):
            found = WORD_FOR_BOOLEAN
        case int() | float() if "string" in wanted:
            found = NUMBER_FOR_TEXT
    return found


_OPENING = ("[", "{")
_BOOLEANS = ("true", "false", "yes", "no", "on", "off", "1", "0", "t", "f", "y", "n")


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _is_optional(breach: Breach, schema: Any) -> bool:
    """Whether it is the value of a field that need not be given."""
    steps = steps_of(breach.schema_pointer)
    if len(steps) < _FIELD or steps[-_FIELD] != "properties":
        return False
    try:
        holder = value_at(schema, steps[:-_FIELD])
    except LookupError:
        return False
    required = holder.get("required") if isinstance(holder, dict) else None
    return not (isinstance(required, list) and steps[-2] in required)


_FIELD = 3
"""Steps from an object's schema to a keyword of one of its fields: properties, name, keyword."""


@dataclass(slots=True)
class Tried:
    """Who was given wrong arguments of one sort, and who took them."""

    tools: set[str] = field(default_factory=set)
    takers: set[str] = field(default_factory=set)
    sdk: bool = False

    @property
    def is_habit(self) -> bool:
        """Whether it is the server's way rather than one tool's fault."""
        if self.sdk and self.takers:
            return True
        return len(self.takers) >= _TOOLS and len(self.takers) >= _SHARE * len(self.tools)


class Traits:
    """What was tried of each habit over all tools."""

    def __init__(self) -> None:
        self._tried: dict[str, Tried] = {}
        self.sdk = False

    def tell(self, trait: str, tool: str, *, taken: bool) -> None:
        """Wrong arguments of this sort were sent."""
        tried = self._tried.setdefault(trait, Tried())
        tried.tools.add(tool)
        if taken:
            tried.takers.add(tool)

    def refused(self, text: str) -> None:
        """A refusal came, in these words."""
        self.sdk = self.sdk or speaks_for_an_sdk(text)

    @property
    def habits(self) -> Mapping[str, Tried]:
        """The habits of the server."""
        for tried in self._tried.values():
            tried.sdk = self.sdk
        return {trait: tried for trait, tried in self._tried.items() if tried.is_habit}

    def note(self) -> str:
        """All habits in one sentence; "" where there is none."""
        told = [
            f"{trait} ({count(len(tried.takers), 'tool')})"
            for trait, tried in sorted(self.habits.items())
        ]
        if not told:
            return ""
        return f"habits of the whole server, often of its SDK: {'; '.join(told)}"
