"""Rule `unsafe-integer`."""

from collections.abc import Iterator
from typing import Any

from toolproof.phases.checks.definitions import SchemaView
from toolproof.phases.checks.examples import CITY, sample, taking
from toolproof.phases.checks.rule import (
    CallSeen,
    Evidence,
    Flaw,
    each_call,
    each_schema,
    listing,
    rule,
)
from toolproof.report import Check, Severity
from toolproof.schemas import escape_token
from toolproof.text import one_line, quoted, shorten

_LARGEST_SAFE = 2**53 - 1
_KEYWORDS = (
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "const",
    "default",
    "enum",
)
_ROUNDED = f"outside ±{_LARGEST_SAFE:,}; JavaScript clients round it"
_SINCE = {"type": "integer", "description": "The number of the first measurement."}


@rule(
    check=Check.CLIENTS,
    severity=Severity.WARNING,
    title="Integer is too large for JavaScript",
    fix="Send such ids as strings.",
    source="oceanbase/powercontext#1098; anthropics/claude-code#78762; mrexodia/ida-pro-mcp#510",
    bad=listing(sample(inputSchema=taking(city=CITY, since=_SINCE | {"maximum": 2**63 - 1}))),
    good=listing(sample(inputSchema=taking(city=CITY, since=_SINCE | {"maximum": 2**53 - 1}))),
)
def unsafe_integer(evidence: Evidence) -> Iterator[Flaw]:
    """Clients in JavaScript hold numbers as doubles: another id comes out than was sent."""
    yield from _in_schemas(evidence)
    yield from _in_results(evidence)


@each_schema
def _in_schemas(view: SchemaView) -> Iterator[Flaw]:
    for keyword in _KEYWORDS:
        for node in view.having(keyword):
            value = node.schema[keyword]
            found = None if isinstance(value, str) else _unsafe(value)
            if found is not None:
                yield Flaw(
                    f"{keyword} at {node.place} has {quoted(found[1], 40)}, {_ROUNDED}",
                    f"{node.pointer}/{keyword}",
                )


@each_call
def _in_results(call: CallSeen) -> Iterator[Flaw]:
    found = _unsafe(call.answer.structured) if call.answer else None
    if found is not None:
        where = shorten(one_line(f"structuredContent{found[0]}"), 80)
        yield Flaw(f"a result has {quoted(found[1], 40)} at {where}, {_ROUNDED}")


def _unsafe(value: Any) -> tuple[str, int] | None:
    """The first integer that a double cannot hold, with its pointer; None where there is none."""
    stack: list[tuple[str, Any]] = [("", value)]
    while stack:
        pointer, part = stack.pop()
        match part:
            case bool():
                pass
            case int() if abs(part) > _LARGEST_SAFE:
                return pointer, part
            case dict():
                stack += reversed(
                    [(f"{pointer}/{escape_token(str(key))}", below) for key, below in part.items()]
                )
            case list():
                stack += reversed([(f"{pointer}/{at}", below) for at, below in enumerate(part)])
    return None
