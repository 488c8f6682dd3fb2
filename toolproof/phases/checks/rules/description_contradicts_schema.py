"""Rule `description-contradicts-schema`."""

import re
from collections.abc import Iterator
from typing import Any

from toolproof.phases.checks.definitions import Definition, Node
from toolproof.phases.checks.examples import sample, taking
from toolproof.phases.checks.rule import Flaw, each_tool, listing, rule
from toolproof.report import Check, Severity
from toolproof.schemas import escape_token
from toolproof.text import quoted

_OPTIONAL = re.compile(
    r"\W{0,5}optional\b(?!-)|.{0,2000}?\(optional[),;:]", re.IGNORECASE | re.DOTALL
)
_REQUIRED = re.compile(
    r"(?:\W{0,5}required\s{0,2}(?:[.!)\]*]|[:;,\u2013\u2014-]|$)|.{0,2000}?\(required[),;:])"
    r"(?!\s{0,3}(?:only\s)?(?:if|when|unless|for|with|in case)\b)",
    re.IGNORECASE | re.DOTALL,
)
_CONDITIONS = (
    "anyOf",
    "oneOf",
    "allOf",
    "then",
    "else",
    "dependentRequired",
    "dependentSchemas",
    "dependencies",
)

_SIZE = {
    "type": "integer",
    "minimum": 1,
    "maximum": 50,
    "description": "Optional. How many tickets a page has.",
}


@rule(
    check=Check.QUALITY,
    severity=Severity.WARNING,
    title="A parameter's description contradicts required",
    fix="Correct the description, or the list in required.",
    source="general practice",
    bad=listing(sample("search_tickets", inputSchema=taking("page_size", page_size=_SIZE))),
    good=listing(
        sample(
            "search_tickets",
            inputSchema=taking(
                "text",
                text={"type": "string", "maxLength": 99, "description": "What to look for."},
                page_size=_SIZE,
            ),
        )
    ),
)
@each_tool
def description_contradicts_schema(tool: Definition) -> Iterator[Flaw]:
    """A model that believes the text leaves out what is refused as missing, or makes up a value."""
    if tool.input is None:
        return
    for node in tool.input.having("properties"):
        yield from _fields(node)


def _fields(node: Node) -> Iterator[Flaw]:
    properties, required = node.schema["properties"], node.schema.get("required", [])
    if not isinstance(properties, dict) or not isinstance(required, list):
        return
    names = {name for name in required if isinstance(name, str)}
    conditional: set[str] | None = None
    for name, field in properties.items():
        description = field.get("description") if isinstance(field, dict) else None
        if not isinstance(description, str):
            continue
        pointer = f"{node.pointer}/properties/{escape_token(name)}"
        if name in names:
            if _OPTIONAL.match(description):
                yield _flaw(name, "is required", description, pointer)
        elif _REQUIRED.match(description):
            if conditional is None:
                conditional = _conditionally(node.schema)
            if name not in conditional:
                yield _flaw(name, "is not in required", description, pointer)


def _flaw(name: str, fact: str, description: str, pointer: str) -> Flaw:
    return Flaw(
        f"{quoted(name, 40)} {fact}, but its description says {quoted(description, 60)}", pointer
    )


def _conditionally(schema: dict[str, Any]) -> set[str]:
    """Names that a choice or a condition of the same object may require."""
    found: set[str] = set()
    stack = [schema.get(keyword) for keyword in _CONDITIONS]
    for _ in range(1_000):
        if not stack:
            break
        part = stack.pop()
        if isinstance(part, str):
            found.add(part)
        elif isinstance(part, list):
            stack += part
        elif isinstance(part, dict):
            stack += [below for key, below in part.items() if key not in ("properties", "enum")]
    return found
