"""Whether arguments fit a tool's inputSchema, and its results the outputSchema."""

import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from toolproof.connection.wire import MODERN, REVISIONS
from toolproof.records import record
from toolproof.report import Tool
from toolproof.schemas import Breach, SchemaError, Validator, steps_of, value_at
from toolproof.text import listed, quoted

MOST_BREACHES = 20
"""So many ways in which one value does not fit are looked for."""

_OUTPUT_SINCE = "2025-06-18"


@record
class Mismatch:
    """A result that is not what the tool's outputSchema promises.

    Attributes:
        message: What was found, where, and what the schema wants.
        pointer: Into structuredContent; empty for the whole of it.
        schema_pointer: Into the outputSchema; empty where there is no structured content at all.
        keyword: The keyword that is broken; empty likewise.
    """

    message: str
    pointer: str = ""
    schema_pointer: str = ""
    keyword: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class _Held:
    """A schema, the same only as itself: comparing big ones would cost more than compiling."""

    schema: Any

    def __hash__(self) -> int:
        return id(self.schema)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Held) and self.schema is other.schema


@functools.lru_cache(maxsize=256)
def _compiled(held: _Held) -> Validator | None:
    try:
        return Validator(held.schema)
    except SchemaError:
        return None


def validator_of(schema: Any) -> Validator | None:
    """The compiled schema, made once; None where no value can be judged by it.

    Args:
        schema: The very object that the tool's definition holds; it must not change.
    """
    return _compiled(_Held(schema))


def argument_breaches(tool: Tool | None, arguments: Any) -> Sequence[Breach]:
    """How the arguments of a call break the tool's inputSchema; none where that is not known.

    Args:
        tool: The called one; None where it is not listed.
        arguments: None for a call without the member, which counts as an empty object.
    """
    validator = validator_of(tool.input_schema) if tool and tool.input_schema else None
    if validator is None:
        return ()
    return list(islice(validator.breaches({} if arguments is None else arguments), MOST_BREACHES))


def output_mismatch(tool: Tool | None, result: Any, revision: str) -> Sequence[Mismatch]:
    """How a result breaks the tool's outputSchema; empty where it does not, or is not judged.

    Not judged are results with `isError`, those that ask for input, revisions before 2025-06-18,
    which know no outputSchema, and schemas that are not sound themselves.

    Args:
        tool: The called one; None where it is not listed.
        result: The `result` member as it came, of whatever type.
        revision: The agreed one.
    """
    schema = tool.output_schema if tool else None
    if schema is None or not _is_judged(result, revision):
        return ()
    validator = validator_of(schema)
    if validator is None:
        return ()
    structured = result.get("structuredContent")
    if structured is None and (revision != MODERN or "structuredContent" not in result):
        return [Mismatch("the result has no structuredContent, which outputSchema promises")]
    breaches = islice(validator.breaches(structured), MOST_BREACHES)
    return [_told(breach, schema) for breach in breaches]


def _is_judged(result: Any, revision: str) -> bool:
    if not isinstance(result, Mapping) or result.get("isError") is True:
        return False
    if result.get("resultType", "complete") != "complete":
        return False
    return revision not in REVISIONS or REVISIONS.index(revision) >= REVISIONS.index(_OUTPUT_SINCE)


def _told(breach: Breach, schema: Any) -> Mismatch:
    where = f"structuredContent at {breach.pointer}" if breach.pointer else "structuredContent"
    message = f"{where}: {breach.message}"
    allowed = _allowed(breach, schema)
    if allowed:
        message += f"; only {listed(allowed)}"
    return Mismatch(message, breach.pointer, breach.schema_pointer, breach.keyword)


def _allowed(breach: Breach, schema: Any) -> list[str]:
    """The keys that a closed object may have, where one too many was found."""
    if breach.keyword not in ("additionalProperties", "unevaluatedProperties"):
        return []
    try:
        holder = value_at(schema, steps_of(breach.schema_pointer)[:-1])
    except LookupError:
        return []
    properties = holder.get("properties") if isinstance(holder, dict) else None
    return [quoted(name, 30) for name in properties] if isinstance(properties, dict) else []
