"""The runner as a library: what comes back for good servers, lost ones and wrong requests."""

import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from tests.running import DEMO, case, run, written
from toolproof import ConfigError, load_config, run_config
from toolproof.phases.checks.rule import Evidence, Flaw
from toolproof.phases.checks.rules import all_rules
from toolproof.report import PhaseName, Status
from toolproof.runner import execute, wanted_phases

SHOP = [sys.executable, str(DEMO / "server.py")]


def test_a_config_is_run_without_an_event_loop(tmp_path: Path) -> None:
    config = written(
        tmp_path, f"server: {{command: [{sys.executable!r}, {str(DEMO / 'server.py')!r}]}}\n"
    )

    report = run_config(config)

    assert report.phases == ["checks", "tests"]
    assert report.server_name == "demo-bookshop"
    assert "search_books" in report.tool_names
    assert report.duration_s > 0
    assert not report.passed


async def test_only_the_named_phases_run_in_their_order() -> None:
    report = await run(SHOP, "tests", "checks", tests=[{"tool": "get_book", "args": {"id": "b-1"}}])

    assert report.phases == ["checks", "tests"]


async def test_what_calls_show_is_a_problem_though_checks_were_not_asked_for() -> None:
    report = await run(SHOP, "tests", tests=[{"tool": "stock_level", "args": {"id": "b-1"}}])

    assert report.phases == ["tests"]
    assert [problem.rule for problem in report.checks] == ["output-mismatch"]


async def test_a_server_that_ends_early_is_an_error_with_what_was_seen() -> None:
    report = await run(case("behaviour/010"), "checks")

    assert report.error is not None
    assert report.exit_code == 3
    assert report.outcome == "error"
    assert [problem.rule for problem in report.checks] == ["unexpected-exit"]
    [(_, outcomes)] = [group for group in report.groups if group[0] == "toolproof"]
    assert outcomes[0].status is Status.ERRORED


LOST = """
import json, os, sys
if os.path.exists("started"): sys.exit("never again")
open("started", "w").close()
tool = {"name": "die", "description": "Ends the server.", "inputSchema": {"type": "object"}}
for line in sys.stdin:
    m = json.loads(line)
    if "id" not in m: continue
    if m["method"] == "tools/call" and m["params"].get("arguments"): sys.exit(5)
    r = {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "tools": [tool],
         "serverInfo": {"name": "l", "version": "1"}, "content": []}
    print(json.dumps({"jsonrpc": "2.0", "id": m["id"], "result": r}), flush=True)
"""


async def test_a_server_that_is_lost_for_good_leaves_what_was_finished(tmp_path: Path) -> None:
    (tmp_path / "server.py").write_text(LOST, encoding="utf-8")
    tests = [
        {"name": "fine", "tool": "die"},
        {"name": "deadly", "tool": "die", "args": {"now": True}},
        {"name": "too late", "tool": "die"},
    ]

    config = written(
        tmp_path, f"server: {{command: [{sys.executable!r}, server.py]}}\ntests: {tests}\n"
    )
    report = await execute(config, ["tests"])

    assert report.exit_code == 3
    assert report.error is not None
    assert "never again" in report.error
    assert report.tests[0].name == "fine"
    assert report.tests[0].passed


async def test_a_broken_rule_is_a_bug_of_ours_where_all_else_passed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    [first, *others] = all_rules()

    def broken(_: Evidence) -> Iterator[Flaw]:
        yield Flaw(str(int("a bug")))

    rules = (replace(first, find=broken), *others)
    monkeypatch.setattr("toolproof.phases.checks.engine.all_rules", lambda: rules)

    report = await run([sys.executable, str(DEMO / "noop.py")], "checks")

    assert report.exit_code == 4
    assert "ValueError" in (report.error or "")
    assert "bug in toolproof" in (report.hint or "")


@pytest.mark.parametrize(
    ("names", "hint"),
    [(["test"], "Did you mean 'tests'?"), (["zzz"], "There are checks, protocol, tests")],
)
def test_an_unknown_phase_is_refused_with_what_there_is(
    tmp_path: Path, names: list[str], hint: str
) -> None:
    config = written(tmp_path, "server: {command: [x]}\n")

    with pytest.raises(ConfigError) as raised:
        wanted_phases(config, names)

    assert hint in (raised.value.hint or "")


def test_no_phase_at_all_is_nothing_to_run(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="nothing to run"):
        wanted_phases(written(tmp_path, "server: {command: [x]}\n"), [])


def test_sections_of_the_file_decide_which_phases_run(tmp_path: Path) -> None:
    config = written(
        tmp_path,
        "server: {command: [x]}\nbench: {}\nprotocol: {enabled: false}\nchecks: {enabled: false}\n",
    )

    assert [phase.name for phase in wanted_phases(config, None)] == [
        PhaseName.TESTS,
        PhaseName.BENCH,
    ]


def test_an_ignore_of_no_rule_is_refused_before_the_start(tmp_path: Path) -> None:
    path = tmp_path / "toolproof.yaml"
    path.write_text(
        "server: {command: [no-such]}\nchecks: {ignore: [{rule: description-mising, reason: r}]}\n",
        encoding="utf-8",
    )

    with pytest.raises(ConfigError) as raised:
        run_config(load_config(path))

    assert "Did you mean 'description-missing'?" in (raised.value.hint or "")


async def test_answers_to_a_servers_questions_come_from_the_client_section(tmp_path: Path) -> None:
    asking = """
import json, sys
def send(m): print(json.dumps({"jsonrpc": "2.0", **m}), flush=True)
tool = {"name": "ask", "description": "Asks the client.", "inputSchema": {"type": "object"}}
waiting = None
for line in sys.stdin:
    m = json.loads(line)
    if "method" not in m:
        send({"id": waiting, "result": {"content": [{"type": "text", "text": json.dumps(m)}]}})
    elif m["method"] == "initialize":
        send({"id": m["id"], "result": {"protocolVersion": "2025-11-25", "capabilities":
              {"tools": {}}, "serverInfo": {"name": "a", "version": "1"}}})
    elif m["method"] == "tools/list": send({"id": m["id"], "result": {"tools": [tool]}})
    elif m["method"] == "tools/call":
        waiting = m["id"]
        what = m["params"]["arguments"]["what"]
        params = {"messages": [{"role": "user", "content": {"type": "text", "text": "hi"}}],
                  "maxTokens": 5, "message": "?", "requestedSchema": {"type": "object",
                  "properties": {"name": {"type": "string"}}, "required": ["name"]}}
        send({"id": "s1", "method": what, "params": {} if what == "roots/list" else params})
    elif "id" in m: send({"id": m["id"], "error": {"code": -32601, "message": "no"}})
"""
    tests = [
        {"tool": "ask", "args": {"what": what}, "expect": {"contains": words}}
        for what, words in (
            ("roots/list", "file://"),
            ("sampling/createMessage", "scripted answer"),
            ("elicitation/create", "Ada"),
        )
    ]
    client = {
        "roots": ["."],
        "sampling": [{"when": "hi", "text": "scripted answer"}],
        "elicitation": {"accept": {"name": "Ada"}},
    }

    report = await run(
        ["python3", "-c", asking], "tests", tests=tests, client=client, folder=tmp_path
    )

    assert [test.failures for test in report.tests] == [[], [], []]
    assert report.checks == []
