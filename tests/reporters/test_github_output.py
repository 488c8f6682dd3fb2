"""`$GITHUB_OUTPUT`: read as the runner reads it, whatever a value holds."""

import re
from typing import Any

from hypothesis import given

from tests.reports import any_reports, said
from tests.workflow_files import parse_pairs
from toolproof.report import (
    AnyReport,
    Check,
    CheckSection,
    FuzzFinding,
    FuzzResult,
    FuzzSection,
    InputMode,
    Problem,
    RunReport,
    Severity,
)
from toolproof.reporters.github_output import github_output

NAMES = [
    *("outcome", "exit-code", "tests", "passed", "failed", "errors", "skipped", "check-errors"),
    *("check-warnings", "check-infos", "fuzz-findings", "seed", "junit-path", "json-path"),
    *("html-path", "sarif-path", "summary-path", "version"),
]


@given(any_reports, said)
def test_the_runner_reads_every_output(report: AnyReport, path: str) -> None:
    pairs = parse_pairs(github_output(report, {"junit": path}))

    assert list(pairs) == NAMES
    assert pairs["exit-code"] == str(report.exit_code)
    counts = [int(pairs[name]) for name in ("passed", "failed", "errors", "skipped")]
    assert sum(counts) == int(pairs["tests"])


def test_each_call_draws_a_delimiter_that_nobody_knows() -> None:
    report = RunReport(duration_s=1)

    first, second = (github_output(report, {}).split("\n")[0] for _ in range(2))

    assert re.fullmatch("outcome<<toolproof_[0-9a-f]{32}", first)
    assert first != second


def test_problems_and_findings_are_counted_without_the_known() -> None:
    def problem(severity: Severity, **more: Any) -> Problem:
        return Problem(tool="a", check=Check.NAME, severity=severity, message="m", rule="r", **more)

    finding = FuzzFinding(
        kind="slow", mode=InputMode.VALID, input={}, detail="d", severity=Severity.WARNING
    )
    report = RunReport(
        duration_s=1,
        seed=7,
        toolproof_version="1.0.0",
        sections=(
            CheckSection(
                tools=("a",),
                problems=(
                    problem(Severity.ERROR),
                    problem(Severity.ERROR, known="k"),
                    problem(Severity.WARNING),
                    problem(Severity.INFO),
                ),
            ),
            FuzzSection(seed=7, results=(FuzzResult(tool="a", findings=(finding,)),)),
        ),
    )

    pairs = parse_pairs(github_output(report, {"json": "out/report.json"}))

    assert [pairs[f"check-{kind}"] for kind in ("errors", "warnings", "infos")] == ["1", "1", "1"]
    assert pairs["fuzz-findings"] == "1"
    assert (pairs["outcome"], pairs["seed"], pairs["version"]) == ("failed", "7", "1.0.0")
    assert (pairs["json-path"], pairs["html-path"]) == ("out/report.json", "")
    assert (pairs["tests"], pairs["failed"], pairs["passed"]) == ("2", "1", "1")
