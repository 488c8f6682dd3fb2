"""Several of one tool's inputs in flight: a first look, of which only what is good or known is kept.

What is new is called once more by itself. Two things rest on calls that had company: the end of a
server that no input brings about alone, which says so, and silence, which is looked into elsewhere.
"""

from asyncio import Future
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from toolproof.connection.wire import Failure, Outcome
from toolproof.phases.fuzz.calling import Called, ended, send
from toolproof.phases.fuzz.ends import holds_surrogate
from toolproof.phases.fuzz.generate import Case
from toolproof.phases.fuzz.judge import Judged
from toolproof.phases.fuzz.lab import Lab, Station, now
from toolproof.phases.fuzz.pool import Worker
from toolproof.phases.fuzz.subject import Subject
from toolproof.phases.fuzz.words import is_masked

MOST_IN_FLIGHT = 6
"""Of more, a server in Python answers no more in a second."""
_LEARNT = 20
"""So many calls are made one by one before, and after each alarm."""
_MOST_ALARMS = 3
_SHARE_OF_LIMIT = 0.25
"""Of a call's limit, what all that are in flight may take together."""


@dataclass(slots=True)
class Flight:
    """What came of calls that were in flight together.

    Attributes:
        again: To be called one by one, in this order.
        ended: The first input that may be why the server ended, and how it did.
        late: The first that was not answered in time: others may only have waited behind it.
        last: The last input that was answered.
        alarm: Whether one failed, or the wire saw something.
    """

    again: list[Case] = field(default_factory=list)
    ended: tuple[Case, Called] | None = None
    late: tuple[Case, Called] | None = None
    last: Case | None = None
    alarm: bool = False


def may_overlap(subject: Subject, worker: Worker) -> bool:
    """Whether calls of the tool may be in flight together."""
    return (
        worker.server.pid is not None  # what is behind a URL may count calls
        and subject.tool.annotations.get("readOnlyHint") is not False  # their order may matter
    )


class Ahead:
    """How far one tool on one server is called ahead, and the calls themselves.

    Args:
        wanted: Whether an input is to be called at all.
        keep: Takes up an answer that is good, or wrong in a known way.
    """

    def __init__(
        self,
        lab: Lab,
        subject: Subject,
        station: Station,
        *,
        wanted: Callable[[Case], bool],
        keep: Callable[[Case, Called, Judged], None],
    ) -> None:
        self._lab = lab
        self._subject = subject
        self._station = station
        self._wanted = wanted
        self._keep = keep
        self._alarms = 0
        self._calm = 0
        self._may = may_overlap(subject, station.worker)

    def one_answered(self) -> None:
        """A call by itself was answered."""
        self._calm += 1

    def width(self, deadline: float) -> int:
        """How many may be in flight now; 1 if each is to be waited for."""
        subject = self._subject
        if not self._may or self._calm < _LEARNT or self._alarms >= _MOST_ALARMS:
            return 1
        if subject.timeouts or subject.waits or subject.hangs:
            return 1
        limit_s = self._limit_s
        if deadline - now() <= limit_s:
            return 1
        return max(
            1, min(MOST_IN_FLIGHT, int(_SHARE_OF_LIMIT * limit_s / max(subject.p99_s, 1e-6)))
        )

    @property
    def _limit_s(self) -> float:
        return self._subject.limit_s(self._lab.limits.timeout_s)

    async def fly(self, source: Iterator[Case], deadline: float) -> Flight:
        """Call one after another without waiting, until something is new, or the time is nearly over.

        Raises:
            ServerError: The server does not come back.
        """
        flight = Flight()
        width, worker = self.width(deadline), self._station.worker
        flying: deque[tuple[Case, Future[Outcome]]] = deque()
        recent: deque[Case] = deque(maxlen=width)
        while True:
            if not flight.again and flight.late is None:
                self._fill(flight, flying, source, width, deadline)
            if not flying:
                break
            await flying[0][1]
            while flying and flying[0][1].done():
                case, future = flying.popleft()
                called = Called(future.result())
                judged = self._looked_at(case, called, flight)
                counts = judged is not None or flight.late == (case, called)
                self._subject.called(extra=not counts)
                if judged is not None:
                    self._keep(case, called, judged)
                    recent.append(case)
                    flight.last = case
                elif not counts:
                    flight.again.append(case)
        if worker.server.ended is not None:  # any of those may be why
            self._subject.calls -= len(recent)
            self._subject.more_calls += len(recent)
            flight.again = [*recent, *flight.again]
            first = next(iter(flight.again), None)
            if first is not None:
                flight.ended = first, ended(worker)
        if flight.alarm or flight.ended is not None:
            self._alarms += 1
            self._calm = 0
        return flight

    def _fill(
        self,
        flight: Flight,
        flying: deque[tuple[Case, Future[Outcome]]],
        source: Iterator[Case],
        width: int,
        deadline: float,
    ) -> None:
        subject, worker, limit_s = self._subject, self._station.worker, self._limit_s
        while len(flying) < width and deadline - now() > limit_s:
            case = next(source, None)
            if case is None:
                return
            if not self._wanted(case):
                continue
            if holds_surrogate(case.arguments):  # not read by some: those beside it wait in vain
                flight.again.append(case)
                return
            flying.append((case, send(worker, subject.name, case.arguments, limit_s)))

    def _looked_at(self, case: Case, called: Called, flight: Flight) -> Judged | None:
        """What is known of it; None if it is to be called by itself."""
        worker, failure = self._station.worker, called.outcome.failure
        if failure is not None or len(worker.log) != worker.told:
            if failure is Failure.TIMEOUT and flight.late is None:
                flight.late = case, called
            flight.alarm = True
            return None
        judged = self._subject.judge.judge(case, called.outcome)
        if any(found.key not in self._subject.hits for found in judged.verdicts):
            return None
        if not judged.succeeded and judged.said and is_masked(judged.said):
            return None  # stderr may tell more, of a call by itself
        return judged
