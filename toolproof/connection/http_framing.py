"""The bytes of an HTTP/1.1 answer: its head, and where its body ends. No I/O, linear in the bytes.

Source: RFC 9112, sections 4 to 7 and 9.
"""

import re
from collections.abc import Mapping

from toolproof.connection.http_faults import HttpFault
from toolproof.records import record

_MAX_HEAD = 64 << 10
_MAX_LINE = 4 << 10
"""Bytes of a chunk's size with its extensions, or of a trailer."""
_SHOWN = 60
_STATUS = re.compile(rb"HTTP/1\.([01]) ([1-9]\d\d)(?: [^\n]*)?")
_HEAD_END = re.compile(rb"\r?\n\r?\n")
_SIZE = re.compile(rb"[0-9A-Fa-f]{1,15}")
_LENGTH = re.compile(r"[0-9]{1,15}")
_NO_BODY = (b"204", b"304")
_INTERIM = b"1"
_SWITCHING = b"101"


@record
class Head:
    """Status and headers.

    Attributes:
        headers: By lower-case name; repeated ones are joined by a comma.
        length: Of the body; None where chunks or the end of the connection tell.
        chunked: Whether chunks tell.
        keep: Whether the connection can carry another exchange after this one.
    """

    status: int
    headers: Mapping[str, str]
    length: int | None
    chunked: bool
    keep: bool


class AnswerReader:
    """Takes one answer apart, however it was cut.

    Attributes:
        head: Once it has come.
        complete: Whether the body has come to its end.
        surplus: Whether there were bytes after that.
        started: Whether anything has come at all.
    """

    def __init__(self) -> None:
        self.head: Head | None = None
        self.complete = False
        self.surplus = False
        self.started = False
        self._buffer = bytearray()
        self._left = 0  # bytes of the body, or of the chunk
        self._between = self._size_line

    def feed(self, data: bytes) -> list[bytes]:
        """The pieces of the body that this completes.

        Raises:
            HttpFault: This is no HTTP/1.1.
        """
        self.started = True
        if self.head is None:
            data = self._read_head(data)
        head = self.head
        if head is None or not data:
            return []
        if self.complete:
            self.surplus = True
            return []
        return self._read_body(head, data)

    def end(self) -> bool:
        """The connection ended: True if that is how this answer ends."""
        head = self.head
        if head is not None and head.length is None and not head.chunked:
            self.complete = True
        return self.complete

    def _read_head(self, data: bytes) -> bytes:
        """What comes after the head; interim answers are passed over."""
        buffer = self._buffer
        begin = max(0, len(buffer) - 3)
        buffer += data
        while found := _HEAD_END.search(buffer, begin):
            raw = bytes(buffer[: found.start()])
            del buffer[: found.end()]
            begin = 0
            if head := _head(raw):
                self.head = head
                self._left = head.length or 0
                self.complete = head.length == 0
                rest = bytes(buffer)
                buffer.clear()
                return rest
        if not b"HTTP/1.".startswith(buffer[:7]):
            raise HttpFault(f"the answer is not HTTP/1.1: {bytes(buffer[:_SHOWN])!r}")
        if len(buffer) > _MAX_HEAD:
            raise HttpFault(f"the head of the answer has more than {_MAX_HEAD:,} bytes")
        return b""

    def _read_body(self, head: Head, data: bytes) -> list[bytes]:
        if head.chunked:
            return self._read_chunks(data)
        if head.length is None:
            return [data]
        piece = data[: self._left]
        self._left -= len(piece)
        self.complete = not self._left
        self.surplus = len(piece) < len(data)
        return [piece]

    def _read_chunks(self, data: bytes) -> list[bytes]:
        if self._buffer:
            data = bytes(self._buffer + data)
            self._buffer.clear()
        pieces, at = [], 0
        while at < len(data) and not self.complete:
            if self._left:
                piece = data[at : at + self._left]
                at += len(piece)
                self._left -= len(piece)
                pieces.append(piece)
                continue
            end = data.find(b"\n", at, at + _MAX_LINE)
            if end < 0:
                if len(data) - at >= _MAX_LINE:
                    raise HttpFault("a line between the chunks of the answer has no end")
                self._buffer += data[at:]
                return pieces
            self._between(data[at:end].removesuffix(b"\r"))
            at = end + 1
        self.surplus = at < len(data)
        return pieces

    # Lines between chunks: each says which line comes next

    def _size_line(self, line: bytes) -> None:
        size = line.partition(b";")[0].strip()
        if not _SIZE.fullmatch(size):
            raise HttpFault(f"a chunk of the answer has the size {line[:_SHOWN]!r}")
        self._left = int(size, 16)
        self._between = self._chunk_end if self._left else self._trailer

    def _chunk_end(self, line: bytes) -> None:
        if line:
            raise HttpFault(f"a chunk of the answer is longer than it says: {line[:_SHOWN]!r}")
        self._between = self._size_line

    def _trailer(self, line: bytes) -> None:
        self.complete = not line


def _head(raw: bytes) -> Head | None:
    """A head without its last line end; None for an interim one."""
    first, *lines = raw.split(b"\n")
    found = _STATUS.fullmatch(first.removesuffix(b"\r"))
    if found is None or found[2] == _SWITCHING:
        raise HttpFault(f"the answer is not HTTP/1.1: {first[:_SHOWN]!r}")
    if found[2].startswith(_INTERIM):
        return None
    headers: dict[str, str] = {}
    for line in lines:
        name, colon, value = line.partition(b":")
        key = name.strip().decode("latin-1").lower()
        if not colon or not key or line[:1].isspace():
            raise HttpFault(f"the answer has a header line without a name: {line[:_SHOWN]!r}")
        text = value.strip().decode(errors="replace")
        headers[key] = f"{headers[key]}, {text}" if key in headers else text
    chunked = "chunked" in headers.get("transfer-encoding", "").lower()
    length = 0 if found[2] in _NO_BODY else None if chunked else _length(headers)
    chunked = chunked and length is None
    connection = headers.get("connection", "").lower()
    persistent = "close" not in connection if found[1] == b"1" else "keep-alive" in connection
    keep = persistent and (chunked or length is not None)
    return Head(int(found[2]), headers, length, chunked, keep)


def _length(headers: Mapping[str, str]) -> int | None:
    given = headers.get("content-length")
    if given is None:
        return None
    sizes = {one.strip() for one in given.split(",")}
    if len(sizes) != 1 or not _LENGTH.fullmatch(size := sizes.pop()):
        raise HttpFault(f"the answer has the Content-Length {given[:_SHOWN]!r}")
    return int(size)
