"""One message of ours and all that comes of it: redirect, retry, body, stream, refusal."""

import asyncio
import time
from typing import Any

from toolproof.connection.http_address import redirect_from
from toolproof.connection.http_client import Answer, read_body, read_start
from toolproof.connection.http_faults import HttpFault
from toolproof.connection.http_inbox import Call, Inbox, UnreadableError
from toolproof.connection.http_link import INITIALIZED, SESSION, HttpLink
from toolproof.connection.http_status import (
    EVENTS,
    JSON,
    KEPT_BODY,
    LONGEST_WAIT_S,
    ON_THE_WAY,
    OPENING,
    REDIRECTS,
    Answered,
    Refusal,
    is_event_stream,
    legacy_sse,
    media_type,
    metadata_in,
    not_followed,
    refusal,
    retry_after_s,
    wrong_type,
)
from toolproof.connection.http_streams import Streams
from toolproof.connection.messages import decode_oddly, is_message
from toolproof.connection.observations import Kind, ObservationLog
from toolproof.connection.wire import Failure

_MOST_HOPS = 5
_METHOD_NOT_FOUND = -32601
_MAY_BE_SSE = frozenset({400, 404, 405})
"""So an endpoint of the transport of 2024-11-05 answers a POST (2.2, 3)."""
_ACK = 64 << 10
"""Bytes that are looked at of a body that should be empty."""
_FIRST_EVENT_S = 1.0
_DUE = "202 and an empty body are due"


class Exchanges:
    """Carries messages to one server, any number at once."""

    def __init__(self, link: HttpLink, inbox: Inbox, streams: Streams, log: ObservationLog) -> None:
        self._link = link
        self._inbox = inbox
        self._streams = streams
        self._log = log
        self._renewal: asyncio.Event | None = None
        self._not_renewed = ""

    async def carry(self, call: Call) -> None:
        """Send it, and hand on what comes of it."""
        try:
            pause_s = await self._once(call)
            while pause_s is not None:
                await asyncio.sleep(pause_s)
                pause_s = await self._once(call)
        except HttpFault as fault:
            self._broken(call, fault)
        if call.method == INITIALIZED:
            self._renewal_ended("")

    async def _once(self, call: Call) -> float | None:
        """One POST; how many seconds later to send it again, if it must be."""
        if call.method not in OPENING and call.method != INITIALIZED:
            await self._renewed()
        call.session = None if call.method in OPENING else self._link.session
        answer = await self._link.post(call.body, call.headers, call.session)
        try:
            return await self._take(call, answer)
        finally:
            await answer.close()

    async def _take(self, call: Call, answer: Answer) -> float | None:
        status = answer.status
        if status in REDIRECTS and "location" in answer.headers:
            return self._redirected(call, answer)
        if call.came_by:
            self._tell_redirect(call, self._link.address.url)
        if status in ON_THE_WAY and not call.retried:
            call.retried = True
            pause_s = retry_after_s(answer.headers, time.time())
            if pause_s <= LONGEST_WAIT_S:
                return pause_s
        call.accepted = 200 <= status < 300
        if call.accepted and call.request_id is not None:
            await self._answered(call, answer)
        elif call.accepted:
            await self._acknowledged(call, answer)
        elif await self._refused(call, answer):
            return 0.0
        return None

    # A status of success

    async def _answered(self, call: Call, answer: Answer) -> None:
        if call.method == "initialize":
            self._link.session = answer.headers.get(SESSION.lower())
        if call.method in OPENING:
            self._link.refusal = None
        match media_type(answer.headers):
            case t if t == JSON:
                self._inbox.body(await read_body(answer), call)
            case t if t == EVENTS:
                await self._streams.answer(call, answer)
            case _:
                await self._of_wrong_type(call, answer)

    async def _of_wrong_type(self, call: Call, answer: Answer) -> None:
        """Tell it, and deliver what can be read all the same."""
        first = await answer.chunk()
        if is_event_stream(first):
            self._note(call, wrong_type(self._seen(answer, first), self._link.asked(call.method)))
            await self._streams.answer(call, answer, first)
            return
        raw = await read_body(answer, first=first)
        verdict = wrong_type(self._seen(answer, raw), self._link.asked(call.method))
        value = self._message_in(raw, call)
        if value is None:
            self._fail(call, verdict, answer.status, raw)
            return
        self._note(call, verdict)
        if not self._inbox.deliver(value, raw, call):
            self._inbox.fail(call, Failure.MALFORMED, "the body holds no response", raw=raw)

    # Another status

    async def _refused(self, call: Call, answer: Answer) -> bool:
        """Whether to send it again: that is, in a new session."""
        kind = media_type(answer.headers)
        if kind == EVENTS:
            await self._streams.answer(call, answer)
            return False
        raw = await (read_body(answer) if kind == JSON else read_start(answer, _ACK))
        value = self._message_in(raw, call)
        if call.request_id is None:  # and if the session is gone, the next request will tell
            self._not_accepted(call, self._seen(answer, raw))
        elif answer.status == 404 and call.session and not _is_unknown_method(value, call):
            return self._expired(call, call.session)
        else:
            await self._failed(call, answer.status, self._seen(answer, raw), value, raw)
        return False

    async def _failed(self, call: Call, status: int, got: Answered, value: Any, raw: bytes) -> None:
        """A request was refused; `value` is the message in the body, if there is one."""
        metadata = ""
        if status == 401 and call.method in OPENING and not metadata_in(got.headers):
            metadata = await self._link.find_metadata()
        verdict = refusal(got, self._link.asked(call.method, metadata))
        if await self._is_legacy_sse(call, status):
            self._fail(call, legacy_sse(got), status, raw)
        elif value is None or verdict.overrides:
            self._fail(call, verdict, status, raw)
        elif not self._inbox.deliver(value, raw, call):
            self._inbox.fail(call, Failure.MALFORMED, verdict.words, status=status, raw=raw)

    async def _is_legacy_sse(self, call: Call, status: int) -> bool:
        asked = call.method == "initialize" and status in _MAY_BE_SSE
        return asked and await self._streams.is_legacy_sse()

    # The session

    def _expired(self, call: Call, session: str) -> bool:
        """The server knows the session no more. Whether to send the call again, in a new one."""
        link = self._link
        if link.session == session:
            self._log.add(
                Kind.HTTP_SESSION_EXPIRED,
                f"the server ended the session: {call.method} was answered with 404",
                method=call.method,
            )
            link.session = None
            if self._inbox.renew(self._renewal_ended):
                self._renewal = asyncio.Event()
        if call.repeated or self._renewal is None:
            again = " again" if call.repeated else ""
            words = f"the server ended the session{again} (404)"
            self._inbox.fail(call, Failure.LOST, words, status=404)
            return False
        call.repeated = True
        return True

    def _renewal_ended(self, why_not: str) -> None:
        """The session has shaken hands again, or could not."""
        if self._renewal is not None and not self._renewal.is_set():
            self._not_renewed = why_not
            self._renewal.set()

    async def _renewed(self) -> None:
        """Wait until there is a session again.

        Raises:
            HttpFault: There is none.
        """
        if self._renewal is not None:
            await self._renewal.wait()
            if self._not_renewed:
                raise HttpFault(f"the server ended the session (404); {self._not_renewed}")

    # Notifications, and answers of ours

    async def _acknowledged(self, call: Call, answer: Answer) -> None:
        """202 and nothing else is due."""
        what = call.method or "an answer of ours"
        raw = await self._unexpected(answer)
        if not raw.strip() and answer.status == 202:
            return
        got = self._seen(answer, raw)
        is_json_rpc = _is_answer(raw)
        self._log.add(
            Kind.NOTIFICATION_ANSWERED if is_json_rpc else Kind.HTTP_STATUS,
            f"{what} was answered with HTTP {got.with_body}; {_DUE}",
            method=call.method or None,
            **got.facts,
        )

    async def _unexpected(self, answer: Answer) -> bytes:
        """What came in place of nothing: a body, or the first event."""
        if media_type(answer.headers) != EVENTS:
            return await read_start(answer, _ACK)
        return await self._streams.first_data(answer, _FIRST_EVENT_S)

    def _not_accepted(self, call: Call, got: Answered) -> None:
        verdict = refusal(got, self._link.asked(call.method or "an answer of ours"))
        kind = verdict.kind
        if kind in {None, Kind.HTTP_CONTENT_TYPE}:  # that is about answers to requests
            kind = Kind.HTTP_STATUS
        if call.method == INITIALIZED and got.status == 400 and _is_answer(got.start):
            self._log.add(  # of the others a server may refuse what it does not understand
                Kind.NOTIFICATION_ANSWERED,
                f"{call.method} was answered with HTTP {got.with_body}; {_DUE}",
                method=call.method,
                **got.facts,
            )
            return
        self._log.add(kind, verdict.words, method=call.method or None, **verdict.facts)

    # Redirects

    def _redirected(self, call: Call, answer: Answer) -> float | None:
        link = self._link
        step = redirect_from(link.address, answer.headers["location"], credentials=link.credentials)
        call.came_by.append((link.address.url, answer.status))
        why_not = step.why_not
        if len(call.came_by) > _MOST_HOPS:
            why_not = f"there were {_MOST_HOPS} before it"
        if step.address is not None and not why_not:
            link.move(step.address)
            return 0.0
        verdict = not_followed(call.came_by[0][1], step.target, why_not)
        self._tell_redirect(call, step.target, why_not)
        self._fail(call, verdict, answer.status, b"")
        return None

    def _tell_redirect(self, call: Call, target: str, why_not: str = "") -> None:
        origin, status = call.came_by[0]
        detail = f"{origin} redirects ({status}) to {target}"
        if why_not:
            detail += f", which is not followed: {why_not}"
        elif status in {301, 302, 303}:
            detail += "; most clients turn the POST into a GET there, and fail"
        self._log.add(Kind.HTTP_REDIRECT, detail, status=status, target=target)
        call.came_by = []

    # Ends

    def _fail(self, call: Call, verdict: Refusal, status: int, raw: bytes) -> None:
        self._note(call, verdict)
        if call.method in OPENING:
            self._link.refusal = verdict.error(self._link.address.url) if verdict.stops else None
        self._inbox.fail(call, verdict.failure, verdict.words, status=status, raw=raw[:KEPT_BODY])

    def _note(self, call: Call, verdict: Refusal) -> None:
        if verdict.kind is not None:
            self._log.add(verdict.kind, verdict.words, method=call.method or None, **verdict.facts)

    def _broken(self, call: Call, fault: HttpFault) -> None:
        """No answer, or half of one. A probe may be what an older server cannot stand."""
        link = self._link
        if not link.answered and (not fault.reached or call.method != "server/discover"):
            link.refusal = Refusal(fault.words, hint=fault.hint).error(link.address.url)
        self._inbox.fail(call, Failure.LOST, fault.words)

    def _seen(self, answer: Answer, raw: bytes) -> Answered:
        return Answered(answer.status, answer.headers, raw[:KEPT_BODY])

    def _message_in(self, raw: bytes, call: Call) -> Any:
        """The JSON-RPC message in a body that may be none; None if it is none."""
        try:
            value = self._inbox.read(raw, call)
        except UnreadableError:
            return None
        return value if is_message(value) else None


def _is_unknown_method(value: Any, call: Call) -> bool:
    """An error with our id means that the method was not found, and not the session."""
    if not isinstance(value, dict) or value.get("id") != call.request_id:
        return False
    error = value.get("error")
    return isinstance(error, dict) and error.get("code") == _METHOD_NOT_FOUND


def _is_answer(raw: bytes) -> bool:
    """Would a client take this body for a JSON-RPC message?"""
    value = decode_oddly(raw.decode(errors="replace"))
    if value is None:  # cut off
        return raw.lstrip().startswith(b"{") and b'"jsonrpc"' in raw
    return is_message(value) or (
        isinstance(value, dict) and bool({"result", "error"} & value.keys())
    )
