import json
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from tests.cli.commanding import SHOP, config
from tests.cli.commanding import inside as toolproof

GREEN = """
checks: {enabled: false}
tests:
  - {name: a book, tool: get_book, args: {id: b-1}}
  - {name: brooks, tool: search_books, args: {words: brooks}, tags: [smoke]}
"""
RED = """
tests:
  - {name: a book, tool: get_book, args: {id: b-1}}
  - {name: no such book, tool: get_book, args: {id: b-9}}
"""


def test_a_green_run_exits_0_with_the_verdict_last(tmp_path: Path) -> None:
    config(tmp_path, GREEN)

    done = toolproof("run", cwd=tmp_path)

    assert done.code == 0
    assert done.stdout.splitlines()[-1].startswith("PASSED")
    assert done.stderr == ""


def test_a_red_run_exits_1_and_says_how_to_repeat_it(tmp_path: Path) -> None:
    config(tmp_path, RED)

    done = toolproof("run", cwd=tmp_path)

    assert done.code == 1
    assert 'toolproof.yaml:5: error test "no such book"' in done.stdout
    assert "toolproof run" in done.stdout
    assert done.stdout.splitlines()[-1].startswith("FAILED")


def test_every_format_that_was_asked_for_is_written(tmp_path: Path) -> None:
    config(tmp_path, RED)

    done = toolproof(
        "run", "--json", "out/report.json", "--junit", "out/junit.xml", "--summary", "out/s.md",
        "--sarif", "out/r.sarif", "--codequality", "out/c.json", "--html", "out/r.html",
        cwd=tmp_path,
    )  # fmt: skip

    assert done.code == 1
    report = json.loads((tmp_path / "out/report.json").read_text("utf-8"))
    assert report["exit_code"] == 1
    suites = ET.parse(tmp_path / "out/junit.xml").getroot()
    assert {suite.get("name") for suite in suites} == {"static checks", "tests"}
    assert json.loads((tmp_path / "out/r.sarif").read_text("utf-8"))["version"] == "2.1.0"
    assert isinstance(json.loads((tmp_path / "out/c.json").read_text("utf-8")), list)
    assert "no such book" in (tmp_path / "out/s.md").read_text("utf-8")
    assert "no such book" in (tmp_path / "out/r.html").read_text("utf-8")


def test_a_report_on_stdout_has_it_to_itself(tmp_path: Path) -> None:
    config(tmp_path, GREEN)

    done = toolproof("run", "--json", "-", cwd=tmp_path)

    assert done.json["passed"] is True
    assert "PASSED" in done.stderr


def test_two_reports_on_stdout_are_refused(tmp_path: Path) -> None:
    config(tmp_path, GREEN)

    done = toolproof("run", "--json", "-", "--junit", "-", cwd=tmp_path)

    assert done.code == 2
    assert "only one report can go to stdout" in done.stderr


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("tests: {", "toolproof.yaml"),
        ("chekcs: {}", "checks"),
        ("tests: [{tool: x, timeout_ms: soon}]", "timeout_ms"),
    ],
)
def test_a_wrong_config_exits_2_and_still_leaves_its_reports(
    tmp_path: Path, text: str, words: str
) -> None:
    config(tmp_path, text)

    done = toolproof("run", "--json", "r.json", "--junit", "r.xml", cwd=tmp_path)

    assert done.code == 2
    assert words in done.stdout + done.stderr
    assert "Traceback" not in done.stdout + done.stderr
    report = json.loads((tmp_path / "r.json").read_text("utf-8"))
    assert (report["exit_code"], report["outcome"]) == (2, "error")
    [case] = ET.parse(tmp_path / "r.xml").getroot().iter("testcase")
    assert case.get("name") == "config"
    assert case.find("error") is not None


def test_every_mistake_of_a_file_is_told_at_once_with_its_line(tmp_path: Path) -> None:
    config(tmp_path, "timeout_ms: -1\nretries: many\ncheck: {}\n")

    done = toolproof("run", cwd=tmp_path)

    said = done.stdout + done.stderr
    assert all(f"toolproof.yaml:{line}" in said for line in (2, 3, 4))


def test_no_config_and_no_server_says_what_to_do(tmp_path: Path) -> None:
    done = toolproof("run", cwd=tmp_path)

    assert done.code == 2
    assert "no toolproof.yaml" in done.stdout + done.stderr


@pytest.mark.parametrize(
    ("command", "words"),
    [
        (["no-such-command-anywhere"], "no-such-command-anywhere"),
        (["python3", "-c", "import no_such_module"], "No module named 'no_such_module'"),
        (["python3", "-c", "print('hi')"], "ended"),
    ],
)
def test_a_server_that_does_not_start_exits_3_with_its_last_words(
    tmp_path: Path, command: list[str], words: str
) -> None:
    done = toolproof("run", "--json", "r.json", "--", *command, cwd=tmp_path)

    assert done.code == 3
    assert words in done.stdout
    assert "Traceback (most recent call last)" not in done.stderr
    report = json.loads((tmp_path / "r.json").read_text("utf-8"))
    assert report["error"]
    assert report["exit_code"] == 3


def test_a_server_that_never_answers_is_given_up_at_the_limit(tmp_path: Path) -> None:
    done = toolproof(
        "run", "--startup-timeout-s", "1", "--", "python3", "-c", "import time; time.sleep(60)",
        cwd=tmp_path,
    )  # fmt: skip

    assert done.code == 3
    assert "start-timeout" in done.stdout


def test_an_address_that_refuses_exits_3(tmp_path: Path) -> None:
    done = toolproof("run", "--url", "http://127.0.0.1:9/mcp", cwd=tmp_path)

    assert done.code == 3
    assert "127.0.0.1:9" in done.stdout
    assert "Traceback" not in done.stdout + done.stderr


EMPTY = """
import json, sys
info = {"name": "empty", "version": "1"}
hello = {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": info}
for line in sys.stdin:
    message = json.loads(line)
    reply = {"jsonrpc": "2.0", "id": message.get("id")}
    result = {"initialize": hello, "tools/list": {"tools": []}}.get(message["method"])
    if result is None:
        reply["error"] = {"code": -32601, "message": "no such method"}
    else:
        reply["result"] = result
    if "id" in message:
        print(json.dumps(reply), flush=True)
"""


def test_a_server_without_tools_is_no_pass(tmp_path: Path) -> None:
    server = tmp_path / "empty.py"
    server.write_text(EMPTY, encoding="utf-8")

    done = toolproof("run", "--", "python3", server, cwd=tmp_path)

    assert done.code == 2
    assert "NOTHING" in done.stdout.upper()


def test_a_report_that_cannot_be_written_is_found_out_before_the_start(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    config(tmp_path, GREEN)

    done = toolproof("run", "--json", "folder", cwd=tmp_path)

    assert done.code == 2
    assert "--json: folder cannot be written" in done.stderr


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["--no-checks"], 1),
        (["--no-checks", "-k", "a book"], 0),
        (["--phases", "tests", "-k", "a book"], 0),
        (["--skip", "checks", "-k", "a book"], 0),
        (["--phases", "tests", "--fail-on", "never"], 0),
    ],
)
def test_phases_and_tests_are_chosen_by_flags(tmp_path: Path, words: list[str], code: int) -> None:
    config(tmp_path, RED)

    assert toolproof("run", *words, cwd=tmp_path).code == code


def test_an_unknown_phase_suggests_the_nearest(tmp_path: Path) -> None:
    config(tmp_path, RED)

    done = toolproof("run", "--phases", "test", cwd=tmp_path)

    assert done.code == 2
    assert "Did you mean 'tests'?" in done.stdout + done.stderr


def test_warnings_fail_where_that_is_asked_for(tmp_path: Path) -> None:
    config(
        tmp_path,
        "checks: {ignore: [{rule: description-missing, reason: r}, {rule: required-undeclared, reason: r}]}\n",
    )

    assert toolproof("run", cwd=tmp_path).code == 0
    assert toolproof("run", "--strict", cwd=tmp_path).code == 1
    assert toolproof("run", "--fail-on", "warning", cwd=tmp_path).code == 1
    assert toolproof("run", cwd=tmp_path, TOOLPROOF_RUN_FAIL_ON="warning").code == 1
    assert toolproof("run", cwd=tmp_path, TOOLPROOF_RUN_FAIL_ON="").code == 0
    assert toolproof("run", "--client", "gemini", cwd=tmp_path).code == 1


def test_last_failed_runs_what_failed_and_remembers(tmp_path: Path) -> None:
    config(tmp_path, RED)
    toolproof("run", "--no-checks", cwd=tmp_path)

    done = toolproof("run", "--no-checks", "--last-failed", "--json", "r.json", cwd=tmp_path)

    assert done.code == 1
    report = json.loads((tmp_path / "r.json").read_text("utf-8"))
    assert [test["name"] for test in report["tests"]] == ["no such book"]


def test_a_config_is_found_upwards_to_the_root_of_the_repository(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    config(tmp_path, GREEN)
    below = tmp_path / "a" / "b"
    below.mkdir(parents=True)

    assert toolproof("run", cwd=below).code == 0


def test_flags_win_over_the_file(tmp_path: Path) -> None:
    path = config(tmp_path, GREEN)

    done = toolproof("run", path, "--", "no-such-command-anywhere", cwd=tmp_path)

    assert done.code == 3
    assert "no-such-command-anywhere" in done.stdout


def test_two_files_are_one_too_many(tmp_path: Path) -> None:
    path = config(tmp_path, GREEN)

    assert toolproof("run", path, "-c", path, cwd=tmp_path).code == 2


def test_several_servers_are_tested_in_turn(tmp_path: Path) -> None:
    text = (
        f"servers: {{one: {{command: {json.dumps(SHOP)}}}, two: {{command: [no-such-thing]}}}}\n"
        "checks: {enabled: false}\n"
        "tests: [{tool: get_book, args: {id: b-1}}]\n"
    )
    (tmp_path / "toolproof.yaml").write_text(text, encoding="utf-8")

    both = toolproof("run", "--json", "r.json", cwd=tmp_path)
    one = toolproof("run", "--server", "one", cwd=tmp_path)

    report = json.loads((tmp_path / "r.json").read_text("utf-8"))
    assert both.code == 3
    assert report["kind"] == "collection"
    assert [run["exit_code"] for run in report["reports"]] == [0, 3]
    assert one.code == 0


def test_the_wire_is_recorded_on_request_without_secrets(tmp_path: Path) -> None:
    (tmp_path / "toolproof.yaml").write_text(
        f"server: {{command: {json.dumps(SHOP)}, env: {{API_KEY: '${{API_KEY}}'}}}}\n"
        "checks: {enabled: false}\n"
        "tests: [{tool: search_books, args: {words: s3cr3t-v4lu3}}]\n",
        encoding="utf-8",
    )

    done = toolproof(
        "run", "--debug", "wire.jsonl", "--json", "r.json", cwd=tmp_path, API_KEY="s3cr3t-v4lu3"
    )

    assert done.code == 0
    lines = (tmp_path / "wire.jsonl").read_text("utf-8").splitlines()
    assert any('"dir": "->"' in line for line in lines)
    everything = "\n".join(lines) + done.stdout + (tmp_path / "r.json").read_text("utf-8")
    assert "s3cr3t-v4lu3" not in everything


def test_two_runs_differ_only_in_times_and_the_seed(tmp_path: Path) -> None:
    config(tmp_path, RED)
    found = []
    for name in ("a.xml", "b.xml"):
        toolproof("run", "--junit", name, "--seed", "7", cwd=tmp_path)
        root = ET.parse(tmp_path / name).getroot()
        for element in root.iter():
            for key in ("time", "timestamp"):
                element.attrib.pop(key, None)
        found.append(ET.tostring(root))

    assert found[0] == found[1]
