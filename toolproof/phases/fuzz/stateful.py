"""Create, use and end things in every order, and walk at random: what only a sequence of calls shows."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from toolproof.phases.fuzz.chain import Chain, Ended, Ref, Step, as_test, case_of, replayed, without
from toolproof.phases.fuzz.ends import hang
from toolproof.phases.fuzz.feed import shaped
from toolproof.phases.fuzz.generate import ABSENT, case_key
from toolproof.phases.fuzz.hangs import LONGER
from toolproof.phases.fuzz.ids import Found, asks_for, ends, fits, makes
from toolproof.phases.fuzz.lab import Lab, now
from toolproof.phases.fuzz.subject import Hit, Subject
from toolproof.phases.fuzz.verdict import Kind, Verdict
from toolproof.report.fuzz import InputMode

_MOST_S = 8.0
_EACH_S = 0.1
_MOST_CALLS = 900
_WALKS = 6
_LENGTH = 12
_MOST_TRIES = 6
_MOST_ORDERS = 80
_MOST_USERS = 8
_MOST_USES = 25
_MOST_PAIRS = 12


@dataclass(frozen=True, slots=True)
class Pair:
    """A tool that gives something, and one that asks for it."""

    maker: Subject
    user: Subject
    field: str
    rank: int


class Stateful:
    """The stage over all tools together, on servers of its own.

    Args:
        seed: Of the walks.
    """

    def __init__(self, lab: Lab, seed: int) -> None:
        self._lab = lab
        self._random = Random(f"{seed}/walk")  # noqa: S311 - to be repeated, not to be secret
        self._calls = 0
        self._subjects = [one for one in lab.subjects if not one.timeouts and not one.waits]
        share = _MOST_S + _EACH_S * len(self._subjects)
        self._deadline = now() + min(share, 0.15 * lab.limits.max_time_s * len(self._subjects))

    async def run(self) -> None:
        """Try the orders, then walk.

        Raises:
            ServerError: The server does not come back.
        """
        pairs = self._pairs()
        orders = list(self._orders(pairs))
        chain: Chain | None = None
        for plan in orders[:_MOST_ORDERS]:
            chain = await self._follow(plan, chain)
        for pair in pairs[:_MOST_PAIRS]:
            if makes(pair.maker.tool):
                chain = await self._use_well(pair, chain)
        usable = [one for one in self._subjects if one.good or asks_for(one.tool)]
        if len(usable) > 1:
            for _ in range(_WALKS):
                walk = [self._random.choice(usable) for _ in range(_LENGTH)]
                chain = await self._follow(walk, chain)
        if chain is not None:
            self._lab.pool.end(chain.worker)

    @property
    def _longer_s(self) -> float:
        return LONGER * self._lab.limits.timeout_s

    # Which tools, in which order

    def _orders(self, pairs: Sequence[Pair]) -> Iterator[list[Subject]]:
        """Sequences of tools: make and use, end and use, end twice, two of a kind."""
        makers = dict.fromkeys(pair.maker for pair in pairs if makes(pair.maker.tool))
        ended_by = {pair.maker: True for pair in pairs if ends(pair.user.tool)}
        for maker in sorted(makers, key=lambda one: not ended_by.get(one)):
            users = [pair.user for pair in pairs if pair.maker is maker][:_MOST_USERS]
            enders = [user for user in users if ends(user.tool)]
            others = [user for user in users if user not in enders]
            yield [maker, *others, *others]
            for ender in enders:
                yield [maker, ender, *others, ender]
                yield [maker, *others, ender, ender]
                yield [maker, maker, ender, *others, *enders]
        for maker in dict.fromkeys(pair.maker for pair in pairs if not makes(pair.maker.tool)):
            users = [pair.user for pair in pairs if pair.maker is maker][:_MOST_USERS]
            yield [maker, *users, *users]

    def _pairs(self) -> list[Pair]:
        found: list[Pair] = []
        for maker in self._subjects:
            given = self._given(maker)
            for user in self._subjects if given else ():
                for field, words in asks_for(user.tool).items():
                    rank = max(fits(words, user.tool, one, maker.tool) for one in given)
                    if rank > 1 and user is not maker:
                        found.append(Pair(maker, user, field, rank))
                        break
        return sorted(found, key=lambda pair: -pair.rank)

    def _given(self, maker: Subject) -> Sequence[Found]:
        return [found for found, tool in self._lab.harvest if tool is maker.tool]

    # Doing it

    async def _use_well(self, pair: Pair, chain: Chain | None) -> Chain | None:
        """Make something, and call its user with all sorts of other arguments."""
        user = pair.user
        cases = [
            case.arguments
            for case in user.cases
            if case.mode is InputMode.VALID and isinstance(case.arguments, dict)
        ]
        chain = await self._follow([pair.maker], chain)
        told: set[str] = set()
        for arguments in cases[:_MOST_USES]:
            if ends(user.tool):
                chain = await self._follow([pair.maker], chain)
            if chain is None or not chain.alive:
                return chain
            step = self._step(user, chain, arguments)
            if step is not None and step.refs and case_key(step.arguments) not in told:
                told.add(case_key(step.arguments))
                chain = await self._call(step, chain)
        return chain

    async def _follow(self, plan: Sequence[Subject], chain: Chain | None) -> Chain | None:
        """Call the tools in this order, going on with the server of an earlier order."""
        for subject in plan:
            if chain is None or not chain.alive:
                if chain is not None:
                    self._lab.pool.end(chain.worker)
                chain = Chain(self._lab, await self._lab.pool.fresh())
            step = self._step(subject, chain)
            if step is not None:
                chain = await self._call(step, chain)
        return chain

    async def _call(self, step: Step, chain: Chain) -> Chain:
        """Make a call, unless the stage's time is over."""
        if now() < self._deadline and self._calls < _MOST_CALLS:
            self._calls += 1
            ended = await chain.do(step)
            found = ended.verdicts
            if ended.called.late and chain.calls > 1:
                found = [hang(self._longer_s, self._lab.limits.timeout_s, blocked=False)]
            for verdict in found:
                await self._look_into(chain, step, ended, verdict)
        return chain

    def _step(self, subject: Subject, chain: Chain, arguments: Any = None) -> Step | None:
        """A call of the tool with the newest values of the chain where it asks for such."""
        best = subject.best
        if arguments is None and best is not None:
            arguments = best.case.arguments
        if not isinstance(arguments, dict):
            arguments = subject.plan.slots[0].base if subject.plan.slots else None
        if not isinstance(arguments, dict):
            return Step(subject, ABSENT) if best else None
        refs: list[Ref] = []
        for field, words in asks_for(subject.tool).items():
            ref, value = self._newest(subject, field, words, chain)
            if ref is None:
                continue
            changed = {**arguments, field: value}
            if subject.plan.label(changed) is not None:
                arguments = changed
                refs.append(ref)
        return Step(subject, arguments, tuple(refs))

    def _newest(
        self, subject: Subject, field: str, words: tuple[str, ...], chain: Chain
    ) -> tuple[Ref | None, Any]:
        kind = subject.tool.input_schema["properties"][field].get("type")
        ranked: tuple[int, int] = (1, -1)
        best: tuple[Ref | None, Any] = (None, None)
        for at in range(len(chain.steps) - 1, max(-1, len(chain.steps) - 2 * _LENGTH), -1):
            maker = chain.steps[at].subject
            for found in chain.ended[at].found:
                rank = fits(words, subject.tool, found, maker.tool)
                value = shaped(found.value, kind)
                if rank and value is not None and (rank, at) > ranked:
                    ranked = rank, at
                    best = Ref(field, at, found.path, found.jsonpath), value
        return best

    # What was found

    async def _look_into(self, chain: Chain, step: Step, ended: Ended, verdict: Verdict) -> None:
        """Keep what no single call has shown yet, with the fewest steps that show it."""
        subject = step.subject
        known = subject.hits.get(verdict.key)
        if (known is not None and known.confirmed != 0) or self._is_known(verdict):
            return
        if verdict.kind is Kind.CRASH and await self._was_one_before(chain):
            return
        steps = _needed(chain.steps)
        hit = Hit(
            verdict, case_of(step), stderr=ended.called.stderr, exit_status=ended.called.exit_status
        )
        subject.hits[verdict.key] = hit
        last = _cut(steps, 1)
        for tried in [last, steps] if len(steps) > 1 else [last]:
            if await self._shows(tried, verdict):
                steps = tried
                break
        else:
            steps = _cut(chain.steps, _LENGTH)
            if not await self._shows(steps, verdict):
                subject.hits.pop(verdict.key)  # it cannot be repeated, so nothing is known of it
                if known is not None:
                    subject.hits[verdict.key] = known
                return
        steps = await self._fewest(steps, verdict)
        hit.confirmed = hit.replays = 1
        hit.case = case_of(steps[-1])._replace(reason=_told(steps))
        hit.steps = as_test(steps) if len(steps) > 1 else ()

    async def _was_one_before(self, chain: Chain) -> bool:
        """Whether the server ended of the call before, right after it had answered that."""
        if len(chain.steps) < 2:
            return False
        before = chain.steps[-2]
        worker = await self._lab.pool.fresh()
        try:
            case, limit_s = case_of(before), self._lab.limits.timeout_s
            called, judged = await self._lab.shown(
                before.subject, worker, case, limit_s, settle=True
            )
        finally:
            self._lab.pool.end(worker)
        for found in judged.verdicts if called.lost else ():
            if found.kind is Kind.CRASH and found.key not in before.subject.hits:
                before.subject.hit(
                    found, case, stderr=called.stderr, exit_status=called.exit_status
                )
        return called.lost

    async def _fewest(self, steps: Sequence[Step], verdict: Verdict) -> Sequence[Step]:
        """Without the steps that are not needed."""
        index, tries = 0, 0
        while index < len(steps) - 1 and tries < _MOST_TRIES and now() < self._deadline:
            fewer = without(steps, index)
            tries += 1
            if fewer is not None and await self._shows(fewer, verdict):
                steps = fewer
            else:
                index += 1
        return steps

    async def _shows(self, steps: Sequence[Step], verdict: Verdict) -> bool:
        """Whether the steps show it on a server that nothing was sent to before."""
        worker = await self._lab.pool.fresh()
        try:
            last_s = self._longer_s if verdict.kind is Kind.HANG else None
            again = await replayed(self._lab, worker, steps, last_s)
        finally:
            self._lab.pool.end(worker)
        last = again.ended[-1] if len(again.ended) == len(steps) else None
        if last is not None and verdict.kind is Kind.HANG:
            return last.called.late and not last.called.outcome.progress
        return last is not None and any(
            one.key == verdict.key or (one.kind is verdict.kind is Kind.CRASH)
            for one in last.verdicts
        )

    def _is_known(self, verdict: Verdict) -> bool:
        return verdict.wide and any(
            verdict.key in one.hits and one.hits[verdict.key].confirmed != 0
            for one in self._lab.subjects
        )


def _needed(steps: Sequence[Step]) -> Sequence[Step]:
    """The last step, those that it takes values from, and others that took the same values."""
    last = len(steps) - 1
    sources = {ref.step for ref in steps[last].refs}
    kept = {last, *sources}
    for at, step in enumerate(steps[:last]):
        if any(ref.step in sources for ref in step.refs):
            kept.add(at)
    for at in sorted(kept, reverse=True):
        kept |= {ref.step for ref in steps[at].refs}
    return _picked(steps, sorted(kept))


def _cut(steps: Sequence[Step], length: int) -> Sequence[Step]:
    first = max(0, len(steps) - length)
    return _picked(steps, list(range(first, len(steps))))


def _picked(steps: Sequence[Step], indices: Sequence[int]) -> Sequence[Step]:
    places = {old: new for new, old in enumerate(indices)}
    return [
        Step(
            steps[at].subject,
            steps[at].arguments,
            tuple(
                Ref(ref.field, places[ref.step], ref.path, ref.jsonpath)
                for ref in steps[at].refs
                if ref.step in places
            ),
        )
        for at in indices
    ]


def _told(steps: Sequence[Step]) -> str:
    if len(steps) == 1:
        return "a call with what another tool gave"
    return "after " + ", ".join(step.subject.name for step in steps[:-1][-5:])
