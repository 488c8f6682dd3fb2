"""The Locust user: a master and two workers on this machine, as people run it."""

import json
import re
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.running import DEMO

EXAMPLE = Path(__file__).parents[1] / "examples" / "load"

pytestmark = pytest.mark.skipif(
    sys.platform == "win32", reason="--processes forks, which Windows cannot do"
)


@pytest.fixture
def clock() -> Iterator[str]:
    """The URL of the example's server."""
    with subprocess.Popen(
        [sys.executable, str(EXAMPLE / "server.py"), "0"], stdout=subprocess.PIPE, text=True
    ) as server:
        assert server.stdout is not None
        yield server.stdout.readline().strip()
        server.terminate()


FIGURES = """
import json
from locust import events
from locust.runners import WorkerRunner

@events.init.add_listener
def remember(environment, **_):
    @environment.events.quit.add_listener
    def write(**_):
        if not isinstance(environment.runner, WorkerRunner):
            with open({path!r}, "w", encoding="utf-8") as file:
                json.dump(environment.stats.serialize_stats(), file)
"""


def locust(file: Path, *options: str) -> tuple[int, dict[str, dict[str, Any]], str]:
    """The exit code of a headless run, its figures by name, and what it said."""
    # --json would write the figures among the lines that each worker writes to the same pipe
    figures = file.with_name("figures.json")
    writer = file.with_name("writer.py")
    writer.write_text(FIGURES.format(path=str(figures)), encoding="utf-8")
    words = ["-f", f"{file},{writer}", "--headless", "--spawn-rate", "20", *options]
    done = subprocess.run(
        [sys.executable, "-m", "locust", *words, "--run-time", "60s"],
        cwd=EXAMPLE,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert figures.exists(), done.stderr
    rows = json.loads(figures.read_text("utf-8"))
    return done.returncode, {row["name"]: row for row in rows}, done.stderr


ENOUGH = """
from locust import events
from locust.runners import MasterRunner
from locustfile import Asker

@events.init.add_listener
def remember(environment, **_):
    @environment.events.worker_report.add_listener
    def seen(**_):
        runner = environment.runner
        if isinstance(runner, MasterRunner) and runner.stats.total.num_requests > 40:
            runner.quit()
"""


def test_the_example_runs_with_two_workers(clock: str, tmp_path: Path) -> None:
    file = tmp_path / "bounded.py"
    file.write_text(f"import sys\nsys.path.insert(0, {str(EXAMPLE)!r})\n{ENOUGH}", "utf-8")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])

    code, rows, said = locust(
        file,
        *("--host", clock, "--users", "4", "--processes", "2"),
        *("--master-bind-port", port, "--master-port", port),
    )

    assert code == 0, said
    assert "2 workers connected" in said
    assert set(rows) == {"connect", "get_time", "get_time (refused)"}
    assert all(row["method"] == "MCP" and row["num_failures"] == 0 for row in rows.values())
    assert rows["connect"]["num_requests"] == 4
    assert rows["get_time"]["num_requests"] >= 4


FAILING = """
from locust import constant, task
from toolproof.locust import McpUser

class Reader(McpUser):
    wait_time = constant(0.02)
    command = {command!r}

    turns = 0

    def on_start(self):
        self.turns = 0

    @task
    def all_at_once(self):
        self.turns += 1
        if self.turns > 2:
            self.environment.runner.quit()
        self.list_tools()
        self.call("get_book", {{"id": "b-1"}})
        self.call("get_book", {{"id": "b-9"}}, name="no book")
        self.call("get_book", {{}}, name="no id", errors_are_fine=True)
        self.call("price_before_discount", {{"price": 1, "discount": 100}}, name="end")
"""


def test_failures_are_counted_and_a_lost_server_is_started_again(tmp_path: Path) -> None:
    file = tmp_path / "locustfile.py"
    command = [sys.executable, str(DEMO / "server.py")]
    file.write_text(FAILING.format(command=command), encoding="utf-8")

    code, rows, said = locust(file, "--users", "1")

    assert code == 1, said
    assert {name: row["num_failures"] > 0 for name, row in rows.items()} == {
        "connect": False,
        "tools/list": False,
        "get_book": False,
        "no book": True,
        "no id": False,
        "end": True,
    }
    assert rows["connect"]["num_requests"] >= 2
    assert "ZeroDivisionError" not in re.sub(r"MCP end.*", "", said)


UNREACHABLE = """
from locust import constant, events, task
from toolproof.locust import McpUser

class Nobody(McpUser):
    host = "http://127.0.0.1:9/mcp"
    wait_time = constant(0.02)

    @task
    def knock(self):
        self.call("any")

@events.init.add_listener
def remember(environment, **_):
    @environment.events.request.add_listener
    def seen(**_):
        if environment.runner.stats.total.num_requests > 1:
            environment.runner.quit()
"""


def test_a_server_that_cannot_be_reached_is_a_failed_connect(tmp_path: Path) -> None:
    file = tmp_path / "locustfile.py"
    file.write_text(UNREACHABLE, encoding="utf-8")

    code, rows, said = locust(file, "--users", "1")

    assert code == 1, said
    assert rows["connect"]["num_failures"] == rows["connect"]["num_requests"] > 1
    assert "nothing listens on 127.0.0.1:9" in said


def test_a_user_without_a_server_says_what_is_needed() -> None:
    code = (
        "from toolproof.locust import McpUser\n"
        "from locust.env import Environment\n"
        "McpUser(Environment())"
    )

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)

    assert "McpUser needs --host, the URL of an MCP server" in done.stderr
