"""`McpServer` for code without an event loop, such as plain pytest tests."""

from collections.abc import Mapping
from typing import Any

from toolproof.connection.server import McpServer
from toolproof.report.call import CallResult
from toolproof.report.server import ServerInfo, Tool


class BlockingServer:
    """`McpServer` for code without an event loop; each method waits for its result."""

    def __init__(self, server: McpServer, portal: Any) -> None:
        self._server = server
        self._portal = portal

    def call(
        self,
        tool: str,
        arguments: Mapping[str, Any] | None = None,
        timeout_s: float | None = None,
    ) -> CallResult:
        """Call a tool. Never raises for tool errors, timeouts or a lost connection."""
        result: CallResult = self._portal.call(self._server.call, tool, arguments, timeout_s)
        return result

    def list_tools(self) -> list[Tool]:
        """All tools, following pagination."""
        tools: list[Tool] = self._portal.call(self._server.list_tools)
        return tools

    def server_info(self) -> ServerInfo:
        """Name, version, tools, resources and prompts."""
        info: ServerInfo = self._portal.call(self._server.server_info)
        return info

    def is_alive(self, timeout_s: float = 5) -> bool:
        """Whether the server still answers."""
        alive: bool = self._portal.call(self._server.is_alive, timeout_s)
        return alive

    def reconnect(self) -> None:
        """Start a fresh connection, and a fresh process for a server over stdio."""
        self._portal.call(self._server.reconnect)

    def stderr_tail(self, lines: int = 20) -> str:
        """The last lines that a server over stdio wrote to stderr."""
        return self._server.stderr_tail(lines)
