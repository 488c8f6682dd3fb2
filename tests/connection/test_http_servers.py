"""`McpServer` over HTTP: servers of the official SDK, in both eras, and an older one of our own."""

import asyncio
import json
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import anyio
import pytest

from tests.running import needs_sdk_2
from tests.servers.http_scripted import (
    Asked,
    Part,
    accepted,
    error,
    reply,
    result,
    serving,
)
from toolproof.config import ServerConfig
from toolproof.connection import McpServer
from toolproof.connection.http_wait import wait_for_url
from toolproof.connection.observations import Kind
from toolproof.errors import ServerError
from toolproof.report.call import Answer, ConnectionLost, Malformed, TimedOut

ROOT = Path(__file__).parents[2]
ECHO = {"name": "echo", "description": "Echo.", "inputSchema": {"type": "object"}}


@asynccontextmanager
async def sdk_server(*traits: str) -> AsyncIterator[str]:
    """A server process of the SDK; gives its address."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "tests.servers.http_sdk",
        *traits,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        cwd=ROOT,
    )
    assert process.stdout is not None
    try:
        url = (await process.stdout.readline()).decode().strip()
        await wait_for_url(url, 30)
        yield url
    finally:
        process.kill()
        with anyio.CancelScope(shield=True):
            await process.communicate()


@needs_sdk_2
@pytest.mark.parametrize(
    "traits", [(), ("json",), ("stateless", "json"), ("polling",)], ids=" ".join
)
async def test_the_sdks_servers_are_spoken_to_in_both_eras_without_a_finding(
    traits: tuple[str, ...],
) -> None:
    async with sdk_server(*traits) as url:
        for protocol in ("2026-07-28", "2025-11-25"):
            async with McpServer(ServerConfig(url=url), protocol=protocol) as server:
                info = await server.server_info()
                echoed = await server.call("echo", {"text": "å\ud800"[:1]})
                counted = await server.call("count", {"to": 3})
                came_back = await server.call("poll")
                hung = await server.call("hang", timeout_s=0.3)
                many = await asyncio.gather(
                    *(server.call("echo", {"text": str(number)}) for number in range(20))
                )

            assert (info.name, info.protocol) == ("over http", protocol)
            assert [tool.name for tool in info.tools] == ["echo", "fail", "count", "poll", "hang"]
            assert [one.text for one in (echoed, counted, came_back)] == [
                "å",
                "counted to 3",
                "came back",
            ]
            assert isinstance(hung.reply, TimedOut)
            assert [one.text for one in many] == [str(number) for number in range(20)]
            assert [seen.kind for seen in server.log] == []


@needs_sdk_2
async def test_a_server_of_the_sdk_refuses_a_host_that_it_does_not_know() -> None:
    async with sdk_server("json") as url:
        config = ServerConfig(url=url, headers={"Host": "tools.example"})
        server = McpServer(config)
        with pytest.raises(ServerError, match=r"does not accept the host .tools\.example."):
            await server.__aenter__()

    assert [seen.kind for seen in server.log] == [Kind.HTTP_HOST_REFUSED]


@needs_sdk_2
async def test_the_old_transport_of_the_sdk_is_recognised() -> None:
    async with sdk_server("sse") as url:
        server = McpServer(ServerConfig(url=url))
        with pytest.raises(ServerError, match="legacy HTTP") as raised:
            await server.__aenter__()

    assert raised.value.where == url
    assert "Streamable HTTP" in (raised.value.hint or "")
    assert [seen.kind for seen in server.log] == [Kind.HTTP_LEGACY_SSE]


class OldServer:
    """A legacy server whose sessions last for some messages, and that fails as it is told."""

    def __init__(self, *, lasts: int = 1000, probe: list[Part] | None = None) -> None:
        self.lasts = lasts
        self.probe = probe
        self.left: dict[str, int] = {}
        self.down = False

    def __call__(self, asked: Asked) -> list[Part]:
        if asked.rpc == "server/discover":
            return error(asked, -32601) if self.probe is None else self.probe
        if asked.method != "POST":
            return reply(405)
        if asked.rpc == "initialize" and not self.down:
            return self._open(asked)
        session = asked.headers.get("mcp-session-id", "")
        if self.down or not self.left.get(session):
            return reply(404, "no such session", "text/plain")
        self.left[session] -= 1
        if "id" not in asked.json:
            return accepted()
        called = {"content": [{"type": "text", "text": session}]}
        return result(asked, {"tools": [ECHO]} if asked.rpc == "tools/list" else called)

    def _open(self, asked: Asked) -> list[Part]:
        session = f"s-{len(self.left) + 1}"
        self.left[session] = self.lasts
        made = {
            "protocolVersion": "2025-06-18",
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "old", "version": "1"},
        }
        return result(asked, made, Mcp_Session_Id=session)


@pytest.mark.parametrize(
    "probe",
    [
        reply(400, "Invalid or missing session ID", "text/html"),
        reply(404, '{"detail":"Not Found"}'),
        reply(500, "Internal Server Error", "text/plain"),
        reply(202),
    ],
    ids=["400", "404", "500", "202"],
)
async def test_an_older_server_may_refuse_the_probe_as_it_likes(probe: list[Part]) -> None:
    async with serving(OldServer(probe=probe)) as http, McpServer(ServerConfig(url=http.url)) as s:
        info = await s.server_info()
        called = await s.call("echo")

    assert (info.name, info.protocol) == ("old", "2025-06-18")
    assert called.text == "s-1"
    assert http.seen[-2].headers["mcp-protocol-version"] == "2025-06-18"
    assert "mcp-protocol-version" not in http.seen[1].headers


async def test_calls_go_on_in_a_new_session_when_the_old_one_is_ended() -> None:
    async with serving(OldServer(lasts=3)) as http, McpServer(ServerConfig(url=http.url)) as server:
        await server.server_info()
        texts = [(await server.call("echo")).text for _ in range(5)]

    assert texts == ["s-1", "s-2", "s-2", "s-3", "s-3"]
    assert [(seen.kind, seen.count) for seen in server.log] == [(Kind.HTTP_SESSION_EXPIRED, 2)]


async def test_calls_are_lost_when_no_new_session_can_be_had() -> None:
    old = OldServer()
    async with serving(old) as http, McpServer(ServerConfig(url=http.url)) as server:
        await server.list_tools()
        old.down = True
        called = await server.call("echo")

    assert isinstance(called.reply, ConnectionLost)
    assert "the server ended the session (404); initialize" in called.reply.reason


async def test_a_server_that_is_gone_in_the_middle_loses_the_call_alone() -> None:
    async with serving(OldServer()) as http:
        server = McpServer(ServerConfig(url=http.url))
        await server.__aenter__()
    called = await server.call("echo")
    async with serving(OldServer(), port=http.port):
        await server.reconnect()
        again = await server.call("echo")
        await server.close()

    assert isinstance(called.reply, ConnectionLost)
    assert "connection refused" in called.reply.reason
    assert isinstance(again.reply, Answer)
    assert server.restarts == 1


def _body(asked: Asked, **members: object) -> list[Part]:
    return reply(200, json.dumps({"jsonrpc": "2.0", "id": asked.json["id"], **members}))


@pytest.mark.parametrize(
    ("answer", "words", "kind"),
    [
        (_body, "neither result nor error", Kind.RESPONSE_INVALID),
        (lambda a: _body(a, id=None, result={}), "id null in place", Kind.WRONG_RESPONSE_ID),
        (lambda a: _body(a, id=9999, result={}), "id 9999 in place", Kind.WRONG_RESPONSE_ID),
        (lambda a: _body(a, id=1, result={}), "no response to this", Kind.SECOND_ANSWER),
        (lambda _: reply(200, "17"), "no response to this", Kind.RESPONSE_INVALID),
        (lambda _: reply(200, '{"ok":true}'), "no response to this", Kind.RESPONSE_INVALID),
        (lambda _: reply(200, "[1]"), "no response to this", Kind.RESPONSE_INVALID),
        (lambda _: reply(500, "oops", "text/plain"), "HTTP 500", Kind.HTTP_CONTENT_TYPE),
    ],
    ids=range(8),
)
async def test_an_answer_that_is_none_costs_no_timeout(
    answer: Callable[[Asked], list[Part]], words: str, kind: Kind
) -> None:
    old = OldServer()
    script = lambda asked: answer(asked) if asked.rpc == "tools/call" else old(asked)  # noqa: E731
    async with serving(script) as http, McpServer(ServerConfig(url=http.url)) as server:
        called = await server.call("echo", timeout_s=60)

    assert isinstance(called.reply, Malformed)
    assert words in called.reply.detail
    assert [seen.kind for seen in server.log] == [kind]


@pytest.mark.parametrize("status", [400, 404, 500])
async def test_an_error_status_may_come_with_an_error_that_has_no_id(status: int) -> None:
    """MCP 2025-11-25, basic/transports, Sending Messages to the Server, 5."""
    body = '{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"Bad Request: no"}}'
    old = OldServer(probe=reply(status, body))
    async with serving(old) as http, McpServer(ServerConfig(url=http.url)) as server:
        called = await server.call("echo")

    assert called.text == "s-1"
    assert len(server.log) == 0
