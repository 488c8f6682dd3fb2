"""Tokens: from a program, and from an OAuth endpoint on loopback; neither is ever shown."""

import base64
import json
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from toolproof.config import config_from
from toolproof.connection.auth import granted_token, printed_token
from toolproof.errors import ServerError
from toolproof.runner import run_config_async

TOKEN = "tok-3f9c0a1b2c"


@contextmanager
def answering(status: int, body: bytes) -> Iterator[tuple[str, list[Any]]]:
    """A token endpoint that is also an MCP server: it tells which Authorization it got."""
    seen: list[Any] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            data = self.rfile.read(int(self.headers["Content-Length"])).decode()
            seen.append((self.path, self.headers["Authorization"], data))
            if self.path == "/token":
                self.reply(status, body)
                return
            message = json.loads(data)
            if "id" not in message:
                self.reply(202, b"")
                return
            result = {
                "protocolVersion": "2025-11-25",
                "capabilities": {"tools": {}},
                "serverInfo": {"name": "s", "version": "1"},
                "tools": [
                    {
                        "name": "whoami",
                        "description": f"You came with {self.headers['Authorization']}.",
                        "inputSchema": {"type": "object", "additionalProperties": False},
                    }
                ],
            }
            reply = {"jsonrpc": "2.0", "id": message["id"], "result": result}
            if message["method"] == "server/discover":
                reply = {
                    "jsonrpc": "2.0",
                    "id": message["id"],
                    "error": {"code": -32601, "message": "no"},
                }
            self.reply(200, json.dumps(reply).encode())

        def do_GET(self) -> None:
            self.reply(405, b"")

        do_DELETE = do_GET

        def reply(self, status: int, body: bytes) -> None:
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_args: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}", seen
        server.shutdown()


def credentials(url: str) -> Any:
    given = {"token_url": f"{url}/token", "client_id": "me", "client_secret": "s3cr3t-0123"}
    auth = {"client_credentials": {**given, "scope": "read"}}
    return config_from({"server": {"url": f"{url}/mcp", "auth": auth}})


async def test_a_program_prints_the_token(tmp_path: Path) -> None:
    assert await printed_token([sys.executable, "-c", f"print('{TOKEN}')"], tmp_path) == TOKEN


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("import sys; sys.exit('not today')", "it ended with 1: not today"),
        ("pass", "it printed no token"),
    ],
)
async def test_a_program_that_prints_none_is_told(tmp_path: Path, code: str, words: str) -> None:
    with pytest.raises(ServerError, match=words):
        await printed_token([sys.executable, "-c", code], tmp_path)


async def test_a_program_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(ServerError, match="token_command: no-such-program: it cannot be started"):
        await printed_token(["no-such-program"], tmp_path)


async def test_client_credentials_are_exchanged_for_a_token_that_is_sent_and_masked() -> None:
    body = json.dumps({"access_token": TOKEN, "token_type": "Bearer"}).encode()
    with answering(200, body) as (url, seen):
        report = await run_config_async(credentials(url), ["checks"])

    basic = base64.b64encode(b"me:s3cr3t-0123").decode()
    assert seen[0] == ("/token", f"Basic {basic}", "grant_type=client_credentials&scope=read")
    assert {headers for path, headers, _ in seen[1:] if path == "/mcp"} == {f"Bearer {TOKEN}"}
    assert report.server is not None
    assert report.server.tools[0].description == "You came with Bearer ***."
    assert TOKEN not in repr(report)


@pytest.mark.parametrize(
    ("status", "body", "words"),
    [
        (401, b'{"error": "invalid_client"}', "it answered 401: "),
        (200, b"<html>", "expected JSON, got '<html>'"),
        (200, b"{}", "its answer has no access_token"),
    ],
)
async def test_an_endpoint_that_grants_none_is_told(status: int, body: bytes, words: str) -> None:
    with answering(status, body) as (url, _):
        settings = credentials(url).server.auth.client_credentials
        with pytest.raises(ServerError, match=words):
            await granted_token(settings)


async def test_without_a_token_the_run_ends_with_what_to_check() -> None:
    with answering(401, b"no") as (url, _):
        report = await run_config_async(credentials(url), ["checks"])

    assert report.exit_code == 3
    assert report.hint == "Check client_id, client_secret and scope."


async def test_an_endpoint_that_refuses_connections_is_told() -> None:
    settings = credentials("http://127.0.0.1:9").server.auth.client_credentials

    with pytest.raises(ServerError, match="it cannot be reached"):
        await granted_token(settings)
