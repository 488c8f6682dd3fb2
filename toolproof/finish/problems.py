"""Everything in a report that a baseline can let pass, one by one."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from toolproof.finish.fingerprint import GATE, LIMIT
from toolproof.report import (
    BenchResult,
    BenchSection,
    CheckSection,
    EvalSection,
    FuzzFinding,
    FuzzSection,
    PhaseName,
    Problem,
    RunReport,
    Section,
    Severity,
    ToolTestResult,
    ToolTestSection,
)

Why = Callable[[str], str | None]
"""From the fingerprint of a problem to why it is let pass; None where it is not."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """One problem.

    Attributes:
        rule: The rule, or the kind of finding; empty for a test.
        subject: The tool, test, target or gate.
    """

    fingerprint: str
    phase: str
    rule: str
    subject: str
    severity: Severity
    pointer: str | None = None


def problems_of(run: RunReport) -> Iterator[Found]:
    """The problems of a run, those that are known included, in the order of the report."""
    for section in run.sections:
        yield from _problems(section)


def _problems(section: Section) -> Iterator[Found]:
    match section:
        case CheckSection():
            return (_broken_rule(problem) for problem in section.problems)
        case ToolTestSection():
            return (
                _failed(test.fingerprint, PhaseName.TESTS, "", test.name)
                for test in section.results
                if test.details
            )
        case EvalSection():
            return (
                _failed(section.fingerprints.get(name, ""), PhaseName.EVALS, GATE, name)
                for name in section.broken_gates
            )
        case BenchSection():
            return (
                _failed(target.fingerprint, PhaseName.BENCH, LIMIT, target.name)
                for target in section.results
                if target.failures
            )
        case FuzzSection():
            return (
                _shown_by(finding, tool.tool)
                for tool in section.results
                for finding in tool.findings
            )
        case _:
            return iter(())


def _broken_rule(problem: Problem) -> Found:
    return Found(
        fingerprint=problem.fingerprint,
        phase=PhaseName.CHECKS,
        rule=problem.rule,
        subject=problem.tool,
        pointer=problem.pointer,
        severity=problem.severity,
    )


def _shown_by(finding: FuzzFinding, tool: str) -> Found:
    return Found(
        fingerprint=finding.fingerprint,
        phase=PhaseName.FUZZ,
        rule=finding.kind,
        subject=tool,
        severity=finding.severity,
    )


def _failed(fingerprint: str, phase: PhaseName, rule: str, subject: str) -> Found:
    return Found(
        fingerprint=fingerprint, phase=phase, rule=rule, subject=subject, severity=Severity.ERROR
    )


def with_known(run: RunReport, why: Why) -> RunReport:
    """The run with the reason of everything that is let pass, and of nothing else.

    Args:
        run: What was found.
        why: Asked once for each problem, in the order of the report.
    """
    return replace(run, sections=tuple(_known(section, why) for section in run.sections))


def _known(section: Section, why: Why) -> Section:
    match section:
        case CheckSection():
            problems = [replace(one, known=why(one.fingerprint)) for one in section.problems]
            return replace(section, problems=tuple(problems))
        case ToolTestSection():
            return replace(section, results=tuple(_known_test(one, why) for one in section.results))
        case EvalSection():
            marks = section.fingerprints
            reasons = {name: why(marks.get(name, "")) for name in section.broken_gates}
            known = {name: reason for name, reason in reasons.items() if reason is not None}
            return replace(section, known=known)
        case BenchSection():
            targets = [_known_target(one, why) for one in section.results]
            return replace(section, results=tuple(targets))
        case FuzzSection():
            tools = [
                replace(
                    tool,
                    findings=tuple(
                        replace(one, known=why(one.fingerprint)) for one in tool.findings
                    ),
                )
                for tool in section.results
            ]
            return replace(section, results=tuple(tools))
        case _:
            return section


def _known_test(test: ToolTestResult, why: Why) -> ToolTestResult:
    if not test.details:
        return test
    reason = why(test.fingerprint)
    return replace(test, details=tuple(replace(one, known=reason) for one in test.details))


def _known_target(target: BenchResult, why: Why) -> BenchResult:
    return replace(target, known=why(target.fingerprint)) if target.failures else target
