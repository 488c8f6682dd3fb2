"""Event streams: the one that answers a request, its resumption, and the server's own."""

import asyncio
from contextlib import suppress

from toolproof.connection.http_client import Answer
from toolproof.connection.http_faults import HttpFault
from toolproof.connection.http_inbox import Call, Inbox
from toolproof.connection.http_link import HttpLink
from toolproof.connection.http_status import EVENTS, Answered, media_type
from toolproof.connection.sse import EventTooLargeError, SseParser
from toolproof.connection.wire import Failure
from toolproof.text import listed

_RETRY_MS = 1000
"""Until a stream is resumed, where the server does not say."""
_DRAIN_S = 0.1
"""A stream should end after its response; so long it may take, for the connection to be kept."""
_FIRST_EVENT_S = 5.0
_MOST_EMPTY = 3
"""So often in a row the server's own stream is opened in vain."""


class Streams:
    """Reads the event streams of one connection."""

    def __init__(self, link: HttpLink, inbox: Inbox) -> None:
        self._link = link
        self._inbox = inbox

    async def answer(self, call: Call, answer: Answer, first: bytes = b"") -> None:
        """Read a stream up to the response to the call, resuming it where that is possible."""
        parser = SseParser()
        ended = await self._up_to_response(parser, call, answer, first)
        while ended and (last_id := _resumable(parser, call)):
            await asyncio.sleep((_RETRY_MS if parser.retry_ms is None else parser.retry_ms) / 1000)
            parser = SseParser(last_id=last_id)
            ended = await self._resumed(parser, call, ended)
        if ended:
            self._inbox.fail(call, Failure.MALFORMED if call.problem else Failure.LOST, ended)

    async def listen(self) -> None:
        """The server's own requests and notifications, on a stream that it may offer (legacy)."""
        parser, pause_ms, empty = SseParser(), _RETRY_MS, 0
        with suppress(HttpFault, EventTooLargeError):
            while empty < _MOST_EMPTY:
                answer = await self._link.get(last_id=parser.last_id)
                try:
                    if not _is_stream(answer):
                        return
                    parser = SseParser(last_id=parser.last_id)
                    empty = 0 if await self._everything(parser, answer) else empty + 1
                finally:
                    await answer.close()
                pause_ms = pause_ms if parser.retry_ms is None else max(100, parser.retry_ms)
                await asyncio.sleep(pause_ms / 1000)

    async def is_legacy_sse(self) -> bool:
        """Does a GET open a stream whose first event is `endpoint`: the transport of 2024-11-05?"""
        with suppress(HttpFault, EventTooLargeError, TimeoutError):
            async with asyncio.timeout(_FIRST_EVENT_S):
                answer = await self._link.get(in_session=False)
                try:
                    parser = SseParser()
                    while _is_stream(answer) and (chunk := await answer.chunk()):
                        if events := parser.feed(chunk):
                            return events[0].name == "endpoint"
                finally:
                    await answer.close()
        return False

    async def first_data(self, answer: Answer, limit_s: float) -> bytes:
        """The data of the first message on a stream that should not be there; empty for none."""
        parser = SseParser()
        with suppress(HttpFault, EventTooLargeError, TimeoutError):
            async with asyncio.timeout(limit_s):
                while chunk := await answer.chunk():
                    for event in parser.feed(chunk):
                        if event.name == "message":
                            return event.data
        return b""

    async def _everything(self, parser: SseParser, answer: Answer) -> bool:
        """Deliver all that comes; True if it was anything."""
        found = False
        while chunk := await answer.chunk():
            for event in parser.feed(chunk):
                found = True
                if event.name == "message":
                    self._inbox.event(event.data, None)
        return found

    async def _up_to_response(
        self, parser: SseParser, call: Call, answer: Answer, first: bytes = b""
    ) -> str:
        """Why it ended without the response; "" if the response came."""
        try:
            chunk = first or await answer.chunk()
            while chunk:
                answered = False
                for event in parser.feed(chunk):
                    if event.name != "message":
                        call.skipped[event.name] = None
                    elif self._inbox.event(event.data, None if answered else call):
                        answered = True
                if answered:
                    await self._drain(parser, answer)
                    return ""
                chunk = await answer.chunk()
        except (HttpFault, EventTooLargeError) as exc:
            return f"the event stream broke off: {exc}"
        return "the event stream ended without a response" + _remarks(parser, call)

    async def _drain(self, parser: SseParser, answer: Answer) -> None:
        with suppress(HttpFault, EventTooLargeError, TimeoutError):
            async with asyncio.timeout(_DRAIN_S):
                await self._everything(parser, answer)

    async def _resumed(self, parser: SseParser, call: Call, ended: str) -> str:
        try:
            answer = await self._link.get(last_id=parser.last_id)
        except HttpFault as fault:
            return f"{ended}; resuming it failed: {fault}"
        try:
            if not _is_stream(answer):
                got = Answered(answer.status, answer.headers)
                return f"{ended}; resuming it was answered with HTTP {got.words}"
            return await self._up_to_response(parser, call, answer)
        finally:
            await answer.close()


def _is_stream(answer: Answer) -> bool:
    return answer.status == 200 and media_type(answer.headers) == EVENTS


def _resumable(parser: SseParser, call: Call) -> str:
    """Where to resume, if this stream brought something new since it was opened: else for ever."""
    fresh = parser.advanced or parser.retry_ms is not None
    return parser.last_id if fresh and not call.modern else ""


def _remarks(parser: SseParser, call: Call) -> str:
    remarks = ""
    if call.problem:
        remarks += f"; {call.problem}"
    if parser.unfinished:
        remarks += "; its last event has no empty line after it, so it does not count"
    if call.skipped:
        remarks += f"; there were events of the type {listed(map(repr, call.skipped))}"
    return remarks
