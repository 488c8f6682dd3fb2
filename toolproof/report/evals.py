"""Which tools a model picked, and which it should have."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from typing import Any, ClassVar

from toolproof.records import record
from toolproof.report.section import Outcome, PhaseName, Place, Reason, Severity, Status
from toolproof.text import count


@record(kw_only=True)
class Trial:
    """One answer to a case.

    Attributes:
        prompt: As it was asked.
        repeat: Which repetition, from 0.
        picked_tool: None for no tool, and where there was no answer.
        failures: Why it is wrong, a message each.
        error: Why there was no answer, if there was none.
        cached: Whether it came from an earlier run.
    """

    prompt: str
    repeat: int = 0
    picked_tool: str | None = None
    picked_args: Mapping[str, Any] = field(default_factory=dict)
    failures: tuple[str, ...] = ()
    error: str | None = None
    cached: bool = False

    @property
    def passed(self) -> bool:
        return not self.failures and self.error is None


@record(kw_only=True)
class EvalCaseResult:
    """How a model answered one case; of several answers, the first wrong one stands for it.

    Attributes:
        name: As in the file, else the prompt.
        expect_tool: The tool it should pick; None if it should pick none.
        picked_tool: The tool it picked; None if it picked none.
        failures: Why the answer is wrong, a message each.
        cached: Whether all its answers came from an earlier run.
        trials: Every answer: prompts times repetitions.
    """

    name: str
    prompt: str
    expect_tool: str | None
    expect_args: Mapping[str, Any] = field(default_factory=dict)
    picked_tool: str | None = None
    picked_args: Mapping[str, Any] = field(default_factory=dict)
    failures: tuple[str, ...] = ()
    cached: bool = False
    trials: tuple[Trial, ...] = ()
    place: Place | None = None
    fingerprint: str = ""

    @property
    def passed(self) -> bool:
        return not self.failures


@record(kw_only=True)
class Confusion:
    """How often a tool was picked in place of another; None is no tool."""

    expected: str | None
    picked: str | None
    count: int


@record(kw_only=True)
class EvalSection:
    """The cases, and the gates that they must pass together.

    Attributes:
        accuracy: The share of right answers, in 0 to 1; 0 where there was none.
        correct: How many answers were right.
        answers: How many there were.
        accuracy_low: Lower bound of the 95 % Wilson interval; likewise accuracy_high.
        min_accuracy: The share of right answers that the run needs.
        min_accuracy_lower: The least that accuracy_low may be; None for no such gate.
        pass_k: pass^k for k from 1 to the answers of each case.
        abstained: Answers without a tool where one was wanted.
        cost_usd: What the calls cost; None where nobody said what a token costs.
        error: Why the cases stopped early, if they did.
        partial: Whether these are the cases of one shard: then the gates are left open.
        whole: In a shard: the name of every case, of which only some belong to it; else empty.
        fingerprints: Of a gate that is not passed, by its name.
        known: Why the baseline lets a gate's failure pass, by its name.
    """

    phase: ClassVar[PhaseName] = PhaseName.EVALS

    provider: str
    model: str
    min_accuracy: float
    cases: tuple[EvalCaseResult, ...] = ()
    accuracy: float = 0.0
    correct: int = 0
    answers: int = 0
    accuracy_low: float = 0.0
    accuracy_high: float = 1.0
    min_accuracy_lower: float | None = None
    pass_k: tuple[float, ...] = ()
    confusions: tuple[Confusion, ...] = ()
    abstained: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost_usd: float | None = None
    cached: int = 0
    error: str | None = None
    hint: str | None = None
    place: Place | None = None
    partial: bool = False
    whole: tuple[str, ...] = ()
    fingerprints: Mapping[str, str] = field(default_factory=dict)
    known: Mapping[str, str] = field(default_factory=dict)
    duration_s: float = 0.0

    @property
    def passed(self) -> bool:
        """No early end, and every gate passed, or is left open."""
        return self.error is None and not self.broken_gates

    @property
    def gate_names(self) -> Sequence[str]:
        """Internal; the gates that all cases together must pass."""
        return [name for name, _ in self._gates()]

    @property
    def broken_gates(self) -> Mapping[str, str]:
        """Internal; what is wrong with each gate that is not passed, by its name."""
        if self.error is not None or self.partial:
            return {}
        return {name: broken for name, broken in self._gates() if broken is not None}

    def outcomes(self, fail_on: Severity | None) -> Sequence[Outcome]:  # noqa: ARG002 - Section
        """A missed case only warns: what fails or passes the run are the gates, which come last."""
        cases = [
            Outcome(
                name=case.name,
                status=Status.PASSED if case.passed else Status.WARNED,
                reasons=tuple(
                    Reason(
                        message=message,
                        severity=Severity.WARNING,
                        type="evals.case",
                        fingerprint=case.fingerprint,
                    )
                    for message in case.failures
                ),
                facts=_right(case),
                place=case.place,
            )
            for case in self.cases
        ]
        return [*cases, *self._gate_outcomes()]

    def _gates(self) -> Sequence[tuple[str, str | None]]:
        """Each gate's name, and what is wrong with it."""
        gates = [
            (
                "accuracy",
                f"accuracy is {self.accuracy:.1%}, the limit is {self.min_accuracy:.1%}"
                if self.accuracy < self.min_accuracy - 1e-12
                else None,
            )
        ]
        if self.min_accuracy_lower is not None:
            low = (
                f"the lower bound of the accuracy is {self.accuracy_low:.1%}, "
                f"the limit is {self.min_accuracy_lower:.1%}"
            )
            broken = self.accuracy_low < self.min_accuracy_lower - 1e-12
            gates.append(("accuracy (lower bound)", low if broken else None))
        return gates

    def _gate_outcomes(self) -> Sequence[Outcome]:
        if self.error is not None:
            reason = Reason(message=self.error, fix=self.hint, type="evals.error")
            return [
                Outcome(
                    name="accuracy",
                    status=Status.ERRORED,
                    reasons=(reason,),
                    facts=tuple(self._used()),
                    place=self.place,
                )
            ]
        return [self._gate_outcome(name) for name in self.gate_names]

    def _gate_outcome(self, name: str) -> Outcome:
        status = Status.PASSED
        reasons: tuple[Reason, ...] = ()
        broken, known = self.broken_gates.get(name), self.known.get(name)
        if self.partial:
            open_ = "left open in a shard: `toolproof merge` judges it over all cases"
            reasons = (Reason(message=open_, severity=Severity.INFO, type="evals.open"),)
            status = Status.SKIPPED
        elif broken is not None:
            mark = self.fingerprints.get(name, "")
            reasons = (
                Reason(message=broken, type="evals.accuracy", fingerprint=mark, known=known),
            )
            status = Status.FAILED if known is None else Status.SKIPPED
        return Outcome(
            name=name,
            status=status,
            reasons=reasons,
            facts=tuple(self._facts(first=name == self.gate_names[0])),
            place=self.place,
        )

    def _facts(self, *, first: bool) -> Iterator[tuple[str, str]]:
        """What a gate rests on; what is said of all answers stands at the first one only."""
        yield "correct", f"{self.correct} of {self.answers}"
        yield "95 % interval", f"{self.accuracy_low:.1%} to {self.accuracy_high:.1%}"
        if not first:
            return
        if self.pass_k:
            yield f"pass^{len(self.pass_k)}", f"{self.pass_k[-1]:.1%}"
        if self.abstained:
            yield "picked no tool", str(self.abstained)
        if self.confusions:
            yield "confused", "; ".join(map(_told, self.confusions))
        yield from self._used()

    def _used(self) -> Iterator[tuple[str, str]]:
        """Who answered, and what it took."""
        yield "model", f"{self.model} ({self.provider})"
        if self.cached:
            yield "from the cache", f"{self.cached} of {self.answers}"
        if self.input_tokens or self.output_tokens:
            yield "tokens", f"{self.input_tokens:,} in, {self.output_tokens:,} out"
        if self.cost_usd is not None:
            yield "cost", f"${self.cost_usd:,.4f}"


def _told(one: Confusion) -> str:
    wanted, picked = one.expected or "no tool", one.picked or "no tool"
    return f"{wanted} with {picked} {count(one.count, 'time')}"


def _right(case: EvalCaseResult) -> tuple[tuple[str, str], ...]:
    if len(case.trials) < 2:
        return ()
    right = sum(trial.passed for trial in case.trials)
    return (("right", f"{right} of {len(case.trials)}"),)
