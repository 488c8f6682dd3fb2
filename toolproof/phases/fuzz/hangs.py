"""A call that was not answered in time: tried once more, alone, on a fresh server, with a longer limit."""

import asyncio
from dataclasses import dataclass

from toolproof.connection.wire import Failure
from toolproof.errors import ServerError
from toolproof.phases.fuzz.calling import call
from toolproof.phases.fuzz.ends import asked_for_much, crash, hang
from toolproof.phases.fuzz.generate import Case
from toolproof.phases.fuzz.pool import Pool, Worker
from toolproof.phases.fuzz.subject import Subject
from toolproof.phases.fuzz.usage import sockets_of

LONGER = 5.0
"""The second limit, in first ones."""
_LOOK_S = 0.25
_AT_ONCE = 3


@dataclass(frozen=True, slots=True)
class Suspect:
    """A call that timed out.

    Attributes:
        limit_s: The limit that it had.
        left_s: So much of the tool's time is left.
    """

    subject: Subject
    case: Case
    limit_s: float
    left_s: float


class Hangs:
    """Looks into suspects in the background: a few tools at once, of each tool one after another.

    The first hang of a tool is enough; what else timed out in it is then not looked into.
    """

    def __init__(self, pool: Pool, timeout_s: float) -> None:
        self._pool = pool
        self._timeout_s = timeout_s
        self._room = asyncio.Semaphore(_AT_ONCE)
        self._waiting: dict[str, list[Suspect]] = {}
        self._idle = asyncio.Event()
        self._idle.set()

    async def over(self) -> None:
        """Wait until everything was looked into."""
        await self._idle.wait()

    def expect(self, suspect: Suspect) -> bool:
        """Take a suspect; whether nobody looks into its tool yet, so that somebody must."""
        name = suspect.subject.name
        known = name in self._waiting
        self._waiting.setdefault(name, []).append(suspect)
        self._idle.clear()
        return not known

    async def look_into(self, subject: Subject) -> None:
        """Keep a hit for the first of the tool's suspects that is a hang; notes for the others."""
        waiting = self._waiting[subject.name]
        try:
            async with self._room:
                while waiting:
                    await self._look_into(waiting.pop(0))
                    if subject.hangs:
                        waiting.clear()
        finally:
            self._waiting.pop(subject.name, None)
            if not self._waiting:
                self._idle.set()

    async def _look_into(self, suspect: Suspect) -> None:
        limit_s = min(LONGER * self._timeout_s, max(suspect.left_s, 2 * suspect.limit_s))
        try:
            worker = await self._pool.fresh()
        except ServerError:
            return
        try:
            await self._alone(worker, suspect, limit_s)
        finally:
            self._pool.end(worker)

    async def _alone(self, worker: Worker, suspect: Suspect, limit_s: float) -> None:
        subject, case = suspect.subject, suspect.case
        before = sockets_of(worker.server.pid)
        lines = worker.server.stderr_count
        watching = asyncio.ensure_future(_watch(worker, before))
        try:
            called = await call(worker, subject.name, case.arguments, limit_s, 2 * limit_s)
        finally:
            watching.cancel()
        subject.more_calls += 1
        outcome = called.outcome
        if asked_for_much(outcome.detail, case.arguments):
            subject.note(f"{outcome.detail}, as the input asked for")
        elif outcome.failure is Failure.LOST:
            found = crash(outcome.detail, called.exit_status, called.stderr)
            subject.hit(found, case, stderr=called.stderr, exit_status=called.exit_status)
        elif outcome.failure is not Failure.TIMEOUT:
            seconds = outcome.latency_ms / 1_000
            subject.least_limit_s = max(subject.least_limit_s, 3 * seconds)
            if seconds > suspect.limit_s:
                subject.note(f"a call took {seconds:.1f} s: slow, but no hang")
        elif outcome.progress:
            subject.least_limit_s = max(subject.least_limit_s, limit_s)
            subject.note(
                f"a call was not over after {outcome.latency_ms / 1_000:.0f} s, with progress: no hang"
            )
        elif watching.done() and not watching.cancelled() and watching.result():
            subject.lacking["the network"] = subject.lacking.get("the network", 0) + 1
            subject.note("a call waited for the network")
        else:
            blocked = not await worker.session.responds(0.25)
            found = hang(limit_s, suspect.limit_s, blocked=blocked)
            subject.hit(
                found,
                case,
                stderr=worker.server.stderr_tail(20, since=lines),
                confirmed=1,
                replays=1,
            )


async def _watch(worker: Worker, before: frozenset[str]) -> bool:
    """Whether the server opened a connection to somewhere since; waits for it."""
    while True:
        if sockets_of(worker.server.pid) - before:
            return True
        await asyncio.sleep(_LOOK_S)
