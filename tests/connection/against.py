"""Open one of the servers in `tests/servers`, and look at what was seen of it."""

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from toolproof.config import ServerConfig
from toolproof.connection import McpServer
from toolproof.connection.observations import Kind, Observation

ROOT = Path(__file__).parents[2]


def config(
    module: str, trait: str, *, env: Mapping[str, str] | None = None, **more: Any
) -> ServerConfig:
    """How to start the server with this trait."""
    command = (sys.executable, "-m", f"tests.servers.{module}", trait)
    return ServerConfig(command=command, cwd=ROOT, env=dict(env or {}), **more)


def against(
    module: str,
    trait: str,
    *,
    env: Mapping[str, str] | None = None,
    config_: Mapping[str, Any] | None = None,
    **more: Any,
) -> McpServer:
    """The server with this trait, not started yet.

    Args:
        config_: Further settings of the config.
        more: Further arguments of McpServer.
    """
    return McpServer(config(module, trait, env=env, **(config_ or {})), **more)


def kinds(server: McpServer) -> dict[Kind, int]:
    """How often each kind of thing was seen."""
    counts: dict[Kind, int] = {}
    for seen in server.log:
        counts[seen.kind] = counts.get(seen.kind, 0) + seen.count
    return counts


def only(server: McpServer, kind: Kind) -> Observation:
    """The one observation of this kind."""
    found = list(server.log.each(kind))
    assert len(found) == 1, [one.detail for one in found] or kinds(server)
    return found[0]
