"""An HTTP server on loopback that answers each request with the very bytes that a test gives it."""

import asyncio
import json
import socket
import struct
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any


@dataclass
class Asked:
    """One request as it came; header names are in lower case."""

    method: str
    target: str
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body) if self.body else {}

    @property
    def rpc(self) -> str:
        """The method of the message, or of HTTP where there is no message."""
        return str(self.json.get("method", "response")) if self.body else self.method


class End:
    """In place of bytes: END closes the connection, RESET breaks it off."""


END, RESET = End(), End()

Part = bytes | float | End | asyncio.Event
"""Bytes are written, a float is a pause in seconds, an event is waited for."""
Script = Callable[[Asked], Iterable[Part]]


@dataclass
class Scripted:
    """A running server, and what it was asked."""

    port: int
    seen: list[Asked] = field(default_factory=list)
    connections: int = 0
    came: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def url(self) -> str:
        return f"{self.origin}/mcp"

    @property
    def asked(self) -> list[str]:
        return [one.rpc for one in self.seen]


def head(status: int, headers: dict[str, str]) -> bytes:
    """Status line and headers, with the empty line after them."""
    lines = [f"HTTP/1.1 {status} {HTTPStatus(status).phrase}"]
    lines += [f"{name}: {value}" for name, value in headers.items()]
    return "\r\n".join([*lines, "", ""]).encode("latin-1")


def reply(
    status: int = 200,
    body: bytes | str = b"",
    kind: str | None = "application/json",
    **headers: str,
) -> list[Part]:
    """A whole answer of known length; `_` stands for `-` in the names of headers."""
    body = body.encode() if isinstance(body, str) else body
    made = {name.replace("_", "-"): value for name, value in headers.items()}
    if kind is not None and body:
        made["Content-Type"] = kind
    made["Content-Length"] = str(len(body))
    return [head(status, made) + body]


def result(asked: Asked, value: Any = None, **headers: str) -> list[Part]:
    """A JSON-RPC result as a JSON body."""
    return reply(200, response(asked, value), "application/json", **headers)


def response(asked: Asked, value: Any = None) -> bytes:
    ident = asked.json["id"]
    return json.dumps({"jsonrpc": "2.0", "id": ident, "result": value or {}}).encode()


def error(asked: Asked, code: int, status: int = 200, message: str = "no") -> list[Part]:
    ident = asked.json.get("id")
    body = {"jsonrpc": "2.0", "id": ident, "error": {"code": code, "message": message}}
    return reply(status, json.dumps(body))


def accepted() -> list[Part]:
    return reply(202)


def events(*parts: Part, **headers: str) -> list[Part]:
    """An event stream in chunks; it ends after the last part."""
    made = {"Content-Type": "text/event-stream", "Transfer-Encoding": "chunked"}
    made |= {name.replace("_", "-"): value for name, value in headers.items()}
    return [
        head(200, made),
        *(chunk(p) if isinstance(p, bytes) else p for p in parts),
        b"0\r\n\r\n",
    ]


def after_handshake(answer: Script) -> Script:
    """A legacy server that shakes hands with a session id, and then answers as it is told."""

    def script(asked: Asked) -> Iterable[Part]:
        match asked.rpc:
            case "initialize":
                return result(asked, Mcp_Session_Id="s-1")
            case "notifications/initialized":
                return accepted()
            case "GET":
                return reply(405)
            case "DELETE":
                return reply(200)
        return answer(asked)

    return script


def chunk(data: bytes) -> bytes:
    return b"%x\r\n%b\r\n" % (len(data), data)


def event(data: bytes | str, **fields: str) -> bytes:
    data = data.encode() if isinstance(data, str) else data
    before = "".join(f"{name}: {value}\n" for name, value in fields.items()).encode()
    return before + b"data: " + data + b"\n\n"


@asynccontextmanager
async def serving(script: Script, *, port: int = 0) -> AsyncIterator[Scripted]:
    """Run a server while the block runs; every open connection is broken off at its end."""
    writers: set[asyncio.StreamWriter] = set()
    tasks: set[asyncio.Task[None]] = set()

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        tasks.add(task)
        writers.add(writer)
        server.connections += 1
        try:
            with suppress(OSError, asyncio.IncompleteReadError, asyncio.CancelledError):
                while asked := await _read(reader):
                    server.seen.append(asked)
                    server.came.set()
                    if not await _answer(writer, script(asked)):
                        break
        finally:
            writer.close()
            writers.discard(writer)
            tasks.discard(task)

    listener = await asyncio.start_server(talk, "127.0.0.1", port, limit=1 << 20)
    server = Scripted(listener.sockets[0].getsockname()[1])
    try:
        yield server
    finally:
        listener.close()
        for writer in list(writers):
            writer.transport.abort()
        for task in list(tasks):
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _read(reader: asyncio.StreamReader) -> Asked | None:
    try:
        top = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    except asyncio.IncompleteReadError:
        return None
    line, *rest = top.rstrip().split("\r\n")
    method, target, _ = line.split(" ")
    pairs = (one.partition(": ") for one in rest)
    headers = {name.lower(): value for name, _, value in pairs}
    body = await reader.readexactly(int(headers.get("content-length", 0)))
    return Asked(method, target, headers, body)


async def _answer(writer: asyncio.StreamWriter, parts: Iterable[Part]) -> bool:
    """Write an answer; False if the connection is over."""
    for part in parts:
        match part:
            case bytes():
                writer.write(part)
                await writer.drain()
            case asyncio.Event():
                await part.wait()
            case End():
                if part is RESET:
                    sock = writer.get_extra_info("socket")
                    sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                    writer.transport.abort()
                return False
            case _:
                await asyncio.sleep(part)
    return True
