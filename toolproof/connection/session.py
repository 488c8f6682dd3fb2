"""JSON-RPC with one server, over any transport: ids, limits, answers, and what the server asks."""

import asyncio
import math
from collections.abc import Mapping
from typing import Any

from toolproof.connection import replies
from toolproof.connection.answers import ClientAnswers
from toolproof.connection.backing import Backing, Secrets
from toolproof.connection.incoming import Incoming
from toolproof.connection.losses import Losses
from toolproof.connection.observations import Kind
from toolproof.connection.renewal import Renewal
from toolproof.connection.stamps import Marked, modern_meta, request_headers
from toolproof.connection.waiting import TOKENED, Pending, Waiting
from toolproof.connection.wire import (
    MODERN,
    Ending,
    Failure,
    JsonObject,
    Outcome,
    Transport,
)
from toolproof.connection.witness import Witness
from toolproof.text import count

IDLE_S = 10.0
"""How long a request may be silent, where its caller does not say (`timeout_ms`)."""
TOTAL_FACTOR = 6.0
"""The longest that progress can stretch a request, in idle limits."""
_NEVER_CANCELLED = ("initialize", "server/discover")
_AMBIGUOUS_S = 0.5
_END_NOTICED_S = 0.5
_MOST_GIVEN_UP = 10_000


class Session:
    """One connection to one server; used once, never reopened.

    Nothing that the server does raises: a request ends in an `Outcome`, all else is observed.

    Attributes:
        revision: The one agreed on; "" before that.
        opened: Whether it was agreed on: from then on the end of the server is told.
        lost: Why nothing can be sent any more; None while the connection lives.
        ending: How the process ended, if it did.
        first_answer_at: When the first answer to a request came, by the loop's clock.
        blocked: Whether a request timed out and nothing has been answered since.
        marked: Per tool, the arguments that go into headers; `lists` fills it.
    """

    def __init__(
        self,
        transport: Transport,
        witness: Witness,
        *,
        answers: ClientAnswers | None = None,
        secrets: Secrets | None = None,
        backing: Backing | None = None,
    ) -> None:
        self.transport = transport
        self.witness = witness
        self.answers = answers or ClientAnswers()
        self.backing = backing or Backing()
        self.over_http = self.backing.over_http
        self.revision = ""
        self.opened = False
        self.lost: str | None = None
        self.ending: Ending | None = None
        self.first_answer_at: float | None = None
        self.blocked = False
        self.marked: dict[str, Marked] = {}
        self._loop = asyncio.get_running_loop()
        self.began = self._loop.time()
        self._secrets = secrets
        self._closing = False
        self._stamp: JsonObject = {}
        self.last_id = 0
        self.after_notification = 0
        self.given_up: dict[int, float] = {}
        self.strays: list[str] = []
        self.waiting = Waiting(self._expired)
        self.concluded: Pending | None = None
        self.incoming = Incoming(self)
        self._losses = Losses(witness, self.waiting)
        self.on_session_expired = Renewal(self)  # called by the transport over HTTP
        witness.in_flight = self.waiting.in_flight

    # Opening and closing

    async def start(self) -> None:
        """Open the transport.

        Raises:
            ServerError: The server cannot be started.
        """
        await self.transport.open(self)

    def agree(self, revision: str) -> None:
        """From now on speak this revision."""
        self.revision = revision
        self._stamp = self.modern_stamp() if revision == MODERN else {}

    def mark_opened(self) -> None:
        """The handshake is over: from now on an end of the server is unexpected.

        What of it was not answered, such as a probe that came too early, is waited for no more.
        """
        self.opened = True
        while self.waiting.by_id:
            ident, pending = self.waiting.by_id.popitem()
            self.given_up[ident] = math.inf  # never late
            pending.future.cancel()
        if self.lost is not None:  # it has ended since its answer
            self._losses.keep(self.ending)

    def modern_stamp(self, revision: str = MODERN) -> JsonObject:
        """The `_meta` of the stateless revision, or of one made up for a probe."""
        return modern_meta(self.answers.capabilities, revision)

    async def close(self, *, fast: bool = False) -> None:
        """End it; whoever waits gets `lost`."""
        self._closing = True
        self._losses.tell(None)
        if self.blocked or self.waiting.by_id:
            self.backing.excuse()  # it is still busy with what we asked for
        self._lose("the connection was closed")
        await self.transport.close(fast=fast)

    # Requests

    def request_nowait(
        self,
        method: str,
        params: JsonObject,
        *,
        idle_s: float = IDLE_S,
        total_s: float | None = None,
        stamp: JsonObject | None = None,
    ) -> asyncio.Future[Outcome]:
        """Send a request and return at once: the path of bench and fuzz.

        Args:
            params: Not copied below its first level, so leave it as it is until the answer comes.
            idle_s: How long it may be silent; starts anew with each report of progress.
            total_s: The most in all; 6 times `idle_s` if not given.
            stamp: Members of `_meta` in place of those of the agreed revision.

        Raises:
            ValueError: The params cannot be written as JSON. Likewise TypeError.
        """
        return self._begin(method, params, idle_s, total_s, stamp).future

    async def request(
        self,
        method: str,
        params: JsonObject,
        *,
        idle_s: float = IDLE_S,
        total_s: float | None = None,
        stamp: JsonObject | None = None,
    ) -> Outcome:
        """Send a request and wait for what comes of it; see `request_nowait`.

        If the caller is cancelled, so is the request.
        """
        pending = self._begin(method, params, idle_s, total_s, stamp)
        try:
            return await pending.future
        except asyncio.CancelledError:
            if self.waiting.by_id.pop(pending.ident, None) is not None:
                self._give_up(pending, "the caller gave up")
            raise

    def notify(self, method: str, params: JsonObject | None = None) -> None:
        """Send a notification."""
        self.after_notification = self.last_id + 1
        message: JsonObject = {"jsonrpc": "2.0", "method": method}
        if params is not None:
            message["params"] = params
        self._send_plain(message, method, params or {})

    async def responds(self, timeout_s: float = 2.0) -> bool:
        """Whether the server still answers; any answer will do."""
        method = "server/discover" if self.revision == MODERN else "ping"
        outcome = await self.request(method, {}, idle_s=timeout_s, total_s=timeout_s)
        return outcome.failure in (None, Failure.MALFORMED)

    def _begin(
        self,
        method: str,
        params: JsonObject,
        idle_s: float,
        total_s: float | None,
        stamp: JsonObject | None,
    ) -> Pending:
        stamp = self._stamp if stamp is None else stamp
        now = self._loop.time()
        limit = now + (idle_s * TOTAL_FACTOR if total_s is None else total_s)
        deadline = min(now + idle_s, limit)
        future = self._loop.create_future()
        pending = Pending(0, method, params, future, now, idle_s, deadline, limit, bool(stamp))
        if self.lost is None:
            self.send_request(pending, params, stamp)
        else:
            self._losses.tell(method)
            pending.future.set_result(Outcome(failure=Failure.LOST, detail=self.lost))
        return pending

    def send_request(self, pending: Pending, params: JsonObject, stamp: JsonObject) -> None:
        """Send a request under the next id, and wait for its answer."""
        ident = self.last_id = self.last_id + 1
        if pending.method in TOKENED:
            stamp = {**stamp, "progressToken": ident}
        if stamp:
            own = params.get("_meta")
            params = {**params, "_meta": {**stamp, **own} if isinstance(own, dict) else stamp}
        message = {"jsonrpc": "2.0", "id": ident, "method": pending.method, "params": params}
        if self.over_http:
            headers = request_headers(self.revision, pending.method, params, self.marked)
            self.transport.send(message, request_id=ident, headers=headers)
        else:
            self.transport.send(message)
        pending.ident = ident
        self.waiting.add(pending)

    @property
    def stamp(self) -> JsonObject:
        return self._stamp

    def _send_plain(self, message: JsonObject, method: str, params: Mapping[str, Any]) -> None:
        if self.lost is None:
            headers = None
            if self.over_http:
                headers = request_headers(self.revision, method, params, self.marked)
            self.transport.send(message, headers=headers)

    def answer(self, message: JsonObject) -> None:
        """Send our answer to a request of the server."""
        self._send_plain(message, "", {})

    # What the transport brings

    def on_message(self, message: Any, raw: bytes, *, reply_to: int | None = None) -> None:
        if self._secrets is not None and self._secrets.found_in(raw):
            self.witness.see(Kind.SECRET_LEAK, "a message of the server holds a secret value")
        if type(message) is dict:
            ident = message.get("id")
            if type(ident) is int and "method" not in message:
                pending = self.waiting.by_id.pop(ident, None)
                if pending is not None:
                    self.concluded = pending
                    if not replies.usual(pending, message):
                        replies.conclude(self, pending, message, raw)
                    elif not pending.future.done():
                        self.blocked = False
                        taken_ms = (self._loop.time() - pending.begin) * 1000
                        progress = pending.progress
                        outcome = Outcome(taken_ms, message["result"], raw=raw, progress=progress)
                        pending.future.set_result(outcome)
                    return
            self._other(message, raw, reply_to)
        elif isinstance(message, list):
            replies.batch(self, message, raw, reply_to)
        else:
            shown = raw[:120].decode(errors="replace")
            self.witness.see(Kind.RESPONSE_INVALID, f"a message that is no object: {shown}")

    def on_failure(
        self,
        request_id: int,
        failure: Failure,
        detail: str,
        *,
        http_status: int | None = None,
        raw: bytes = b"",
    ) -> None:
        outcome = Outcome(failure=failure, detail=detail, raw=raw, http_status=http_status)
        if failure is Failure.LOST and self.backing.hosted:
            # The end of its process is about to be noticed, and says more.
            self._loop.call_later(_END_NOTICED_S, self._fail, request_id, outcome)
        else:
            self._fail(request_id, outcome)

    def _fail(self, request_id: int, outcome: Outcome) -> None:
        pending = self.waiting.by_id.pop(request_id, None)
        if pending is not None:
            self.answered()
            self.finish(pending, outcome)

    def on_lost(self, reason: str, *, ending: Ending | None = None) -> None:
        if self.lost is not None:
            return
        self.ending = ending
        if self.opened and ending is not None and not self._closing:
            self._losses.judge(ending)
        last = (
            f'; the last line of its stderr: "{ending.last_line}"'
            if (ending is not None and ending.last_line)
            else ""
        )
        self._lose(reason, last)

    def _other(self, message: JsonObject, raw: bytes, reply_to: int | None) -> None:
        if "method" in message and not ("result" in message or "error" in message):
            self.incoming.take(message, raw)
        else:
            replies.misaddressed(self, message, raw, reply_to)

    # Ends of a request

    def finish(self, pending: Pending, outcome: Outcome) -> None:
        """Hand the outcome to whoever waits; the request has been taken out of the table."""
        if not pending.future.done():
            outcome.latency_ms = (self._loop.time() - pending.begin) * 1000
            outcome.progress = pending.progress
            pending.future.set_result(outcome)

    def now(self) -> float:
        """The event loop's clock, in seconds."""
        return self._loop.time()

    def answered(self) -> None:
        """An answer came, whatever it says: the server is neither dead nor stuck."""
        self.blocked = False
        if self.first_answer_at is None:
            self.first_answer_at = self._loop.time()

    def hold(self, pending: Pending, message: JsonObject, raw: bytes) -> None:
        """Wait a moment before an error without an id counts as this request's answer."""
        pending.held = (message, raw)
        self._loop.call_later(_AMBIGUOUS_S, replies.settle, self, pending)

    def _expired(self, pending: Pending, now: float) -> None:
        del self.waiting.by_id[pending.ident]
        if pending.held is not None:
            replies.adopt(self, pending)
            return
        self.blocked = True
        silent = pending.deadline < pending.limit
        waited = pending.idle_s if silent else pending.limit - pending.begin
        detail = f"no answer to {pending.method} within {waited:g} s"
        if pending.progress:
            told = count(pending.progress, "report") + " of progress"
            detail += f" after {told}" if silent else f" in all, in spite of {told}"
        for more in (self.backing.hint(), *self.strays):
            detail += f"; {more}" if more else ""
        waited_s = round(now - pending.begin, 3)
        self.backing.event("timeout", id=pending.ident, method=pending.method, after_s=waited_s)
        self._give_up(pending, detail)
        self.finish(pending, Outcome(failure=Failure.TIMEOUT, detail=detail))

    def _give_up(self, pending: Pending, reason: str) -> None:
        self.given_up[pending.ident] = self._loop.time()
        if len(self.given_up) > _MOST_GIVEN_UP:
            del self.given_up[next(iter(self.given_up))]
        by_closing = self.over_http and self.revision == MODERN
        if not by_closing and pending.method not in _NEVER_CANCELLED and not self.transport.unsent:
            told = {"requestId": pending.ident, "reason": reason}
            self.notify("notifications/cancelled", told)
        self.transport.abandon(pending.ident)

    def _lose(self, reason: str, last_words: str = "") -> None:
        if self.lost is None:
            self.lost = reason + last_words
        self.waiting.close()
        while self.waiting.by_id:
            pending = self.waiting.by_id.pop(next(iter(self.waiting.by_id)))
            detail = f"{reason} before it answered {pending.method}{last_words}"
            self.finish(pending, Outcome(failure=Failure.LOST, detail=detail))
