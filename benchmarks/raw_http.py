"""Bare client over streamable HTTP (standard library only): what calls per second a server can give.

One connection that is kept for each call in flight, a handshake of revision 2025-11-25, then `tools/call`
again and again. Of an answer only the last line that holds JSON is read, and no error is forgiven.
"""

import asyncio
import json
import time
from typing import Any
from urllib.parse import urlsplit

from benchmarks.raw_client import WARM_UP


class RawHttp:
    """One connection."""

    def __init__(self, url: str, session: str | None = None) -> None:
        self.url, self.session = urlsplit(url), session
        self.last_id = 0

    async def open(self) -> None:
        """Connect."""
        self.reader, self.writer = await asyncio.open_connection(self.url.hostname, self.url.port)

    async def call(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        """The result of one request.

        Raises:
            RuntimeError: The answer is no result.
        """
        self.last_id += 1
        message = {"jsonrpc": "2.0", "id": self.last_id, "method": method, "params": params}
        body = await self.post(message)
        lines = [line for line in body.splitlines() if line.startswith((b"{", b"data: {"))]
        answer = json.loads(lines[-1].removeprefix(b"data: "))
        if "result" not in answer or answer["result"].get("isError"):
            raise RuntimeError(str(answer))
        found: dict[str, Any] = answer["result"]
        return found

    async def post(self, message: dict[str, Any]) -> bytes:
        """Send one message; the body of the answer."""
        data = json.dumps(message).encode()
        session = f"Mcp-Session-Id: {self.session}\r\n" if self.session else ""
        self.writer.write(
            f"POST {self.url.path} HTTP/1.1\r\nHost: {self.url.netloc}\r\n"
            "Accept: application/json, text/event-stream\r\nContent-Type: application/json\r\n"
            f"MCP-Protocol-Version: 2025-11-25\r\n{session}Content-Length: {len(data)}\r\n\r\n".encode()
            + data
        )
        head = (await self.reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        fields = {
            name.lower(): value.strip()
            for name, _, value in (line.partition(":") for line in head.split("\r\n")[1:])
        }
        self.session = fields.get("mcp-session-id", self.session)
        if "content-length" in fields:
            return await self.reader.readexactly(int(fields["content-length"]))
        body = b""
        while size := int(await self.reader.readline(), 16):
            body += await self.reader.readexactly(size)
            await self.reader.readexactly(2)
        await self.reader.readexactly(2)
        return body


async def one_round(
    url: str, calls: int, in_flight: int, params: dict[str, Any]
) -> dict[str, float]:
    """Calls per second."""
    first = RawHttp(url)
    await first.open()
    info = {"name": "raw-http", "version": "1.0.0"}
    await first.call(
        "initialize", {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": info}
    )
    await first.post({"jsonrpc": "2.0", "method": "notifications/initialized"})
    clients = [first, *(RawHttp(url, first.session) for _ in range(in_flight - 1))]
    for number, client in enumerate(clients[1:], 1):
        client.last_id = number * 1_000_000
        await client.open()
    for _ in range(WARM_UP):
        await first.call("tools/call", params)
    left = calls

    async def work(client: RawHttp) -> None:
        nonlocal left
        while left > 0:
            left -= 1
            await client.call("tools/call", params)

    began, cpu = time.perf_counter(), time.process_time()
    await asyncio.gather(*map(work, clients))
    wall_s, cpu_s = time.perf_counter() - began, time.process_time() - cpu
    for client in clients:
        client.writer.close()
    return {"throughput": calls / wall_s, "cpu_us_per_call": cpu_s / calls * 1e6}
