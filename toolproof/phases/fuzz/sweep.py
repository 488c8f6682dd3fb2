"""The main pass over one tool: every case once, in order, on one server."""

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from toolproof.connection.wire import Failure
from toolproof.phases.fuzz import ends
from toolproof.phases.fuzz.ahead import Ahead, Flight
from toolproof.phases.fuzz.calling import Called, call
from toolproof.phases.fuzz.ends import asked_to_wait, holds_surrogate
from toolproof.phases.fuzz.evidence import evidence_of
from toolproof.phases.fuzz.generate import ABSENT, Case
from toolproof.phases.fuzz.invalid import breaches_of
from toolproof.phases.fuzz.judge import Judged
from toolproof.phases.fuzz.lab import Lab, Station, now
from toolproof.phases.fuzz.likeness import Likeness
from toolproof.phases.fuzz.subject import Hit, Subject
from toolproof.phases.fuzz.traits import NO_OBJECT, trait_of
from toolproof.phases.fuzz.verdict import Kind
from toolproof.report import Severity
from toolproof.report.fuzz import InputMode
from toolproof.text import count

SHARE = 0.7
"""Of a tool's time; the rest is for what its findings and the other stages cost."""

_SHARE_OF_VALID = 0.6
"""Of that: how long the valid inputs may take before the invalid ones have their turn."""

MOST_TIMEOUTS = 3
MOST_CRASHES = 8
MOST_EQUAL = 3
"""Crashes of one cause: what is unlike them was called before."""
_SLOW_START_S = 1.0
_FEW_CRASHES = 4
_MOST_TRIED = 150
_LEAST_LEFT_S = 0.05


async def sweep(lab: Lab, subject: Subject, station: Station) -> None:
    """Call the tool with all its cases, within its time.

    Raises:
        ServerError: The server does not come back.
    """
    most_s = SHARE * lab.limits.max_time_s
    cases = fairly(subject.cases, now() + _SHARE_OF_VALID * most_s)
    await Sweep(lab, subject, station, ahead=True).run(cases, most_s)


def fairly(cases: Sequence[Case], until: float) -> Iterator[Case]:
    """Valid ones first, but where they take longer than `until` the rest of them comes last."""
    valid = iter([case for case in cases if case.mode is InputMode.VALID])
    for case in valid:
        yield case
        if now() > until:
            break
    yield from (case for case in cases if case.mode is InputMode.INVALID)
    yield from valid


async def rest(lab: Lab, subject: Subject, station: Station) -> None:
    """Call what was put off, less what would end as what was found by now.

    Raises:
        ServerError: The server does not come back.
    """
    known = [hit.case for hit in subject.hits.values() if hit.verdict.kind in _ENDS]
    likeness = subject.likeness
    left = [
        case for case in subject.put_off if not any(likeness.explains(one, case) for one in known)
    ]
    passed_over = len(subject.put_off) - len(left)
    subject.put_off.clear()
    if passed_over:
        inputs = count(passed_over, "input")
        subject.note(f"{inputs} like the one that ended or blocked the server left out")
    subject.likeness = Likeness()
    left_s = SHARE * lab.limits.max_time_s - subject.spent_s
    if left and subject.timeouts < MOST_TIMEOUTS and left_s > 0:
        subject.timeouts = max(subject.timeouts, MOST_TIMEOUTS - 1)  # one more is enough
        await Sweep(lab, subject, station).run(left, left_s)


_ENDS = (Kind.CRASH, Kind.HANG)


@dataclass(frozen=True, slots=True)
class _Sent:
    """A call with what it was allowed, in seconds."""

    case: Case
    before: Case | None
    limit_s: float
    left_s: float


class Sweep:
    """Calls one tool with one case after another.

    Args:
        extra: Whether the calls come on top of the tool's examples.
        ahead: Whether several may be in flight.
    """

    def __init__(
        self,
        lab: Lab,
        subject: Subject,
        station: Station,
        *,
        extra: bool = False,
        ahead: bool = False,
    ) -> None:
        self._lab = lab
        self._subject = subject
        self._station = station
        self._extra = extra
        self._answered: list[tuple[Case, bool]] = []
        self._before: Case | None = None
        self._lines = 0
        self._owed: tuple[Case, Called, int] | None = None
        self._ahead: Ahead | None = None
        if ahead:
            self._ahead = Ahead(lab, subject, station, wanted=self._wanted, keep=self._keep)

    async def run(self, cases: Iterable[Case], most_s: float) -> None:
        """Call all, as far as the time goes.

        Raises:
            ServerError: The server does not come back.
        """
        began = now()
        try:
            await self._run(cases, began + most_s)
        finally:
            self._subject.spent_s += now() - began
        self._tell_traits()

    async def _run(self, cases: Iterable[Case], deadline: float) -> None:
        source = iter(cases)
        alone: deque[Case] = deque()
        while True:
            if not alone and self._ahead is not None and self._ahead.width(deadline) > 1:
                flight = await self._ahead.fly(source, deadline)
                if await self._landed(flight, deadline):
                    break
                alone.extend(flight.again)
            case = alone.popleft() if alone else next(source, None)
            if case is None or await self._one(case, deadline):
                break
            if self._owed is not None and not alone:
                self._blame(*self._owed)
                self._owed = None

    async def _landed(self, flight: Flight, deadline: float) -> bool:
        """Take up how calls that were in flight together ended; say whether the tool has had enough."""
        self._before = flight.last or self._before
        if flight.ended is not None:
            self._owed = *flight.ended, self._subject.crashes
            await self._station.renew()
        if flight.late is not None:
            case, called = flight.late
            limit_s = called.outcome.latency_ms / 1_000
            sent = _Sent(case, self._before, limit_s, deadline - now() + limit_s)
            return await self._failed(sent, called, Failure.TIMEOUT)
        return False

    def _blame(self, case: Case, called: Called, crashes: int) -> None:
        """The server ended while several calls were in flight; if none does it alone, it is told still."""
        if self._subject.crashes == crashes and not ends.asked_for_much(
            called.outcome.detail, case.arguments
        ):
            found = ends.crash(called.outcome.detail, called.exit_status, called.stderr)
            detail = f"{found.detail}, while several calls were in flight"
            found = replace(found, detail=detail, severity=Severity.WARNING)
            self._subject.hit(found, case, stderr=called.stderr, exit_status=called.exit_status)
            self._subject.crashes += 1

    def _wanted(self, case: Case) -> bool:
        """Whether to call it now."""
        if self._lab.passes_over(self._subject, case):
            return False
        if self._subject.likeness.is_like_one(case):
            self._subject.put_off.append(case)
            return False
        return True

    async def _one(self, case: Case, deadline: float) -> bool:
        """Call with one case and wait; say whether the tool has had enough."""
        subject, lab, station = self._subject, self._lab, self._station
        if not self._wanted(case):
            return False
        left_s = deadline - now()
        if left_s < _LEAST_LEFT_S:
            self._say_time_is_over()
            return True
        if station.worker.server.ended is not None:
            await self._late_end(self._before, self._lines)
        worker = station.worker
        limit_s = min(subject.limit_s(lab.limits.timeout_s), left_s)
        sent = _Sent(case, self._before, limit_s, left_s)
        self._lines = worker.server.stderr_count
        called = await call(worker, subject.name, case.arguments, sent.limit_s, left_s)
        subject.called(extra=self._extra)
        if called.wire:
            lab.take_wire(subject, case, called)
        failure = called.outcome.failure
        if failure is None or failure is Failure.MALFORMED:
            subject.took(called.outcome.latency_ms / 1_000)
            judged = await lab.judged(subject, worker, case, called, self._lines)
            self._keep(case, called, judged)
            if self._ahead is not None:
                self._ahead.one_answered()
        elif await self._failed(sent, called, failure):
            return True
        self._before = case
        return False

    def _say_time_is_over(self) -> None:
        subject = self._subject
        if not self._extra:
            of = count(len(subject.cases), "input")
            subject.note(f"{subject.calls:,} of {of} were called, then its time was over")

    def _keep(self, case: Case, called: Called, judged: Judged) -> None:
        """Take up an answer."""
        subject, lab = self._subject, self._lab
        subject.likeness.went_well(case)
        subject.count(case, judged, called.outcome)
        lab.note_code(judged)
        if case.mode is InputMode.INVALID:
            self._answered.append((case, judged.succeeded or judged.told_as_success))
        if called.wire and called.outcome.failure is Failure.MALFORMED:
            return  # the wire has told it, and better
        for found in judged.verdicts:
            subject.hit(found, case)
        if judged.refused:
            lab.traits.refused(judged.said)
        seen = evidence_of(subject, case, judged, called.outcome)
        if seen is not None:
            lab.calls.append(seen)

    async def _failed(self, sent: _Sent, called: Called, failure: Failure) -> bool:
        """Take up that no answer came; say whether the tool has had enough."""
        if failure is Failure.LOST:
            if ends.asked_for_much(called.outcome.detail, sent.case.arguments):
                return await self._had_much(sent.case, called.outcome.detail)
            return await self._crashed(sent, called)
        if failure is Failure.TIMEOUT:
            return await self._timed_out(sent, called)
        self._subject.note(f"a call came to nothing: {called.outcome.detail}")
        return False

    async def _had_much(self, case: Case, detail: str) -> bool:
        """It is no crash that an answer is as long as was asked for."""
        self._owed = None
        self._subject.note(f"{detail}, as the input asked for")
        self._subject.likeness.went_wrong(case)
        await self._station.renew()
        return False

    async def _crashed(self, sent: _Sent, called: Called) -> bool:
        subject = self._subject
        subject.likeness.went_wrong(sent.case)
        found = ends.crash(called.outcome.detail, called.exit_status, called.stderr)
        hit = subject.hit(
            found,
            sent.case,
            before=sent.before,
            stderr=called.stderr,
            exit_status=called.exit_status,
        )
        return await self._ended(hit)

    async def _ended(self, hit: Hit | None) -> bool:
        subject, pool = self._subject, self._lab.pool
        subject.crashes += 1
        await self._station.renew()
        most = MOST_CRASHES if pool.start_s < _SLOW_START_S else _FEW_CRASHES
        enough = subject.crashes >= most or (hit is not None and hit.seen >= MOST_EQUAL)
        if enough:
            subject.note(f"no more inputs after {count(subject.crashes, 'crash', 'crashes')}")
        return enough

    async def _late_end(self, before: Case | None, lines: int) -> None:
        """The server ended after it had answered: the call before is to blame."""
        server = self._station.worker.server
        ending = server.session.ending
        hit = None
        if before is not None and ends.asked_for_much(server.ended or "", before.arguments):
            await self._had_much(before, server.ended or "")
            return
        if before is not None:
            stderr = server.stderr_tail(20, since=lines)
            status = ending.words if ending else None
            found = ends.crash(server.ended or "", status, stderr)
            hit = self._subject.hit(found, before, stderr=stderr, exit_status=status)
        await self._ended(hit)

    async def _timed_out(self, sent: _Sent, called: Called) -> bool:
        """Have it looked into, where it may be a hang."""
        subject, lab, case = self._subject, self._lab, sent.case
        if holds_surrogate(case.arguments):
            lab.surrogates = False  # a message that holds one is not read at all then
            await self._station.answers()
            return False
        if asked_to_wait(subject.tool.input_schema, case.arguments, sent.limit_s):
            subject.waits = True
            subject.note("calls that ask for a long wait were not waited for to their end")
            await self._station.answers()
            return False
        subject.timeouts += 1
        subject.likeness.went_wrong(case)
        if called.outcome.progress:
            subject.note("a call was not over in time, with progress: no hang")
        elif sent.left_s > sent.limit_s:
            lab.suspect(subject, case, sent.limit_s, sent.left_s - sent.limit_s)
        await self._station.answers()
        if subject.timeouts >= MOST_TIMEOUTS:
            subject.note(f"no more inputs after {count(subject.timeouts, 'time-out')}")
        return subject.timeouts >= MOST_TIMEOUTS

    def _tell_traits(self) -> None:
        """Which habits of SDKs were tried on the tool, and whether it has them."""
        subject, traits = self._subject, self._lab.traits
        schema: Any = subject.tool.input_schema
        for case, taken in islice(self._answered, _MOST_TRIED):
            trait = ""
            if isinstance(case.arguments, dict):
                trait = trait_of(breaches_of(subject.plan, case.arguments), schema)
            elif case.arguments not in (None, [], ABSENT):
                trait = NO_OBJECT
            if trait:
                traits.tell(trait, subject.name, taken=taken)
        self._answered.clear()
