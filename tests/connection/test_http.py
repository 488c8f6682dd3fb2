"""The HTTP transport on good servers: bodies, streams, sessions; over both of its clients."""

import asyncio
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager

import httpx2
import pytest

from tests.connection.recording import Wire, handshake, wire
from tests.servers.http_scripted import (
    END,
    Asked,
    Part,
    accepted,
    after_handshake,
    chunk,
    error,
    event,
    events,
    head,
    reply,
    response,
    result,
    serving,
)

TEXT = {"text": "å"}
Reach = Callable[[str], AbstractAsyncContextManager[Wire]]


@pytest.fixture(params=["our client", "httpx2"])
def reach(request: pytest.FixtureRequest) -> Reach:
    """A sign-in that does nothing makes httpx2 carry what would go without a library."""
    auth = httpx2.Auth() if request.param == "httpx2" else None
    return lambda url: wire(url, auth=auth)


# Requests that are answered as they should be


async def test_a_json_body_is_delivered_as_the_answer_to_its_request(reach: Reach) -> None:
    async with serving(lambda asked: result(asked, TEXT)) as server, reach(server.url) as open_wire:
        got = await open_wire.ask("tools/list", {"a": "é\udc80"})

    assert got.value == {"jsonrpc": "2.0", "id": 1, "result": TEXT}
    assert not open_wire.kinds
    sent = server.seen[0]
    assert (sent.method, sent.target) == ("POST", "/mcp")
    assert sent.headers["content-type"] == "application/json"
    assert sent.headers["accept"] == "application/json, text/event-stream"
    assert sent.headers["mcp-protocol-version"] == "2025-11-25"
    assert "origin" not in sent.headers
    assert "é\\udc80".encode() in sent.body


@pytest.mark.parametrize("end", [b"\n", b"\r", b"\r\n"], ids=["LF", "CR", "CRLF"])
async def test_an_event_stream_is_read_up_to_its_response(end: bytes, reach: Reach) -> None:
    progress = b'{"jsonrpc":"2.0","method":"notifications/progress","params":{}}'

    def script(asked: Asked) -> list[Part]:
        first, second = response(asked, TEXT).split(b", ", 1)
        lines = [b": hello", b"", b"id: 1", b"data:", b"", b"data: " + progress, b""]
        lines += [b"event: message", b"data: " + first + b",", b"data: " + second, b"", b""]
        stream = end.join(lines)
        return events(*(stream[i : i + 7] for i in range(0, len(stream), 7)))

    async with serving(script) as server, reach(server.url) as open_wire:
        got = await open_wire.ask("tools/call")

    assert got.value["result"] == TEXT
    assert [one.value.get("method") for one in open_wire.receiver.got] == [
        "notifications/progress",
        None,
    ]
    assert not open_wire.kinds


async def test_messages_inside_a_stream_come_before_it_ends(reach: Reach) -> None:
    go_on = asyncio.Event()
    ping = b'{"jsonrpc":"2.0","id":"p","method":"ping"}'

    def script(asked: Asked) -> list[Part]:
        if asked.rpc == "response":
            go_on.set()
            return accepted()
        return events(event(ping), go_on, event(response(asked)))

    async with serving(script) as server, reach(server.url) as open_wire:
        ident = open_wire.send("tools/call")
        await open_wire.receiver.until(lambda all_: all_.got)
        open_wire.transport.send({"jsonrpc": "2.0", "id": "p", "result": {}}, headers={})
        await open_wire.receiver.answer_to(ident)

    assert server.seen[1].json == {"jsonrpc": "2.0", "id": "p", "result": {}}
    assert not open_wire.kinds


async def test_a_stream_that_goes_on_after_the_response_is_closed(reach: Reach) -> None:
    never = asyncio.Event()

    def script(asked: Asked) -> list[Part]:
        return events(event(response(asked)), event(response(asked)), never)

    async with serving(script) as server, reach(server.url) as open_wire:
        await open_wire.ask("tools/call")
        await open_wire.receiver.until(lambda all_: len(all_.got) == 2)

    assert [one.to for one in open_wire.receiver.got] == [
        1,
        None,
    ]  # the session sees it is a second one


async def test_many_requests_run_at_once_and_keep_apart(reach: Reach) -> None:
    everybody = asyncio.Event()
    came = 0

    def script(asked: Asked) -> list[Part]:
        nonlocal came
        came += 1
        if came == 30:
            everybody.set()
        return [everybody, *result(asked, asked.json["params"])]

    async with serving(script) as server, reach(server.url) as open_wire:
        idents = [open_wire.send("tools/call", {"n": n}) for n in range(30)]
        got = [await open_wire.receiver.answer_to(ident) for ident in idents]

    assert [one.value["result"]["n"] for one in got] == list(range(30))


async def test_a_connection_is_used_again(reach: Reach) -> None:
    async with serving(result) as server, reach(server.url) as open_wire:
        for _ in range(5):
            await open_wire.ask("ping")

    assert server.connections == 1


@pytest.mark.parametrize(
    "body",
    [
        lambda raw: [head(200, {"Content-Type": "application/json"}), raw, END],
        lambda raw: [
            head(200, {"Content-Type": "application/json", "Transfer-Encoding": "chunked"}),
            *(chunk(raw[i : i + 9]) for i in range(0, len(raw), 9)),
            b"0;last\r\nX-Trailer: 1\r\n\r\n",
        ],
        lambda raw: reply(body=raw, kind='Application/JSON; charset="utf-8"'),
        lambda raw: [*(bytes([b]) for b in b"".join(map(bytes, reply(body=raw))))],  # type: ignore[arg-type]
    ],
    ids=["until close", "chunked", "odd case", "byte by byte"],
)
async def test_a_body_comes_whole_however_it_is_framed(
    body: Callable[[bytes], list[Part]], reach: Reach
) -> None:
    script = lambda asked: body(response(asked, TEXT))  # noqa: E731
    async with serving(script) as server, reach(server.url) as open_wire:
        got = await open_wire.ask("ping")

    assert got.value["result"] == TEXT


@pytest.mark.parametrize("stream", [False, True], ids=["body", "event"])
async def test_a_message_of_40_mib_is_no_problem(stream: bool) -> None:
    big = "x" * (40 << 20)

    def script(asked: Asked) -> list[Part]:
        raw = response(asked, {"big": big})
        return events(event(raw)) if stream else reply(body=raw)

    async with serving(script) as server, wire(server.url) as open_wire:
        got = await open_wire.ask("tools/call")

    assert len(got.value["result"]["big"]) == len(big)


# The session


async def test_the_session_id_goes_with_every_message_and_is_deleted_at_the_end(
    reach: Reach,
) -> None:
    async with serving(after_handshake(result)) as server, reach(server.url) as open_wire:
        await handshake(open_wire)
        await open_wire.ask("tools/list")
        assert open_wire.transport.session_id == "s-1"

    ids = {asked.rpc: asked.headers.get("mcp-session-id") for asked in server.seen}
    assert ids == {
        "initialize": None,
        "notifications/initialized": "s-1",
        "GET": "s-1",
        "tools/list": "s-1",
        "DELETE": "s-1",
    }
    assert server.seen[-1].headers["mcp-protocol-version"] == "2025-11-25"
    assert not open_wire.kinds
    assert open_wire.receiver.lost == "the connection was closed"


async def test_what_follows_waits_until_the_server_knows_that_it_is_initialized(
    reach: Reach,
) -> None:
    def script(asked: Asked) -> list[Part]:
        if asked.rpc == "notifications/initialized":
            return [0.05, *accepted()]
        return result(asked) if asked.method == "POST" else reply(405)

    async with serving(script) as server, reach(server.url) as open_wire:
        await handshake(open_wire)
        await open_wire.ask("tools/list")

    assert server.asked[:2] == ["initialize", "notifications/initialized"]
    assert server.connections <= 3


async def test_a_server_that_never_takes_the_notification_holds_nobody_up_for_ever(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("toolproof.connection.http._READY_S", 0.05)

    def script(asked: Asked) -> list[Part]:
        return result(asked) if "id" in asked.json else [asyncio.Event()]

    async with serving(script) as server, wire(server.url) as open_wire:
        await handshake(open_wire)
        got = [await open_wire.ask("tools/list") for _ in range(2)]

    assert [one.value["result"] for one in got] == [{}, {}]


async def test_a_404_with_our_id_that_knows_no_such_method_is_no_end_of_the_session(
    reach: Reach,
) -> None:
    script = after_handshake(lambda asked: error(asked, -32601, 404))
    async with serving(script) as server, reach(server.url) as open_wire:
        await handshake(open_wire)
        got = await open_wire.ask("foo/bar")

    assert got.value["error"]["code"] == -32601
    assert not open_wire.kinds


async def test_the_servers_own_stream_brings_its_messages_and_is_opened_again(reach: Reach) -> None:
    changed = b'{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}'
    opened = 0

    def script(asked: Asked) -> list[Part]:
        nonlocal opened
        match asked.rpc:
            case "GET":
                opened += 1
                return events(event(changed, id=f"e{opened}", retry="0"))
            case "notifications/initialized":
                return accepted()
        return result(asked)

    async with serving(script) as server, reach(server.url) as open_wire:
        await handshake(open_wire)
        await open_wire.receiver.until(lambda all_: len(all_.got) == 3)

    gets = [asked.headers.get("last-event-id") for asked in server.seen if asked.method == "GET"]
    assert gets[:2] == [None, "e1"]
    assert not open_wire.kinds


async def test_a_modern_request_opens_no_stream_and_no_session(reach: Reach) -> None:
    async with serving(result) as server, reach(server.url) as open_wire:
        await open_wire.ask("server/discover", modern=True)
        await open_wire.ask("tools/list", modern=True)

    assert server.asked == ["server/discover", "tools/list"]
    assert server.seen[1].headers["mcp-method"] == "tools/list"
