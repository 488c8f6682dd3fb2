"""Small reports with problems of every phase, and what a baseline makes of them."""

from collections.abc import Callable
from dataclasses import replace
from datetime import date
from typing import Any

from toolproof.finish.baseline import (
    Baseline,
    entry_of,
    held_against,
)
from toolproof.finish.fingerprint import named_server, with_fingerprints
from toolproof.finish.problems import problems_of
from toolproof.report import (
    AnyReport,
    BenchResult,
    BenchSection,
    Check,
    CheckSection,
    EvalSection,
    Failure,
    FuzzFinding,
    FuzzResult,
    FuzzSection,
    InputMode,
    Problem,
    ProtocolSection,
    RunReport,
    Section,
    Severity,
    ToolTestResult,
    ToolTestSection,
    runs_of,
)
from toolproof.report.fingerprint import fingerprint

TODAY = date(2026, 12, 1)


def no_rule_is_live(_rule: str) -> bool:
    return False


def report(*sections: Section, **more: Any) -> RunReport:
    return with_fingerprints(
        RunReport(**{"duration_s": 1.0, "alias": "weather", "sections": sections, **more})
    )


def cases(*failed: str, passed: tuple[str, ...] = (), **more: Any) -> ToolTestSection:
    results = [
        ToolTestResult(name=name, tool="t", details=(Failure(message="no"), Failure(message="nor")))
        for name in failed
    ]
    results += [ToolTestResult(name=name, tool="t") for name in passed]
    return ToolTestSection(results=tuple(results), **more)


def problem(tool: str, rule: str = "name-dot", severity: Severity = Severity.ERROR) -> Problem:
    return Problem(
        tool=tool, check=Check.NAME, severity=severity, message="m", rule=rule,
        fingerprint=fingerprint("checks", rule, "weather", tool),
    )  # fmt: skip


def checks(*problems: Problem, tools: tuple[str, ...] = ("a", "b"), **more: Any) -> CheckSection:
    return CheckSection(tools=tools, problems=problems, **more)


def target(name: str, *failures: str) -> BenchResult:
    return BenchResult(
        name=name, tool="t", calls=1, concurrency=1, errors=0, throughput=1, p50_ms=1, p95_ms=1,
        p99_ms=1, mean_ms=1, max_ms=1, failures=failures,
    )  # fmt: skip


def finding(kind: str, detail: str = "it ended") -> FuzzFinding:
    return FuzzFinding(kind=kind, mode=InputMode.VALID, input={}, detail=detail)


def known(found: AnyReport, reason: str = "planted", **more: Any) -> Baseline:
    """A baseline of everything that a report has."""
    entries = [
        replace(entry_of(one, named_server(run)), reason=reason, **more)
        for run in runs_of(found)
        for one in problems_of(run)
    ]
    return Baseline(name="b.yaml", entries=tuple(entries))


def held(
    found: AnyReport,
    baseline: Baseline,
    *,
    only_new: bool = False,
    live: Callable[[str], bool] = no_rule_is_live,
) -> Any:
    return held_against(found, baseline, today=TODAY, live=live, only_new=only_new)


EVERYTHING = report(
    checks(problem("a"), problem("*", "tool-count", Severity.WARNING)),
    cases("one", passed=("two",)),
    EvalSection(provider="command", model="m", min_accuracy=1.0, min_accuracy_lower=0.5, answers=4),
    BenchSection(results=(target("fast"), target("slow", "p50 is 2 ms, the limit is 1 ms"))),
    FuzzSection(seed=1, results=(FuzzResult(tool="a", findings=(finding("crash"),)),)),
    ProtocolSection(),
)
