"""The servers that are fuzzed: several side by side, each with a log of its own, and a warm spare."""

import asyncio
import shutil
import tempfile
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import anyio
from anyio.abc import TaskGroup

from toolproof.connection import McpServer
from toolproof.connection.observations import ObservationLog
from toolproof.connection.session import Session
from toolproof.errors import ServerError
from toolproof.phases.phase import PhaseContext

MOST_WORKERS = 4
_RETRY_S = 0.2
_BACK_S = 10.0
"""How long a server behind a URL is waited for after it was lost, at most."""


@dataclass(eq=False, slots=True)
class Worker:
    """One server of the fuzzer's own.

    Attributes:
        log: What the wire saw of it, and of no other.
        calls: How many it was sent.
        told: How many observations of its log were looked at.
    """

    server: McpServer
    log: ObservationLog
    own: bool = True
    calls: int = 0
    told: int = 0
    counts: dict[tuple[str, str | None], int] = field(default_factory=dict)

    @property
    def session(self) -> Session:
        return self.server.session


class Pool:
    """Opens servers, keeps one ready once one was lost, and closes all of them.

    Args:
        group: Where servers are started and ended in the background.
    """

    def __init__(
        self, context: PhaseContext, group: TaskGroup, *, scratch: Path | None = None
    ) -> None:
        self._context = context
        self._group = group
        self._scratch = scratch
        self._open: set[Worker] = set()
        self._spares: list[Worker] = []
        self._starting = 0
        self._changed = asyncio.Condition()
        self._closed = False
        self.start_s = 0.5
        self.losses = 0

    @property
    def by_url(self) -> bool:
        """Whether all share one server behind a URL."""
        return bool(self._context.config.server.url)

    async def start(self, count: int) -> list[Worker]:
        """So many servers, started side by side; fewer if not all of them start.

        Where the server runs only once, the run's own is taken.

        Raises:
            ServerError: Not even that one lives.
        """
        made: list[Worker] = []
        failed: list[ServerError] = []

        async def one() -> None:
            try:
                made.append(await self._opened())
            except ServerError as error:
                failed.append(error)

        async with anyio.create_task_group() as starting:
            for _ in range(count):
                starting.start_soon(one)
        if not made:
            server = self._context.server
            if server.ended is not None:
                await server.reconnect()
            made.append(Worker(server, server.log, own=False))
        return made

    async def fresh(self) -> Worker:
        """A server that nothing was sent to yet.

        Raises:
            ServerError: It does not start.
        """
        async with self._changed:
            while not self._spares and self._starting:
                await self._changed.wait()
            if self._spares:
                worker = self._spares.pop()
                self._refill()
                return worker
        worker = await self._opened()
        self._refill()
        return worker

    async def replaced(self, worker: Worker) -> Worker:
        """Another one for a server that was lost or is stuck.

        Raises:
            ServerError: It does not come back.
        """
        self.losses += 1
        if not worker.own:
            await worker.server.reconnect()
            return Worker(worker.server, worker.log, own=False, told=len(worker.log))
        self.end(worker)
        return await self.fresh()

    def end(self, worker: Worker) -> None:
        """Close it in the background."""
        if worker.own and not self._closed:
            self._group.start_soon(self._close, worker)

    def _refill(self) -> None:
        """Start a spare for the next loss, where there has been one."""
        if self.losses and not self.by_url and not self._closed and not self._starting:
            self._starting += 1
            self._group.start_soon(self._warm)

    async def _warm(self) -> None:
        worker = None
        try:
            with suppress(ServerError):  # who needs it tries again, and tells
                worker = await self._opened()
        finally:
            with anyio.CancelScope(shield=True):
                async with self._changed:
                    self._starting -= 1
                    if worker is not None:
                        self._spares.append(worker)
                    self._changed.notify_all()

    async def _opened(self) -> Worker:
        loop = asyncio.get_running_loop()
        limit = loop.time() + (_BACK_S if self.by_url else 0)
        while True:
            log = ObservationLog()
            server = self._context.another(log=log, cwd=self._scratch, hosted=False)
            worker = Worker(server, log)
            begun = loop.time()
            try:
                await server.__aenter__()
            except ServerError:
                if loop.time() >= limit:
                    raise
                await self._revive()
                await asyncio.sleep(_RETRY_S)
                continue
            self._open.add(worker)
            self.start_s = loop.time() - begun
            worker.told = len(log)
            worker.counts = {(str(s.kind), s.tool): s.count for s in log}
            return worker

    async def _revive(self) -> None:
        """Start a server anew that is a process of ours behind a URL."""
        server = self._context.server
        if server.config.command and server.ended is not None:
            with suppress(ServerError):
                await server.reconnect()

    async def _close(self, worker: Worker) -> None:
        with anyio.CancelScope(shield=True):
            await worker.server.close(fast=True)
        self._open.discard(worker)

    async def close(self) -> None:
        """End all that is open; nothing is started any more."""
        self._closed = True
        async with anyio.create_task_group() as ending:
            for worker in list(self._open):
                ending.start_soon(self._close, worker)


def scratch_copy(folder: Path) -> tuple[Path, Callable[[], None]]:
    """A copy of a folder, and what takes it away again; what is big and rebuilt is only linked."""
    made = Path(tempfile.mkdtemp(prefix="toolproof-scratch-"))
    target = made / "copy"
    target.mkdir()
    for entry in folder.iterdir():
        place = target / entry.name
        if entry.name in _LINKED or entry.is_symlink():
            place.symlink_to(entry.resolve())
        elif entry.is_dir():
            shutil.copytree(entry, place, symlinks=True, ignore_dangling_symlinks=True)
        elif entry.is_file():
            shutil.copy2(entry, place)

    def remove() -> None:
        shutil.rmtree(made, ignore_errors=True)

    return target, remove


_LINKED = frozenset({"node_modules", ".venv", "venv", ".git", ".tox", "target"})
