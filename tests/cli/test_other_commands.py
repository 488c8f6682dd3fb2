import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.cli.commanding import SHOP, config
from tests.cli.commanding import inside as toolproof


def test_inspect_shows_the_tools_and_the_checks(tmp_path: Path) -> None:
    done = toolproof("inspect", "--", *SHOP, cwd=tmp_path)

    assert done.code == 1
    assert "tool search_books(words: string)" in done.stdout
    assert "description-missing" in done.stdout


def test_inspect_can_be_told_not_to_fail(tmp_path: Path) -> None:
    assert toolproof("inspect", "--exit-zero", "--", *SHOP, cwd=tmp_path).code == 0


def test_inspect_prints_json_and_nothing_else(tmp_path: Path) -> None:
    done = toolproof("inspect", "--json", "--", *SHOP, cwd=tmp_path)

    names = [tool["name"] for tool in done.json["tools"]]
    assert "search_books" in names
    assert {problem["rule"] for problem in done.json["checks"]} >= {"description-missing"}


def test_inspect_takes_an_editors_file(tmp_path: Path) -> None:
    servers = {"mcpServers": {"shop": {"command": SHOP[0], "args": SHOP[1:]}}}
    (tmp_path / "mcp.json").write_text(json.dumps(servers), encoding="utf-8")

    done = toolproof("inspect", "--mcp-json", "mcp.json", cwd=tmp_path)

    assert "demo-bookshop" in done.stdout


def test_call_prints_the_result_and_fails_for_an_error(tmp_path: Path) -> None:
    good = toolproof("call", "search_books", "--arg", "words=brooks", "--", *SHOP, cwd=tmp_path)
    bad = toolproof("call", "get_book", "--args", '{"id": "b-9"}', "--", *SHOP, cwd=tmp_path)

    assert (good.code, bad.code) == (0, 1)
    assert "Mythical" in good.stdout
    assert "there is no book 'b-9'" in bad.stdout


def test_call_reads_arguments_as_json_where_they_are(tmp_path: Path) -> None:
    done = toolproof(
        "call", "price_before_discount", "--arg", "price=10", "--arg", "discount=50", "--json",
        "--", *SHOP, cwd=tmp_path,
    )  # fmt: skip

    assert done.json["text"] == "20.00 EUR"
    assert done.json["result"]["content"][0]["type"] == "text"


@pytest.mark.parametrize(
    "words",
    [
        ["--args", "[1]"],
        ["--args", "{"],
        ["--arg", "novalue"],
        ["--no-arguments", "--arg", "a=b"],
    ],
)
def test_call_refuses_arguments_that_are_none(tmp_path: Path, words: list[str]) -> None:
    done = toolproof("call", "get_book", *words, "--", *SHOP, cwd=tmp_path)

    assert done.code == 2
    assert "--arg" in done.stderr or "--no-arguments" in done.stderr


def test_call_says_which_tool_was_meant(tmp_path: Path) -> None:
    done = toolproof("call", "get_bok", "--", *SHOP, cwd=tmp_path)

    assert "did you mean 'get_book'?" in done.stderr


def test_call_can_leave_the_arguments_out(tmp_path: Path) -> None:
    done = toolproof("call", "get_book", "--no-arguments", "--json", "--", *SHOP, cwd=tmp_path)

    assert done.json["arguments"] is None


def test_rules_are_listed_and_explained(tmp_path: Path) -> None:
    everything = toolproof("rules", cwd=tmp_path)
    page = toolproof("rules", "array-items-missing", cwd=tmp_path)
    family = toolproof("rules", "annotations", cwd=tmp_path)
    unknown = toolproof("rules", "array-item-missing", cwd=tmp_path)

    assert "array-items-missing" in everything.stdout
    assert page.stdout.startswith("# array-items-missing\n")
    assert "annotations-missing" in family.stdout
    assert "array-items" not in family.stdout
    assert unknown.code == 2
    assert "Did you mean 'array-items-missing'?" in unknown.stderr


@pytest.mark.parametrize("what", ["config", "report"])
def test_schemas_are_printed(tmp_path: Path, what: str) -> None:
    schema = toolproof("schema", what, cwd=tmp_path).json

    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"


def test_the_demo_finds_the_planted_bugs_and_exits_0(tmp_path: Path) -> None:
    done = toolproof("demo", "--json", "r.json", cwd=tmp_path)

    assert done.code == 0
    report = json.loads((tmp_path / "r.json").read_text("utf-8"))
    rules = {problem["rule"] for problem in report["checks"] if problem["severity"] != "info"}
    assert rules >= {
        "array-items-missing",
        "crash",
        "description-missing",
        "error-as-success",
        "output-mismatch",
        "required-undeclared",
        "stdout-pollution",
    }
    assert "server.py:" in done.stdout
    assert "That was a demo" in done.stdout


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["rum"], "did you mean 'run'?"),
        (["run", "--jsn", "x"], "--json"),
        (["inspect", "--"], "there is no command after --"),
        (["-v", "-q", "run"], "exclude each other"),
    ],
)
def test_a_mistake_of_use_exits_2_and_says_what_was_meant(
    tmp_path: Path, words: list[str], said: str
) -> None:
    done = toolproof(*words, cwd=tmp_path)

    assert done.code == 2
    assert said in done.stderr


def test_the_version_is_told(tmp_path: Path) -> None:
    assert toolproof("--version", cwd=tmp_path).stdout.startswith("toolproof ")


SERVER_WITH_A_GRANDCHILD = """
import json, os, subprocess, sys, time
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
open("child", "w").write(str(child.pid))
open("server", "w").write(str(os.getpid()))
for line in sys.stdin:
    m = json.loads(line)
    if "id" not in m: continue
    if m["method"] == "tools/call": open("called", "w").write("1"); time.sleep(600)
    tools = [{"name": "hang", "description": "Hangs.", "inputSchema": {"type": "object"}}]
    r = {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "tools": tools,
         "serverInfo": {"name": "s", "version": "1"}}
    print(json.dumps({"jsonrpc": "2.0", "id": m["id"], "result": r}), flush=True)
"""


def alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text("ascii").rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state not in "ZX"


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks at processes in /proc")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_ends_everything_and_leaves_a_report(
    tmp_path: Path, number: signal.Signals
) -> None:
    (tmp_path / "server.py").write_text(SERVER_WITH_A_GRANDCHILD, encoding="utf-8")
    (tmp_path / "toolproof.yaml").write_text(
        f"server: {{command: [{json.dumps(sys.executable)}, server.py]}}\n"
        "tests: [{tool: hang, timeout_ms: 600000}]\n",
        encoding="utf-8",
    )
    process = subprocess.Popen(
        [sys.executable, "-m", "toolproof", "run", "--json", "r.json"],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ},
        start_new_session=True,
    )
    for _ in range(600):
        if (tmp_path / "called").exists():
            break
        time.sleep(0.05)

    process.send_signal(number)
    process.communicate(timeout=30)

    assert process.returncode == 128 + number
    pids = [int((tmp_path / name).read_text("ascii")) for name in ("server", "child")]
    assert not any(map(alive, pids))
    report = json.loads((tmp_path / "r.json").read_text("utf-8"))
    assert report["exit_code"] == 128 + number


def test_a_closed_pipe_is_no_traceback(tmp_path: Path) -> None:
    config(tmp_path, "tests: [{tool: get_book, args: {id: b-9}}]\n")
    process = subprocess.Popen(
        [sys.executable, "-m", "toolproof", "-v", "run"],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdout is not None
    process.stdout.close()

    assert process.stderr is not None
    words = process.stderr.read().decode()
    process.stderr.close()
    process.wait(60)

    assert "Traceback" not in words
    assert "BrokenPipe" not in words
