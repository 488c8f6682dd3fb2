"""Redirects, connections that fail, the end, and requests made by hand."""

import asyncio
from collections.abc import Generator, Iterator
from typing import Any

import httpx2
import pytest

from tests.connection.recording import Got, Recording, handshake, wire
from tests.servers.http_scripted import (
    END,
    RESET,
    Asked,
    Part,
    after_handshake,
    head,
    reply,
    result,
    serving,
)
from toolproof.connection.http_address import parse_address
from toolproof.connection.http_client import read_body
from toolproof.connection.http_raw import RawClient
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


@pytest.mark.parametrize("auth", [None, httpx2.Auth()], ids=["our client", "httpx2"])
@pytest.mark.parametrize(
    ("parts", "words"),
    [
        ([END], "without an answer"),
        ([RESET], "reset the connection"),
        ([b"HTTP/1.1 abc OK\r\n\r\n", END], "the answer is not HTTP"),
        ([b"HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{", END], "in the middle of its answer"),
        (reply(200, b"no gzip", Content_Encoding="gzip"), "cannot be decompressed"),
    ],
    ids=["closed", "reset", "no HTTP", "half", "no gzip"],
)
async def test_a_connection_that_breaks_loses_the_request(
    parts: list[Part], words: str, auth: httpx2.Auth | None
) -> None:
    async with serving(lambda _: parts) as server, wire(server.url, auth=auth) as open_wire:
        got = await open_wire.ask("initialize")

    assert got.failure is Failure.LOST
    assert words in got.detail


async def test_httpx2_says_in_the_same_words_that_nobody_listens() -> None:
    async with serving(result) as server:
        url = server.url
    async with wire(url, auth=httpx2.Auth()) as open_wire:
        got = await open_wire.ask("initialize")

    assert got.detail == f"connection refused: nothing listens on 127.0.0.1:{server.port}"


class Stubborn(httpx2.Auth):
    """A sign-in that does not work out."""

    def auth_flow(self, request: httpx2.Request) -> Generator[httpx2.Request, httpx2.Response]:
        yield request
        raise LookupError("no token for you")


async def test_a_sign_in_that_fails_loses_the_request_alone() -> None:
    async with serving(result) as server, wire(server.url, auth=Stubborn()) as open_wire:
        got = await open_wire.ask("initialize")

    assert (got.failure, got.detail) == (Failure.LOST, "signing in failed: no token for you")
    assert open_wire.transport.refusal is not None


async def test_a_redirect_to_https_is_followed_by_what_can_speak_it() -> None:
    async with serving(lambda _: [END]) as other:
        target = other.url.replace("http:", "https:")
        async with (
            serving(lambda _: reply(308, Location=target)) as server,
            wire(server.url) as open_wire,
        ):
            ident = open_wire.send("initialize")
            await server.came.wait()
            open_wire.transport.abandon(ident)

    assert open_wire.kinds == set()


async def test_what_a_server_says_unasked_on_an_idle_connection_is_no_answer() -> None:
    unasked = b"HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\n\r\n"
    async with (
        serving(lambda asked: [*result(asked), 0.02, unasked]) as server,
        wire(server.url) as open_wire,
    ):
        await open_wire.ask("ping")
        await asyncio.sleep(0.1)
        got = await open_wire.ask("ping")

    assert got.value["result"] == {}
    assert server.connections == 2


async def test_a_server_waits_for_a_reader_that_is_slower() -> None:
    piece = b"x" * (1 << 20)
    written = 0

    def script(_: Asked) -> Iterator[Part]:
        nonlocal written
        yield head(200, {"Content-Length": str(len(piece) * 64)})
        for _number in range(64):
            yield piece
            written += 1

    client = RawClient()
    async with serving(script) as server:
        address = parse_address(server.url)
        answer = await client.ask("GET", address, [("Host", address.host_header)], b"")
        await asyncio.sleep(0.2)
        written_unread = written
        body = await read_body(answer)
        await answer.close()
        await client.close()

    assert written_unread < 32
    assert len(body) == len(piece) * 64


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
