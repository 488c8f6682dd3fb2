"""One tool under test: its inputs, its calls so far, and what they brought to light."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from toolproof.connection.wire import JsonObject, Outcome
from toolproof.phases.fuzz.generate import Case, Plan
from toolproof.phases.fuzz.generate.simpler import weight
from toolproof.phases.fuzz.judge import Judge, Judged
from toolproof.phases.fuzz.likeness import Likeness
from toolproof.phases.fuzz.verdict import Kind, Verdict
from toolproof.report import Tool
from toolproof.report.fuzz import InputMode

LEAST_LIMIT_S = 1.0
_FACTOR = 20
_LEARNT = 5
"""After so many answers the limit adapts."""
_MOST_LATENCIES = 2_000
_FEW = 100
"""Of so many latencies the largest is the 99th percentile; of more it is looked at now and then."""
_MOST_GOOD = 12
_LARGEST_KEPT = 200_000
_MOST_FAILURES = 100


@dataclass(slots=True)
class Hit:
    """A verdict with the input that showed it.

    Attributes:
        case: The lightest of those that showed it.
        seen: How often it was seen before any replay.
        before: The case that came before it on the same server, for an end that came late.
        steps: The calls that show it, in order, as a test writes them, where it takes several.
        confirmed: How often it came again in `replays` calls; None before it was tried.
    """

    verdict: Verdict
    case: Case
    seen: int = 1
    before: Case | None = None
    steps: Sequence[JsonObject] = ()
    stderr: str = ""
    exit_status: str | None = None
    confirmed: int | None = None
    replays: int = 3


@dataclass(slots=True)
class Good:
    """A call that succeeded.

    Attributes:
        result: What it gave; empty where that was too large to keep.
        took_s: How long it took.
    """

    case: Case
    result: JsonObject
    took_s: float


@dataclass(eq=False, slots=True)
class Subject:
    """A tool, with all that the phase knows of it.

    Attributes:
        cases: What it is called with, in order.
        calls: Inputs that were called, one call each.
        more_calls: Calls besides: replays, shrinking, the stages over the whole server.
        spent_s: Wall-clock time that it took so far.
        lacking: What the environment lacked, and in how many calls.
        failures: What failing valid calls said, and how often.
        good: Calls that succeeded.
        p99_s: Of its latencies.
        least_limit_s: A call may be silent for so long at least.
        waits: Whether it did what it was asked for: to wait.
        put_off: Cases like those that ended or blocked the server, not called yet.
        told_rules: Rules without a kind that it is known to break.
    """

    tool: Tool
    index: int
    plan: Plan
    judge: Judge
    cases: Sequence[Case]
    calls: int = 0
    more_calls: int = 0
    spent_s: float = 0.0
    valid: int = 0
    succeeded: int = 0
    timeouts: int = 0
    crashes: int = 0
    waits: bool = False
    lacking: dict[str, int] = field(default_factory=dict)
    failures: dict[str, int] = field(default_factory=dict)
    good: list[Good] = field(default_factory=list)
    latencies_s: list[float] = field(default_factory=list)
    hits: dict[tuple[Kind, str], Hit] = field(default_factory=dict)
    notes: dict[str, None] = field(default_factory=dict)
    told_rules: set[str] = field(default_factory=set)
    p99_s: float = 0.0
    least_limit_s: float = LEAST_LIMIT_S
    failed_inside: str = ""
    likeness: Likeness = field(default_factory=Likeness)
    put_off: list[Case] = field(default_factory=list)

    @property
    def name(self) -> str:
        return self.tool.name

    def limit_s(self, most_s: float) -> float:
        """How long a call may be silent: 20 times the 99th percentile, between 1 s and `most_s`."""
        if len(self.latencies_s) < _LEARNT:
            return most_s
        return min(max(self.least_limit_s, _FACTOR * self.p99_s), max(most_s, self.least_limit_s))

    def took(self, seconds: float) -> None:
        """A call was answered."""
        latencies = self.latencies_s
        if len(latencies) < _MOST_LATENCIES:
            latencies.append(seconds)
            if len(latencies) <= _FEW:
                self.p99_s = max(self.p99_s, seconds)
            elif len(latencies) % _FEW == 0:
                self.p99_s = sorted(latencies)[len(latencies) * 99 // 100]

    def called(self, *, extra: bool) -> None:
        """One more call was made."""
        if extra:
            self.more_calls += 1
        else:
            self.calls += 1

    def note(self, words: str) -> None:
        """Keep what is worth saying, once."""
        self.notes[words] = None

    @property
    def hangs(self) -> bool:
        """Whether a call of it is known to hang."""
        return any(hit.verdict.kind is Kind.HANG for hit in self.hits.values())

    @property
    def best(self) -> Good | None:
        """The call with the lightest arguments that succeeded."""
        return min(self.good, key=lambda good: weight(good.case.arguments), default=None)

    def hit(self, verdict: Verdict, case: Case, **more: Any) -> Hit:
        """Keep a verdict; of the same cause, the lightest case is kept."""
        known = self.hits.get(verdict.key)
        if known is None:
            self.hits[verdict.key] = made = Hit(verdict, case, **more)
            return made
        known.seen += 1
        if weight(case.arguments) < weight(known.case.arguments):
            known = replace(known, verdict=verdict, case=case, **more)
            self.hits[verdict.key] = known
        return known

    @property
    def never_succeeded(self) -> bool:
        """Whether all its valid calls failed, so that a pass would say nothing."""
        return self.valid > 0 and self.succeeded == 0

    def count(self, case: Case, judged: Judged, outcome: Outcome) -> None:
        """Take up how a call that was answered went."""
        if judged.environment:
            self.lacking[judged.environment] = self.lacking.get(judged.environment, 0) + 1
        if case.mode is not InputMode.VALID:
            return
        self.valid += 1
        if judged.succeeded:
            self.succeeded += 1
            if len(self.good) < _MOST_GOOD:
                small = len(outcome.raw) <= _LARGEST_KEPT
                result = outcome.result if small and outcome.result else {}
                self.good.append(Good(case, result, outcome.latency_ms / 1_000))
        elif judged.said:
            key = judged.said[:300]
            if key in self.failures or len(self.failures) < _MOST_FAILURES:
                self.failures[key] = self.failures.get(key, 0) + 1
