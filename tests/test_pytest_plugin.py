"""The fixture `mcp_server`, in a pytest run of its own."""

import json
import subprocess
import sys
from pathlib import Path

from tests.running import DEMO

TESTS = """
def test_a_tool_answers(mcp_server):
    assert "Mythical" in mcp_server.call("search_books", {"words": "brooks"}).text
    assert "get_book" in [tool.name for tool in mcp_server.list_tools()]
    assert mcp_server.server_info().name == "demo-bookshop"

def test_a_crash_is_a_result(mcp_server):
    result = mcp_server.call("price_before_discount", {"price": 1, "discount": 100})
    assert result.transport_error
    assert "ZeroDivisionError" in mcp_server.stderr_tail()
    assert not mcp_server.is_alive()

def test_the_next_test_has_a_server_again(mcp_server):
    assert mcp_server.is_alive()
    assert not mcp_server.call("get_book", {"id": "b-1"}, timeout_s=5).is_error
    mcp_server.reconnect()
    assert mcp_server.is_alive()
"""


def pytest_in(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *words],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


def prepare(folder: Path, name: str = "toolproof.yaml") -> None:
    command = json.dumps([sys.executable, str(DEMO / "server.py")])
    (folder / name).write_text(f"server: {{command: {command}}}\n", encoding="utf-8")
    (folder / "test_it.py").write_text(TESTS, encoding="utf-8")


def test_the_fixture_opens_the_server_of_the_config(tmp_path: Path) -> None:
    prepare(tmp_path)

    done = pytest_in(tmp_path)

    assert done.returncode == 0, done.stdout
    assert "3 passed" in done.stdout


def test_the_config_can_be_elsewhere(tmp_path: Path) -> None:
    prepare(tmp_path, "other.yaml")

    done = pytest_in(tmp_path, "--toolproof-config", "other.yaml")

    assert done.returncode == 0, done.stdout


def test_without_a_config_the_fixture_says_so(tmp_path: Path) -> None:
    (tmp_path / "test_it.py").write_text(TESTS, encoding="utf-8")

    done = pytest_in(tmp_path)

    assert done.returncode == 1
    assert "mcp_server: " in done.stdout
    assert "toolproof.yaml" in done.stdout
    assert "Traceback" not in done.stdout


def test_a_server_that_does_not_start_fails_the_tests_with_the_reason(tmp_path: Path) -> None:
    prepare(tmp_path)
    (tmp_path / "toolproof.yaml").write_text("server: {command: [no-such]}\n", encoding="utf-8")

    done = pytest_in(tmp_path)

    assert done.returncode == 1
    assert "no-such" in done.stdout
