"""Redirects, connections that fail, the end, and requests made by hand."""

import asyncio

import pytest

from tests.connection.recording import handshake, wire
from tests.servers.http_scripted import (
    END,
    RESET,
    Asked,
    Part,
    after_handshake,
    reply,
    result,
    serving,
)
from toolproof.connection.observations import Kind
from toolproof.connection.wire import Failure
from toolproof.errors import ServerError

# Redirects


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
async def test_a_redirect_on_the_same_origin_is_followed_and_told_once(status: int) -> None:
    def script(asked: Asked) -> list[Part]:
        if asked.target == "/mcp":
            return reply(status, Location="/mcp/")
        return result(asked)

    async with (
        serving(script) as server,
        wire(server.url, headers={"Authorization": "Bearer x"}) as open_wire,
    ):
        await open_wire.ask("server/discover", modern=True)
        await open_wire.ask("tools/list", modern=True)

    assert [asked.target for asked in server.seen] == ["/mcp", "/mcp/", "/mcp/"]
    assert server.seen[1].headers["authorization"] == "Bearer x"
    (seen,) = open_wire.log.each(Kind.HTTP_REDIRECT)
    assert seen.facts == {"status": status, "target": f"{server.url}/"}
    assert f"{server.url} redirects ({status}) to {server.url}/" in seen.detail


async def test_nothing_is_sent_to_another_host() -> None:
    async with serving(result) as other:
        target = f"http://localhost:{other.port}/mcp"
        async with (
            serving(lambda _: reply(307, Location=target)) as server,
            wire(server.url) as open_wire,
        ):
            got = await open_wire.ask("server/discover", modern=True)

    assert not other.seen
    assert got.status == 307
    assert f"redirects (307) to {target}, which is not followed: it is another host" in got.detail
    assert open_wire.kinds == {Kind.HTTP_REDIRECT}
    refusal = open_wire.transport.refusal
    assert refusal is not None
    assert target in (refusal.hint or "")


@pytest.mark.parametrize(("headers", "follows"), [({}, True), ({"X-Key": "secret"}, False)])
async def test_another_port_of_the_host_never_sees_credentials(
    headers: dict[str, str],
    follows: bool,  # noqa: FBT001
) -> None:
    async with (
        serving(result) as other,
        serving(lambda _: reply(307, Location=other.url)) as server,
        wire(server.url, headers=headers) as open_wire,
    ):
        got = await open_wire.ask("initialize")

    assert bool(other.seen) is follows
    assert (got.failure is None) is follows
    assert open_wire.kinds == {Kind.HTTP_REDIRECT}


async def test_a_redirect_that_leads_to_itself_ends() -> None:
    async with (
        serving(lambda _: reply(308, Location="/mcp")) as server,
        wire(server.url) as open_wire,
    ):
        got = await open_wire.ask("initialize")

    assert len(server.seen) == 6
    assert "which is not followed: there were 5 before it" in got.detail


async def test_a_redirect_to_nowhere_is_an_answer_like_any_other() -> None:
    async with serving(lambda _: reply(302)) as server, wire(server.url) as open_wire:
        got = await open_wire.ask("initialize")

    assert "initialize was answered with HTTP 302 (Found)" in got.detail


# Connections that fail


async def test_a_port_where_nobody_listens_is_said_in_words() -> None:
    async with serving(result) as server:
        url = server.url
    async with wire(url) as open_wire:
        got = await open_wire.ask("server/discover", modern=True)

    words = f"connection refused: nothing listens on 127.0.0.1:{server.port}"
    assert (got.failure, got.detail) == (Failure.LOST, words)
    refusal = open_wire.transport.refusal
    assert refusal is not None
    assert (refusal.message, refusal.where) == (words, url)


async def test_a_name_that_is_not_known_is_said_in_words() -> None:
    async with wire("http://no-such-host.invalid/mcp") as open_wire:
        got = await open_wire.ask("initialize")

    assert "the host name 'no-such-host.invalid' is not known" in got.detail


@pytest.mark.parametrize(
    ("parts", "words"),
    [
        ([END], "without an answer"),
        ([RESET], "reset the connection"),
        ([b"SSH-2.0-OpenSSH_9.6\r\n", END], "the answer is not HTTP"),
        ([b"HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{", END], "in the middle of its answer"),
    ],
)
async def test_a_connection_that_breaks_loses_the_request(parts: list[Part], words: str) -> None:
    async with serving(lambda _: parts) as server, wire(server.url) as open_wire:
        got = await open_wire.ask("initialize")

    assert got.failure is Failure.LOST
    assert words in got.detail


async def test_a_server_that_breaks_off_at_the_probe_may_still_be_an_older_one() -> None:
    async with serving(lambda _: [END]) as server, wire(server.url) as open_wire:
        await open_wire.ask("server/discover", modern=True)

        assert open_wire.transport.refusal is None


async def test_https_at_a_plain_port_is_said_in_words() -> None:
    async def refuse(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(1)
        writer.write(b"HTTP/1.1 400 Bad Request\r\n\r\n")
        writer.close()

    listener = await asyncio.start_server(refuse, "127.0.0.1", 0)
    port = listener.sockets[0].getsockname()[1]
    async with listener, wire(f"https://127.0.0.1:{port}/mcp") as open_wire:
        got = await open_wire.ask("initialize")

    assert got.failure is Failure.LOST
    assert got.detail.startswith("TLS: ")


# Giving up, closing, and what cannot be opened


async def test_to_abandon_a_request_closes_its_response() -> None:
    gone = asyncio.Event()

    def script(asked: Asked) -> list[Part]:
        return [0.0, asyncio.Event()] if asked.rpc == "tools/call" else result(asked)

    async with serving(script) as server, wire(server.url) as open_wire:
        ident = open_wire.send("tools/call")
        await server.came.wait()
        open_wire.transport.abandon(ident)
        open_wire.transport.abandon(99)
        got = await open_wire.ask("ping")
        gone.set()

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
