"""Redirects, and connections that fail."""

import asyncio
from collections.abc import Generator, Iterator

import httpx2
import pytest

from tests.connection.recording import wire
from tests.servers.http_scripted import (
    END,
    RESET,
    Asked,
    Part,
    head,
    reply,
    result,
    serving,
)
from toolproof.connection.http_address import parse_address
from toolproof.connection.http_client import LibraryClient, read_body, translated
from toolproof.connection.http_faults import HttpFault
from toolproof.connection.http_raw import RawClient
from toolproof.connection.observations import Kind
from toolproof.connection.wire import Failure

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
    follows: bool,
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


async def test_httpx2_can_be_told_how_long_to_wait_for_an_answer() -> None:
    async with serving(lambda _: [asyncio.Event()]) as server:
        address = parse_address(server.url)
        client = LibraryClient(address, limit_s=0.05)
        with pytest.raises(HttpFault, match="did not answer in time"):
            await client.ask("GET", address, [], b"")
        await client.close()


@pytest.mark.parametrize(
    ("exc", "words", "reached"),
    [
        (httpx2.ConnectTimeout(""), "no connection to h:80 within 10 s", False),
        (httpx2.WriteTimeout(""), "did not read the request within 10 s", True),
        (httpx2.RemoteProtocolError("illegal status line"), "is not HTTP/1.1: illegal", True),
        (httpx2.UnsupportedProtocol("odd"), "odd", False),
    ],
    ids=range(4),
)
def test_what_httpx2_raises_has_our_words(exc: Exception, words: str, *, reached: bool) -> None:
    with pytest.raises(HttpFault) as raised, translated(parse_address("http://h/")):
        raise exc

    assert words in raised.value.words
    assert raised.value.reached is reached
