"""A server over streamable HTTP: each message a POST, its answer a JSON body or an event stream."""

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from typing import Any

import anyio

from toolproof.connection.http_client import read_start
from toolproof.connection.http_exchange import Exchanges
from toolproof.connection.http_faults import HttpFault
from toolproof.connection.http_inbox import Call, Inbox
from toolproof.connection.http_link import INITIALIZED, SESSION, VERSION, HttpLink
from toolproof.connection.http_status import EVENTS, JSON, OPENING
from toolproof.connection.http_streams import Streams
from toolproof.connection.messages import encode
from toolproof.connection.recorder import Tape
from toolproof.connection.wire import MODERN, Failure, JsonObject, Receiver
from toolproof.connection.witness import Witness
from toolproof.errors import ServerError
from toolproof.records import record

_GOODBYE_S, _FAST_GOODBYE_S = 2.0, 0.5
"""How long the server may take to end its session."""
_READY_S = 5.0
"""So long messages wait until the server has taken `notifications/initialized`."""
_RAW_BODY = 64 << 10


@record
class RawAnswer:
    """What came back on a request that was made by hand.

    Attributes:
        status: None if no answer came; `detail` says why.
        headers: By lower-case name.
        body: Its first 64 KiB; of an event stream, what came within the limit.
    """

    status: int | None
    headers: Mapping[str, str]
    body: bytes
    detail: str = ""


class HttpTransport:
    """A `Transport` to a URL.

    One task owns the connections: it opens them, waits, and closes them. Each message is carried by
    a task of its own, so any task may send, abandon and close.

    Args:
        headers: Go with every request.
        auth: An `httpx2.Auth` that signs in, if one is needed.
    """

    def __init__(
        self,
        url: str,
        witness: Witness,
        tape: Tape,
        *,
        headers: Mapping[str, str] | None = None,
        auth: Any = None,
    ) -> None:
        self.url = url
        self._witness = witness
        self._tape = tape
        self._headers = headers or {}
        self._auth = auth
        self._fast = False
        self._closing = asyncio.Event()
        self._tasks: set[asyncio.Task[None]] = set()
        self._requests: dict[int, asyncio.Task[None]] = {}
        self._ready: asyncio.Task[None] | None = None
        self._listening: asyncio.Task[None] | None = None
        self._owner: asyncio.Task[None] | None = None
        self._receiver: Receiver
        self._link: HttpLink
        self._inbox: Inbox
        self._streams: Streams
        self._exchanges: Exchanges

    @property
    def unsent(self) -> int:
        """Nothing waits here that the server would have to read."""
        return 0

    @property
    def refusal(self) -> ServerError | None:
        """Why the server could not be opened, with what to do about it."""
        return self._link.refusal

    @property
    def session_id(self) -> str | None:
        """The id that the server gave to the session, if it did."""
        return self._link.session

    async def open(self, receiver: Receiver) -> None:
        """Make ready to send; nothing goes to the server yet.

        Raises:
            ServerError: The address or a header cannot be used.
        """
        self._receiver = receiver
        self._link = HttpLink(self.url, self._headers, self._tape, auth=self._auth)
        self._inbox = Inbox(receiver, self._witness, self._tape)
        self._streams = Streams(self._link, self._inbox)
        self._exchanges = Exchanges(self._link, self._inbox, self._streams, self._witness.log)
        self._owner = asyncio.create_task(self._own())

    def send(
        self,
        message: JsonObject,
        *,
        request_id: int | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        """Send one message and return at once.

        Raises:
            ValueError: It cannot be written as JSON: a fault of ours. Likewise TypeError.
        """
        body = encode(message)
        self._tape.message("->", body)
        if self._closing.is_set():
            return
        call = _call(message, request_id, body, headers or {})
        if not call.modern and call.method not in OPENING:
            self._link.version = call.headers.get(VERSION)
        task = asyncio.create_task(self._carry(call, self._ready))
        self._tasks.add(task)
        if request_id is not None:
            self._inbox.waiting.add(request_id)
            self._requests[request_id] = task
        elif call.method == INITIALIZED:
            self._ready = task
        task.add_done_callback(partial(self._done, request_id=request_id))

    def abandon(self, request_id: int) -> None:
        """Close the response to this request: in the stateless era that cancels it."""
        self._inbox.waiting.discard(request_id)
        if task := self._requests.get(request_id):
            task.cancel()

    def stderr_tail(self, lines: int, since: int = 0) -> str:
        """Nothing: the process, if it is ours, is not here."""
        del lines, since
        return ""

    async def post_raw(
        self,
        headers: Mapping[str, str],
        body: bytes,
        *,
        method: str = "POST",
        timeout_s: float = 5.0,
    ) -> RawAnswer:
        """One request made by hand, for probes; nothing of it goes to the session.

        Args:
            headers: Over those that a message would have: content type, accept, session and
                revision. An empty value leaves a header out.
            body: Sent as it is.
            method: Of HTTP.
            timeout_s: For the whole answer.
        """
        sent = {"Content-Type": JSON, "Accept": f"{JSON}, {EVENTS}"}
        sent |= {SESSION: self._link.session or "", VERSION: self._link.version or ""}
        names = {name.lower(): name for name in sent}
        for name, value in headers.items():
            sent[names.get(name.lower(), name)] = value
        sent = {name: value for name, value in sent.items() if value}
        status, came, parts = None, {}, [b""]
        try:
            async with asyncio.timeout(timeout_s):
                answer = await self._link.ask(method, sent, body)
                status, came = answer.status, dict(answer.headers)
                try:
                    parts.append(await read_start(answer, _RAW_BODY))
                finally:
                    await answer.close()
        except TimeoutError:
            return RawAnswer(status, came, b"".join(parts), f"no answer within {timeout_s:g} s")
        except HttpFault as fault:
            return RawAnswer(status, came, b"".join(parts), fault.words)
        return RawAnswer(status, came, b"".join(parts))

    async def close(self, *, fast: bool = False, blame: bool = True) -> None:
        """End the session and close every connection, in full even if the caller is cancelled."""
        del blame  # over HTTP nothing at the end is held against the server
        self._fast = self._fast or fast
        self._closing.set()
        if self._owner is None:
            return
        cancelled = False
        with anyio.CancelScope(shield=True):
            while not self._owner.done():
                try:
                    await asyncio.shield(self._owner)
                except asyncio.CancelledError:
                    cancelled = True
        if cancelled:
            raise asyncio.CancelledError

    async def _own(self) -> None:
        try:
            await self._closing.wait()
            for task in self._tasks:
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)
            self._receiver.on_lost("the connection was closed")
            if self._link.session is not None:
                with suppress(HttpFault, TimeoutError):
                    async with asyncio.timeout(_FAST_GOODBYE_S if self._fast else _GOODBYE_S):
                        await self._link.delete()
        finally:
            await self._link.close()

    async def _carry(self, call: Call, ready: asyncio.Task[None] | None) -> None:
        if ready is not None and not ready.done():
            await asyncio.wait([ready], timeout=_READY_S)
            if not ready.done() and self._ready is ready:
                self._ready = None  # the others need not wait as long
        await self._exchanges.carry(call)
        if call.method == INITIALIZED and call.accepted and not call.modern:
            self._listen()

    def _listen(self) -> None:
        """Open the server's own stream; that of an earlier session is over."""
        if self._listening is not None:
            self._listening.cancel()
        if not self._closing.is_set():
            self._listening = asyncio.create_task(self._streams.listen())
            self._tasks.add(self._listening)
            self._listening.add_done_callback(partial(self._done, request_id=None))

    def _done(self, task: asyncio.Task[None], *, request_id: int | None) -> None:
        self._tasks.discard(task)
        if request_id is not None:
            self._requests.pop(request_id, None)
        if not task.cancelled() and (bug := task.exception()) is not None:
            if request_id is not None:
                words = f"an error in toolproof: {bug!r}"
                self._receiver.on_failure(request_id, Failure.LOST, words)
            raise bug


def _call(
    message: JsonObject, request_id: int | None, body: bytes, headers: Mapping[str, str]
) -> Call:
    method, params = message.get("method", ""), message.get("params")
    tool = params.get("name") if method == "tools/call" and isinstance(params, dict) else None
    return Call(
        method=method,
        tool=tool if isinstance(tool, str) else None,
        request_id=request_id,
        body=body,
        headers={} if method == "initialize" else headers,  # it knows no revision yet
        modern=headers.get(VERSION) == MODERN or "Mcp-Method" in headers,
    )
