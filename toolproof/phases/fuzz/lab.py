"""What all stages share: the servers, the limits, and how one call is made and judged."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import anyio
from anyio.abc import TaskGroup

from toolproof.connection.observations import Observation
from toolproof.connection.wire import Failure
from toolproof.errors import ServerError
from toolproof.phases.fuzz import ends
from toolproof.phases.fuzz.calling import Called, call, ended
from toolproof.phases.fuzz.generate import Case
from toolproof.phases.fuzz.hangs import Hangs, Suspect
from toolproof.phases.fuzz.ids import Found, makes
from toolproof.phases.fuzz.judge import Judged
from toolproof.phases.fuzz.pool import Pool, Worker
from toolproof.phases.fuzz.subject import Subject
from toolproof.phases.fuzz.traits import Traits
from toolproof.phases.fuzz.words import is_masked
from toolproof.report import CallSeen, Tool

_ALIVE_S = 0.3
"""A server that does not answer a ping within so long after a time-out is stuck."""
_STDERR_S = 0.05
"""What is written on stderr may come a moment after the answer."""
_STDERR_LINES = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Budgets.

    Attributes:
        timeout_s: The longest that a call may be silent.
        max_time_s: For one tool, over all stages.
    """

    timeout_s: float
    max_time_s: float


class Station:
    """The place of one server at a time: a lost one is replaced here."""

    def __init__(self, pool: Pool, worker: Worker) -> None:
        self._pool = pool
        self.worker = worker

    async def renew(self) -> None:
        """Put another server in its place.

        Raises:
            ServerError: There is none to be had.
        """
        self.worker = await self._pool.replaced(self.worker)

    async def ready(self) -> bool:
        """Whether the server lives; one that does not is replaced.

        Raises:
            ServerError: There is none to be had.
        """
        if self.worker.server.ended is None:
            return True
        await self.renew()
        return False

    async def answers(self) -> bool:
        """Whether it still answers, after a time-out; a stuck one is replaced.

        Raises:
            ServerError: There is none to be had.
        """
        if await self.worker.session.responds(_ALIVE_S):
            return True
        await self.renew()
        return False


@dataclass(eq=False)
class Lab:
    """The state of the phase."""

    pool: Pool
    group: TaskGroup
    limits: Limits
    subjects: Sequence[Subject]
    hangs: Hangs
    traits: Traits = field(default_factory=Traits)
    stations: list[Station] = field(default_factory=list)
    error: ServerError | None = None
    odd_codes: dict[str, str] = field(default_factory=dict)
    surrogates: bool = True
    calls: list[CallSeen] = field(default_factory=list)
    harvest: Sequence[tuple[Found, Tool]] = ()

    def passes_over(self, subject: Subject, case: Case) -> bool:
        """Whether a case would only cost its time limit, as one like it has."""
        if not self.surrogates and ends.holds_surrogate(case.arguments):
            return True
        schema, limit_s = subject.tool.input_schema, self.limits.timeout_s
        return subject.waits and ends.asked_to_wait(schema, case.arguments, limit_s)

    def subject_of(self, name: str | None, default: Subject) -> Subject:
        """The tool of that name, if it is one of those under test."""
        if name is None or name == default.name:
            return default
        return next((one for one in self.subjects if one.name == name), default)

    async def shown(
        self,
        subject: Subject,
        worker: Worker,
        case: Case,
        limit_s: float,
        *,
        settle: bool = False,
    ) -> tuple[Called, Judged]:
        """Call and judge, and keep nothing: for replays and shrinking.

        Args:
            settle: Whether to see if the server is still there afterwards: one that ends right
                after its answer takes the next call with it, which is not to blame.
        """
        before = worker.server.stderr_count
        called = await call(worker, subject.name, case.arguments, limit_s)
        if settle and not (called.lost or called.late):
            await worker.session.responds(_ALIVE_S)
            if worker.server.ended is not None:
                called = ended(worker)
        subject.more_calls += 1
        judged = await self.judged(subject, worker, case, called, before)
        self._ends(judged, case, called)
        return called, judged

    async def judged(
        self, subject: Subject, worker: Worker, case: Case, called: Called, before: int
    ) -> Judged:
        """What is wrong with an answer; waits a moment for stderr where that tells the cause."""

        def stderr() -> str:
            return worker.server.stderr_tail(_STDERR_LINES, since=before)

        judged = subject.judge.judge(case, called.outcome, stderr)
        if not judged.verdicts and judged.said and not judged.succeeded and is_masked(judged.said):
            await anyio.sleep(_STDERR_S)
            judged = subject.judge.judge(case, called.outcome, stderr)
        return judged

    def _ends(self, judged: Judged, case: Case, called: Called) -> None:
        """Add what the wire saw, and a lost server, to what the answer showed."""
        if called.wire and called.outcome.failure is Failure.MALFORMED:
            judged.verdicts.clear()  # the wire says it better
        for one in self._strange(called):
            judged.verdicts += ends.seen_on_the_wire(one, case.arguments)
        if called.lost and not ends.asked_for_much(called.outcome.detail, case.arguments):
            judged.verdicts.append(
                ends.crash(called.outcome.detail, called.exit_status, called.stderr)
            )

    def _strange(self, called: Called) -> Iterator[Observation]:
        """What the wire saw, but for letters of ours that a tool may have kept for another."""
        for one in called.wire:
            ours = ends.is_our_surrogate(one, called.outcome.result)
            if not (ours and any(makes(subject.tool) for subject in self.subjects)):
                yield one

    def take_wire(self, subject: Subject, case: Case, called: Called) -> None:
        """Keep what the wire saw, each under the tool that it saw it of."""
        for one in self._strange(called):
            blamed = self.subject_of(one.tool, subject)
            for found in ends.seen_on_the_wire(one, case.arguments):
                blamed.hit(found, case if blamed is subject else _of(blamed, case))

    def suspect(self, subject: Subject, case: Case, limit_s: float, left_s: float) -> None:
        """Look into a call that timed out, in the background."""
        if not subject.hangs and self.hangs.expect(Suspect(subject, case, limit_s, left_s)):
            self.group.start_soon(self.hangs.look_into, subject)

    def note_code(self, judged: Judged) -> None:
        """Remember an odd code, with the words that came with it."""
        if judged.odd_code:
            self.odd_codes.setdefault(judged.odd_code, judged.said)


def _of(blamed: Subject, case: Case) -> Case:
    return blamed.good[-1].case if blamed.good else case


def now() -> float:
    """Seconds of a clock that never goes back."""
    return time.perf_counter()
