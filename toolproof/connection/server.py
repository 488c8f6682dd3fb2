"""`McpServer`: start or reach a server, list, call, reconnect, stop."""

import asyncio
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from toolproof.connection.answers import ClientAnswers, ClientSettings, answers_of
from toolproof.connection.backing import Secrets
from toolproof.connection.connect import Connection, Equipment, Target, connect
from toolproof.connection.faults import start_hint, with_stderr
from toolproof.connection.handshake import Handshake
from toolproof.connection.launch import inherited
from toolproof.connection.lists import Walk, What, walk
from toolproof.connection.observations import Kind, ObservationLog
from toolproof.connection.opening import AUTO, Opening
from toolproof.connection.recorder import Recorder
from toolproof.connection.results import call_result, info_of
from toolproof.connection.session import IDLE_S, Session
from toolproof.connection.wire import NO_ARGUMENTS, Failure, JsonObject, NoArguments, Outcome
from toolproof.errors import ServerError
from toolproof.report.call import CallResult
from toolproof.report.server import ServerInfo, Tool

_STDERR_LINES = 20


class McpServer:
    """One MCP server, started or reached for as long as the `async with` lasts.

    Any task may call, stop and reconnect, in any order.

    Args:
        config: How to reach it.
        base_dir: Where relative paths in `command` and `cwd` start; the current folder by default.
        log: Internal; gets what the wire sees, from the first byte on.
        recorder: Internal; keeps the messages.
        answers: Internal; what to answer when the server asks its client for something: the
            `client` section of a config, or answers made by hand.
        secrets: Internal; tells whether a message holds a secret.
        protocol: Internal; one revision in place of what the config says.
        auth: Internal; an `httpx2.Auth` that signs in at the URL.

    Attributes:
        log: What was seen of this server, over all its processes and connections.
        info: What `server_info` found last; None before that.
        handshake: What was agreed on; None before that.
        restarts: How often the server was started or reached anew.
        subscribers: Called with method and params of each notification.
    """

    def __init__(  # noqa: PLR0913 - each is a part that a caller may bring along
        self,
        config: Target,
        base_dir: Path | str | None = None,
        *,
        log: ObservationLog | None = None,
        recorder: Recorder | None = None,
        answers: ClientAnswers | ClientSettings | None = None,
        secrets: Secrets | None = None,
        protocol: str | None = None,
        auth: Any = None,
    ) -> None:
        self.config = config
        self.log = ObservationLog() if log is None else log
        self.recorder = recorder or Recorder()
        self.info: ServerInfo | None = None
        self.handshake: Handshake | None = None
        self.restarts = 0
        self.subscribers: list[Callable[[str, Any], None]] = []
        self._base_dir = None if base_dir is None else Path(base_dir)
        if answers is None:
            answers = ClientAnswers()
        elif not isinstance(answers, ClientAnswers):
            answers = answers_of(answers, self._base_dir or Path())
        self._equipment = Equipment(
            self.log, self.recorder, answers, secrets, auth, self.subscribers
        )
        self._protocol = protocol or str(getattr(config, "protocol", AUTO))
        self._connection: Connection | None = None
        self._lock = asyncio.Lock()
        self._restarting = False

    async def __aenter__(self) -> Self:
        try:
            await self.spawn()
            await self.open()
        except BaseException:
            await self.close()
            raise
        return self

    async def __aexit__(
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        tb: TracebackType | None,
    ) -> None:
        await self.close()

    @property
    def target(self) -> str:
        """The URL or the command, for messages."""
        return self.config.url or " ".join(self.config.command or ())

    # Start and end

    async def spawn(self) -> None:
        """Start the process, and return while it boots: time for the caller's own imports.

        Raises:
            ServerError: It cannot be started.
        """
        self._connection = await self._connect()

    async def open(self) -> None:
        """Agree on a revision with the server that `spawn` has started.

        Raises:
            ServerError: It died, was silent, or agreed on nothing. Who calls this closes too.
        """
        await self._negotiate(None)

    async def close(self, *, fast: bool = False) -> None:
        """Stop the server and all that it started, in full even if the caller is cancelled.

        Args:
            fast: As when a signal tells us to end: everything is gone within 3 s.
        """
        if self._connection is not None:
            await self._connection.close(fast=fast)

    async def reconnect(self) -> None:
        """Start or reach the server anew, as after a crash; calls in flight are lost.

        Safe from any task: one restart at a time, who comes meanwhile waits for it.

        Raises:
            ServerError: It did not come back.
        """
        before = self._connection
        async with self._lock:
            if self._connection is before:
                await self._reopen()

    async def _reopen(self) -> None:
        old, self._restarting = self._live, True
        self.restarts += 1
        try:
            await old.close()
            old.tape.event("restart", number=self.restarts)
            self._connection = await self._connect()
            await self._negotiate(self.handshake)
        except BaseException:
            await self.close(fast=True)
            raise
        finally:
            self._restarting = False

    async def _connect(self) -> Connection:
        seen = len(self.log)
        try:
            return await connect(self.config, self._base_dir, self._equipment)
        except ServerError as exc:
            if len(self.log) == seen:  # else it is told already, and better
                self.log.add(Kind.START_FAILED, exc.message)
            exc.where = exc.where or self.target
            raise

    async def _negotiate(self, known: Handshake | None) -> None:
        async def again() -> Session:
            self._connection = await self._connect()
            return self._connection.session

        live = self._live
        opening = Opening(
            live.session,
            again,
            protocol=self._protocol,
            limit_s=self.config.startup_timeout_s,
            known=known,
        )
        try:
            self.handshake = await opening.open()
        except ServerError as exc:
            exc.where = exc.where or self.target
            if exc.hint is None and self.config.command:
                given = [*inherited(), *self.config.env]
                exc.hint = start_hint(self.stderr_tail(_STDERR_LINES), os.environ, given)
            raise

    @property
    def _live(self) -> Connection:
        if self._connection is None:
            raise ServerError("not connected", hint="Use `async with McpServer(...)`.")
        return self._connection

    @property
    def session(self) -> Session:
        """Internal; the session in use: another one after each restart.

        Raises:
            ServerError: There is none yet.
        """
        return self._live.session

    @property
    def ended(self) -> str | None:
        """Why the connection is lost; None while it lives. Calls are then lost at once."""
        return None if self._connection is None else self._connection.session.lost

    @property
    def pid(self) -> int | None:
        """The server's process id, if it is a process of ours."""
        process = None if self._connection is None else self._connection.process
        return None if process is None else process.pid

    # Calls

    async def call(
        self,
        tool: str,
        arguments: Mapping[str, Any] | NoArguments | None = None,
        timeout_s: float | None = None,
        *,
        total_timeout_s: float | None = None,
    ) -> CallResult:
        """Call a tool and time it. What goes wrong is in the result, never raised.

        Args:
            arguments: None sends an empty object; `wire.NO_ARGUMENTS` leaves the member out.
            timeout_s: How long the tool may be silent; progress starts it anew. 10 by default.
            total_timeout_s: The most in all; 6 times `timeout_s` by default.
        """
        idle_s = IDLE_S if timeout_s is None else timeout_s
        outcome = await self.call_outcome(tool, arguments, idle_s=idle_s, total_s=total_timeout_s)
        sent = None if isinstance(arguments, NoArguments) else dict(arguments or {})
        return call_result(tool, sent, outcome, idle_s)

    async def call_outcome(
        self,
        tool: str,
        arguments: Mapping[str, Any] | NoArguments | None = None,
        *,
        idle_s: float = IDLE_S,
        total_s: float | None = None,
    ) -> Outcome:
        """Internal; like `call`, with the raw outcome: the path of bench and fuzz."""
        params: JsonObject = {"name": tool}
        if arguments is not NO_ARGUMENTS:
            params["arguments"] = arguments or {}
        return await self.outcome("tools/call", params, idle_s=idle_s, total_s=total_s)

    async def outcome(
        self,
        method: str,
        params: JsonObject,
        *,
        idle_s: float = IDLE_S,
        total_s: float | None = None,
        stamp: JsonObject | None = None,
    ) -> Outcome:
        """Internal; any request, and what became of it.

        A server that an earlier request has blocked is restarted first, and a restart under way is
        waited for.

        Args:
            stamp: Members of `_meta` in place of those of the agreed revision.

        Raises:
            ServerError: There is no connection yet.
        """
        connection = self._connection
        if connection is None:
            raise ServerError("not connected", hint="Use `async with McpServer(...)`.")
        session = connection.session
        if session.blocked or self._restarting:
            await self.unblock()
            session = self._live.session
        return await session.request(method, params, idle_s=idle_s, total_s=total_s, stamp=stamp)

    async def unblock(self) -> bool:
        """Internal; whether the server still answers; one that does not is restarted.

        To be asked after a timeout, so that one hang is not reported for every call after it.
        """
        async with self._lock:
            session = self._live.session
            if not session.blocked or session.lost is not None or await session.responds():
                return True
            try:
                await self._reopen()
            except ServerError as exc:
                self.log.add(Kind.START_FAILED, f"it did not come back: {exc.message}")
            return False

    async def is_alive(self, timeout_s: float = 5) -> bool:
        """Whether the server still answers; an error is an answer too."""
        if self._connection is None or self._connection.session.lost is not None:
            return False
        return await self._connection.session.responds(timeout_s)

    # Lists

    async def list_tools(self) -> list[Tool]:
        """Every tool that the server lists, on every page.

        Raises:
            ServerError: The server gave no list.
        """
        return [Tool(raw, index) for index, raw in enumerate(await self.list_raw("tools"))]

    async def list_raw(self, what: What) -> list[Any]:
        """Internal; every entry of a list as it came; none of one that is not declared.

        Raises:
            ServerError: The server gave no list.
        """
        found = await self._walk(what)
        if found.failed is not None and not found.entries:
            raise self._no_list(found.failed)
        return found.entries

    async def server_info(self) -> ServerInfo:
        """Name and version, and all tools, resources and prompts that the server lists.

        A list that is answered with an error is empty here, and told in the log.

        Raises:
            ServerError: The server was lost.
        """
        found: dict[What, Walk] = {}
        order: tuple[What, ...] = ("tools", "resources", "resource_templates", "prompts")
        for what in order:
            found[what] = await self._walk(what)
            failed = found[what].failed
            if failed is not None and failed.failure is Failure.LOST:
                raise self._no_list(failed)
            if (
                failed is not None
                and failed.failure is Failure.TIMEOUT
                and not await self.unblock()
            ):
                break
        if self.handshake is None:
            raise ServerError("not connected", hint="Use `async with McpServer(...)`.")
        self.info = info_of(self.handshake, found, "http" if self.config.url else "stdio")
        return self.info

    async def _walk(self, what: What) -> Walk:
        capability = "resources" if what == "resource_templates" else what
        agreed = self.handshake or Handshake(revision="")
        declared = capability in agreed.capabilities or (what == "tools" and not agreed.declares)
        if what != "tools" and not declared:
            return Walk()
        return await walk(self.session, what, declared=declared)

    def _no_list(self, outcome: Outcome) -> ServerError:
        error = outcome.error or {}
        words = outcome.detail or f"error {error.get('code')}: {error.get('message')}"
        return ServerError(with_stderr(words, self.stderr_tail(_STDERR_LINES)), where=self.target)

    # Words of the server

    def last_messages(self, count: int = 10) -> list[str]:
        """Internal; the last messages both ways, secrets masked, for the text of a failure."""
        kept = [] if self._connection is None else self._connection.tape.last[-count:]
        return [f"{direction} {self.recorder.masked(line).rstrip()}" for _, direction, line in kept]

    def stderr_tail(self, lines: int = 20, *, since: int = 0) -> str:
        """The last lines that the server wrote on stderr; empty where it is not our process.

        Args:
            since: Internal; only lines after so many, as `stderr_count` gave them.
        """
        process = None if self._connection is None else self._connection.process
        return "" if process is None else process.stderr_tail(lines, since)

    @property
    def stderr_count(self) -> int:
        """Internal; lines of stderr so far, of the process in use."""
        process = None if self._connection is None else self._connection.process
        return 0 if process is None else process.stderr_count
