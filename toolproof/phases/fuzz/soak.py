"""One good call again and again: does it always answer alike, and does the server hold on to more and more."""

from asyncio import Future
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from toolproof.connection.wire import Outcome
from toolproof.judgement.wording import is_environment, mask_cause
from toolproof.phases.fuzz import ends
from toolproof.phases.fuzz.ahead import MOST_IN_FLIGHT, may_overlap
from toolproof.phases.fuzz.calling import send
from toolproof.phases.fuzz.generate import Case
from toolproof.phases.fuzz.lab import Lab, Station, now
from toolproof.phases.fuzz.subject import LEAST_LIMIT_S, Subject
from toolproof.phases.fuzz.usage import Held, held_by
from toolproof.phases.fuzz.verdict import Kind, verdict
from toolproof.text import count, quoted

CALLS = 150
_WARM = 15
_LEAST = 20
_AGAIN = 150
_AGAIN_S = 5.0
"""A server that ended after some equal calls is given so many, to end once more."""
_MORE = 1_200
_MORE_S = 1.5
_WINDOWS = 8
_STEADY = 7
"""So many of the windows grow where something is kept at each call."""

_SUSPECT_BYTES = 3_000
_LEAK_BYTES = 2_000
"""Kept for each call, over all of a soak."""
_ENOUGH = 4 << 20
_ENOUGH_COLLECTED = 40 << 20
"""In all; more where a collector may simply not have come yet."""
_PER_CALL = 0.3
"""Descriptors, threads or processes kept for each call."""


@dataclass(slots=True)
class _Tally:
    """How equal calls went.

    Attributes:
        went: Whether each succeeded, in order.
        said: What a failing one said.
    """

    went: list[bool]
    said: str = ""
    lost: bool = False


async def soak(lab: Lab, subject: Subject, station: Station, most_s: float) -> None:
    """Repeat the tool's lightest good call, for so many seconds at most.

    Raises:
        ServerError: The server does not come back.
    """
    best = subject.best
    if best is None or min(subject.latencies_s) * _LEAST > 2 * most_s or subject.waits:
        return
    if any(hit.verdict.kind in (Kind.HANG, Kind.CRASH) for hit in subject.hits.values()):
        return  # it has enough to answer for, and would only cost time
    began = now()
    try:
        await _soak(lab, subject, station, best.case, began + most_s)
    finally:
        subject.spent_s += now() - began


async def _soak(lab: Lab, subject: Subject, station: Station, case: Case, deadline: float) -> None:
    tally = _Tally([])
    await station.ready()
    pid = station.worker.server.pid
    await _repeat(lab, subject, station, case, _WARM, deadline, tally)
    before = held_by(pid)
    if not tally.lost:
        more = CALLS - _WARM
        well = all(tally.went) and await _together(subject, station, case, more, deadline)
        if well:
            tally.went += [True] * well
        else:
            await (
                station.ready()
            )  # once more, and one by one: nothing is told of calls side by side
            if station.worker.server.pid != pid:
                pid = station.worker.server.pid
                await _repeat(lab, subject, station, case, _WARM, deadline, tally)
                before = held_by(pid)
            await _repeat(lab, subject, station, case, more, deadline, tally)
    if tally.lost:
        await _ended(lab, subject, station, case, len(tally.went))
        return
    _tell_flakes(subject, case, tally)
    after = held_by(pid)
    calls = len(tally.went) - _WARM
    if before is None or after is None or calls < _LEAST - _WARM:
        return
    kept = after.rss_bytes - before.rss_bytes
    if kept > _SUSPECT_BYTES * calls or _things(before, after, calls):
        await _look_longer(lab, subject, station, case)


async def _together(
    subject: Subject, station: Station, case: Case, calls: int, deadline: float
) -> int:
    """Call so often, several at a time; 0 where one did not go well, else how many were made."""
    worker = station.worker
    if not may_overlap(subject, worker):
        return 0
    flying: deque[Future[Outcome]] = deque()
    made = 0
    well = True
    while True:
        left = made < calls and (now() <= deadline or made < _LEAST)
        while well and left and len(flying) < MOST_IN_FLIGHT:
            flying.append(send(worker, subject.name, case.arguments, LEAST_LIMIT_S))
            made += 1
            left = made < calls
        if not flying:
            break
        outcome = await flying.popleft()
        judged = subject.judge.judge(case, outcome)
        told = any(one.key not in subject.hits for one in judged.verdicts)
        if not judged.succeeded or told or len(worker.log) != worker.told:
            well = False
    subject.more_calls += made
    return made if well and worker.server.ended is None else 0


async def _repeat(  # noqa: PLR0913, PLR0917 - what one call needs
    lab: Lab,
    subject: Subject,
    station: Station,
    case: Case,
    calls: int,
    deadline: float,
    tally: _Tally,
) -> None:
    """Call so often, or until the time is over or the server is lost."""
    limit_s = subject.limit_s(lab.limits.timeout_s)
    for _ in range(calls):
        if now() > deadline and len(tally.went) >= _LEAST:
            return
        called, judged = await lab.shown(subject, station.worker, case, limit_s)
        if called.lost or called.late:
            tally.lost = called.lost
            if called.late:
                await station.answers()
            return
        environment = judged.environment or is_environment(judged.said)
        if not judged.succeeded and environment:
            return
        tally.went.append(judged.succeeded)
        if not judged.succeeded:
            tally.said = judged.said
        for one in judged.verdicts:
            if one.key not in subject.hits:
                subject.hit(one, case._replace(reason=f"call {len(tally.went)} of equal ones"))


def _tell_flakes(subject: Subject, case: Case, tally: _Tally) -> None:
    """Some fail, and a later one succeeds: no state explains that."""
    if False not in tally.went:
        return
    first = tally.went.index(False)
    if True not in tally.went[first:]:
        return
    failed = tally.went.count(False)
    detail = f"{failed} of {count(len(tally.went), 'equal call')} failed: {quoted(tally.said, 120)}"
    found = verdict(Kind.FLAKY, detail, mask_cause(tally.said) or "fails at times")
    subject.hit(found, case, confirmed=failed, replays=len(tally.went))


async def _ended(lab: Lab, subject: Subject, station: Station, case: Case, calls: int) -> None:
    """The server ended after some equal calls: does it once more?"""
    server = station.worker.server
    ending, stderr = server.session.ending, server.stderr_tail(20)
    status = ending.words if ending else None
    await station.renew()
    tally = _Tally([])
    await _repeat(lab, subject, station, case, _AGAIN + calls, now() + _AGAIN_S, tally)
    if not tally.lost:
        return
    await station.renew()
    found = ends.crash(server.ended or "", status, stderr)
    reason = f"the same call {count(len(tally.went) + 1, 'time')}"
    found = replace(found, detail=f"{found.detail}, after {reason} on one server")
    subject.hit(
        found,
        case._replace(reason=reason),
        stderr=stderr,
        exit_status=status,
        confirmed=1,
        replays=1,
    )


async def _look_longer(lab: Lab, subject: Subject, station: Station, case: Case) -> None:
    """Whether it goes on growing, call by call."""
    pid = station.worker.server.pid
    deadline = now() + _MORE_S
    seen: list[Held] = []
    done = 0
    tally = _Tally([])
    for _ in range(_WINDOWS + 1):
        held = held_by(pid)
        if held is None:
            return
        seen.append(held)
        if len(seen) > _WINDOWS or tally.lost:
            break
        before = len(tally.went)
        window = now() + (deadline - now()) / (_WINDOWS + 1 - len(seen))
        for _ in range(_MORE // _WINDOWS):
            await _repeat(lab, subject, station, case, 1, deadline, tally)
            if now() > window or tally.lost:
                break
        if len(tally.went) == before:
            return
        done = len(tally.went)
    if tally.lost:
        await station.ready()
        return
    _tell_growth(subject, case, seen, done)


def _tell_growth(subject: Subject, case: Case, seen: Sequence[Held], calls: int) -> None:
    things = _things(seen[0], seen[-1], calls)
    kept = seen[-1].rss_bytes - seen[0].rss_bytes
    detail = ""
    if things and _things(seen[0], seen[len(seen) // 2], calls // 2):
        detail = f"{things} after {count(calls, 'equal call')}"
    elif _leaks(seen, calls):
        detail = (
            f"{kept / (1 << 20):.1f} MiB more memory after {count(calls, 'equal call')}, "
            f"{kept / calls / 1024:.0f} KiB for each"
        )
    if detail:
        found = verdict(Kind.GROWTH, detail, things.partition(" ")[2] or "memory")
        subject.hit(found, case._replace(reason=f"the same call {calls:,} times"), confirmed=None)


def _leaks(seen: Sequence[Held], calls: int) -> bool:
    """Whether memory is kept at each call, and so much of it that nothing else explains it."""
    kept = seen[-1].rss_bytes - seen[0].rss_bytes
    enough = _ENOUGH_COLLECTED if seen[-1].collects else _ENOUGH
    return (
        kept >= max(enough, _LEAK_BYTES * calls, 1)
        and calls > 0
        and _is_steady([held.rss_bytes for held in seen])
    )


def _things(before: Held, after: Held, calls: int) -> str:
    """What there is more of, at some for each call; "" for nothing."""
    for name in ("descriptors", "threads", "processes"):
        more = getattr(after, name) - getattr(before, name)
        if calls >= 10 and more >= _PER_CALL * calls:
            return f"{more:,} more {name}"
    return ""


def _is_steady(sizes: Sequence[int]) -> bool:
    """Whether it grows in nearly each window, and in the second half as in the first."""
    steps = [later - earlier for earlier, later in pairwise(sizes)]
    half = len(steps) // 2
    first, second = sum(steps[:half]), sum(steps[half:])
    return sum(step > 0 for step in steps) >= min(_STEADY, len(steps)) and second >= first / 2
