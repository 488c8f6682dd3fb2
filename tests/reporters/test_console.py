"""The console: lines that can be clicked, tables on a terminal, and never a command to a CI."""

import re
import subprocess
import sys
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.reports import any_reports, problem, run
from tests.workflow_commands import LogReader
from toolproof.report import (
    AnyReport,
    BenchResult,
    BenchSection,
    CheckSection,
    Collection,
    ErrorKind,
    Failure,
    FuzzFinding,
    FuzzResult,
    FuzzSection,
    InputMode,
    Note,
    Place,
    RunReport,
    ServerInfo,
    Severity,
    ToolTestResult,
    ToolTestSection,
)
from toolproof.reporters import console

SEEN = (
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u200c-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ud800-\udfff\uffff]"
)
COLORS = re.compile("\x1b\\[[0-9;]*m")


def plain(report: AnyReport, **options: Any) -> str:
    return console.render(report, terminal=False, color=False, **options)


def drawn(report: AnyReport, **options: Any) -> str:
    return console.render(report, terminal=True, color=False, **options)


FLAWED = run(
    CheckSection(
        tools=("get_forecast", "clean"),
        problems=(
            problem(rule="required-none", severity=Severity.WARNING, message="none is required"),
            problem(
                pointer="/inputSchema/properties/when/type",
                fix='write "string"',
                place=Place("server.py", 41, "definition"),
            ),
        ),
    ),
    ToolTestSection(
        results=(
            ToolTestResult(
                name="rejects bad date",
                tool="get_forecast",
                details=(Failure(message="expected an error, got a result"),),
                repeat='toolproof run -k "rejects bad date" --seed 7',
                place=Place("toolproof.yaml", 19),
            ),
        )
    ),
    FuzzSection(seed=7, results=(FuzzResult(tool="a", calls=1204),)),
    seed=7,
    config_file="toolproof.yaml",
)


def test_a_finding_is_a_line_that_can_be_clicked_and_the_verdict_comes_last() -> None:
    assert plain(FLAWED).split("\n") == [
        "server.py:41: error schema-invalid get_forecast: 'strng' is no type, at /inputSchema/properties/when/type",
        '    fix   write "string"',
        'toolproof.yaml:19: error test "rejects bad date": expected an error, got a result',
        '    repeat   toolproof run -k "rejects bad date" --seed 7',
        "warning required-none get_forecast: none is required",
        "repeat   toolproof run toolproof.yaml --last-failed --seed 7",
        "FAILED  2 errors, 1 warning · 2 tools, 1 test, 1,204 fuzz calls · 12.4 s · seed 7 · exit 1",
        "",
    ]


def test_a_terminal_gets_a_table_titled_static_checks() -> None:
    lines = drawn(FLAWED, width=100).split("\n")

    assert "Static checks   1 failed, 1 passed" in lines
    assert re.search(r"^ +Tool +Check +Problem$", "\n".join(lines), re.MULTILINE)
    fail = next(line for line in lines if "FAIL" in line)
    warn = next(line for line in lines if "WARN" in line)
    assert lines.index(fail) < lines.index(warn)
    assert "get_forecast" in fail
    assert "input-schema" in fail
    assert 'fix  write "string"' in "\n".join(lines)
    assert lines[-2].startswith("FAILED  2 errors, 1 warning")


def test_eighty_columns_wrap_and_cut_nothing() -> None:
    name = "subscribe_to_severe_weather_alerts_for_region_and_season"
    report = run(CheckSection(tools=(name,), problems=(problem(name, message="m " * 90),)))

    text = drawn(report, width=80)

    assert max(map(len, text.split("\n"))) <= 80
    assert name in "".join(line[6:32].strip() for line in text.split("\n"))
    assert len(re.findall(r"\bm\b", text)) == 90


@given(any_reports, st.sampled_from([-1, 0, 1]))
def test_no_line_is_a_command_and_nothing_hidden_is_shown(report: AnyReport, verbose: int) -> None:
    text = plain(report, verbose=verbose)
    reader = LogReader("")

    reader.read(text)

    assert not reader.commands
    assert not re.search(SEEN, text)
    assert "##[" not in text
    assert "##vso[" not in text


@given(any_reports, st.sampled_from([40, 80, 120]), st.sampled_from([-1, 0, 1]))
def test_a_terminal_gets_no_control_but_the_line_end(
    report: AnyReport, width: int, verbose: int
) -> None:
    assert not re.search(SEEN, drawn(report, width=width, verbose=verbose))


@given(any_reports, st.booleans())
def test_colors_are_all_that_colors_add(report: AnyReport, terminal: bool) -> None:
    """Ours: a server's text is never read as rich's markup."""
    colored = console.render(report, terminal=terminal, color=True)

    assert COLORS.sub("", colored) == console.render(report, terminal=terminal, color=False)


@given(any_reports, st.booleans())
def test_our_symbols_have_ascii_forms(report: AnyReport, terminal: bool) -> None:
    text = console.render(report, terminal=terminal, color=False, ascii=True)

    assert not set(text) & set("│─·…↵\u200b")


def test_markup_is_shown_as_it_came() -> None:
    report = run(
        CheckSection(tools=("a",), problems=(problem("[red]a[/red]", message="[/]:smile:"),))
    )

    text = drawn(report)

    assert "[red]a[/red]" in text
    assert "[/]:smile:" in text


def test_equal_causes_are_told_once_with_their_number() -> None:
    problems = tuple(problem(f"t{n}", place=Place("s.py", n + 1)) for n in range(9))
    report = run(CheckSection(tools=(), problems=problems))

    lines = plain(report).split("\n")

    assert lines[0] == "s.py:1: error schema-invalid t0: 'strng' is no type"
    assert lines[1] == (
        "    also   t1 (s.py:2), t2 (s.py:3), t3 (s.py:4), t4 (s.py:5), t5 (s.py:6) and 3 more (9 in all)"
    )
    assert sum(line.startswith("s.py:") for line in plain(report, verbose=1).split("\n")) == 9
    assert "and 4 more" in drawn(report)


def test_infos_and_passes_are_told_on_request() -> None:
    report = run(
        CheckSection(tools=("a", "b"), problems=(problem("a", severity=Severity.INFO),)),
    )

    assert "schema-invalid" not in plain(report)
    assert "PASSED  1 info (-v shows them) · " in plain(report)
    assert "PASSED  1 info · " in plain(report, verbose=1)
    assert "info schema-invalid a: 'strng' is no type" in plain(report, verbose=1)
    assert "passed checks b" in plain(report, verbose=1)
    assert "INFO" in drawn(report, verbose=1)


def test_quiet_is_the_verdict_and_what_fails() -> None:
    text = plain(FLAWED, verbose=-1)

    assert "warning required-none" not in text
    assert "error schema-invalid" in text
    assert text.endswith("exit 1\n")
    assert "weather" not in drawn(FLAWED, verbose=-1).split("\n")[0]


def test_what_is_skipped_is_listed_by_its_reason_and_notes_are_shown() -> None:
    skipped = tuple(
        FuzzResult(tool=f"delete_{n}", skipped="its name speaks of deleting") for n in "ab"
    )
    report = run(
        CheckSection(tools=("a",)),
        FuzzSection(seed=1, results=(*skipped, FuzzResult(tool="c", notes=("every call failed",)))),
        notes=(Note("checks.ignore[0] is not used"),),
    )

    for text in (plain(report), drawn(report)):
        assert "skipped fuzz delete_a, delete_b: its name speaks of deleting\n" in text
        assert "note c: every call failed\n" in text
        assert "note: checks.ignore[0] is not used\n" in text


def test_known_problems_are_counted_and_listed_on_request() -> None:
    report = run(CheckSection(tools=("a", "b"), problems=(problem("a", known="waits for SDK 3"),)))

    assert "note: the baseline lets 1 known problem pass (-v lists them)" in plain(report)
    assert "known schema-invalid a: 'strng' is no type (waits for SDK 3)" in plain(
        report, verbose=1
    )


def test_a_flaky_test_is_told() -> None:
    test = ToolTestResult(name="t", tool="a", attempts=2, earlier=("cold",), latency_ms=1500)

    text = plain(run(ToolTestSection(results=(test,))))

    assert 'note test "t": flaky: passed at attempt 2; before: cold' in text
    assert 'slow: "t" 1.5 s' in text


def bench(name: str) -> BenchResult:
    return BenchResult(
        name=name, tool="t", calls=100, concurrency=1, errors=0, throughput=50, p50_ms=1.0,
        p95_ms=2.0, p99_ms=3.0, mean_ms=1.0, max_ms=4.0, cpu_ms_per_call=0.5,
    )  # fmt: skip


def test_what_was_measured_is_shown_though_it_passed() -> None:
    report = run(BenchSection(results=tuple(bench(f"t{n}") for n in range(12))))

    assert 'bench "t0": calls 100, in flight 1, p50 1.00 ms' in plain(report)
    folded = plain(report, folds=True)
    assert folded.startswith("::group::measurements (12 lines)\n")
    assert "\n::endgroup::\n" in folded
    table = drawn(report, width=60)
    assert re.search(r"^Target +calls  in flight ", table, re.MULTILINE)
    assert '"t0"  ' in table
    assert max(map(len, table.split("\n"))) <= 60


def test_one_measurement_is_a_line() -> None:
    report = run(BenchSection(results=(bench("t"),)))

    assert '"t"  calls 100' not in drawn(report, width=120)
    assert "server CPU 0.500 ms" in drawn(report, width=60)


def test_expected_and_got_are_compared() -> None:
    one = Failure(message="differs", expected="1", got="2")
    more = Failure(message="differs much", expected="a\nb\nc\nd\ne\nx", got="a\nb\nc\nd\ne\ny\t!")
    gone = Failure(message="is gone", expected="a\nb")
    test = ToolTestResult(name="t", tool="a", details=(one, more, gone))

    text = plain(run(ToolTestSection(results=(test,))))

    assert "    expected   1\n    got        2\n" in text
    assert "    … line 4\n      d\n      e\n    - x\n    + y\t!\n" in text
    assert "    - a\n    - b\n" in text
    table = drawn(run(ToolTestSection(results=(test,))))
    assert re.search(r"  expected  1\n +got +2\n", table)
    assert "- x" in table


def test_what_came_is_labelled_where_nothing_else_was_expected() -> None:
    failure = Failure(message="expected an error, got a result", got="fine")
    report = run(ToolTestSection(results=(ToolTestResult(name="t", tool="a", details=(failure,)),)))

    assert "    got        fine\n" in plain(report)
    assert re.search(r"  got  fine\n", drawn(report))


def test_the_same_last_lines_of_a_server_are_told_once() -> None:
    tests = tuple(
        ToolTestResult(
            name=name,
            tool="a",
            details=(Failure(message=f"{name} differs"), Failure(message=f"{name} is late")),
            server_stderr="ready\nslow disk\n",
        )
        for name in ("one", "two")
    )
    report = run(ToolTestSection(results=tests))

    for text in (plain(report), drawn(report)):
        assert text.count("slow disk") == 1


def test_a_last_line_that_the_message_quotes_is_not_told_again() -> None:
    failure = Failure(message="the server ended; its stderr: 'out of memory'")
    test = ToolTestResult(name="t", tool="a", details=(failure,), server_stderr="out of memory\n")
    report = run(ToolTestSection(results=(test,)))

    for text in (plain(report), drawn(report, width=120)):
        assert text.count("out of memory") == 1


def test_a_verdict_is_wrapped_between_its_parts() -> None:
    report = run(
        ToolTestSection(results=(ToolTestResult(name="t", tool="a"),)),
        BenchSection(results=(bench("t"),)),
        seed=1234567890,
    )

    verdict = drawn(report, width=40).rstrip("\n").split("\n")[-2:]

    assert verdict[0].startswith("PASSED  ")
    assert verdict[1].startswith("        ")
    assert "1234567890" in "".join(verdict)


def test_a_huge_difference_is_not_compared_line_by_line() -> None:
    failure = Failure(message="m", expected="a\n" * 5000, got="b\n" * 5000)
    test = ToolTestResult(name="t", tool="a", details=(failure,))

    assert "4,971 more lines" in plain(run(ToolTestSection(results=(test,))))


def test_what_a_crashed_server_said_stands_behind_bars() -> None:
    test = ToolTestResult(
        name="t",
        tool="a",
        details=(Failure(message="it crashed\nwith words"),),
        server_stderr="::error::x\n" * 30,
    )
    report = run(ToolTestSection(results=(test,)))

    assert plain(report).count("    │ ::error::x\n") == 5
    assert plain(report, verbose=1).count("    │ ::error::x\n") == 30
    assert "::group::stderr of the server (30 lines)\n" in plain(report, folds=True)
    assert "it crashed\n    │ with words\n" in plain(report)


def test_long_messages_keep_their_first_lines() -> None:
    message = "\n".join(f"line {n}" for n in range(60))
    report = run(
        ToolTestSection(
            results=(ToolTestResult(name="t", tool="a", details=(Failure(message=message),)),)
        )
    )

    assert "… 39 more lines" in plain(report)
    assert "… 48 more lines" in drawn(report)


@pytest.mark.parametrize(
    ("report", "last"),
    [
        (run(CheckSection(tools=("a",)), duration_s=200.0), "PASSED  1 tool · 3 min 20 s · exit 0"),
        (run(duration_s=0.1), "NOTHING TESTED  1 error · 0.1 s · exit 2"),
        (run(error="no such command", duration_s=0.1), "NO SERVER  1 error · 0.1 s · exit 3"),
        (
            run(error="x", error_kind="config", duration_s=0.1),
            "CONFIGURATION ERROR  1 error · 0.1 s · exit 2",
        ),
        (
            run(error="x", error_kind="internal error", duration_s=0.1),
            "INTERNAL ERROR  1 error · 0.1 s · exit 4",
        ),
        (run(interrupted=2, duration_s=0.1), "INTERRUPTED  1 error · 0.1 s · exit 130"),
    ],
)
def test_the_verdict_names_the_end_and_the_exit_code(report: RunReport, last: str) -> None:
    assert plain(report).rstrip("\n").split("\n")[-1] == last
    assert drawn(report).rstrip("\n").split("\n")[-1] == last


def test_what_ended_the_run_comes_first() -> None:
    report = run(
        CheckSection(tools=("a",), problems=(problem("a"),)),
        error="the server ended\nlast words",
        hint="Read them.",
        error_place=Place("toolproof.yaml", 2),
    )

    assert plain(report).startswith(
        "toolproof.yaml:2: error server start: the server ended\n    │ last words\n    fix   Read them.\n"
    )
    assert drawn(report).index("the server ended") < drawn(report).index("strng")


def test_another_exit_code_may_be_the_commands() -> None:
    assert plain(FLAWED, exit_code=0).endswith("exit 0\n")


def test_several_servers_stand_before_their_tools() -> None:
    other = run(CheckSection(tools=("a",), problems=(problem("a"),)), alias="maps")

    text = plain(Collection((FLAWED, other)))

    assert "error schema-invalid maps/a: 'strng' is no type" in text
    assert "weather\nmaps\n" in drawn(Collection((FLAWED, other)))


def test_the_command_to_repeat_is_the_callers_or_the_first_failures() -> None:
    finding = FuzzFinding(
        kind="crash", mode=InputMode.VALID, input={}, detail="d", repeat="toolproof call a"
    )
    report = run(FuzzSection(seed=1, results=(FuzzResult(tool="a", findings=(finding,)),)))

    assert "\nrepeat   toolproof call a\nFAILED" in plain(report)
    given = run(*report.sections, repeat="toolproof fuzz --seed 1 -- x")
    assert "\nrepeat   toolproof fuzz --seed 1 -- x\nFAILED" in plain(given)


def test_the_server_is_named_on_a_terminal() -> None:
    info = ServerInfo(name="weather-mcp", version="2.1", protocol="2025-11-25")

    text = drawn(run(CheckSection(tools=("a",)), server=info, target="python server.py"))

    assert text.startswith("weather 2.1 · MCP 2025-11-25 · stdio · python server.py\n")


def test_hundreds_of_findings_are_lines_even_on_a_terminal() -> None:
    problems = tuple(problem(f"t{n}", message=f"m{n}") for n in range(console.MOST_ROWS + 1))
    report = run(CheckSection(tools=(), problems=problems))

    assert "│" not in drawn(report)


def test_rich_is_imported_for_a_terminal_alone() -> None:
    code = (
        "import sys; from toolproof.reporters import console; from toolproof.report import RunReport;"
        "console.render(RunReport(duration_s=1), terminal=False, color=True); "
        "assert 'rich' not in sys.modules;"
        "console.render(RunReport(duration_s=1), terminal=True, color=True);"
        "assert 'rich' in sys.modules"
    )

    subprocess.run([sys.executable, "-c", code], check=True)


def test_a_place_that_the_message_begins_with_is_told_once() -> None:
    report = RunReport(
        duration_s=0,
        error="a.yaml:2: server.name: there is no such key\na.yaml:9: fuzz.x: nor this",
        error_kind=ErrorKind.CONFIG,
        error_place=Place("a.yaml", 2),
    )

    assert plain(report).startswith("a.yaml:2: error config: server.name: there is no such key\n")
