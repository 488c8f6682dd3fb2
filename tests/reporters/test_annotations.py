"""Annotations: what the runner keeps of them, against the runner's own parser."""

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.reports import any_reports, problem
from tests.workflow_commands import LogReader
from toolproof.report import (
    AnyReport,
    Check,
    CheckSection,
    Collection,
    Failure,
    Place,
    RuleCard,
    RunReport,
    Section,
    Severity,
    ToolTestResult,
    ToolTestSection,
)
from toolproof.report.totals import problems_by_severity
from toolproof.reporters import annotations

LEVELS = {"error": Severity.ERROR, "warning": Severity.WARNING, "notice": Severity.INFO}


def seen(report: AnyReport, **options: Any) -> LogReader:
    reader = LogReader("")
    reader.read(annotations.render(report, **options))
    return reader


def run(*sections: Section, **more: Any) -> RunReport:
    return RunReport(duration_s=1.0, alias="weather", sections=sections, **more)


@given(any_reports, st.integers(0, 12))
def test_the_runner_keeps_every_annotation_and_obeys_nothing_else(
    report: AnyReport, most: int
) -> None:
    reader = seen(report, max_annotations=most)

    assert not reader.dropped
    assert not reader.failures
    assert all(command.name in LEVELS for command in reader.commands)
    for level in LEVELS:
        assert sum(one.level == level for one in reader.annotations) <= min(most, 10)
    for one in reader.annotations:
        assert one.title
        assert len(one.title) <= 100
        assert len(one.message) <= 1000
        assert (one.file is None) == (one.line is None)


@given(any_reports)
def test_every_line_is_one_command_at_column_zero(report: AnyReport) -> None:
    *lines, end = re.split("\r\n|\r|\n", annotations.render(report))

    assert end == ""
    assert all(
        re.match("::(?:error|warning|notice) title=|::(?:error|warning) file=", x) for x in lines
    )


def test_an_annotation_says_what_is_wrong_where_and_what_to_do() -> None:
    card = RuleCard(
        id="schema-invalid", check=Check.INPUT_SCHEMA, title="", severity=Severity.ERROR, why="",
        fix="", source="", url="https://example.org/schema-invalid.md",
    )  # fmt: skip
    place = Place("src/a,b:c.py", 41, "definition")
    flaw = problem(pointer="/inputSchema", fix='write "string"', place=place)
    [one] = seen(run(CheckSection(tools=(), problems=(flaw,), rules=(card,)))).annotations

    assert (one.level, one.file, one.line) == ("error", "src/a,b:c.py", 41)
    assert one.title == "get_forecast · schema-invalid"
    assert one.message == (
        "'strng' is no type, at /inputSchema\nwrite \"string\"\nhttps://example.org/schema-invalid.md"
    )


def test_a_test_says_how_to_repeat_it() -> None:
    test = ToolTestResult(
        name="rejects bad date",
        tool="a",
        details=(Failure(message="wrong", expected="1", got="2"),),
        repeat='toolproof run -k "rejects bad date"',
        place=Place("toolproof.yaml", 19),
    )
    [one] = seen(run(ToolTestSection(results=(test,)))).annotations

    assert one.title == "rejects bad date · test"
    assert one.message == (
        'wrong\nexpected: 1\ngot: 2\nrepeat: toolproof run -k "rejects bad date"'
    )


def test_problems_on_one_tool_and_rule_are_one() -> None:
    problems = tuple(problem(message=f"m{n}", pointer=f"/p{n}") for n in range(4))
    [one] = seen(run(CheckSection(tools=(), problems=problems))).annotations

    assert one.message == "m0, at /p0 (and 3 more)"


@pytest.mark.parametrize(
    ("number", "most", "single", "rolled_up"),
    [
        (1, 10, 1, None),
        (10, 10, 10, None),
        (11, 10, 9, "…and 2 more errors: see the job summary"),
        (5000, 10, 9, "…and 4,991 more errors: see the job summary"),
        (5, 3, 2, "…and 3 more errors: see the job summary"),
        (2, 1, 0, "2 errors: see the job summary"),
        (5, 0, 0, None),
    ],
)
def test_above_the_cap_one_rolls_up_the_rest_with_the_exact_number(
    number: int, most: int, single: int, rolled_up: str | None
) -> None:
    problems = tuple(problem(f"t{n}") for n in range(number))
    found = seen(run(CheckSection(tools=(), problems=problems)), max_annotations=most).annotations

    assert len(found) == single + (rolled_up is not None)
    if rolled_up:
        assert (found[-1].message, found[-1].file) == (rolled_up, None)


def test_they_are_sorted_by_file_and_line_and_the_end_of_the_run_comes_first() -> None:
    problems = (
        problem("c"),
        problem("b", place=Place("b.py", 1)),
        problem("a", place=Place("a.py", 10)),
        problem("z", place=Place("a.py", 9)),
    )
    report = run(CheckSection(tools=(), problems=problems), error="gone")

    titles = [one.title for one in seen(report).annotations]

    assert titles == ["server start"] + [f"{tool} · schema-invalid" for tool in "zabc"]


def test_infos_are_one_notice_and_known_problems_none() -> None:
    problems = (
        *(problem(f"t{n}", severity=Severity.INFO) for n in range(12)),
        problem("k", known="waits"),
    )
    [one] = seen(run(CheckSection(tools=(), problems=problems))).annotations

    assert (one.level, one.message) == ("notice", "12 infos: see the job summary")


@pytest.mark.parametrize("file", ["/etc/passwd", "../x.py", "a/../../x.py", "", " =", "\t"])
def test_a_place_outside_the_workspace_is_left_out(file: str) -> None:
    [one] = seen(run(CheckSection(tools=(), problems=(problem(place=Place(file, 3)),)))).annotations

    assert one.file is None


def test_servers_of_a_collection_are_told_apart() -> None:
    one = run(CheckSection(tools=(), problems=(problem(),)))

    [first] = seen(Collection((one, run(CheckSection(tools=("a",)))))).annotations
    assert first.title == "weather/get_forecast · schema-invalid"


@given(any_reports)
def test_counts_add_up_to_all_problems(report: AnyReport) -> None:
    found = seen(report).annotations

    totals = problems_by_severity(report)
    for level, severity in LEVELS.items():
        told = [one for one in found if one.level == level]
        assert bool(told) == bool(totals[severity])


def test_azure_gets_absolute_places_and_no_infos() -> None:
    problems = (
        problem(place=Place("src/a;b].py", 4), message="50% of\n[x]"),
        problem("w", severity=Severity.WARNING),
        problem("i", severity=Severity.INFO),
    )
    report = run(CheckSection(tools=(), problems=problems))

    first = "type=error;sourcepath=/w/src/a%3Bb%5D.py;linenumber=4;"
    assert annotations.render(report, flavour="azure", workspace="/w/").split("\n") == [
        f"##vso[task.logissue {first}]get_forecast · schema-invalid: 50%AZP25 of%0A[x%5D",
        "##vso[task.logissue type=warning;]w · schema-invalid: 'strng' is no type",
        "",
    ]


@given(any_reports)
def test_azure_sees_one_command_a_line(report: AnyReport) -> None:
    text = annotations.render(report, flavour="azure", workspace="/w")

    for line in text.split("\n")[:-1]:
        assert re.fullmatch(r"##vso\[task\.logissue (?:[a-z]+=[^;\]]*;)+\][^;\]\r\n]*", line)
