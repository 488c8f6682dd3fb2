"""One tool call: what was sent, what came back, and how long it took."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from toolproof.records import record
from toolproof.report.server import Tool


@record
class Answer:
    """A tool result as it came.

    Attributes:
        raw: The whole `result` object.
    """

    raw: Mapping[str, Any]

    @property
    def is_error(self) -> bool:
        return self.raw.get("isError") is True

    @property
    def text(self) -> str:
        """The text blocks joined by newlines; of a resource its texts, of a prompt its messages'."""
        raw = self.raw
        if "content" in raw:
            blocks = _objects(raw["content"])
        elif "messages" in raw:
            blocks = _objects([message.get("content") for message in _objects(raw["messages"])])
        else:
            blocks = [{"type": "text", **block} for block in _objects(raw.get("contents"))]
        texts = [block.get("text") for block in blocks if block.get("type") == "text"]
        return "\n".join(text for text in texts if isinstance(text, str))

    @property
    def structured(self) -> Any:
        return self.raw.get("structuredContent")


def _objects(value: Any) -> list[dict[str, Any]]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


@record
class TimedOut:
    """Nothing came back within the time limit.

    Attributes:
        detail: What is known of it: how long, how late an answer came, what was not read.
    """

    limit_s: float
    detail: str = ""


@record
class ConnectionLost:
    """The server went away before it gave a result: exit code or signal, and its last words."""

    reason: str


@record
class RpcError:
    """A JSON-RPC error came back in place of a tool result."""

    code: int
    message: str
    data: Any = None


@record
class Malformed:
    """What came back is neither a result nor an error, or a result that needs what nobody gives."""

    detail: str


Fault = TimedOut | ConnectionLost | RpcError | Malformed
"""Why a call has no tool result."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CallResult:
    """The outcome of one call.

    A call ends in exactly one of five ways, and `reply` holds that one: so nothing can say at once
    that the tool answered and that it timed out. What is public is derived from it.

    Attributes:
        tool: The tool that was called.
        arguments: What it was called with; None where the call had no `arguments` member.
        latency_ms: From sending the request to having the whole answer, in milliseconds.
        reply: Internal; what came back, or why nothing did.
    """

    tool: str
    arguments: Mapping[str, Any] | None
    latency_ms: float
    reply: Answer | Fault

    @property
    def fault(self) -> Fault | None:
        """Internal; why there is no tool result, if there is none."""
        return None if isinstance(self.reply, Answer) else self.reply

    @property
    def is_error(self) -> bool:
        """Whether the tool said so itself, or gave no result at all."""
        return self.reply.is_error if isinstance(self.reply, Answer) else True

    @property
    def text(self) -> str:
        """The text blocks of the result joined by newlines, or the JSON-RPC error's message."""
        match self.reply:
            case Answer() as answer:
                return answer.text
            case RpcError(message=message):
                return message
            case _:
                return ""

    @property
    def structured(self) -> Any:
        """`structuredContent`, if the tool returned any."""
        return self.reply.structured if isinstance(self.reply, Answer) else None

    @property
    def data(self) -> Any:
        """The structured content, else the text read as JSON, else None."""
        if self.structured is not None:
            return self.structured
        try:
            return json.loads(self.text)
        except (ValueError, RecursionError):  # a server may nest as deep as it likes
            return None

    @property
    def transport_error(self) -> str | None:
        """Why no result came back: a timeout or a lost connection; None where one did."""
        match self.reply:
            case TimedOut(limit_s=limit_s, detail=detail):
                return detail or f"no answer within {limit_s:g} s"
            case ConnectionLost(reason=reason):
                return reason
            case Malformed(detail=detail):
                return detail
            case _:
                return None

    @property
    def timed_out(self) -> bool:
        """Whether the call hit its time limit."""
        return isinstance(self.reply, TimedOut)

    @property
    def protocol_error(self) -> bool:
        """Whether a JSON-RPC error came back in place of a tool result."""
        return isinstance(self.reply, RpcError)

    @property
    def error_code(self) -> int | None:
        """The JSON-RPC error code, with a protocol error."""
        return self.reply.code if isinstance(self.reply, RpcError) else None


@record(kw_only=True)
class CallSeen:
    """A call that a phase made, with what rules need to judge its result.

    Attributes:
        tool: The definition of the called tool; None where it is not listed.
        result: What came of it. A result that came is in `result.reply.raw`.
        valid: Whether the arguments fit the tool's inputSchema; None where that is not known.
        subject: What was called, if it was no tool: `resource URI`, `prompt NAME`.
    """

    tool: Tool | None
    result: CallResult
    valid: bool | None = None
    subject: str | None = None

    @property
    def answer(self) -> Answer | None:
        """The result, where one came."""
        return self.result.reply if isinstance(self.result.reply, Answer) else None
