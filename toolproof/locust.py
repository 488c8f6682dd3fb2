"""A Locust user that speaks MCP, for load from more processes and machines than one.

    from locust import constant, task
    from toolproof.locust import McpUser

    class Shopper(McpUser):
        wait_time = constant(1)

        @task
        def search(self):
            self.call("search", {"query": "lamp"})

`pip install 'toolproof[locust]'`, then `locust -f locustfile.py --host http://localhost:8000/mcp`.
How many users there are, how fast they come and on which machines is Locust's business. All users
of a worker process share one event loop; each has a connection of its own.
"""

import asyncio
import threading
import time
from collections.abc import Coroutine, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

from locust import User
from locust.env import Environment
from locust.exception import LocustError, RescheduleTask

from toolproof.config import ServerConfig
from toolproof.connection import McpServer
from toolproof.errors import ServerError
from toolproof.report import CallResult, Tool
from toolproof.text import shorten

_CLOSING_S = 10.0
"""So long a server may take to end with its user."""
_SHOWN = 300
"""Characters of an error; Locust adds up equal ones, and shows them in a table."""


class McpCallError(Exception):
    """A call that gave an error, as Locust counts it."""


class McpUser(User):
    """One client with a connection of its own, opened at its first call and again when it is lost.

    Each call, and each opening under the name `connect`, is a request of the type MCP in Locust's
    figures. Its time is what the wire measured: from the sent bytes to the answer.

    Attributes:
        host: The URL of the server, mostly given by `--host`.
        command: A program to start for each user, in place of a URL.
        headers: Sent with each HTTP request.
        env: Set for the program.
        startup_timeout_s: For how many seconds an opening may take.
        timeout_s: For how many seconds a call may take without a sign of life.
    """

    abstract = True

    command: ClassVar[Sequence[str]] = ()
    headers: ClassVar[Mapping[str, str]] = {}
    env: ClassVar[Mapping[str, str]] = {}
    startup_timeout_s: ClassVar[float] = 30.0
    timeout_s: ClassVar[float] = 10.0

    def __init__(self, environment: Environment) -> None:
        super().__init__(environment)
        if not self.command and not self.host:
            raise LocustError(
                f"{type(self).__name__} needs --host, the URL of an MCP server, or a 'command'"
            )
        self._server: McpServer | None = None

    def on_stop(self) -> None:
        """Close the connection. Who overrides this calls it too."""
        server, self._server = self._server, None
        if server is not None:
            _wait(server.close(fast=True), _CLOSING_S)

    def call(
        self,
        tool: str,
        arguments: Mapping[str, Any] | None = None,
        *,
        name: str | None = None,
        timeout_s: float | None = None,
        errors_are_fine: bool = False,
    ) -> CallResult:
        """Call a tool, and count it; what the server does wrong is in the result.

        Raises:
            RescheduleTask: There is no connection, and none to be had: Locust ends the task, and
                the user's next one tries again.

        Args:
            tool: Its name.
            arguments: Its arguments.
            name: What Locust's tables call it; the tool's name if not set.
            timeout_s: In place of the user's own.
            errors_are_fine: Whether a tool's own error is a right answer here.
        """
        server = self._opened()
        limit_s = self.timeout_s if timeout_s is None else timeout_s
        result: CallResult = _wait(server.call(tool, arguments, limit_s))
        failed = result.is_error
        if errors_are_fine and not result.protocol_error and result.transport_error is None:
            failed = False
        self._count(
            name or tool,
            result.latency_ms,
            size=len(result.text),
            error=McpCallError(_said(result)) if failed else None,
            response=result,
        )
        if result.transport_error is not None and not result.timed_out:
            self._forget(server)
        return result

    def list_tools(self) -> list[Tool]:
        """All tools, following pagination; counted under `tools/list`.

        Raises:
            RescheduleTask: The server gave no list.
        """
        server = self._opened()
        began = time.perf_counter()
        try:
            tools: list[Tool] = _wait(server.list_tools())
        except ServerError as error:
            self._count("tools/list", _ms_since(began), error=error)
            raise RescheduleTask from error
        self._count("tools/list", _ms_since(began))
        return tools

    def _opened(self) -> McpServer:
        if self._server is not None:
            return self._server
        server = McpServer(self._target(), Path.cwd())
        began = time.perf_counter()
        try:
            _wait(server.__aenter__())
        except ServerError as error:
            self._count("connect", _ms_since(began), error=error)
            raise RescheduleTask from error
        self._server = server
        self._count("connect", _ms_since(began))
        return server

    def _target(self) -> ServerConfig:
        settings: dict[str, Any] = {"startup_timeout_s": self.startup_timeout_s}
        if self.command:
            return ServerConfig(command=tuple(self.command), env=dict(self.env), **settings)
        return ServerConfig(url=self.host, headers=dict(self.headers), **settings)

    def _forget(self, server: McpServer) -> None:
        """The connection is lost: the next call opens another."""
        self._server = None
        _wait(server.close(fast=True), _CLOSING_S)

    def _count(
        self,
        name: str,
        latency_ms: float,
        *,
        size: int = 0,
        error: Exception | None = None,
        response: CallResult | None = None,
    ) -> None:
        self.environment.events.request.fire(
            request_type="MCP",
            name=name,
            response_time=latency_ms,
            response_length=size,
            response=response,
            exception=error,
            context=self.context(),
        )


def _said(result: CallResult) -> str:
    """What went wrong, in one line: equal errors must read alike, so that they are added up."""
    if result.transport_error is not None:
        words = result.transport_error
    elif result.protocol_error:
        words = f"JSON-RPC error {result.error_code}: {result.text}"
    else:
        words = f"error result: {result.text}"
    return shorten(" ".join(words.split()), _SHOWN)


def _ms_since(began: float) -> float:
    return (time.perf_counter() - began) * 1000


class _Shared:
    """The event loop of this process.

    Locust has patched threads and selectors by now, so its "thread" is a greenlet beside those of
    the users. Only one loop can run in them: asyncio keeps which one does per real thread.
    """

    def __init__(self) -> None:
        self._loop: asyncio.AbstractEventLoop | None = None
        self._lock = threading.Lock()

    def loop(self) -> asyncio.AbstractEventLoop:
        with self._lock:  # to make a loop is to wait for a socket: other users run meanwhile
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                run = self._loop.run_forever
                threading.Thread(target=run, name="toolproof", daemon=True).start()
            return self._loop


_shared = _Shared()


def _wait(work: Coroutine[Any, Any, Any], limit_s: float | None = None) -> Any:
    """The result of some work on the loop; the other users go on meanwhile."""
    future = asyncio.run_coroutine_threadsafe(work, _shared.loop())
    try:
        return future.result(limit_s)
    except BaseException:
        future.cancel()  # Locust ends a user by an exception in whatever it waits for
        raise
