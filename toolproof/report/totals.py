"""How many: outcomes by status, problems by severity, and the amounts that a verdict names."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from toolproof.records import record
from toolproof.report.collection import AnyReport, runs_of
from toolproof.report.section import Outcome, PhaseName, Reason, Severity, Status
from toolproof.text import count

NOT_COUNTED = frozenset({"evals.open", "fuzz.note", "fuzz.skipped", "tests.flaky", "tests.skipped"})
"""Types of reasons that say something and are no problem."""


@record(kw_only=True)
class Totals:
    """How many outcomes there are of each status."""

    passed: int = 0
    warned: int = 0
    failed: int = 0
    errored: int = 0
    skipped: int = 0

    @property
    def all(self) -> int:
        """How many there are at all."""
        return self.passed + self.warned + self.failed + self.errored + self.skipped

    def __add__(self, other: "Totals") -> "Totals":
        return Totals(
            passed=self.passed + other.passed,
            warned=self.warned + other.warned,
            failed=self.failed + other.failed,
            errored=self.errored + other.errored,
            skipped=self.skipped + other.skipped,
        )


def totals_of(outcomes: Iterable[Outcome]) -> Totals:
    """The totals of some outcomes."""
    counted = Counter(outcome.status for outcome in outcomes)
    return Totals(
        passed=counted[Status.PASSED],
        warned=counted[Status.WARNED],
        failed=counted[Status.FAILED],
        errored=counted[Status.ERRORED],
        skipped=counted[Status.SKIPPED],
    )


def totals_by_phase(report: AnyReport) -> dict[str, Totals]:
    """The totals of each phase that ran, over all servers, in the order of the phases."""
    found: dict[str, Totals] = {}
    for run in runs_of(report):
        for phase, outcomes in run.groups:
            found[phase] = found.get(phase, Totals()) + totals_of(outcomes)
    return found


def is_problem(reason: Reason) -> bool:
    """Whether a reason counts: it is open, and not just something worth knowing."""
    return reason.known is None and reason.type not in NOT_COUNTED


def problems_by_severity(report: AnyReport) -> dict[Severity, int]:
    """How many open problems there are of each severity, in all phases."""
    counted = Counter(
        reason.severity
        for run in runs_of(report)
        for _, outcomes in run.groups
        for outcome in outcomes
        if outcome.status is not Status.SKIPPED
        for reason in outcome.reasons
        if is_problem(reason)
    )
    return {severity: counted[severity] for severity in Severity}


def known_in(report: AnyReport) -> int:
    """How many problems the baseline lets pass."""
    return sum(
        reason.known is not None
        for run in runs_of(report)
        for _, outcomes in run.groups
        for outcome in outcomes
        for reason in outcome.reasons
    )


def found_words(report: AnyReport) -> str:
    """What was found, for a heading: "2 errors, 1 warning"; infos only where there is nothing else."""
    severities = problems_by_severity(report)
    worse = {
        severity: n for severity, n in severities.items() if severity is not Severity.INFO and n
    }
    return ", ".join(count(number, str(severity)) for severity, number in worse.items())


def amounts(report: AnyReport) -> Sequence[str]:
    """How much was judged, in words: "14 tools", "22 tests", "1,204 fuzz calls"."""
    amount: Counter[str] = Counter()
    for run in runs_of(report):
        for section in run.sections:
            noun, size = _AMOUNTS[section.phase]
            number = size(section)
            if number or section.phase is not PhaseName.CHECKS or len(run.sections) == 1:
                amount[noun] += number  # no tools were checked if only what the wire saw is told
    return [count(number, noun) for noun, number in amount.items()]


_AMOUNTS: Mapping[PhaseName, tuple[str, Callable[[Any], int]]] = {
    PhaseName.CHECKS: ("tool", lambda section: len(section.tools)),
    PhaseName.PROTOCOL: ("probe", lambda section: len(section.probes)),
    PhaseName.TESTS: ("test", lambda section: len(section.results)),
    PhaseName.EVALS: ("eval case", lambda section: len(section.cases)),
    PhaseName.BENCH: ("bench call", lambda section: sum(r.calls for r in section.results)),
    PhaseName.FUZZ: ("fuzz call", lambda section: sum(r.calls for r in section.results)),
}
