"""The main pass over one tool: every case once, in order, on one server."""

from itertools import islice
from typing import Any

from toolproof.connection.wire import Failure
from toolproof.phases.fuzz import ends
from toolproof.phases.fuzz.calling import Called, call
from toolproof.phases.fuzz.generate import Case
from toolproof.phases.fuzz.invalid import breaches_of
from toolproof.phases.fuzz.judge import Judged
from toolproof.phases.fuzz.lab import Lab, Station, now
from toolproof.phases.fuzz.subject import Subject
from toolproof.phases.fuzz.traits import trait_of
from toolproof.report.fuzz import InputMode
from toolproof.text import count, quoted

SHARE = 0.7
"""Of a tool's time; the rest is for what its findings and the other stages cost."""

MOST_TIMEOUTS = 3
MOST_CRASHES = 8
_SLOW_START_S = 1.0
_FEW_CRASHES = 4
_MOST_TRIED = 150
_LEAST_LEFT_S = 0.05


async def sweep(lab: Lab, subject: Subject, station: Station) -> None:
    """Call the tool with all its cases, within its time.

    Raises:
        ServerError: The server does not come back.
    """
    began = now()
    try:
        await _sweep(lab, subject, station, began + SHARE * lab.limits.max_time_s)
    finally:
        subject.spent_s += now() - began


async def _sweep(lab: Lab, subject: Subject, station: Station, deadline: float) -> None:
    answered: list[tuple[Case, bool]] = []
    before: Case | None = None
    for case in subject.cases:
        left_s = deadline - now()
        if left_s < _LEAST_LEFT_S:
            of = count(len(subject.cases), "input")
            subject.note(f"{subject.calls:,} of {of} were called: its time was over")
            break
        if not await station.ready() and before is not None:
            await _late_end(subject, station, before)
        worker = station.worker
        limit_s = min(subject.limit_s(lab.limits.timeout_s), left_s)
        lines = worker.server.stderr_count
        called = await call(worker, subject.name, case.arguments, limit_s, left_s)
        subject.calls += 1
        if called.wire:
            lab.take_wire(subject, case, called)
        failure = called.outcome.failure
        if failure is None or failure is Failure.MALFORMED:
            judged = await lab.judged(subject, worker, case, called, lines)
            _keep(lab, subject, case, called, judged)
            if case.mode is InputMode.INVALID:
                answered.append((case, judged.succeeded or judged.told_as_success))
        elif failure is Failure.LOST:
            if await _crashed(lab, subject, station, case, before, called):
                break
        elif failure is Failure.TIMEOUT:
            if await _timed_out(lab, subject, station, case, called, limit_s, left_s):
                break
        else:
            subject.note(f"a call came to nothing: {called.outcome.detail}")
        before = case
    _tell_traits(lab, subject, answered)


def _keep(lab: Lab, subject: Subject, case: Case, called: Called, judged: Judged) -> None:
    """Take up an answer."""
    subject.took(called.outcome.latency_ms / 1_000)
    subject.count(case, judged)
    lab.note_code(judged)
    if called.wire and called.outcome.failure is Failure.MALFORMED:
        return  # the wire has told it, and better
    for found in judged.verdicts:
        subject.hit(found, case)
    if judged.refused:
        lab.traits.refused(judged.said)


async def _crashed(
    lab: Lab, subject: Subject, station: Station, case: Case, before: Case | None, called: Called
) -> bool:
    """Take up the end of the server; say whether that was enough."""
    subject.crashes += 1
    found = ends.crash(called.outcome.detail, called.exit_status, called.stderr)
    subject.hit(found, case, before=before, stderr=called.stderr, exit_status=called.exit_status)
    await station.renew()
    most = MOST_CRASHES if lab.pool.start_s < _SLOW_START_S else _FEW_CRASHES
    if subject.crashes >= most:
        subject.note(f"no more inputs after {count(subject.crashes, 'crash', 'crashes')}")
    return subject.crashes >= most


async def _late_end(subject: Subject, station: Station, before: Case) -> None:
    """The server ended after it had answered: the call before is to blame."""
    subject.crashes += 1
    del station
    found = ends.crash("the server ended right after its answer", None, "")
    subject.hit(found, before)


async def _timed_out(
    lab: Lab,
    subject: Subject,
    station: Station,
    case: Case,
    called: Called,
    limit_s: float,
    left_s: float,
) -> bool:
    """Have a time-out looked into; say whether that was enough."""
    subject.timeouts += 1
    if called.outcome.progress:
        subject.note("a call was not over in time, with progress: no hang")
    elif left_s > limit_s:
        lab.suspect(subject, case, limit_s, left_s - limit_s)
    await station.answers()
    if subject.timeouts >= MOST_TIMEOUTS:
        subject.note(f"no more inputs after {count(subject.timeouts, 'time-out')}")
    return subject.timeouts >= MOST_TIMEOUTS


def _tell_traits(lab: Lab, subject: Subject, answered: list[tuple[Case, bool]]) -> None:
    """Which habits of SDKs were tried on the tool, and whether it has them."""
    schema: Any = subject.tool.input_schema
    for case, taken in islice(answered, _MOST_TRIED):
        if isinstance(case.arguments, dict):
            trait = trait_of(breaches_of(subject.plan, case.arguments), schema)
            if trait:
                lab.traits.tell(trait, subject.name, taken=taken)


def told_of_failures(subject: Subject) -> str:
    """Why no valid call succeeded, in the words that came most often; "" if one did."""
    if not subject.never_succeeded:
        return ""
    words, times = max(subject.failures.items(), key=lambda pair: pair[1], default=("", 0))
    said = f": {quoted(words, 120)}" if times else ""
    return (
        f"no valid call succeeded ({subject.valid:,} of {subject.valid:,} failed{said}), so a pass "
        "says nothing; give values (fuzz.values) or examples in the schema"
    )
