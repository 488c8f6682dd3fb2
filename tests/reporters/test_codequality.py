"""GitLab's code quality: an array that it takes whole, one entry per fingerprint."""

import json
from typing import Any

from hypothesis import given

from tests.reports import any_reports
from toolproof.report import (
    AnyReport,
    Check,
    CheckSection,
    Failure,
    FuzzFinding,
    FuzzResult,
    FuzzSection,
    InputMode,
    Place,
    Problem,
    RunReport,
    Severity,
    ToolTestResult,
    ToolTestSection,
)
from toolproof.reporters import codequality

KEYS = {"description", "check_name", "fingerprint", "severity", "location"}


def read(report: AnyReport) -> Any:
    return json.loads(codequality.render(report))


@given(any_reports)
def test_every_entry_has_what_gitlab_asks_for(report: AnyReport) -> None:
    entries = read(report)

    for entry in entries:
        assert entry.keys() == KEYS
        assert entry["severity"] in {"info", "minor", "major", "critical"}
        assert entry["location"]["lines"]["begin"] >= 1
        assert not entry["location"]["path"].startswith("./")
    assert len({entry["fingerprint"] for entry in entries}) == len(entries)


def test_all_well_is_an_empty_array() -> None:
    report = RunReport(duration_s=1, sections=(CheckSection(tools=("a",)),))

    assert codequality.render(report) == "[]\n"


def test_severities_are_mapped_and_crashes_are_critical() -> None:
    problems = tuple(
        Problem(
            tool=f"t{severity}",
            check=Check.NAME,
            severity=severity,
            message="m",
            rule="r",
            place=Place("./s.py", 3),
        )
        for severity in Severity
    )
    known = Problem(
        tool="k", check=Check.NAME, severity=Severity.ERROR, message="m", rule="r", known=""
    )
    finding = FuzzFinding(kind="crash", mode=InputMode.VALID, input={}, detail="d")
    failed = ToolTestResult(name="t", tool="a", details=(Failure(message="m"),))
    report = RunReport(
        duration_s=1,
        sections=(
            CheckSection(tools=(), problems=(*problems, known)),
            ToolTestSection(results=(failed,)),
            FuzzSection(seed=1, results=(FuzzResult(tool="f", findings=(finding,)),)),
        ),
    )

    entries = read(report)

    assert [(entry["severity"], entry["description"]) for entry in entries] == [
        ("major", "terror: m"),
        ("critical", "f: crash on valid input {}: d"),
        ("minor", "twarning: m"),
        ("info", "tinfo: m"),
    ]
    assert entries[0]["location"] == {"path": "s.py", "lines": {"begin": 3}}


def test_what_ended_the_run_is_an_entry() -> None:
    report = RunReport(duration_s=1, error="gone", error_place=Place("toolproof.yaml", 2))

    [entry] = read(report)

    assert (entry["check_name"], entry["description"]) == ("server start", "gone")
    assert entry["location"] == {"path": "toolproof.yaml", "lines": {"begin": 2}}
