"""A command that serves a URL: started, waited for, spoken to over HTTP, and stopped."""

import socket
import sys

import anyio
import psutil
import pytest

from tests.connection.against import ROOT, kinds, only
from toolproof.config import ServerConfig
from toolproof.connection import McpServer, process
from toolproof.connection.observations import Kind
from toolproof.errors import ServerError
from toolproof.report.call import ConnectionLost


def _free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port


def hosted(trait: str, **more: object) -> McpServer:
    port = _free_port()
    return McpServer(
        ServerConfig.model_validate(
            {
                "command": (sys.executable, "-m", "tests.servers.hosting", trait),
                "url": f"http://127.0.0.1:{port}/mcp",
                "env": {"PORT": str(port)},
                "cwd": ROOT,
                **more,
            }
        )
    )


@pytest.mark.parametrize(
    ("trait", "revision"),
    [("dual", "2026-07-28"), ("legacy", "2025-11-25"), ("slow_probe", "2026-07-28")],
)
async def test_a_command_with_a_url_is_started_and_spoken_to_over_http(
    trait: str, revision: str
) -> None:
    async with hosted(trait) as server:
        info = await server.server_info()
        result = await server.call("echo", {"text": "hi"})
        await server.reconnect()
        again = await server.call("echo", {"text": "hi"})
        pid = server.pid
        tail = server.stderr_tail()

    assert info.protocol == revision
    assert info.transport == "http"
    assert result.text == again.text == "hi"
    assert "POST /mcp" in tail
    assert pid is not None
    assert not psutil.pid_exists(pid)
    assert not process.live()
    # What it prints is free text, and the end of its input means nothing to a web server.
    assert kinds(server) == {}


async def test_a_server_that_ends_in_a_call_over_http_is_a_crash_with_its_exit_code() -> None:
    async with hosted("dual") as server:
        result = await server.call("echo", {"text": "die"})

    assert isinstance(result.reply, ConnectionLost)
    crash = only(server, Kind.CRASH)
    assert crash.tool == "echo"
    assert crash.facts["exit"] == "exit code 7"
    assert crash.facts["arguments"] == {"text": "die"}


async def test_a_port_that_never_opens_is_a_start_timeout() -> None:
    server = hosted("never_listens", startup_timeout_s=0.5)
    with pytest.raises(ServerError, match=r"its port took no connection within 0\.5 s"):
        await server.__aenter__()

    assert kinds(server) == {Kind.START_TIMEOUT: 1}
    assert not process.live()


async def test_a_command_that_ends_before_its_port_opens_is_a_start_crash() -> None:
    server = hosted("ends")
    with pytest.raises(ServerError, match="exit code 4 before its port took a connection"):
        await server.__aenter__()

    seen = only(server, Kind.START_CRASH)
    assert seen.facts["last_line"] == "no licence"


async def test_a_wait_for_a_port_that_is_cancelled_leaves_nothing() -> None:
    server = hosted("never_listens")
    with anyio.move_on_after(0.4):
        await server.__aenter__()

    assert not process.live()


async def test_a_config_without_any_target_is_an_error() -> None:
    config = ServerConfig.model_construct(command=None, url=None)
    with pytest.raises(ServerError, match="neither a command nor a url"):
        await McpServer(config).__aenter__()


async def test_a_url_where_nothing_listens_is_an_error() -> None:
    server = McpServer(ServerConfig(url=f"http://127.0.0.1:{_free_port()}/mcp"))
    with pytest.raises(ServerError):
        await server.__aenter__()

    assert server.pid is None
    assert server.stderr_count == 0
