"""The words that session and transports share: what became of a request, and who carries it.

Standard library only: bench and fuzz live on this path, and it is imported before a server starts.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum, StrEnum
from typing import Any, Final, Protocol

from toolproof.records import record

JsonObject = dict[str, Any]


class NoArguments(Enum):
    """The type of `NO_ARGUMENTS`; an enum, so that type checkers can tell it from None."""

    LEFT_OUT = "left out"


NO_ARGUMENTS: Final = NoArguments.LEFT_OUT
"""In place of a call's arguments: the request has no `arguments` member at all."""

LEGACY = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
"""Revisions that open with `initialize`, oldest first."""
MODERN = "2026-07-28"
"""The stateless revision; `server/discover` is there to ask."""
REVISIONS = (*LEGACY, MODERN)


class Failure(StrEnum):
    """Why a request has neither a result nor an error of the server."""

    TIMEOUT = "timeout"
    LOST = "lost"
    MALFORMED = "malformed"
    NEEDS_INPUT = "needs-input"  # the server asked for what no `client:` setting answers


@dataclass(slots=True)
class Outcome:
    """What became of one request: exactly one of result, error and failure is set.

    Attributes:
        latency_ms: From just before the write to the parsed answer.
        result: The `result` member as it came: no member dropped, nothing coerced.
        error: The server's JSON-RPC error object as it came.
        failure: Why there is neither; `detail` says more.
        raw: The bytes of the message that was the answer, if there was one.
        progress: How many progress notifications came for it.
        http_status: Over HTTP, the status of the answer.
    """

    latency_ms: float = 0.0
    result: JsonObject | None = None
    error: JsonObject | None = None
    failure: Failure | None = None
    detail: str = ""
    raw: bytes = b""
    progress: int = 0
    http_status: int | None = None


@record
class Ending:
    """How a server process ended, for whoever words an observation.

    Attributes:
        words: "exit code 1", "signal SIGSEGV (segmentation fault)".
        last_line: Of stderr; empty if there is none.
        at: When it was noticed, in seconds of the event loop's clock.
    """

    words: str
    last_line: str
    at: float


class Receiver(Protocol):
    """Who gets what a transport reads: the session. Called in the event loop, never blocks."""

    def on_message(self, message: Any, raw: bytes, *, reply_to: int | None = None) -> None:
        """A parsed JSON value; over HTTP, `reply_to` is the request that its response belongs to."""

    def on_failure(
        self,
        request_id: int,
        failure: Failure,
        detail: str,
        *,
        http_status: int | None = None,
        raw: bytes = b"",
    ) -> None:
        """One request came to nothing, while the connection lives on."""

    def on_lost(self, reason: str, *, ending: Ending | None = None) -> None:
        """The connection is gone for good: exit code, last words; `ending` where it is a process."""


class Transport(Protocol):
    """Carries messages to one server, over stdio or HTTP; used once, never reopened."""

    @property
    def unsent(self) -> int:
        """Bytes that the server has not read yet (stdio; 0 over HTTP)."""

    async def open(self, receiver: Receiver) -> None:
        """Start the process, or make ready to send.

        Raises:
            ServerError: It cannot be started.
        """

    def send(
        self,
        message: JsonObject,
        *,
        request_id: int | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        """Send one message and return at once; what comes of it goes to the receiver."""

    def abandon(self, request_id: int) -> None:
        """Nobody waits for this request any more: over HTTP, close its response."""

    def stderr_tail(self, lines: int) -> str:
        """The last lines that the server wrote on stderr; empty over HTTP."""

    async def close(self, *, fast: bool = False) -> None:
        """End the server and all that it started; runs in full even when its caller is cancelled."""
