"""A server process: start it, feed it, drain its stderr, and end it with all that it started.

Nothing stays behind (`wire.md`, section 6). Whoever handles signals for a command needs this:

* the first SIGINT, SIGTERM or SIGHUP: `hurry()`, which shortens every stop, those under way too;
  then cancel the work, so that each `async with McpServer` closes; or await `stop_all(fast=True)`;
* the second: `kill_all()`, SIGKILL to all groups at once.

`kill_all` also runs at the exit of the interpreter, for what a crash of ours has left.
"""

import asyncio
import atexit
import itertools
import os
import sys
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import Any, cast

import anyio

from toolproof.connection.faults import exit_words, server_error
from toolproof.connection.launch import MARK, Launch
from toolproof.connection.observations import Kind
from toolproof.connection.recorder import Tape
from toolproof.connection.survivor import Survivor
from toolproof.connection.wire import Ending
from toolproof.connection.witness import Witness
from toolproof.errors import ServerError
from toolproof.text import shorten

if sys.platform == "win32":
    from toolproof.connection.windows import TERMINATE, Group, spawn_options
else:
    from toolproof.connection.groups import TERMINATE, Group, spawn_options

STDERR_LINES = 200
STDERR_LINE = 64 << 10
"""Bytes that are kept of one line of stderr."""
_GRACE_S, _FAST_EOF_S, _FAST_TERM_S = 2.0, 0.5, 1.0
_LEFTOVERS_S, _FAST_LEFTOVERS_S = 1.0, 0.3
_KILLED_S = 1.0  # until the end of a killed process is noticed
_LAST_LINE_SHOWN = 500
_CLOSED = "its pipes closed (the process is still running)"
_LAST_OUTPUT_S = 0.1  # what is still in the pipe after the exit; a grandchild may hold it for ever
_OUTPUT_CLOSED_S = 0.25  # the exit gets this long to be noticed

_numbers = itertools.count(1)
_live: dict[int, "ServerProcess"] = {}
_hurried = False


class ServerProcess(asyncio.SubprocessProtocol):
    """One process, started once and never reused.

    It has no task of its own: the event loop's callbacks do the work, so any task may use it.

    Args:
        launch: What to start.
        witness: Told what a correct server would not do at its end.
        on_output: Gets the bytes of stdout as they come.
        on_gone: Told once that nothing more can come: why, and how the process ended.
        by_signal: It is ended by a signal, as the end of input means nothing to it.
    """

    def __init__(  # noqa: PLR0913 - what it is, who hears of it, and how it ends
        self,
        launch: Launch,
        witness: Witness,
        tape: Tape,
        *,
        on_output: Callable[[bytes], None],
        on_gone: Callable[[str, Ending | None], None],
        by_signal: bool = False,
    ) -> None:
        self._launch = launch
        self._witness = witness
        self._tape = tape
        self._on_output = on_output
        self._on_gone = on_gone
        self._by_signal = by_signal
        self._mark = f"{os.getpid()}-{next(_numbers)}"
        self._stderr: deque[bytes] = deque(maxlen=STDERR_LINES)
        self._stderr_rest = b""
        self._stderr_count = 0
        self._open_pipes = {0, 1, 2}
        self._ended_at: float | None = None
        self._told = False
        self._stopping: asyncio.Task[None] | None = None
        self._fast = False
        self._quiet = False
        self._changed: asyncio.Event
        self._loop: asyncio.AbstractEventLoop
        self._transport: asyncio.SubprocessTransport
        self._stdin: asyncio.WriteTransport
        self._group: Group

    async def start(self) -> None:
        """Start it, in a session and a process group of its own.

        Raises:
            ServerError: The system refuses.
        """
        self._loop, self._changed = asyncio.get_running_loop(), asyncio.Event()
        env = {**self._launch.env, MARK: self._mark}
        try:
            await self._loop.subprocess_exec(
                lambda: self, *self._launch.argv, env=env, cwd=self._launch.cwd, **spawn_options()
            )
        except OSError as exc:
            raise _start_error(exc, self._launch) from exc

    @property
    def pid(self) -> int:
        return self._transport.get_pid()

    @property
    def running(self) -> bool:
        return self._ended_at is None

    @property
    def unsent(self) -> int:
        """Bytes that the server has not read."""
        return self._stdin.get_write_buffer_size() if 0 in self._open_pipes else 0

    def waited_s(self) -> float:
        """How long it had to wait for a processor, in seconds; 0 where that is not known."""
        return self._group.waited_s()

    @property
    def stderr_count(self) -> int:
        """Lines that it has written on stderr so far, the unfinished one too."""
        return self._stderr_count + bool(self._stderr_rest)

    def write(self, data: bytes) -> None:
        """Hand over bytes for its stdin; never waits."""
        if 0 in self._open_pipes:
            self._stdin.write(data)

    def stderr_tail(self, lines: int, since: int = 0) -> str:
        """The last lines of stderr, of those after the first `since`."""
        kept = [*self._stderr, *([self._stderr_rest] if self._stderr_rest else [])]
        wanted = min(lines, self.stderr_count - since)
        return b"\n".join(kept[-wanted:] if wanted > 0 else []).decode(errors="replace").rstrip()

    # What the event loop calls

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.SubprocessTransport, transport)
        self._stdin = cast(asyncio.WriteTransport, self._transport.get_pipe_transport(0))
        self._group = Group(self.pid, f"{MARK}={self._mark}")
        _live[self.pid] = self
        self._tape.event("spawn", argv=self._launch.argv, cwd=str(self._launch.cwd), pid=self.pid)

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        if fd == 1:
            self._on_output(data)
        else:
            self._drain(data)

    def pipe_connection_lost(self, fd: int, exc: Exception | None) -> None:
        del exc
        self._open_pipes.discard(fd)
        if not self.running:
            if not self._open_pipes & {1, 2}:  # all that it said is here
                self._tell(self._end_words())
        elif fd in (0, 1) and self._stopping is None:
            what = "closed its output" if fd else "closed its input"
            self._loop.call_later(_OUTPUT_CLOSED_S, self._closed_pipe, what)

    def process_exited(self) -> None:
        self._ended_at = self._loop.time()
        self._changed.set()
        self._tape.event("exit", pid=self.pid, how=self._exit_words())
        self._loop.call_later(_LAST_OUTPUT_S, self._tell, "")

    def _closed_pipe(self, what: str) -> None:
        if self.running:
            self._tell(f"the server {what} but is still running")

    def _tell(self, reason: str) -> None:
        """Say once that nothing more can come."""
        if self._told:
            return
        self._told = True
        reason = reason or self._end_words()
        last = self.stderr_tail(1) or self.stderr_tail(STDERR_LINES).rpartition("\n")[2]
        words = _CLOSED if self.running else self._exit_words()
        at = self._loop.time() if self._ended_at is None else self._ended_at
        self._on_gone(reason, Ending(words, shorten(last.strip(), _LAST_LINE_SHOWN), at))

    def _exit_words(self) -> str:
        code = self._transport.get_returncode()
        return "still running" if code is None else exit_words(code)

    def _end_words(self) -> str:
        return f"the server ended with {self._exit_words()}"

    def _drain(self, data: bytes) -> None:
        """Keep the end of stderr, of which nothing is judged: a full pipe would stop the server."""
        *lines, rest = (self._stderr_rest + data).split(b"\n")
        self._stderr_count += len(lines)
        self._stderr_rest = rest[:STDERR_LINE]
        self._stderr.extend(line[:STDERR_LINE] for line in lines[-STDERR_LINES:])
        for line in lines:
            self._tape.stderr(line)

    # The end

    async def stop(self, *, fast: bool = False, blame: bool = True) -> None:
        """End the server and all that it started, in full even if the caller is cancelled.

        Args:
            fast: Wait 0.5 s and 1 s in place of 2 s and 2 s, as when a signal tells us to end.
            blame: Whether a stop that takes more than the end of input is the server's fault. Not
                where it is busy with a call: then it is not waited for at length either.
        """
        self._quiet |= fast or _hurried
        if self._quiet or not blame:
            self.hurry()
        if self._stopping is None:
            self._stopping = self._loop.create_task(self._stop(blame=blame))
        cancelled = False
        with anyio.CancelScope(shield=True):
            while not self._stopping.done():
                try:
                    await asyncio.shield(self._stopping)
                except asyncio.CancelledError:
                    cancelled = True
        if cancelled:
            raise asyncio.CancelledError

    def belongs_to(self, loop: asyncio.AbstractEventLoop) -> bool:
        """Whether it was started from this event loop, which alone may stop it."""
        return self._loop is loop

    def hurry(self) -> None:
        """Shorten the waits of a stop, be it under way or still to come."""
        self._fast = True
        self._changed.set()

    def kill(self) -> None:
        """End it all at once, without waiting."""
        self._group.kill()

    async def _stop(self, *, blame: bool) -> None:
        try:
            await self._end_leader(blame=blame)
            await self._end_leftovers()
        finally:
            if self.running:
                self.kill()
            self._group.reap()
            self._tell("the connection was closed")
            self._transport.close()
            self._group.close()
            _live.pop(self.pid, None)

    async def _end_leader(self, *, blame: bool) -> None:
        if not self.running:
            return
        self._close_stdin()
        blame = blame and not self._by_signal
        if not self._by_signal and await self._ends_within(_GRACE_S, _FAST_EOF_S):
            code = self._transport.get_returncode()
            if code and blame and not self._quiet:
                words = exit_words(code)
                self._witness.see(
                    Kind.EXIT_STATUS, f"at the end of its input it ended with {words}", exit=words
                )
            return
        name = "SIGTERM"
        self._group.signal(TERMINATE)
        if not await self._ends_within(_GRACE_S, _FAST_TERM_S):
            name = "SIGKILL"
            self._group.kill()
            await self._ends_within(_KILLED_S, _KILLED_S)
        if blame and not self._quiet:
            self._witness.see(
                Kind.NO_EXIT_ON_EOF,
                f"still running {_GRACE_S:g} s after the end of its input; {name} ended it",
                seconds=_GRACE_S,
                signal=name,
            )

    def _close_stdin(self) -> None:
        if 0 in self._open_pipes:
            if self._stdin.get_write_buffer_size():
                self._stdin.abort()  # close() would wait until the server has read it all
            else:
                self._stdin.close()

    async def _ends_within(self, limit_s: float, fast_limit_s: float) -> bool:
        begun = self._loop.time()
        while self.running:
            left = begun + (fast_limit_s if self._fast else limit_s) - self._loop.time()
            if left <= 0:
                return False
            with suppress(TimeoutError):
                async with asyncio.timeout(left):
                    await self._changed.wait()
            self._changed.clear()
        return True

    async def _end_leftovers(self) -> None:
        """Give what the server started a moment to notice that it is gone; then end it."""
        left = await self._survivors_after(_LEFTOVERS_S, _FAST_LEFTOVERS_S)
        for survivor in left:
            if not self._quiet:
                detail = f"process {survivor.pid} outlived the server: {survivor.command}"
                self._witness.see(
                    Kind.PROCESS_LEAK, detail, pid=survivor.pid, command=survivor.command
                )
        if left:
            self._group.kill()
            await self._survivors_after(_KILLED_S, _KILLED_S)  # dead, they can be reaped

    async def _survivors_after(self, limit_s: float, fast_limit_s: float) -> list[Survivor]:
        """What is still alive after so long; returns as soon as nothing is."""
        begun, pause_s = self._loop.time(), 0.01
        while left := self._group.survivors():
            if self._loop.time() - begun > (fast_limit_s if self._fast else limit_s):
                break
            await asyncio.sleep(pause_s)
            pause_s = min(0.1, pause_s * 2)
        return left


def _start_error(exc: OSError, launch: Launch) -> ServerError:
    if isinstance(exc, FileNotFoundError):  # the file is there: `launch` has looked
        return ServerError(
            f'"{launch.argv[0]}" cannot be run: the interpreter in its first line is missing',
            where=launch.label,
            hint="Correct the line that begins with #!, or its line end (CR LF does not work).",
        )
    if exc.strerror and "format" in exc.strerror.lower():
        return ServerError(
            f'"{launch.argv[0]}" is no program for this system',
            where=launch.label,
            hint="Put its interpreter before it, as in: python server.py",
        )
    return server_error(exc, launch.label)


def live() -> list[ServerProcess]:
    """Every server process of ours that has not been stopped."""
    return list(_live.values())


def hurry() -> None:
    """Shorten every stop from now on, those under way too: a signal tells us to end."""
    global _hurried  # noqa: PLW0603 - as the process itself, there is one
    _hurried = True
    for process in live():
        process.hurry()


async def stop_all(*, fast: bool = True) -> None:
    """Stop all servers of this event loop side by side; with `fast`, everything is gone within 3 s."""
    loop = asyncio.get_running_loop()
    ours = [process for process in live() if process.belongs_to(loop)]
    stops: list[Any] = [process.stop(fast=fast, blame=False) for process in ours]
    await asyncio.gather(*stops, return_exceptions=True)


def kill_all() -> None:
    """SIGKILL to every server and all that it started, at once; may be called anywhere."""
    for process in live():
        process.kill()


def _kill_all_of_ours(owner: int) -> None:
    if os.getpid() == owner:  # a fork of us has inherited this too
        kill_all()


atexit.register(_kill_all_of_ours, os.getpid())
