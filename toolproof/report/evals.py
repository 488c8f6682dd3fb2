"""Which tools a model picked, and which it should have."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from toolproof.report.section import Outcome, PhaseName, Place, Reason, Severity, Status


@dataclass(frozen=True, slots=True, kw_only=True)
class EvalCaseResult:
    """How a model answered one prompt.

    Attributes:
        expect_tool: The tool it should pick; None if it should pick none.
        picked_tool: The tool it picked; None if it picked none.
        failures: Why the answer is wrong, a message each.
        cached: Whether the answer came from an earlier run.
    """

    name: str
    prompt: str
    expect_tool: str | None
    expect_args: Mapping[str, Any]
    picked_tool: str | None
    picked_args: Mapping[str, Any]
    failures: tuple[str, ...] = ()
    cached: bool = False
    place: Place | None = None

    @property
    def passed(self) -> bool:
        return not self.failures


@dataclass(frozen=True, slots=True, kw_only=True)
class EvalSection:
    """The cases, and the gate that they must pass together.

    Attributes:
        min_accuracy: The share of right answers, in 0 to 1, that the run needs.
        error: Why the cases stopped early, if they did.
    """

    phase: ClassVar[PhaseName] = PhaseName.EVALS

    provider: str
    model: str
    min_accuracy: float
    cases: tuple[EvalCaseResult, ...] = ()
    error: str | None = None
    place: Place | None = None
    duration_s: float = 0.0

    @property
    def correct(self) -> int:
        return sum(case.passed for case in self.cases)

    @property
    def accuracy(self) -> float:
        """The share of right answers, in 0 to 1; 0 if there is none at all."""
        return self.correct / len(self.cases) if self.cases else 0.0

    @property
    def passed(self) -> bool:
        return self.error is None and self.accuracy >= self.min_accuracy

    def outcomes(self, fail_on: Severity | None) -> Sequence[Outcome]:  # noqa: ARG002 - Section
        """A missed case only warns: what fails or passes the run is the gate, which comes last."""
        cases = [
            Outcome(
                name=case.name,
                status=Status.PASSED if case.passed else Status.WARNED,
                reasons=tuple(
                    Reason(message=message, severity=Severity.WARNING, type="evals.case")
                    for message in case.failures
                ),
                place=case.place,
            )
            for case in self.cases
        ]
        return [*cases, self._gate()]

    def _gate(self) -> Outcome:
        if self.error is not None:
            reason = Reason(message=self.error, type="evals.error")
            return Outcome(name="accuracy", status=Status.ERRORED, reasons=(reason,))
        missed = f"accuracy is {self.accuracy:.1%}, the limit is {self.min_accuracy:.1%}"
        return Outcome(
            name="accuracy",
            status=Status.PASSED if self.passed else Status.FAILED,
            reasons=() if self.passed else (Reason(message=missed, type="evals.accuracy"),),
            facts=(("correct", f"{self.correct} of {len(self.cases)}"),),
            place=self.place,
        )
