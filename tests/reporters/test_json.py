"""JSON: the document as any reader takes it, and what gives way when it is too long."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.reports import any_reports, values
from toolproof.report import (
    Answer,
    AnyReport,
    CallResult,
    Collection,
    Failure,
    FuzzFinding,
    FuzzResult,
    FuzzSection,
    InputMode,
    RunReport,
    ServerInfo,
    Tool,
    ToolTestResult,
    ToolTestSection,
)
from toolproof.report.document import run_document
from toolproof.report.values import plain
from toolproof.reporters.json import render, render_inspect
from toolproof.reporters.json_text import json_document


def large() -> RunReport:
    answer = Answer({"content": [{"type": "text", "text": "t" * 3000}]})
    result = CallResult(tool="a", arguments={}, latency_ms=1.0, reply=answer)
    finding = FuzzFinding(
        kind="crash", mode=InputMode.VALID, input={}, detail="d" * 9000, stderr="e" * 3000
    )
    return RunReport(
        duration_s=1.0,
        server_stderr="e" * 3000,
        sections=(
            ToolTestSection(
                results=(
                    *(ToolTestResult(name=f"t{n}", tool="a", result=result) for n in range(30)),
                    ToolTestResult(
                        name="f",
                        tool="a",
                        details=(Failure(message="m"),),
                        result=result,
                        server_stderr="e" * 3000,
                    ),
                )
            ),
            FuzzSection(seed=1, results=(FuzzResult(tool="a", findings=(finding,)),)),
        ),
    )


@given(any_reports)
def test_the_text_is_the_document(report: AnyReport) -> None:
    text = render(report)

    assert json.loads(text) == json.loads(json.dumps(run_document(report)))
    assert text.startswith('{\n  "schema_version": "1.0",\n  "toolproof": ')
    assert text.endswith("}\n")


@given(values.map(lambda value: plain(value)[0]))
def test_it_is_laid_out_as_people_know_it(value: Any) -> None:
    ours = json_document(value).split("\n")
    theirs = json.dumps(value, indent=2, ensure_ascii=False).split("\n")

    assert json.loads("\n".join(ours)) == json.loads("\n".join(theirs))
    assert [len(line) - len(line.lstrip(" ")) for line in ours[:-1]] == [
        len(line) - len(line.lstrip(" ")) for line in theirs
    ]


@given(st.integers(0, 60), st.integers(0, 3))
def test_long_lists_are_written_as_short_ones(number: int, depth: int) -> None:
    value: Any = {"a": [{"b": n, "c": [None, True, 1.5]} for n in range(number)], "d": {}, "e": []}
    for _ in range(depth):
        value = {"reports": [value]}

    assert json_document(value) == json.dumps(value, indent=2) + "\n"


@pytest.mark.parametrize("number", [float("nan"), float("inf"), -float("inf")])
def test_what_json_has_no_word_for_is_never_written(number: float) -> None:
    with pytest.raises(ValueError):
        json_document({"a": number})


@pytest.mark.parametrize(
    ("most", "said"),
    [
        (1_000_000, []),
        (130_000, ["what servers wrote to stderr is left out"]),
        (
            40_000,
            [
                "what servers wrote to stderr is left out",
                "results of tests that passed are left out",
            ],
        ),
        (
            1,
            [
                "what servers wrote to stderr is left out",
                "results of tests that passed are left out",
                "texts over 4 KB are cut",
            ],
        ),
    ],
)
def test_the_least_important_gives_way_and_it_is_said(most: int, said: list[str]) -> None:
    document = json.loads(render(large(), most_bytes=most))

    assert document.get("shortened", []) == said
    assert len(document["tests"]) == 31
    assert document["tests"][-1]["result"] is not None
    assert (document["server_stderr"] == "") == bool(said)


def test_each_run_of_a_collection_says_what_is_left_out() -> None:
    document = json.loads(render(Collection((large(), large())), most_bytes=80_000))

    assert [len(run["shortened"]) for run in document["reports"]] == [2, 2]


def test_inspecting_prints_definitions_that_no_reader_chokes_on() -> None:
    info = ServerInfo(
        tools=(Tool({"name": "a", "description": "##[error]\u202e😀", "n": float("nan")}),)
    )

    text = render_inspect(RunReport(duration_s=1.0), info)

    assert json.loads(text)["tools"][0]["description"] == "##[error]\u202e😀"
    assert '"#\\u0023[error]\\u202e\\ud83d\\ude00"' in text
