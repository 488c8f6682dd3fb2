"""Tools that say they only read: is anything that others tell different after they were called."""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from toolproof.errors import ServerError
from toolproof.phases.fuzz.calling import call
from toolproof.phases.fuzz.judge import texts_of
from toolproof.phases.fuzz.lab import Lab, now
from toolproof.phases.fuzz.pool import Worker
from toolproof.phases.fuzz.subject import Good, Subject
from toolproof.phases.fuzz.verdict import Kind, verdict
from toolproof.text import quoted

_MOST_WITNESSES = 12
_MOST_TARGETS = 300
_MOST_CASES = 3
_GROUP = 8
"""Tools that are called between two looks."""
_MOST_S = 5.0
_MOST_DOUBTS = 2
_LIST = "the list of tools"

Snapshot = dict[str, str]
"""What each witness says, as text."""


class Hints:
    """The stage over all tools that have readOnlyHint."""

    def __init__(self, lab: Lab) -> None:
        self._lab = lab
        reading = [
            one
            for one in lab.subjects
            if one.tool.annotations.get("readOnlyHint") is True
            and one.good
            and not (one.timeouts or one.crashes or one.waits)
        ]
        self._targets = reading[:_MOST_TARGETS]
        self._witnesses = {
            one.name: one for one in reading if not one.tool.input_schema.get("properties")
        }
        for name in list(self._witnesses)[_MOST_WITNESSES:]:
            del self._witnesses[name]
        self._doubts: Counter[str] = Counter()
        self._deadline = now() + min(_MOST_S, 0.1 * lab.limits.max_time_s * max(len(reading), 1))

    async def run(self) -> None:
        """Look at the witnesses before and after some tools; where one changed, after each of them.

        Raises:
            ServerError: The server does not come back.
        """
        if not self._targets:
            return
        worker = await self._lab.pool.fresh()
        try:
            base = await self._steady(worker, [_LIST, *self._witnesses])
            base = await self._undisturbed(worker, base)
            for group in _groups(self._targets, _GROUP):
                if now() > self._deadline or not base or worker.server.ended is not None:
                    return
                for target in group:
                    await self._use(worker, target)
                base = await self._compared(worker, group, base)
        finally:
            self._lab.pool.end(worker)

    async def _undisturbed(self, worker: Worker, base: Snapshot) -> Snapshot:
        """Without the witnesses that change what another one says, which they should not either."""
        again = await self._looked(worker, list(base))
        for name in [name for name, said in again.items() if said != base[name]]:
            for other in [one for one in again if one not in (name, _LIST)]:
                first = await self._looked(worker, [name])
                await self._looked(worker, [other])
                if first != await self._looked(worker, [name]):
                    await self._confirm(self._witnesses[other], name)
                    again.pop(other)
        return await self._looked(worker, list(again))

    async def _compared(self, worker: Worker, group: Sequence[Subject], base: Snapshot) -> Snapshot:
        """What the witnesses say now; what has changed is looked into on other servers."""
        after = await self._looked(worker, list(base))
        changed = [name for name, said in after.items() if said != base[name]]
        found = await self._narrowed(group, changed) if changed else set()
        for name in changed:
            if name not in found:
                self._doubts[name] += 1  # another witness may have changed it, or the time
        return {name: said for name, said in after.items() if self._doubts[name] < _MOST_DOUBTS}

    async def _narrowed(self, group: Sequence[Subject], changed: Sequence[str]) -> set[str]:
        """The witnesses that a tool of the group was proven to change."""
        found: set[str] = set()
        worker = await self._lab.pool.fresh()
        try:
            base = await self._steady(worker, changed)
            for target in group:
                await self._use(worker, target)
                after = await self._looked(worker, list(base))
                for name, said in after.items():
                    if said != base[name] and await self._confirm(target, name):
                        found.add(name)
                base = after
        finally:
            self._lab.pool.end(worker)
        return found

    async def _confirm(self, target: Subject, witness: str) -> bool:
        """On a fresh server: the same twice, then the tool, then something else."""
        worker = await self._lab.pool.fresh()
        try:
            base = await self._steady(worker, [witness])
            if witness not in base:
                return False
            await self._use(worker, target)
            after = await self._looked(worker, [witness])
        finally:
            self._lab.pool.end(worker)
        if witness not in after or after[witness] == base[witness]:
            return False
        what = witness if witness == _LIST else f"what {witness} says"
        was, became = _difference(base[witness], after[witness])
        detail = (
            f"it says that it only reads (readOnlyHint), but {what} changed: {was}, then {became}"
        )
        case = target.good[0].case._replace(reason="good calls of a read-only tool")
        target.hit(verdict(Kind.HINT_VIOLATION, detail, what), case, confirmed=1, replays=1)
        return True

    async def _steady(self, worker: Worker, names: Sequence[str]) -> Snapshot:
        """What those witnesses say that say it twice, of themselves."""
        steady: Snapshot = {}
        for name in names:
            first, second = [(await self._looked(worker, [name])).get(name) for _ in range(2)]
            if first is not None and first == second:
                steady[name] = first
        return await self._looked(worker, list(steady))  # those that are not may change the others

    async def _looked(self, worker: Worker, names: Sequence[str]) -> Snapshot:
        said: Snapshot = {}
        for name in names:
            if name == _LIST:
                try:
                    said[name] = _text(await worker.server.list_raw("tools"))
                except ServerError:
                    continue
            else:
                witness = self._witnesses[name]
                told = await self._told(worker, witness, witness.good[0])
                if told is not None:
                    said[name] = told
        return said

    async def _use(self, worker: Worker, target: Subject) -> None:
        began = now()
        for good in target.good[:_MOST_CASES]:
            await self._told(worker, target, good)
        target.spent_s += now() - began

    async def _told(self, worker: Worker, subject: Subject, good: Good) -> str | None:
        limit_s = subject.limit_s(self._lab.limits.timeout_s)
        called = await call(worker, subject.name, good.case.arguments, limit_s)
        subject.more_calls += 1
        result = called.outcome.result
        if result is None or result.get("isError") is True:
            return None
        return "\n".join(texts_of(result)) or _text(result)


def _groups(subjects: Sequence[Subject], size: int) -> Iterator[Sequence[Subject]]:
    """The subjects in groups of a size."""
    for start in range(0, len(subjects), size):
        yield subjects[start : start + size]


def _text(value: Any) -> str:
    try:
        return json.dumps(value, sort_keys=True)
    except (TypeError, ValueError, RecursionError):
        return repr(type(value))


def _difference(before: str, after: str) -> tuple[str, str]:
    """The parts of two texts around the first place where they differ."""
    at = next((i for i, (a, b) in enumerate(zip(before, after, strict=False)) if a != b), 0)
    start = max(0, at - 20)
    return quoted(before[start : start + 60], 60), quoted(after[start : start + 60], 60)
