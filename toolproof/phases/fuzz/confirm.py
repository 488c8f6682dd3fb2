"""Does it come again, and with how little: replays and shrinking of what was found."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from toolproof.phases.fuzz.causes import Cause, settled
from toolproof.phases.fuzz.generate import Case, Shrinker
from toolproof.phases.fuzz.ids import asks_for
from toolproof.phases.fuzz.lab import Lab, Station, now
from toolproof.phases.fuzz.subject import Hit
from toolproof.phases.fuzz.verdict import Kind, Verdict
from toolproof.report import Severity

REPLAYS = 3
_ALONE = frozenset(
    {Kind.HANG, Kind.SLOW, Kind.GROWTH, Kind.FLAKY, Kind.HINT_VIOLATION, Kind.BAD_SCHEMA}
)
"""Kinds that have their own way of being confirmed, or need none."""
_BY_KIND = frozenset({Kind.REJECTED_VALID, Kind.UNEXPECTED_ERROR, Kind.INTERNAL_ERROR})
"""Kinds whose message may change with the input, while the fault stays."""

_LONGEST_S = 2.5
_MOST_CALLS = 120
_BATCH = 8
_MOST_ENDS = 8
_MOST_CALLS_FOR_ENDS = 60
_SLOW_START_S = 1.0
_FEW_ENDS = 3


class Confirmer:
    """Replays and shrinks one cause after another on one server."""

    def __init__(self, lab: Lab, station: Station) -> None:
        self._lab = lab
        self._station = station
        self._ends = 0

    async def confirm(self, cause: Cause) -> None:
        """Make the input of a cause as small as its time allows, and count how often it comes again.

        Raises:
            ServerError: The server does not come back.
        """
        if cause.kind in _ALONE or cause.hit.steps or cause.hit.confirmed is not None:
            return
        subject = cause.subject
        began = now()
        left_s = max(self._lab.limits.max_time_s - subject.spent_s, 0.0)
        self._ends = 0
        try:
            hit = await self._settle(cause, began + min(_LONGEST_S, left_s))
        finally:
            subject.spent_s += now() - began
        settled(cause, hit)

    async def _settle(self, cause: Cause, deadline: float) -> Hit:
        hit = cause.hit
        found = await self._again(cause, hit.case)
        if found is None and hit.before is not None:
            found = await self._again(cause, hit.before)
            if found is not None:
                hit = replace(hit, case=hit.before, before=None)
        if found is None:
            return await self._counted(cause, hit, 0, deadline)
        smaller, verdict = hit.case.arguments, None
        if found.severity is not Severity.INFO:
            smaller, verdict = await self._smaller(cause, hit.case, deadline)
        if verdict is None:
            return await self._counted(cause, replace(hit, verdict=found), 1, deadline)
        case = hit.case._replace(arguments=smaller, reason=f"{hit.case.reason}, made smaller")
        cost = 1 if cause.kind is Kind.CRASH else 0
        return await self._counted(cause, replace(hit, verdict=verdict, case=case), cost, deadline)

    async def _counted(self, cause: Cause, hit: Hit, seen: int, deadline: float) -> Hit:
        """Replay it, up to three times in all; fewer only where its time is over."""
        replays, confirmed = seen or 1, seen
        if seen == 0 and hit.case.arguments is not cause.hit.case.arguments:
            replays = 0
        while replays < REPLAYS and (now() < deadline or not replays):
            confirmed += await self._again(cause, hit.case) is not None
            replays += 1
        if confirmed and cause.kind is not Kind.CRASH and asks_for(cause.subject.tool):
            confirmed = confirmed if await self._shows_afresh(cause, hit.case) else 0
        return replace(hit, confirmed=confirmed, replays=replays)

    async def _shows_afresh(self, cause: Cause, case: Case) -> bool:
        """Whether it shows on a server without what earlier calls have left behind.

        Only asked where the tool takes names of things that must be there.
        """
        pool = self._lab.pool
        if pool.by_url:
            return True
        spare = Station(pool, await pool.fresh())
        usual, self._station = self._station, spare
        try:
            return await self._again(cause, case) is not None
        finally:
            self._station = usual
            pool.end(spare.worker)

    async def _smaller(
        self, cause: Cause, case: Case, deadline: float
    ) -> tuple[Any, Verdict | None]:
        """The smallest arguments that still show it, with what they showed; None if nothing smaller."""
        keeps = cause.subject.plan.keeper(case, same_breach=cause.kind is Kind.ACCEPTED_INVALID)
        costly = cause.kind is Kind.CRASH
        most = _MOST_ENDS if self._lab.pool.start_s < _SLOW_START_S else _FEW_ENDS
        search = Shrinker(
            case.arguments,
            keeps,
            most_calls=_MOST_CALLS_FOR_ENDS if costly else _MOST_CALLS,
            batch=1 if costly else _BATCH,
        )
        shown: dict[int, Verdict] = {}
        while now() < deadline and self._ends < most and (candidates := search.propose()):
            told = await self._try(cause, case, candidates, shown, deadline)
            search.tell(told)
        return search.best, shown.get(id(search.best))

    async def _try(
        self,
        cause: Cause,
        case: Case,
        candidates: Sequence[Any],
        shown: dict[int, Verdict],
        deadline: float,
    ) -> list[bool]:
        told: list[bool] = []
        for candidate in candidates:
            found = None
            smaller = case._replace(arguments=candidate)
            if now() < deadline and not self._lab.passes_over(cause.subject, smaller):
                found = await self._again(cause, smaller)
            if found is not None:
                shown[id(candidate)] = found
            told.append(found is not None)
        return told

    async def _again(self, cause: Cause, case: Case) -> Verdict | None:
        """The verdict, if the call shows the same fault."""
        lab, station, subject = self._lab, self._station, cause.subject
        await station.ready()
        limit_s = subject.limit_s(lab.limits.timeout_s)
        called, judged = await lab.shown(
            subject, station.worker, case, limit_s, settle=cause.kind is Kind.CRASH
        )
        if called.lost:
            self._ends += 1
            await station.renew()
        elif called.late:
            await station.answers()
        wanted = cause.hit.verdict
        for one in judged.verdicts:
            if one.key == wanted.key or (one.kind is wanted.kind and _may_differ(wanted)):
                return one
        return None


def _may_differ(wanted: Verdict) -> bool:
    return wanted.kind in _BY_KIND or (wanted.kind is Kind.CRASH and not wanted.wide)
