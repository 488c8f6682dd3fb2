"""`toolproof fuzz` as a process: Ctrl-C, servers that do not come back, and a report in any case."""

import json
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from tests.phases.fuzz.fuzzing import command

DYING = """
import json, os, sys
for line in sys.stdin:
    message = json.loads(line)
    if "id" not in message:
        continue
    if message["method"] == "tools/call":
        open("died", "w").close()
        os._exit(9)
    if os.path.exists("died"):
        os._exit(1)
    if message["method"] == "initialize":
        result = {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}},
                  "serverInfo": {"name": "dying", "version": "1"}}
    elif message["method"] == "tools/list":
        result = {"tools": [{"name": "read_one", "inputSchema": {"type": "object"}}]}
    else:
        result = {}
    print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}), flush=True)
"""


def started(folder: Path, server: list[str], *options: str) -> subprocess.Popen[bytes]:
    """The command under way."""
    words = [sys.executable, "-m", "toolproof", "fuzz", "--seed", "1", "--json", "r.json"]
    return subprocess.Popen(
        [*words, *options, "--", *server],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )


def report_of(folder: Path) -> dict[str, Any]:
    """What was written."""
    report: dict[str, Any] = json.loads((folder / "r.json").read_text(encoding="utf-8"))
    return report


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_what_was_found_before_ctrl_c_is_reported(tmp_path: Path) -> None:
    found = tmp_path / "deleted"
    server = command("internal_error", "delete_everything", "hang_at_empty")
    process = started(tmp_path, server, "--workers", "1", "--include-destructive")
    for _ in range(600):
        if found.exists():
            break
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=60)

    report = report_of(tmp_path)
    kinds = {one["kind"] for tool in report["fuzz"]["tools"] for one in tool["findings"]}
    assert process.returncode == 130
    assert report["interrupted"]
    assert "internal-error" in kinds


def test_a_server_that_does_not_come_back_is_reported_with_what_ended_it(tmp_path: Path) -> None:
    process = started(tmp_path, [sys.executable, "-c", DYING], "--workers", "1")
    process.communicate(timeout=120)

    report = report_of(tmp_path)
    [tool] = report["fuzz"]["tools"]
    assert process.returncode in {1, 3}
    assert [one["kind"] for one in tool["findings"]] == ["crash"]
