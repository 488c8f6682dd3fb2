"""SARIF: valid, every result with a place, and within what readers take."""

import json
from pathlib import Path
from typing import Any

import jsonschema
from hypothesis import given

from tests.reports import any_reports
from toolproof.report import (
    AnyReport,
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
    RuleCard,
    RunReport,
    Section,
    Severity,
    ToolTestResult,
    ToolTestSection,
    runs_of,
)
from toolproof.reporters import sarif

SCHEMA = json.loads(Path(__file__).with_name("sarif-2.1.0.schema.json").read_text("utf-8"))
VALIDATOR = jsonschema.Draft4Validator(SCHEMA)
CARD = RuleCard(
    id="schema-invalid",
    check=Check.INPUT_SCHEMA,
    title="Schema is not valid",
    severity=Severity.ERROR,
    why="Clients drop the tool.",
    fix="Correct it.",
    source="MCP 2026-07-28",
    url="https://github.com/toolproof/toolproof/blob/main/docs/rules/schema-invalid.md",
)


def problem(tool: str = "a", **more: Any) -> Problem:
    given: dict[str, Any] = {
        "check": Check.INPUT_SCHEMA,
        "severity": Severity.ERROR,
        "message": "'strng' is no type",
        "rule": "schema-invalid",
        "fingerprint": "9f3c0a1122334455",
    }
    return Problem(tool=tool, **(given | more))


def run(*sections: Section, **more: Any) -> RunReport:
    given: dict[str, Any] = {"alias": "weather", "toolproof_version": "1.0.0", "sections": sections}
    return RunReport(duration_s=1.0, **(given | more))


def read(report: AnyReport, **options: Any) -> Any:
    return json.loads(sarif.render(report, **options))


@given(any_reports)
def test_any_report_is_valid_and_every_result_has_a_place(report: AnyReport) -> None:
    document = read(report)

    VALIDATOR.validate(document)
    for one in document["runs"]:
        for result in one["results"]:
            [location] = result["locations"]
            assert location["physicalLocation"]["region"]["startLine"] >= 1
            assert one["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == result["ruleId"]
            assert "](" not in result["message"]["text"]


def test_a_problem_is_a_result_with_its_rule_and_its_place() -> None:
    section = CheckSection(
        tools=("a",),
        problems=(problem(place=Place("src/a b.py", 41), fix="Write string."),),
        rules=(CARD,),
    )
    [one] = read(run(section))["runs"]
    [result] = one["results"]

    assert one["automationDetails"] == {"id": "toolproof/weather/"}
    assert one["tool"]["driver"]["semanticVersion"] == "1.0.0"
    assert one["invocations"] == [{"executionSuccessful": True, "exitCode": 1}]
    assert result["level"] == "error"
    assert result["message"]["text"] == "'strng' is no type\nFix: Write string."
    assert result["locations"][0]["physicalLocation"] == {
        "artifactLocation": {"uri": "src/a%20b.py", "uriBaseId": "%SRCROOT%"},
        "region": {"startLine": 41},
    }
    assert result["locations"][0]["logicalLocations"] == [{"name": "a", "kind": "function"}]
    assert result["partialFingerprints"] == {"toolproof/v1": "9f3c0a1122334455"}
    [rule] = one["tool"]["driver"]["rules"]
    assert rule["helpUri"] == CARD.url
    assert rule["name"] == "SchemaInvalid"
    assert rule["properties"]["tags"] == ["mcp", "input-schema"]
    assert rule["defaultConfiguration"] == {"level": "error"}


def test_what_has_no_place_shows_at_the_config() -> None:
    [one] = read(run(CheckSection(tools=(), problems=(problem(),)), config_file="ci/t.yaml"))[
        "runs"
    ]

    where = one["results"][0]["locations"][0]["physicalLocation"]
    assert where["artifactLocation"]["uri"] == "ci/t.yaml"
    assert where["region"] == {"startLine": 1}


def test_known_problems_are_suppressed_with_their_reason() -> None:
    [one] = read(run(CheckSection(tools=(), problems=(problem(known="waits for SDK 3"),))))["runs"]

    assert one["results"][0]["suppressions"] == [
        {"kind": "external", "justification": "waits for SDK 3"}
    ]


def test_findings_of_the_fuzzer_are_told_and_tests_are_not() -> None:
    finding = FuzzFinding(kind="crash", mode=InputMode.VALID, input={}, detail="d", repeat="r")
    report = run(
        ToolTestSection(
            results=(ToolTestResult(name="t", tool="a", details=(Failure(message="m"),)),)
        ),
        FuzzSection(seed=1, results=(FuzzResult(tool="a", findings=(finding,), notes=("n",)),)),
    )
    [one] = read(report)["runs"]

    [result] = one["results"]
    assert result["ruleId"] == "crash"
    assert result["message"]["text"].endswith("\nRepeat: r")


def test_a_run_that_was_not_done_says_so() -> None:
    [one] = read(run(error="no such command"))["runs"]

    assert one["invocations"] == [
        {
            "executionSuccessful": False,
            "exitCode": 3,
            "toolExecutionNotifications": [
                {"level": "error", "message": {"text": "no such command"}}
            ],
        }
    ]


def test_the_worst_are_kept_and_the_rest_is_counted() -> None:
    warnings = tuple(problem(f"w{n}", severity=Severity.WARNING) for n in range(30))
    errors = tuple(problem(f"e{n}", message="x" * 900) for n in range(20))
    report = run(CheckSection(tools=(), problems=warnings + errors))

    [one] = read(report, most_results=25)["runs"]
    assert len(one["results"]) == 25
    assert [result["level"] for result in one["results"]] == ["error"] * 20 + ["warning"] * 5
    [note] = one["invocations"][0]["toolExecutionNotifications"]
    assert note["message"]["text"] == "25 more results are left out: see the other reports"
    assert len(read(report, most_gzipped=900)["runs"][0]["results"]) < 50


def test_twenty_servers_are_told() -> None:
    report = Collection(tuple(run(CheckSection(tools=("a",)), alias=f"s{n}") for n in range(22)))

    runs = read(report)["runs"]

    assert len(runs) == 20
    notes = runs[0]["invocations"][0]["toolExecutionNotifications"]
    assert notes[0]["message"]["text"] == "2 more servers are left out: see the other reports"
    assert len({one["automationDetails"]["id"] for one in runs}) == 20


@given(any_reports)
def test_there_is_a_run_for_each_server(report: AnyReport) -> None:
    assert len(read(report)["runs"]) == len(runs_of(report))
