"""`toolproof run --watch` as a process, and what it looks at."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.commanding import config
from toolproof.cli.watch import Watched, changed, watch

GREEN = "checks: {enabled: false}\ntests: [{name: a book, tool: get_book, args: {id: b-1}}]\n"
RED = GREEN.replace("b-1", "b-9")


@pytest.fixture
def watching(tmp_path: Path) -> Iterator["subprocess.Popen[str]"]:
    config(tmp_path, GREEN)
    environment = {name: os.environ[name] for name in os.environ if "COVERAGE" in name}
    with subprocess.Popen(
        [sys.executable, "-m", "toolproof", "run", "--watch", "--json", "report.json"],
        cwd=tmp_path,
        env={"PATH": os.environ["PATH"], "HOME": str(tmp_path), **environment},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def until(process: "subprocess.Popen[str]", words: str) -> list[str]:
    """The lines up to the one that begins with these words."""
    lines: list[str] = []
    assert process.stdout is not None
    for line in process.stdout:
        lines.append(line.rstrip("\n"))
        if line.startswith(words):
            return lines
    raise AssertionError(f"it ended before {words!r}: {lines}")


def test_it_runs_again_after_a_change_and_ends_with_the_last_exit_code(
    tmp_path: Path, watching: "subprocess.Popen[str]"
) -> None:
    first = until(watching, "watching 1 file")
    config(tmp_path, RED)
    second = until(watching, "watching 1 file")
    watching.send_signal(signal.SIGINT)

    assert any(line.startswith("PASSED") for line in first)
    assert "changed: toolproof.yaml" in second
    assert any(line.startswith("FAILED") for line in second)
    assert watching.wait(20) == 1


def test_a_broken_config_is_told_and_watched_on(
    tmp_path: Path, watching: "subprocess.Popen[str]"
) -> None:
    until(watching, "watching")
    config(tmp_path, "nonsense: 1\n")
    broken = until(watching, "watching")
    config(tmp_path, GREEN)
    mended = until(watching, "watching")

    assert any("nonsense" in line for line in broken)
    assert any(line.startswith("PASSED") for line in mended)


def test_what_is_hidden_built_or_installed_is_not_looked_at(tmp_path: Path) -> None:
    for name in ("server.py", ".git/HEAD", "node_modules/a/b.js", "x/__pycache__/y.pyc", "s.log"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("x", encoding="utf-8")

    assert set(Watched().look([tmp_path])) == {str(tmp_path.resolve() / "server.py")}


def test_reports_that_the_run_writes_are_left_out(tmp_path: Path) -> None:
    report = tmp_path / "report.json"
    report.write_text("{}", encoding="utf-8")

    assert Watched([report]).look([tmp_path]) == {}


def test_a_single_file_can_be_watched_and_a_missing_one_is_none(tmp_path: Path) -> None:
    file = tmp_path / "a.py"
    file.write_text("x", encoding="utf-8")

    assert list(Watched().look([file, tmp_path / "none"])) == [str(file.resolve())]


def test_a_change_is_a_new_a_lost_and_a_different_file() -> None:
    before = {"same": (1, 1), "lost": (1, 1), "other": (1, 1)}
    after = {"same": (1, 1), "new": (1, 1), "other": (2, 1)}

    assert changed(before, after) == {"lost", "new", "other"}


def test_what_changes_in_every_run_is_the_servers_doing(tmp_path: Path) -> None:
    """It runs once more after the first time, and then waits: Ctrl-C, here from the second wait."""
    runs: list[int] = []

    def run() -> int:
        runs.append(len(runs))
        (tmp_path / "state.json").write_text("x" * len(runs), encoding="utf-8")
        return 0 if len(runs) < 3 else 130

    def roots() -> list[Path]:
        if len(runs) == 2 and looked.pop():
            raise KeyboardInterrupt
        return [tmp_path]

    looked = [True, False]
    assert watch(run, roots, Watched()) == 0
    assert len(runs) == 2


def test_a_run_that_a_signal_ended_is_the_last(tmp_path: Path) -> None:
    assert watch(lambda: 130, lambda: [tmp_path], Watched()) == 130
