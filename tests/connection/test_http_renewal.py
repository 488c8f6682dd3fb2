"""A session that the server ends, and the one that takes its place."""

import asyncio

import pytest

from tests.connection.recording import Recording, handshake, wire
from tests.servers.http_scripted import (
    Asked,
    Part,
    Script,
    accepted,
    error,
    reply,
    result,
    serving,
)
from toolproof.connection.http import HttpTransport
from toolproof.connection.observations import Kind, ObservationLog
from toolproof.connection.recorder import Recorder
from toolproof.connection.wire import Failure
from toolproof.connection.witness import Witness


def forgetful(*lasting: str, initialize_again: bool = True) -> Script:
    """A server that numbers its sessions, and knows only those that last."""
    count = 0

    def script(asked: Asked) -> list[Part]:
        nonlocal count
        known = asked.headers.get("mcp-session-id") in lasting
        match asked.rpc:
            case "initialize" if not count or initialize_again:
                count += 1
                return result(asked, Mcp_Session_Id=f"s-{count}")
            case "initialize":
                return reply(503, Retry_After="99")
            case "notifications/initialized":
                return accepted()
            case "GET" | "DELETE":
                return reply(405)
        return result(asked) if known else error(asked, -32001, 404, "Session not found")

    return script


async def test_all_calls_are_repeated_once_in_the_new_session() -> None:
    async with serving(forgetful("s-2")) as server, wire(server.url) as open_wire:
        await handshake(open_wire)
        calls = [open_wire.send("tools/call"), open_wire.send("tools/call")]
        await open_wire.receiver.until(lambda all_: all_.expired)
        calls.append(open_wire.send("tools/list"))
        await asyncio.sleep(0.02)
        await handshake(open_wire)
        got = [await open_wire.receiver.answer_to(ident) for ident in calls]

    assert [one.value["result"] for one in got] == [{}, {}, {}]
    assert len(open_wire.saw(Kind.HTTP_SESSION_EXPIRED)) == 1
    assert open_wire.kinds == {Kind.HTTP_SESSION_EXPIRED}
    again = server.asked.index("initialize", 1)
    new = [(asked.rpc, asked.headers.get("mcp-session-id")) for asked in server.seen[again:]]
    assert new[:2] == [("initialize", None), ("notifications/initialized", "s-2")]
    assert new.count(("tools/call", "s-2")) == 2
    assert new.count(("tools/list", "s-2")) == 1
    assert server.asked.count("tools/list") == 1


async def test_a_call_whose_new_session_is_ended_too_is_lost() -> None:
    async with serving(forgetful()) as server, wire(server.url) as open_wire:
        await handshake(open_wire)
        ident = open_wire.send("tools/call")
        await open_wire.receiver.until(lambda all_: all_.expired)
        await handshake(open_wire)
        got = await open_wire.receiver.answer_to(ident)

    words = "the server ended the session again (404)"
    assert (got.failure, got.status, got.detail) == (Failure.LOST, 404, words)


async def test_calls_are_lost_where_no_new_session_can_be_had() -> None:
    script = forgetful(initialize_again=False)
    async with serving(script) as server, wire(server.url) as open_wire:
        await handshake(open_wire)
        ident = open_wire.send("tools/call")
        await open_wire.receiver.until(lambda all_: all_.expired)
        await open_wire.ask("initialize")
        open_wire.receiver.expired[0]("initialize came to nothing")
        got = await open_wire.receiver.answer_to(ident)
        later = await open_wire.ask("tools/list")

    words = "the server ended the session (404); initialize came to nothing"
    assert (got.failure, got.detail) == (Failure.LOST, words)
    assert (later.failure, later.detail) == (Failure.LOST, words)


async def test_a_notification_that_nobody_knows_does_not_end_the_session() -> None:
    """Ours: a server may answer 404 for what it does not know, and notifications have no id."""
    async with serving(forgetful("s-2")) as server, wire(server.url) as open_wire:
        await handshake(open_wire)
        open_wire.notify("notifications/cancelled")
        await open_wire.log.written.wait()
        assert open_wire.kinds == {Kind.HTTP_STATUS}
        assert open_wire.transport.session_id == "s-1"
        open_wire.send("tools/list")
        await open_wire.receiver.until(lambda all_: all_.expired)

    assert open_wire.kinds == {Kind.HTTP_STATUS, Kind.HTTP_SESSION_EXPIRED}


async def test_a_receiver_that_cannot_shake_hands_again_loses_the_call(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delattr(Recording, "on_session_expired")
    async with serving(forgetful()) as server, wire(server.url) as open_wire:
        await handshake(open_wire)
        got = await open_wire.ask("tools/call")

    assert (got.failure, got.status) == (Failure.LOST, 404)
    assert got.detail == "the server ended the session (404)"


async def test_a_transport_that_was_never_opened_can_be_closed() -> None:
    transport = HttpTransport("http://x/", Witness(ObservationLog()), Recorder().tape())

    await transport.close()

    assert transport.stderr_tail(5) == ""
    assert transport.unsent == 0
