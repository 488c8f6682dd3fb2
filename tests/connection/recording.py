"""A receiver that keeps what a transport brings, and waits for it: the session's place in tests."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import anyio

from toolproof.connection.http import HttpTransport
from toolproof.connection.observations import Kind, ObservationLog
from toolproof.connection.recorder import Recorder
from toolproof.connection.wire import MODERN, Ending, Failure, JsonObject
from toolproof.connection.witness import Witness

LEGACY = {"MCP-Protocol-Version": "2025-11-25"}


@dataclass
class Got:
    """One thing that came: a message, or a failure of the request `to`."""

    value: Any = None
    to: int | None = None
    failure: Failure | None = None
    detail: str = ""
    status: int | None = None


@dataclass
class Recording:
    """Everything that came, in order."""

    got: list[Got] = field(default_factory=list)
    expired: list[Callable[[str], None]] = field(default_factory=list)
    lost: str | None = None
    _changed: asyncio.Event = field(default_factory=asyncio.Event)

    def on_message(self, message: Any, raw: bytes, *, reply_to: int | None = None) -> None:
        del raw
        self.got.append(Got(message, reply_to))
        self._changed.set()

    def on_failure(
        self,
        request_id: int,
        failure: Failure,
        detail: str,
        *,
        http_status: int | None = None,
        raw: bytes = b"",
    ) -> None:
        del raw
        if any(one.to == request_id for one in self.got):
            return  # as a session does, once the request has its outcome
        self.got.append(Got(None, request_id, failure, detail, http_status))
        self._changed.set()

    def on_session_expired(self, failed: Callable[[str], None]) -> None:
        self.expired.append(failed)
        self._changed.set()

    def on_lost(self, reason: str, *, ending: Ending | None = None) -> None:
        del ending
        self.lost = reason

    async def until(self, condition: Any) -> None:
        """Wait until a function of this is true."""
        with anyio.fail_after(15):
            while not condition(self):
                self._changed.clear()
                await self._changed.wait()

    async def answer_to(self, ident: int) -> Got:
        """What became of a request."""
        await self.until(lambda _: any(one.to == ident for one in self.got))
        return next(one for one in self.got if one.to == ident)


class WatchedLog(ObservationLog):
    """A log that can be waited for."""

    def __init__(self) -> None:
        super().__init__()
        self.written = asyncio.Event()

    def add(self, kind: Kind, detail: str, **facts: Any) -> None:
        super().add(kind, detail, **facts)
        self.written.set()


@dataclass
class Wire:
    """An open transport with what it brought and what it saw."""

    transport: HttpTransport
    receiver: Recording
    log: WatchedLog
    _last_id: int = 0

    def send(self, method: str, params: JsonObject | None = None, *, modern: bool = False) -> int:
        """Send a request; returns its id."""
        self._last_id += 1
        message = {"jsonrpc": "2.0", "id": self._last_id, "method": method, "params": params or {}}
        self.transport.send(message, request_id=self._last_id, headers=_headers(method, modern))
        return self._last_id

    async def ask(
        self, method: str, params: JsonObject | None = None, *, modern: bool = False
    ) -> Got:
        """Send a request and wait for what becomes of it."""
        return await self.receiver.answer_to(self.send(method, params, modern=modern))

    def notify(self, method: str) -> None:
        headers = _headers(method, modern=False)
        self.transport.send({"jsonrpc": "2.0", "method": method}, headers=headers)

    def saw(self, kind: Kind) -> list[str]:
        """The details of what was observed of a kind."""
        return [one.detail for one in self.log.each(kind)]

    @property
    def kinds(self) -> set[Kind]:
        return {seen.kind for seen in self.log}


async def handshake(open_wire: Wire) -> None:
    """Open as an older client does; what follows waits until the server knows of it."""
    await open_wire.ask("initialize")
    open_wire.notify("notifications/initialized")


def _headers(method: str, modern: bool) -> Mapping[str, str]:
    if method == "initialize":
        return {}
    return {"MCP-Protocol-Version": MODERN, "Mcp-Method": method} if modern else LEGACY


@asynccontextmanager
async def wire(
    url: str, *, recorder: Recorder | None = None, **options: Any
) -> AsyncIterator[Wire]:
    """A transport that is open while the block runs."""
    log, receiver = WatchedLog(), Recording()
    tape = (recorder or Recorder()).tape()
    transport = HttpTransport(url, Witness(log), tape, **options)
    await transport.open(receiver)
    try:
        yield Wire(transport, receiver, log)
    finally:
        await transport.close(fast=True)
