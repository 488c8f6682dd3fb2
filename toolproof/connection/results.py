"""From what became of requests to the words of the report: CallResult and ServerInfo."""

from collections.abc import Mapping
from typing import Any

from toolproof.connection.handshake import Handshake
from toolproof.connection.lists import Walk, What
from toolproof.connection.wire import Failure, Outcome
from toolproof.report.call import (
    Answer,
    CallResult,
    ConnectionLost,
    Fault,
    Malformed,
    RpcError,
    TimedOut,
)
from toolproof.report.server import Listed, ServerInfo, Timing, Tool


def call_result(
    tool: str, arguments: Mapping[str, Any] | None, outcome: Outcome, limit_s: float
) -> CallResult:
    """The outcome of a tool call, in the words of the report.

    Args:
        arguments: None where the call had none.
        limit_s: The idle limit that the call had.
    """
    return CallResult(
        tool=tool,
        arguments=arguments,
        latency_ms=outcome.latency_ms,
        reply=reply_of(outcome, limit_s),
    )


def reply_of(outcome: Outcome, limit_s: float) -> Answer | Fault:
    """What came back, or why nothing did."""
    if outcome.result is not None:
        return Answer(raw=outcome.result)
    if outcome.error is not None:
        message = outcome.error.get("message")
        return RpcError(
            code=outcome.error["code"],
            message=message if isinstance(message, str) else "",
            data=outcome.error.get("data"),
        )
    if outcome.failure is Failure.TIMEOUT:
        return TimedOut(limit_s=limit_s, detail=outcome.detail)
    if outcome.failure is Failure.LOST:
        return ConnectionLost(reason=outcome.detail)
    return Malformed(detail=outcome.detail)


def info_of(agreed: Handshake, found: Mapping[What, Walk], transport: str) -> ServerInfo:
    """What the handshake and the lists say of a server.

    Args:
        found: The lists that were read; without one, it is empty.
    """
    tools = found["tools"]
    return ServerInfo(
        name=agreed.name,
        version=agreed.version,
        protocol=agreed.revision,
        transport=transport,
        capabilities=agreed.capabilities,
        instructions=agreed.instructions,
        tools=tuple(Tool(raw, index) for index, raw in enumerate(tools.entries)),
        resources=_listed(found.get("resources")),
        resource_templates=_listed(found.get("resource_templates")),
        prompts=_listed(found.get("prompts")),
        timing=Timing(agreed.start_ms, tools.took_ms, tools.size),
    )


def _listed(found: Walk | None) -> tuple[Listed, ...]:
    return tuple(Listed(raw, index) for index, raw in enumerate(found.entries if found else ()))
