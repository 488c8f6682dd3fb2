"""The framing of server-sent events: bytes in, events out, in time linear in the bytes.

Source: https://html.spec.whatwg.org/multipage/server-sent-events.html, sections 9.2.5 and 9.2.6.
"""

from toolproof.records import record

MAX_EVENT = 64 << 20
"""Bytes that one event may have: as much as a body or a line of stdout (`wire.md`, section 3)."""

_LONGEST_RETRY = 9  # digits; 999,999,999 ms are eleven days
_LF = 0x0A
_BOM = b"\xef\xbb\xbf"


class EventTooLargeError(Exception):
    """An event has more than `MAX_EVENT` bytes; the stream cannot be read any further."""


@record
class SseEvent:
    """One event that has data.

    Attributes:
        name: Its type; "message" where the server names none.
        data: Its `data` lines, joined with a newline.
    """

    name: str
    data: bytes


class SseParser:
    """Takes a stream apart, however it was cut into chunks.

    Attributes:
        last_id: The last event id that was completed by an empty line; "" for none. A stream is
            resumed from it.
        retry_ms: What the server last gave as the time before a resumption, or None.
    """

    def __init__(self, *, last_id: str = "", limit: int = MAX_EVENT) -> None:
        self.last_id = last_id
        self.retry_ms: int | None = None
        self._limit = limit
        self._partial: list[bytes] = []  # of the line that has no end yet
        self._partial_size = 0
        self._data: list[bytes] = []  # of the event that has no end yet
        self._data_size = 0
        self._name = ""
        self._id = self._first_id = last_id
        self._after_cr = False
        self._at_start = True

    @property
    def advanced(self) -> bool:
        """Has an event id come that is not the one it began with?"""
        return self.last_id != self._first_id

    @property
    def unfinished(self) -> bool:
        """Is there data that no empty line has completed: what a client would throw away?"""
        return bool(self._data or self._partial)

    def feed(self, chunk: bytes) -> list[SseEvent]:
        """The events that this chunk completes.

        Raises:
            EventTooLargeError: An event is larger than the limit.
        """
        if not chunk:
            return []
        if self._after_cr and chunk[0] == _LF:  # the second half of CR LF
            chunk = chunk[1:]
        self._after_cr = chunk.endswith(b"\r")
        lines = chunk.splitlines()  # of bytes: at LF, CR and CR LF, and nowhere else
        rest = lines.pop() if lines and not chunk.endswith((b"\n", b"\r")) else b""
        if lines and self._partial:
            lines[0] = b"".join((*self._partial, lines[0]))
            self._partial, self._partial_size = [], 0
        events = [event for line in lines if (event := self._line(line))]
        if rest:
            self._partial.append(rest)
            self._partial_size += len(rest)
            self._check_size()
        return events

    def _line(self, line: bytes) -> SseEvent | None:
        if self._at_start:
            self._at_start = False
            line = line.removeprefix(_BOM)
        if not line:
            return self._dispatch()
        field, _, value = line.partition(b":")
        value = value.removeprefix(b" ")
        match field:
            case b"data":
                self._data.append(value)
                self._data_size += len(value) + 1
                self._check_size()
            case b"event":
                self._name = value.decode(errors="replace")
            case b"id" if b"\0" not in value:
                self._id = value.decode(errors="replace")
            case b"retry" if value.isdigit():
                self.retry_ms = int(value[:_LONGEST_RETRY])
            case _:
                pass  # a comment, or a field that nobody knows
        return None

    def _dispatch(self) -> SseEvent | None:
        """An empty line: the event is complete; without data it only sets the id."""
        data, name = b"\n".join(self._data), self._name
        self._data, self._data_size, self._name = [], 0, ""
        self.last_id = self._id
        return SseEvent(name or "message", data) if data and not data.isspace() else None

    def _check_size(self) -> None:
        if self._data_size + self._partial_size > self._limit:
            raise EventTooLargeError(f"an event has more than {self._limit:,} bytes")
