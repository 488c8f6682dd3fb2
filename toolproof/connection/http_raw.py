"""HTTP/1.1 over plain TCP, with no library between: what bench and fuzz send their calls through.

It takes a tenth of the CPU that httpx2 takes. No TLS, no proxies, no sign-in.
"""

import asyncio
import zlib
from collections import deque
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, cast

from toolproof.connection.http_address import Address
from toolproof.connection.http_client import (
    CONNECT_S,
    IDLE_S,
    MAX_BODY,
    Answer,
    Headers,
    header_bytes,
)
from toolproof.connection.http_faults import HttpFault, closed, fault_from
from toolproof.connection.http_framing import AnswerReader, Head

_HIGH, _LOW = 1 << 20, 1 << 18
"""Bytes that wait for their reader before the server has to wait too, and until it goes on."""
_STALE_S = 0.05
"""A kept connection that breaks so soon, without a byte, had been closed by the server before."""
_PIECE = 1 << 20


class RawAnswer:
    """An answer whose body comes in while it is read."""

    def __init__(self, connection: "_Connection", head: Head) -> None:
        self.status: int = head.status
        self.headers: Mapping[str, str] = head.headers
        self._connection = connection
        self._inflate = _decompressor(head.headers.get("content-encoding", ""))
        self._chunks: deque[bytes] = deque()
        self._size = 0
        self._ended = False
        self._fault: HttpFault | None = None
        self._waiter: asyncio.Future[None] | None = None

    async def chunk(self) -> bytes:
        while not self._chunks:
            if self._fault is not None:
                raise self._fault
            if self._ended:
                return b""
            self._waiter = asyncio.get_running_loop().create_future()
            await self._waiter
        chunk = self._chunks.popleft()
        self._size -= len(chunk)
        if self._size < _LOW:
            self._connection.resume()
        return chunk

    async def close(self) -> None:
        self._connection.release(self)

    def take(self, pieces: list[bytes]) -> None:
        """More of the body has come."""
        for piece in pieces if self._inflate is None else self._inflated(pieces):
            self._chunks.append(piece)
            self._size += len(piece)
        if self._size > _HIGH:
            self._connection.pause()
        self._wake()

    def end(self, fault: HttpFault | None = None) -> None:
        """Nothing more will come."""
        if not self._ended:
            self._ended, self._fault = True, fault
            self._wake()

    def _inflated(self, pieces: list[bytes]) -> list[bytes]:
        """What compressed pieces hold; never more at once than a body may have."""
        found, size = [], 0
        for piece in pieces:
            rest = piece
            while rest:
                try:
                    found.append(self._inflate.decompress(rest, _PIECE))
                except zlib.error as exc:
                    raise HttpFault(f"the body cannot be decompressed: {exc}") from exc
                size += len(found[-1])
                if size > MAX_BODY:
                    raise HttpFault(f"the body of the answer has more than {MAX_BODY:,} bytes")
                rest = self._inflate.unconsumed_tail
        return [piece for piece in found if piece]

    def _wake(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)


class _Connection(asyncio.Protocol):
    """One connection: one exchange at a time, read by the event loop's callbacks."""

    def __init__(self, client: "RawClient", address: Address) -> None:
        self.address = address
        self.idle_since = 0.0
        self._client = client
        self._transport: asyncio.Transport
        self._gone: HttpFault | None = None
        self._reader = AnswerReader()
        self._head: asyncio.Future[RawAnswer] | None = None
        self._answer: RawAnswer | None = None
        self._paused = False

    @property
    def silent(self) -> bool:
        """Has this exchange brought no byte yet?"""
        return not self._reader.started

    async def exchange(self, request: bytes) -> RawAnswer:
        """Send a request and wait for the head of its answer.

        Raises:
            HttpFault: There is none.
        """
        self._reader = AnswerReader()
        if self._gone is not None:
            raise self._gone
        self._head = asyncio.get_running_loop().create_future()
        self._transport.write(request)
        try:
            return await self._head
        except BaseException:  # a fault, or the caller was cancelled
            self.abort()
            raise
        finally:
            self._head = None

    def release(self, answer: RawAnswer) -> None:
        """The reader is done with its answer."""
        if self._answer is answer:
            self._answer = None
            self.resume()
            head, reader = self._reader.head, self._reader
            whole = head is not None and head.keep and reader.complete and not reader.surplus
            if whole and not self._transport.is_closing():
                self._client.keep(self)
            else:
                self.abort()

    def abort(self) -> None:
        self._client.forget(self)
        self._transport.abort()

    def pause(self) -> None:
        if not self._paused:
            self._paused = True
            self._transport.pause_reading()

    def resume(self) -> None:
        if self._paused:
            self._paused = False
            self._transport.resume_reading()

    # What the event loop calls

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)

    def data_received(self, data: bytes) -> None:
        try:
            pieces = self._reader.feed(data)
            if self._head is not None and not self._head.done() and self._reader.head is not None:
                self._answer = RawAnswer(self, self._reader.head)
                self._head.set_result(self._answer)
            if self._answer is not None:
                self._answer.take(pieces)
                if self._reader.complete:
                    self._answer.end()
            elif self._head is None:  # it is idle, and nobody has asked for this
                self.abort()
        except HttpFault as fault:
            self._break(fault)

    def connection_lost(self, exc: Exception | None) -> None:
        fault = closed(started=self._reader.started)
        if exc is not None:
            fault = fault_from(exc, self.address)
        elif self._answer is not None and self._reader.end():
            self._answer.end()
        self._break(fault)

    def _break(self, fault: HttpFault) -> None:
        self._gone = fault
        self.abort()
        if self._head is not None and not self._head.done():
            self._head.set_exception(fault)
        elif self._answer is not None:
            self._answer.end(fault)


class RawClient:
    """Connections to one origin at a time, each kept for a moment when it is idle."""

    def __init__(self) -> None:
        self._idle: dict[_Connection, None] = {}  # the one that was used last is the last
        self._all: set[_Connection] = set()

    async def ask(self, method: str, address: Address, headers: Headers, body: bytes) -> Answer:
        lines = [f"{method} {address.target} HTTP/1.1".encode()]
        lines += [_line(name, value) for name, value in headers]
        if body:
            lines.append(b"Content-Length: %d" % len(body))
        request = b"\r\n".join((*lines, b"", body))
        if (kept := self._kept(address)) is not None:
            clock = asyncio.get_running_loop().time
            began = clock()
            try:
                return await kept.exchange(request)
            except HttpFault:
                if not kept.silent or clock() - began > _STALE_S:
                    raise
        connection = await self._connect(address)
        return await connection.exchange(request)

    async def close(self) -> None:
        for connection in list(self._all):
            connection.abort()

    def keep(self, connection: _Connection) -> None:
        connection.idle_since = asyncio.get_running_loop().time()
        self._idle[connection] = None

    def forget(self, connection: _Connection) -> None:
        self._all.discard(connection)
        self._idle.pop(connection, None)

    def _kept(self, address: Address) -> _Connection | None:
        """The connection that was used last, if it is so fresh that the server has it too."""
        oldest = asyncio.get_running_loop().time() - IDLE_S
        while self._idle:
            connection, _ = self._idle.popitem()
            if connection.idle_since >= oldest and connection.address.origin == address.origin:
                return connection
            connection.abort()
        return None

    async def _connect(self, address: Address) -> _Connection:
        try:
            async with asyncio.timeout(CONNECT_S):
                _, connection = await asyncio.get_running_loop().create_connection(
                    lambda: _Connection(self, address), address.host, address.port
                )
        except TimeoutError:
            words = f"no connection to {address.host}:{address.port} within {CONNECT_S:g} s"
            raise HttpFault(words, reached=False) from None
        except OSError as exc:
            raise fault_from(exc, address) from exc
        self._all.add(connection)
        return connection


@lru_cache(maxsize=256)
def _line(name: str, value: str) -> bytes:
    """A header as it is sent; most are the same in every call."""
    return name.encode("latin-1") + b": " + header_bytes(value)


def _decompressor(encoding: str) -> Any:
    """For servers that compress though we ask them not to."""
    match encoding.strip().lower():
        case "gzip" | "x-gzip":
            return zlib.decompressobj(zlib.MAX_WBITS | 16)
        case "deflate":
            return zlib.decompressobj()
    return None
