"""Giving up, closing, what cannot be opened, the record, and requests made by hand."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from tests.connection.recording import Got, Recording, handshake, wire
from tests.servers.http_scripted import (
    Asked,
    Part,
    after_handshake,
    reply,
    result,
    serving,
)
from toolproof.connection.recorder import Recorder
from toolproof.errors import ServerError

# Giving up, closing, and what cannot be opened


async def test_to_abandon_a_request_closes_its_response() -> None:
    def script(asked: Asked) -> list[Part]:
        return [0.0, asyncio.Event()] if asked.rpc == "tools/call" else result(asked)

    async with serving(script) as server, wire(server.url) as open_wire:
        ident = open_wire.send("tools/call")
        await server.came.wait()
        open_wire.transport.abandon(ident)
        open_wire.transport.abandon(99)
        got = await open_wire.ask("ping")

    assert got.value["result"] == {}
    assert [one.to for one in open_wire.receiver.got] == [2]


async def test_close_runs_in_full_when_its_caller_is_cancelled() -> None:
    async with serving(after_handshake(result)) as server, wire(server.url) as open_wire:
        await handshake(open_wire)
        open_wire.send("tools/list")
        closing = asyncio.create_task(open_wire.transport.close())
        await asyncio.sleep(0)
        closing.cancel()
        with pytest.raises(asyncio.CancelledError):
            await closing

        assert server.asked[-1] == "DELETE"
        assert open_wire.receiver.lost is not None
        open_wire.transport.send({"jsonrpc": "2.0", "method": "x"})  # too late, and no harm


def test_an_error_of_ours_fails_its_request_and_is_not_hidden(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    told: list[dict[str, Any]] = []

    def stumble(*_args: Any, **_more: Any) -> None:
        raise ZeroDivisionError

    async def run() -> Got:
        asyncio.get_running_loop().set_exception_handler(lambda _, context: told.append(context))
        async with serving(result) as server, wire(server.url) as open_wire:
            return await open_wire.ask("ping")

    monkeypatch.setattr(Recording, "on_message", stumble)
    got = asyncio.run(run())

    assert got.detail == "an error in toolproof: ZeroDivisionError()"
    assert [type(one["exception"]) for one in told] == [ZeroDivisionError]


async def test_a_server_that_does_not_answer_delete_is_not_waited_for() -> None:
    def script(asked: Asked) -> list[Part]:
        return [asyncio.Event()] if asked.method == "DELETE" else after_handshake(result)(asked)  # type: ignore[return-value]

    async with serving(script) as server, wire(server.url) as open_wire:
        await handshake(open_wire)
        await open_wire.transport.close(fast=True)

    assert server.asked[-1] == "DELETE"


@pytest.mark.parametrize(
    "url", ["localhost:8000/mcp", "ftp://x/", "http://", "http://a b/", "http://x:99999/"]
)
async def test_what_is_no_address_is_refused_before_anything_is_sent(url: str) -> None:
    with pytest.raises(ServerError):
        async with wire(url):
            pass


@pytest.mark.parametrize("header", [("X Y", "1"), ("X", "a\nb"), ("", "1")])
async def test_a_header_that_cannot_be_sent_is_refused(header: tuple[str, str]) -> None:
    with pytest.raises(ServerError, match="cannot be sent"):
        async with wire("http://127.0.0.1:1/", headers=dict([header])):
            pass


async def test_configured_headers_go_along_but_never_replace_those_of_the_transport() -> None:
    headers = {"accept": "text/html", "X-Key": " ü ", "User-Agent": "me", "host": "example.com"}
    async with serving(result) as server:
        url = server.url.replace("//", "//user:p%40ss@")
        async with wire(url, headers=headers) as open_wire:
            await open_wire.ask("ping")

    sent = server.seen[0].headers
    assert sent["accept"] == "application/json, text/event-stream"
    assert (sent["x-key"], sent["user-agent"], sent["host"]) == ("ü", "me", "example.com")
    assert sent["authorization"] == "Basic dXNlcjpwQHNz"


async def test_the_record_has_every_exchange_and_no_credentials(tmp_path: Path) -> None:
    recorder = Recorder(tmp_path / "wire.jsonl")
    headers = {"Authorization": "Bearer very-secret", "X-Key": "shown"}
    script = after_handshake(lambda asked: result(asked, Set_Cookie="id=very-secret"))
    async with serving(script) as server:
        url = server.url.replace("//", "//user:very-secret@")
        async with wire(url, recorder=recorder, headers=headers) as open_wire:
            await handshake(open_wire)
            await open_wire.ask("tools/list")
    recorder.close()
    written = (tmp_path / "wire.jsonl").read_text()
    events = [entry for line in written.splitlines() if "event" in (entry := json.loads(line))]

    assert "very-secret" not in written
    assert "s-1" not in written
    assert {(one["method"], one["status"]) for one in events} == {
        ("POST", 200),
        ("POST", 202),
        ("GET", 405),
        ("DELETE", 200),
    }
    last = events[-1]
    assert (last["url"], last["sent"]["X-Key"]) == (server.url, "shown")
    assert last["sent"]["Authorization"] == last["sent"]["Mcp-Session-Id"] == "***"


# Requests by hand


async def test_a_request_by_hand_shows_status_headers_and_body() -> None:
    def script(asked: Asked) -> list[Part]:
        if asked.headers.get("origin"):
            return reply(403, "Invalid Origin", "text/plain")
        return after_handshake(result)(asked)  # type: ignore[return-value]

    async with serving(script) as server, wire(server.url) as open_wire:
        await handshake(open_wire)
        await open_wire.ask("ping")
        got = await open_wire.transport.post_raw({"Origin": "http://evil.example"}, b"{}")
        bare = await open_wire.transport.post_raw(
            {"mcp-session-id": "", "MCP-PROTOCOL-VERSION": "1999-01-01"}, b'{"id":1}'
        )

    assert (got.status, got.body) == (403, b"Invalid Origin")
    assert got.headers["content-type"] == "text/plain"
    assert bare.status == 200
    last = server.seen[-2].headers
    assert "mcp-session-id" not in last
    assert last["mcp-protocol-version"] == "1999-01-01"
    assert server.seen[-3].headers["mcp-session-id"] == "s-1"


async def test_a_request_by_hand_that_has_no_answer_says_so() -> None:
    async with serving(lambda _: [asyncio.Event()]) as server, wire(server.url) as open_wire:
        silent = await open_wire.transport.post_raw({}, b"{}", timeout_s=0.05)
    async with wire(server.url) as open_wire:
        refused = await open_wire.transport.post_raw({}, b"{}")

    assert (silent.status, silent.detail) == (None, "no answer within 0.05 s")
    assert refused.status is None
    assert "connection refused" in refused.detail
