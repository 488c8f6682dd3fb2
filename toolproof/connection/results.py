"""From what became of a request to a CallResult."""

from collections.abc import Mapping
from typing import Any

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
