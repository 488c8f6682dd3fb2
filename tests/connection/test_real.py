"""Published servers of every language: agreed revision, counts, and no finding that is not true."""

import os
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.connection.against import kinds
from toolproof.config import ServerConfig
from toolproof.connection import McpServer
from toolproof.connection.observations import Kind
from toolproof.errors import ServerError

REAL = Path(os.environ.get("TOOLPROOF_REAL_SERVERS") or "/nowhere").absolute()
pytestmark = [
    pytest.mark.real,
    pytest.mark.skipif(not REAL.is_dir(), reason="no published servers here: make real"),
]
NPM = REAL / "npm" / "node_modules"
HARMLESS = {Kind.LIST_CHANGED, Kind.SLOW_START}  # said right after the start; a busy machine


@dataclass(frozen=True)
class Real:
    """A published server, and what is true of it.

    Attributes:
        command: In it, `{W}` stands for a scratch folder.
        revision: The newest that it agrees to.
        counts: Of tools, resources and prompts.
    """

    command: tuple[str, ...]
    revision: str
    counts: tuple[int, int, int]
    seen: frozenset[Kind] = frozenset()
    env: dict[str, str] = field(default_factory=dict)


SERVERS = {
    "everything": Real((str(NPM / ".bin/mcp-server-everything"),), "2025-11-25", (13, 7, 4)),
    "filesystem": Real((str(NPM / ".bin/mcp-server-filesystem"), "{W}"), "2025-11-25", (14, 0, 0)),
    "context7": Real((str(NPM / ".bin/context7-mcp"),), "2026-07-28", (2, 0, 0)),
    "kubernetes": Real(
        (
            str(NPM / "kubernetes-mcp-server-linux-amd64/bin/kubernetes-mcp-server-linux-amd64"),
            *("--log-file", "{W}/log", "--kubeconfig", "{W}/kubeconfig"),
        ),
        "2026-07-28",
        (20, 0, 1),
    ),
    "cron": Real(
        (str(NPM / "mcp-cron-linux-amd64/bin/mcp-cron"), "--transport", "stdio"),
        "2025-11-25",
        (12, 0, 0),
        frozenset({Kind.NO_EXIT_ON_EOF}),
        {"HOME": "{W}"},
    ),
    "leanspec": Real(
        (str(NPM / "@leanspec/mcp-linux-x64/leanspec-mcp"),),
        "2024-11-05",
        (11, 0, 0),
        frozenset({Kind.NOTIFICATION_ANSWERED}),
    ),
    "time": Real((str(REAL / "two/bin/mcp-server-time"),), "2026-07-28", (2, 0, 0)),
    "git": Real((str(REAL / "two/bin/mcp-server-git"),), "2026-07-28", (12, 0, 0)),
    "testkit": Real((str(REAL / "one/bin/mcp-testkit"),), "2025-11-25", (65, 0, 0)),
    "sqlite": Real(
        (str(REAL / "one/bin/mcp-server-sqlite"), "--db-path", "{W}/t.db"), "2025-11-25", (6, 1, 1)
    ),
}
KUBECONFIG = """\
apiVersion: v1
kind: Config
clusters: [{name: c, cluster: {server: "http://127.0.0.1:9"}}]
contexts: [{name: c, context: {cluster: c, user: u}}]
current-context: c
users: [{name: u, user: {}}]
"""
ECHO = """
from mcp.server.fastmcp import FastMCP

server = FastMCP("echo")

@server.tool()
def echo(text: str) -> str:
    "Returns the text unchanged."
    return text

server.run()
"""


def _opened(real: Real, scratch: Path, protocol: str) -> McpServer:
    (scratch / "kubeconfig").write_text(KUBECONFIG, encoding="utf-8")
    (scratch / "file.txt").write_text("hello", encoding="utf-8")
    command = tuple(word.replace("{W}", str(scratch)) for word in real.command)
    env = {name: value.replace("{W}", str(scratch)) for name, value in real.env.items()}
    config = ServerConfig(command=command, env=env, cwd=scratch, startup_timeout_s=60)
    return McpServer(config, protocol=protocol)


@pytest.mark.parametrize("protocol", ["auto", "2025-11-25"])
@pytest.mark.parametrize("name", SERVERS)
async def test_a_published_server_is_read_whole_and_blamed_for_nothing(
    name: str, protocol: str, tmp_path: Path
) -> None:
    real = SERVERS[name]
    async with _opened(real, tmp_path, protocol) as server:
        info = await server.server_info()
        alive = await server.is_alive()

    assert info.protocol == (real.revision if protocol == "auto" else min(real.revision, protocol))
    assert (len(info.tools), len(info.resources), len(info.prompts)) == real.counts
    assert info.name
    assert alive
    assert set(kinds(server)) - HARMLESS == real.seen


@pytest.mark.parametrize(
    ("folder", "revision"),
    [("sdk1.2.1", "2024-11-05"), ("sdk1.9.4", "2025-03-26"), ("sdk1.12.4", "2025-06-18")],
)
async def test_every_age_of_an_sdk_is_spoken_to_in_its_newest_revision(
    folder: str, revision: str, tmp_path: Path
) -> None:
    script = tmp_path / "server.py"
    script.write_text(ECHO, encoding="utf-8")
    command = (str(REAL / folder / "bin/python"), str(script))
    async with McpServer(ServerConfig(command=command, startup_timeout_s=60)) as server:
        info = await server.server_info()
        result = await server.call("echo", {"text": "hi"}, timeout_s=30)

    assert info.protocol == revision
    assert result.text == "hi"
    assert set(kinds(server)) - HARMLESS <= {Kind.ENDS_AT_PROBE}
    assert (Kind.ENDS_AT_PROBE in kinds(server)) == (folder == "sdk1.2.1")


async def test_a_server_that_dies_at_start_is_quoted_with_its_last_line(tmp_path: Path) -> None:
    command = (str(REAL / "two/bin/mcp-server-sqlite"), "--db-path", str(tmp_path / "t.db"))
    server = McpServer(ServerConfig(command=command, startup_timeout_s=60))
    with pytest.raises(ServerError, match="exit code 1 before it answered initialize"):
        await server.__aenter__()

    crash = next(server.log.each(Kind.START_CRASH))
    assert crash.facts["last_line"].startswith("AttributeError: 'Server' object has no attribute")
