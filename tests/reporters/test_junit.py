"""JUnit XML: well-formed whatever a server says, a case per outcome, and readable by every CI."""

import re
import xml.etree.ElementTree as ET
from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.reports import any_reports
from toolproof.report import (
    AnyReport,
    BenchSection,
    Check,
    CheckSection,
    Collection,
    Failure,
    FuzzFinding,
    FuzzResult,
    FuzzSection,
    InputMode,
    Place,
    Problem,
    RunReport,
    Section,
    ServerInfo,
    Severity,
    Status,
    ToolTestResult,
    ToolTestSection,
    runs_of,
)
from toolproof.reporters import junit

CHILDREN = {"failure", "error", "skipped"}


def read(report: AnyReport, **options: Any) -> ET.Element:
    return ET.fromstring(junit.render(report, **options).encode())


def outcomes(report: AnyReport, *statuses: Status) -> int:
    return sum(
        outcome.status in (statuses or tuple(Status))
        for run in runs_of(report)
        for _, found in run.groups
        for outcome in found
    )


def problem(**more: Any) -> Problem:
    given: dict[str, Any] = {
        "tool": "a",
        "check": Check.INPUT_SCHEMA,
        "severity": Severity.ERROR,
        "message": "'strng' is no type",
        "rule": "schema-invalid",
    }
    return Problem(**(given | more))


def run(*sections: Section, **more: Any) -> RunReport:
    return RunReport(
        duration_s=1.0,
        started="2026-11-30T21:00:00Z",
        alias="weather",
        toolproof_version="1.0.0",
        sections=sections,
        **more,
    )


def check_structure(root: ET.Element, *, strict: bool) -> None:
    """What both the XSD of Ant and that of Jenkins ask for, and what they do not know."""
    assert root.tag == "testsuites"
    if strict:
        assert not root.attrib
    for index, suite in enumerate(root):
        assert suite.tag == "testsuite"
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d", suite.get("timestamp", ""))
        assert suite.get("hostname") == "localhost"
        assert (suite.get("id"), suite.get("package")) == (str(index), "toolproof")
        assert suite.get("name")
        tags = [child.tag for child in suite]
        cases = len(suite.findall("testcase"))
        assert tags == ["properties", *["testcase"] * cases, "system-out", "system-err"]
        for child in suite.iterfind("properties/property"):
            assert child.get("name")
            assert child.get("value") is not None
        for case in suite.iterfind("testcase"):
            allowed = {"name", "classname", "time"} | (set() if strict else {"file", "line"})
            assert set(case.attrib) <= allowed
            assert case.get("name")
            found = [child.tag for child in case]
            assert len([tag for tag in found if tag in CHILDREN]) <= 1
            assert set(found) <= CHILDREN | (set() if strict else {"system-out"})
            for child in case.iterfind("failure"):
                assert child.get("type")
                assert child.get("message")
                assert child.text is not None
            for child in case.iterfind("skipped"):
                assert set(child.attrib) <= ({"message"} if strict else {"message", "type"})


@given(any_reports)
def test_any_report_is_well_formed_with_a_case_per_outcome(report: AnyReport) -> None:
    root = read(report)

    check_structure(root, strict=False)
    assert len(root.findall("*/testcase")) == outcomes(report)
    assert len(root.findall("*/testcase/failure")) == outcomes(report, Status.FAILED)
    assert len(root.findall("*/testcase/error")) == outcomes(report, Status.ERRORED)
    assert len(root.findall("*/testcase/skipped")) == outcomes(report, Status.SKIPPED)


@given(any_reports)
def test_the_strict_form_has_only_what_the_schemas_know(report: AnyReport) -> None:
    root = read(report, strict=True)

    check_structure(root, strict=True)
    assert len(root.findall("*/testcase")) == outcomes(report)


@given(any_reports)
def test_counts_are_those_of_the_cases(report: AnyReport) -> None:
    root = read(report)

    for holder in (root, *root):
        for count, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
            assert int(holder.get(count, "-1")) == len(list(holder.iter(tag)))
        assert int(holder.get("tests", "-1")) == len(list(holder.iter("testcase")))


@given(any_reports)
def test_no_two_cases_have_one_name(report: AnyReport) -> None:
    root = read(report)

    named = Counter((case.get("classname"), case.get("name")) for case in root.iter("testcase"))
    assert not [name for name, number in named.items() if number > 1]
    assert all(
        re.fullmatch(r"toolproof\.[\w-]+\.[\w-]+", name or "", re.ASCII) for name, _ in named
    )


@given(any_reports)
def test_times_are_plain_decimals_and_suites_sum_them(report: AnyReport) -> None:
    root = read(report)

    times = [element.get("time") or "" for element in (root, *root, *root.iter("testcase"))]
    assert all(re.fullmatch(r"\d+\.\d{3}", time) for time in times)
    for suite in root:
        total = sum(float(case.get("time") or 0) for case in suite.iter("testcase"))
        assert float(suite.get("time") or 0) == pytest.approx(total, abs=1e-2)


@given(any_reports)
def test_the_text_of_a_failure_begins_with_what_is_wrong(report: AnyReport) -> None:
    for child in read(report).iter("failure"):
        message, text = child.get("message") or "", child.text or ""
        assert len(message) <= 560
        first = text.split("\n")[0]
        assert message.startswith(first[:100].replace("\t", " ").rstrip()) or not first


def test_a_clean_tool_shows_as_passed_and_a_flawed_one_says_all() -> None:
    section = CheckSection(
        tools=("a", "b"),
        problems=(
            problem(
                pointer="/inputSchema/type",
                fix='write "string"',
                place=Place("server.py", 41, "definition"),
            ),
            problem(
                rule="required-none", severity=Severity.WARNING, message="no field is required"
            ),
        ),
    )
    [suite] = read(run(section))
    a, b = suite.iter("testcase")

    assert suite.get("name") == "static checks"
    assert (a.get("classname"), a.get("name")) == ("toolproof.checks.weather", "a")
    assert (a.get("file"), a.get("line")) == ("server.py", "41")
    assert list(b) == []
    failure = a.find("failure")
    assert failure is not None
    assert failure.get("type") == "checks.schema-invalid"
    assert failure.get("message") == "'strng' is no type, at /inputSchema/type (and 1 more)"
    assert (failure.text or "").split("\n") == [
        "'strng' is no type",
        "server.py:41",
        "rule: schema-invalid (error)",
        "pointer: /inputSchema/type",
        'fix: write "string"',
        "",
        "no field is required",
        "rule: required-none (warning)",
    ]


def test_warnings_alone_pass_and_stand_in_the_output() -> None:
    section = CheckSection(tools=("a",), problems=(problem(severity=Severity.WARNING),))
    [case] = read(run(section)).iter("testcase")

    assert [child.tag for child in case] == ["system-out"]
    assert case.findtext("system-out") == "warning schema-invalid: 'strng' is no type"
    [strict] = read(run(section), strict=True)
    assert strict.findtext("system-out") == "a\nwarning schema-invalid: 'strng' is no type"


def test_a_known_problem_is_skipped_with_its_reason() -> None:
    section = CheckSection(tools=("a",), problems=(problem(known="waits for SDK 3"),))
    [skipped] = read(run(section)).iter("skipped")

    assert skipped.get("message") == "known: waits for SDK 3"


def test_a_flaky_test_says_how_many_attempts_it_took() -> None:
    test = ToolTestResult(name="t", tool="a", attempts=2, earlier=("cold cache",))
    [case] = read(run(ToolTestSection(results=(test,)))).iter("testcase")

    assert "flaky: passed at attempt 2; before: cold cache" in (case.findtext("system-out") or "")
    assert "attempts: 2" in (case.findtext("system-out") or "")


def test_expected_got_and_the_repeat_command_are_in_the_text() -> None:
    test = ToolTestResult(
        name="t",
        tool="a",
        details=(Failure(message="not equal", expected='{"a": 1}', got='{"a": 2}'),),
        repeat='toolproof run -k "t"',
        server_stderr="boom\n",
    )
    [failure] = read(run(ToolTestSection(results=(test,)))).iter("failure")

    text = failure.text or ""
    assert 'expected:\n{"a": 1}\ngot:\n{"a": 2}\nrepeat: toolproof run -k "t"' in text
    assert text.endswith("stderr:\nboom\n")


def test_what_ended_the_run_is_an_error_of_its_own() -> None:
    report = run(error="no such command", hint="Install it.", server_stderr="sh: x: not found")
    [suite] = read(report)
    [case] = suite.iter("testcase")

    assert (suite.get("name"), case.get("name")) == ("toolproof", "server start")
    assert case.find("error") is not None
    assert "sh: x: not found" in (suite.findtext("system-err") or "")


def test_a_run_that_tested_nothing_is_no_green_one() -> None:
    [suite] = read(run())

    assert suite.get("errors") == "1"


def test_twins_are_told_apart_and_a_tool_may_be_named_like_a_twin() -> None:
    results = tuple(ToolTestResult(name=name, tool="t") for name in ("a", "a", "a (2)", "a"))
    names = [
        case.get("name") for case in read(run(ToolTestSection(results=results))).iter("testcase")
    ]

    assert names == ["a", "a (2)", "a (2) (2)", "a (3)"]


def test_several_servers_share_a_suite_and_differ_in_classname() -> None:
    first, second = run(CheckSection(tools=("a",))), run(CheckSection(tools=("a",)))
    [suite] = read(
        Collection((first, RunReport(duration_s=1, alias="b.c", sections=second.sections)))
    )

    assert [case.get("classname") for case in suite.iter("testcase")] == [
        "toolproof.checks.weather",
        "toolproof.checks.b_c",
    ]


def test_names_do_not_depend_on_the_seed() -> None:
    def names(seed: int) -> list[str | None]:
        finding = FuzzFinding(kind="crash", mode=InputMode.VALID, input={"n": seed}, detail="d")
        section = FuzzSection(seed=seed, results=(FuzzResult(tool="a", findings=(finding,)),))
        return [case.get("name") for case in read(run(section, seed=seed)).iter("testcase")]

    assert names(1) == names(2) == ["a"]


def test_the_properties_name_version_server_protocol_seed_and_config() -> None:
    report = run(
        BenchSection(),
        seed=7,
        config_file="ci/toolproof.yaml",
        server=ServerInfo(protocol="2025-11-25"),
    )
    found = {p.get("name"): p.get("value") for p in read(report).iter("property")}

    assert found == {
        "toolproof.version": "1.0.0",
        "server": "weather",
        "protocol": "2025-11-25",
        "seed": "7",
        "config": "ci/toolproof.yaml",
    }


def test_a_long_text_gives_way_and_no_case_does() -> None:
    section = CheckSection(
        tools=(),
        problems=tuple(problem(tool=f"t{n}", message=f"{n}{'x' * 3000}") for n in range(200)),
    )
    whole = junit.render(run(section))
    for most in (500_000, 150_000, 100_000, 1):
        text = junit.render(run(section), most_bytes=most)
        assert len(ET.fromstring(text).findall("*/testcase/failure")) == 200
        assert len(text) <= max(most, len(whole) // 5)


@pytest.mark.parametrize("strict", [True, False])
def test_bytes_that_xml_cannot_hold_are_shown(strict: bool) -> None:
    hostile = '\x1b[31mred\x1b[0m \x00 \x0b \ufffe \ud800 <&>"]]>'
    test = ToolTestResult(name="t-echo", tool="echo", details=(Failure(message=hostile),))

    [failure] = read(run(ToolTestSection(results=(test,))), strict=strict).iter("failure")

    assert failure.get("message") == 'red \\u{0} \\u{B} \\u{FFFE} \\u{D800} <&>"]]>'


@given(any_reports, st.booleans())
def test_junitparser_counts_what_the_file_says(report: AnyReport, strict: bool) -> None:
    """A reader that many tools are built on."""
    junitparser = pytest.importorskip("junitparser", reason="needs the package junitparser")

    read_ = junitparser.JUnitXml.fromstring(junit.render(report, strict=strict).encode())

    suites = list(read_)
    cases = [case for suite in suites for case in suite]
    assert sum(suite.tests for suite in suites) == len(cases)
    for kind, count in (("Failure", "failures"), ("Error", "errors"), ("Skipped", "skipped")):
        found = [case for case in cases if any(type(r).__name__ == kind for r in case.result)]
        assert len(found) == sum(getattr(suite, count) for suite in suites)
