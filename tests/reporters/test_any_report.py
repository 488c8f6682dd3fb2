"""What holds for every format, whatever a server says."""

import json
import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections.abc import Callable
from functools import cache, partial
from html.parser import HTMLParser
from typing import Any, NoReturn

import pytest
from hypothesis import given

from tests.reports import HOSTILE, any_reports, hostile_texts, report_saying
from tests.workflow_commands import LogReader
from toolproof.report import AnyReport, ErrorKind, RunReport
from toolproof.reporters import REPORTERS, annotations, console
from toolproof.reporters.json import render_inspect

Render = Callable[[AnyReport], str]

FORMATS: dict[str, Render] = {
    **{reporter.name: reporter.render for reporter in REPORTERS},
    "junit-strict": partial(REPORTERS[1].render, strict=True),
    "console": partial(console.render, terminal=False, color=False, verbose=1),
    "terminal": partial(console.render, terminal=True, color=False, verbose=1),
}
NAMES = ("json", "junit", "html", "summary", "sarif", "codequality")


def refuse(constant: str) -> NoReturn:
    raise AssertionError(f"{constant} is no JSON")


def read_json(text: str) -> Any:
    return json.loads(text, parse_constant=refuse)


READERS: dict[str, Callable[[str], object]] = {
    "json": read_json,
    "sarif": read_json,
    "codequality": read_json,
    "junit": ET.fromstring,
    "junit-strict": ET.fromstring,
    "html": lambda text: HTMLParser().feed(text),
}


def commands(output: str) -> list[str]:
    """What GitHub's runner would obey if the text were a job's output."""
    reader = LogReader("")
    reader.read(output)
    return [command.name for command in reader.commands]


@cache
def hostile_report(part: int) -> RunReport:
    """A report of a thousand hostile texts, others for each part."""
    return report_saying(hostile_texts(part, 1000))


def test_the_flags_are_these() -> None:
    assert tuple(reporter.name for reporter in REPORTERS) == NAMES
    assert [reporter.name for reporter in REPORTERS if reporter.appends] == ["summary"]
    assert [reporter.variable for reporter in REPORTERS if reporter.variable] == [
        "GITHUB_STEP_SUMMARY"
    ]
    assert all(reporter.help.endswith(".") for reporter in REPORTERS)


def test_a_format_is_imported_when_it_is_asked_for() -> None:
    code = (
        "import sys; from toolproof.reporters import REPORTERS; from toolproof.report import RunReport;"
        "loaded = lambda: {n.rpartition('.')[2] for n in sys.modules if n.startswith('toolproof.reporters.')};"
        "assert loaded() <= {'reporter'}, loaded();"
        "REPORTERS[5].render(RunReport(duration_s=1));"
        "assert not loaded() & {'html', 'junit', 'sarif', 'summary', 'console'}, loaded();"
        "assert not {'rich', 'junit_xml', 'pydantic', 'jsonschema'} & set(sys.modules)"
    )

    subprocess.run([sys.executable, "-c", code], check=True)


@given(report=any_reports)
def test_rendering_twice_gives_the_same_text(report: AnyReport) -> None:
    """In all formats: to make a report costs more than to render it."""
    for name, render in FORMATS.items():
        text = render(report)

        assert text == render(report), name
        text.encode("utf-8")
        assert "\r" not in text, name
        READERS.get(name, len)(text)


@pytest.mark.parametrize("name", FORMATS)
def test_ten_thousand_hostile_texts_make_no_command(name: str) -> None:
    """Spec: reports.md, section 4: the gate. Any format may be printed to a job's log."""
    for part in range(10):
        text = FORMATS[name](hostile_report(part))
        assert commands(text) == []
        assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\ud800-\udfff\ufffe]", text)
        READERS.get(name, len)(text)


@pytest.mark.parametrize("flavour", ["github", "azure"])
def test_annotations_of_ten_thousand_hostile_texts_are_annotations(flavour: Any) -> None:
    for part in range(10):
        text = annotations.render(hostile_report(part), flavour=flavour)
        expected = {"error", "warning", "notice"} if flavour == "github" else set()
        assert set(commands(text)) <= expected


@pytest.mark.parametrize("piece", HOSTILE)
def test_a_report_that_says_one_hostile_thing_everywhere(piece: str) -> None:
    report = report_saying([piece])

    for name, render in FORMATS.items():
        READERS.get(name, len)(render(report))
    read_json(render_inspect(report))


def test_the_inspected_document_holds_no_command_either() -> None:
    """Ours: `inspect --json` prints to a job's log."""
    for part in range(3):
        assert commands(render_inspect(hostile_report(part))) == []


@pytest.mark.parametrize(
    "report",
    [
        RunReport(duration_s=1.0),
        RunReport(duration_s=1.0, error="x", error_kind=ErrorKind.CONFIG),
        RunReport(duration_s=1.0, error="x", error_kind=ErrorKind.SERVER),
        RunReport(duration_s=1.0, error="x", error_kind=ErrorKind.INTERNAL),
        RunReport(duration_s=1.0, interrupted=15),
    ],
    ids=["nothing tested", "config", "no server", "internal", "interrupted"],
)
@pytest.mark.parametrize("name", FORMATS)
def test_no_format_of_a_run_that_was_not_done_is_green(name: str, report: RunReport) -> None:
    text = FORMATS[name](report)

    assert report.exit_code > 1
    told = (
        "errored",
        '"major"',
        '"executionSuccessful": false',
        "<error",
        "exit ",
        "❌",
        "Not done",
    )
    assert any(words in text for words in told)
    assert "PASSED" not in text
    assert "✅" not in text
