"""Waiting for a URL to be served."""

import asyncio

import pytest

from tests.servers.http_scripted import END, RESET, Asked, Part, reply, serving
from toolproof.connection.http_wait import wait_for_url
from toolproof.errors import ServerError


@pytest.mark.parametrize("status", [200, 404, 405])
async def test_any_status_under_500_will_do(status: int) -> None:
    async with serving(lambda _: reply(status)) as server:
        await wait_for_url(server.url, 5)

    assert server.asked == ["GET"]


@pytest.mark.parametrize("first", [[END], [RESET], reply(503)], ids=["closed", "reset", "503"])
async def test_a_gateway_with_nothing_behind_it_is_not_ready(first: list[Part]) -> None:
    def script(_: Asked) -> list[Part]:
        return first if len(server.seen) == 1 else reply(204)

    async with serving(script) as server:
        await wait_for_url(server.url, 5)

    assert len(server.seen) == 2


async def test_a_port_that_opens_later_is_waited_for() -> None:
    async with serving(lambda _: reply(200)) as server:
        port = server.port
    waiting = asyncio.create_task(wait_for_url(f"http://127.0.0.1:{port}/", 10))
    await asyncio.sleep(0.05)
    listener = await asyncio.start_server(lambda _, writer: writer.close(), "127.0.0.1", port)
    async with listener:
        await asyncio.sleep(0.05)
        assert not waiting.done()  # it takes connections, and closes them
    async with serving(lambda _: reply(200), port=port):
        await waiting


async def test_https_is_served_once_there_is_an_answer_even_if_it_is_not_trusted() -> None:
    async def refuse(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(1)
        writer.write(b"HTTP/1.1 400 Bad Request\r\n\r\n")
        writer.close()

    listener = await asyncio.start_server(refuse, "127.0.0.1", 0)
    async with listener:
        await wait_for_url(f"https://127.0.0.1:{listener.sockets[0].getsockname()[1]}/", 10)


@pytest.mark.parametrize(
    ("script", "words"),
    [(None, "connection refused"), (lambda _: reply(503), "it answers with 503")],
    ids=["refused", "503"],
)
async def test_what_it_lacked_is_said_at_the_limit(script: object, words: str) -> None:
    async with serving(lambda _: reply(503)) as server:
        if script is not None:
            with pytest.raises(ServerError, match=words):
                await wait_for_url(server.url, 0.3)
    if script is None:
        with pytest.raises(ServerError, match=words):
            await wait_for_url(server.url, 0.3)


async def test_what_is_no_address_is_refused() -> None:
    with pytest.raises(ServerError, match="begins with http"):
        await wait_for_url("localhost:80", 1)
