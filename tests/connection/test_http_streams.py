"""Event streams that break off, and bodies that are no answer."""

import asyncio

import pytest

from tests.connection.recording import handshake, wire
from tests.servers.http_scripted import (
    END,
    Asked,
    Part,
    accepted,
    event,
    events,
    reply,
    response,
    result,
    serving,
)
from toolproof.connection.observations import Kind
from toolproof.connection.wire import Failure

# Streams that break off


async def test_a_stream_without_its_response_is_resumed_from_the_last_event() -> None:
    def script(asked: Asked) -> list[Part]:
        if asked.method == "POST":
            return events(b"id: 7\nretry: 10\ndata:\n\n")
        assert asked.headers["last-event-id"] == "7"
        return events(event(b'{"jsonrpc":"2.0","id":1,"result":{}}'))

    async with serving(script) as server, wire(server.url) as open_wire:
        got = await open_wire.ask("tools/call")

    assert got.value["result"] == {}
    assert server.asked == ["tools/call", "GET"]


async def test_a_stream_that_brings_nothing_new_is_resumed_only_once() -> None:
    def script(asked: Asked) -> list[Part]:
        return events(b"id: 7\nretry: 0\n\n") if asked.method == "POST" else events(b"id: 7\n\n")

    async with serving(script) as server, wire(server.url) as open_wire:
        got = await open_wire.ask("tools/call")

    assert (got.failure, got.detail) == (
        Failure.LOST,
        "the event stream ended without a response",
    )
    assert server.asked == ["tools/call", "GET"]


async def test_a_resumption_that_is_refused_says_so() -> None:
    def script(asked: Asked) -> list[Part]:
        return events(b"id: 7\nretry: 0\n\n") if asked.method == "POST" else reply(405)

    async with serving(script) as server, wire(server.url) as open_wire:
        got = await open_wire.ask("tools/call")

    assert got.failure is Failure.LOST
    assert "resuming it was answered with HTTP 405 (Method Not Allowed)" in got.detail


async def test_a_resumption_that_finds_nobody_says_so() -> None:
    def script(asked: Asked) -> list[Part]:
        return events(b"id: 7\nretry: 0\n\n") if asked.method == "POST" else [END]

    async with serving(script) as server, wire(server.url) as open_wire:
        got = await open_wire.ask("tools/call")

    assert got.failure is Failure.LOST
    assert "resuming it failed: the server closed the connection" in got.detail


async def test_the_servers_own_stream_is_not_opened_for_ever_in_vain() -> None:
    given_up = asyncio.Event()

    def script(asked: Asked) -> list[Part]:
        if asked.method == "POST":
            return result(asked) if "id" in asked.json else accepted()
        if server.asked.count("GET") == 3:
            given_up.set()
        return events(b": nothing\n\n", b"retry: 0\n\n")

    async with serving(script) as server, wire(server.url) as open_wire:
        await handshake(open_wire)
        await given_up.wait()
        await asyncio.sleep(0.3)

    assert server.asked.count("GET") == 3


async def test_events_of_another_type_on_the_servers_own_stream_are_skipped() -> None:
    note = b'{"jsonrpc":"2.0","method":"notifications/message","params":{}}'

    def script(asked: Asked) -> list[Part]:
        if asked.method == "POST":
            return result(asked) if "id" in asked.json else accepted()
        return events(event(b"{}", event="ping"), event(note), asyncio.Event())

    async with serving(script) as server, wire(server.url) as open_wire:
        await handshake(open_wire)
        await open_wire.receiver.until(lambda all_: len(all_.got) == 2)

    assert open_wire.receiver.got[1].value["method"] == "notifications/message"


async def test_a_modern_stream_is_never_resumed() -> None:
    script = lambda _: events(b"id: 7\nretry: 0\n\n")  # noqa: E731
    async with serving(script) as server, wire(server.url) as open_wire:
        got = await open_wire.ask("tools/call", modern=True)

    assert got.failure is Failure.LOST
    assert server.asked == ["tools/call"]


@pytest.mark.parametrize(
    ("stream", "words"),
    [
        (b"", "the event stream ended without a response"),
        (b'data: {"id":1,"result":{}}', "has no empty line after it"),
        (b"event: result\ndata: {}\n\n", "events of the type 'result'"),
        (b"data: [DONE\n\n", "the answer is not JSON: [DONE"),
    ],
)
async def test_a_stream_without_a_response_says_what_was_there(stream: bytes, words: str) -> None:
    script = lambda _: events(stream) if stream else events()  # noqa: E731
    async with serving(script) as server, wire(server.url) as open_wire:
        got = await open_wire.ask("tools/call")

    assert got.failure is not None
    assert words in got.detail


# Bodies that are no answer


@pytest.mark.parametrize(
    ("body", "words", "kind"),
    [
        (b"", "the body of the answer is empty", Kind.RESPONSE_INVALID),
        (b"oops", "the answer is not JSON: oops", Kind.RESPONSE_INVALID),
        (b'{"id":1,"result":{"x":NaN}}', "the answer holds NaN", Kind.RESPONSE_INVALID),
        (b"[" * 200_000, "nested too deep", Kind.RESPONSE_INVALID),
        (b'{"id":1,"result":' + b"9" * 5000 + b"}", "a number that", Kind.RESPONSE_INVALID),
        (b'{"jsonrpc":"2.0","method":"ping"}', "the body holds no response", None),
    ],
)
async def test_a_body_without_a_response_fails_its_request_at_once(
    body: bytes, words: str, kind: Kind | None
) -> None:
    async with (
        serving(
            lambda _: reply(200, body) if body else reply(200, Content_Type="application/json")
        ) as server,
        wire(server.url) as open_wire,
    ):
        got = await open_wire.ask("tools/call", {"name": "echo"})

    assert got.failure is Failure.MALFORMED
    assert words in got.detail
    assert open_wire.kinds == ({kind} if kind else set())
    assert all(one.tool == "echo" for one in open_wire.log.each(Kind.RESPONSE_INVALID))


@pytest.mark.parametrize(
    ("before", "inside", "kind"),
    [
        (b"\xef\xbb\xbf", b"", Kind.STDOUT_BOM),
        (b"", b"\xff", Kind.INVALID_UTF8),
        (b"", b"\\ud800", Kind.LONE_SURROGATE),
    ],
)
async def test_what_is_odd_about_a_message_is_told_and_the_message_delivered(
    before: bytes, inside: bytes, kind: Kind
) -> None:
    body = before + b'{"jsonrpc":"2.0","id":1,"result":{"x":"' + inside + b'"}}'
    async with serving(lambda _: reply(200, body)) as server, wire(server.url) as open_wire:
        got = await open_wire.ask("tools/list")

    assert got.value["id"] == 1
    assert open_wire.kinds == {kind}


async def test_a_response_on_the_stream_of_another_request_goes_to_its_own() -> None:
    async def script_(asked: Asked) -> None: ...

    both = asyncio.Event()
    asks: list[Asked] = []

    def script(asked: Asked) -> list[Part]:
        asks.append(asked)
        if len(asks) == 1:
            return [
                both,
                *events(event(b'{"jsonrpc":"2.0","id":2,"result":{}}'), event(response(asked))),
            ]
        both.set()
        return [asyncio.Event()]

    async with serving(script) as server, wire(server.url) as open_wire:
        first = open_wire.send("tools/call")
        await asyncio.sleep(0)
        open_wire.send("tools/call")
        await open_wire.receiver.answer_to(first)

    assert [(one.value["id"], one.to) for one in open_wire.receiver.got] == [(2, None), (1, 1)]
