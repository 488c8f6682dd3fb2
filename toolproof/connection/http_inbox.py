"""Bodies and events become messages for the session; what is odd about them is seen and told."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from toolproof.connection.messages import NotJsonError, decode, decode_oddly, lone_surrogate
from toolproof.connection.observations import Kind
from toolproof.connection.recorder import Tape
from toolproof.connection.wire import Failure, Receiver
from toolproof.connection.witness import Witness
from toolproof.text import shorten

_BOM = b"\xef\xbb\xbf"
_SHOWN = 120


@dataclass(slots=True, eq=False)
class Call:
    """One message of ours on its way, and what has become of it so far.

    Attributes:
        method: Of the message; "" for a response of ours.
        tool: That is called, if one is.
        request_id: None for a notification and for a response.
        modern: Sent in the stateless era: its stream is never resumed.
        session: The session id that went with it.
        retried: The way to the server was blocked, and it is asked for the second time.
        repeated: Its session was gone, and it is sent again in a new one.
        came_by: Addresses that have sent it on, each with the status.
        skipped: Names of events in its stream that are no messages.
        problem: Why something in its answer could not be read.
        accepted: It was answered with a status of success.
    """

    method: str
    tool: str | None
    request_id: int | None
    body: bytes
    headers: Mapping[str, str]
    modern: bool
    session: str | None = None
    retried: bool = False
    repeated: bool = False
    came_by: list[tuple[str, int]] = field(default_factory=list)
    skipped: dict[str, None] = field(default_factory=dict)
    problem: str = ""
    accepted: bool = False


class UnreadableError(ValueError):
    """Not a JSON value; the text says why, and is fit for an observation."""


class Inbox:
    """Hands on what one connection reads.

    Attributes:
        waiting: The ids of all requests that have no answer yet.
    """

    def __init__(self, receiver: Receiver, witness: Witness, tape: Tape) -> None:
        self.waiting: set[int] = set()
        self._receiver = receiver
        self._log = witness.log
        self._tape = tape

    def read(self, raw: bytes, call: Call | None) -> Any:
        """The JSON value in a body or an event.

        Raises:
            UnreadableError: There is none.
        """
        self._tape.message("<-", raw)
        try:
            value = decode(raw.decode())
        except (ValueError, RecursionError):
            value = self._read_oddly(raw, call)
        if b"\\u" in raw and (pointer := lone_surrogate(value, raw)) is not None:
            detail = f"an unpaired surrogate at {pointer}"
            self._see(call, Kind.LONE_SURROGATE, detail, pointer=pointer)
        return value

    def deliver(self, value: Any, raw: bytes, call: Call | None) -> bool:
        """Hand a value to the session; True if it was a response to the call."""
        if call is None or call.request_id is None or not is_response(value):
            self._receiver.on_message(value, raw)
            return False
        ident = value.get("id") if isinstance(value, dict) else None
        if type(ident) is int and ident != call.request_id and ident in self.waiting:
            self.waiting.discard(ident)
            self._receiver.on_message(value, raw)  # another request's, on the wrong stream
            return False
        self.waiting.discard(call.request_id)
        if not call.accepted and isinstance(value, dict) and ident is None:
            value = {**value, "id": call.request_id}  # allowed where the status is an error
        self._receiver.on_message(value, raw, reply_to=call.request_id)
        # Whatever it was, nothing else will come: without this, the request would wait in vain.
        shown = raw[:_SHOWN].decode(errors="replace")
        words = f"the answer is no response to this request: {shown}"
        self._receiver.on_failure(call.request_id, Failure.MALFORMED, words, raw=raw)
        return True

    def event(self, data: bytes, call: Call | None) -> bool:
        """Take one event's data; True if it was the response to the call."""
        try:
            value = self.read(data, call)
        except UnreadableError as exc:
            self.unreadable(exc, call)
            return False
        return self.deliver(value, data, call)

    def body(self, raw: bytes, call: Call) -> None:
        """Take a whole body in answer to a request."""
        try:
            value = self.read(raw, call)
        except UnreadableError as exc:
            self.unreadable(exc, call)
            self.fail(call, Failure.MALFORMED, str(exc), raw=raw)
            return
        if not self.deliver(value, raw, call):
            self.fail(call, Failure.MALFORMED, "the body holds no response", raw=raw)

    def unreadable(self, exc: UnreadableError, call: Call | None) -> None:
        self._see(call, Kind.RESPONSE_INVALID, str(exc))
        if call is not None:
            call.problem = str(exc)

    def fail(
        self,
        call: Call,
        failure: Failure,
        detail: str,
        *,
        status: int | None = None,
        raw: bytes = b"",
    ) -> None:
        """The call came to nothing; a notification has nobody who would wait for that."""
        if call.request_id in self.waiting and call.request_id is not None:
            self.waiting.discard(call.request_id)
            self._receiver.on_failure(call.request_id, failure, detail, http_status=status, raw=raw)

    def renew(self, failed: Callable[[str], None]) -> bool:
        """Let the session shake hands again, if it can; `failed` is told why it could not."""
        begin = getattr(self._receiver, "on_session_expired", None)
        if begin is None:
            return False
        begin(failed)
        return True

    def _read_oddly(self, raw: bytes, call: Call | None) -> Any:
        if not raw.strip():
            raise UnreadableError("the body of the answer is empty")
        marked, raw = raw.startswith(_BOM), raw.removeprefix(_BOM)
        text = raw.decode(errors="replace")
        shown = shorten(text, _SHOWN)
        try:
            value = decode(text)
        except NotJsonError as exc:
            raise UnreadableError(f"the answer holds {exc}: {shown}") from None
        except RecursionError:
            raise UnreadableError("the answer is nested too deep to be read") from None
        except ValueError as exc:
            if decode_oddly(text) is not None:
                raise UnreadableError(
                    f"the answer holds a number that cannot be read ({exc})"
                ) from None
            raise UnreadableError(f"the answer is not JSON: {shown}") from None
        if marked:
            self._see(call, Kind.STDOUT_BOM, "a byte order mark (U+FEFF) before a message")
        try:
            raw.decode()
        except UnicodeDecodeError as exc:
            byte = raw[exc.start]
            detail = f"byte 0x{byte:02x} at offset {exc.start} is not UTF-8"
            self._see(call, Kind.INVALID_UTF8, detail, byte=byte, offset=exc.start)
        return value

    def _see(self, call: Call | None, kind: Kind, detail: str, **facts: Any) -> None:
        tool, method = (call.tool, call.method or None) if call else (None, None)
        self._log.add(kind, detail, tool=tool, method=method, **facts)


def is_response(value: Any) -> bool:
    """Is it no request and no notification: so it answers something, well or badly?"""
    if isinstance(value, list):
        return any(is_response(item) for item in value)
    return not (isinstance(value, dict) and isinstance(value.get("method"), str))
