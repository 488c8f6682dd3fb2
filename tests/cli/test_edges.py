"""Where the command meets terminals, CIs and bugs of its own."""

import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.cli.commanding import SHOP, Here, config
from toolproof.cli import outputs, progress, screen
from toolproof.cli.screen import Screen
from toolproof.errors import ServerError
from toolproof.reporters import REPORTERS


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    encoding = "utf-8"

    def isatty(self) -> bool:
        return True


class Closed(io.StringIO):
    encoding = "cp1252"

    def isatty(self) -> bool:
        raise ValueError("I/O operation on closed file")


@pytest.mark.parametrize(
    ("wanted", "environ", "stream", "color", "terminal"),
    [
        ("auto", {}, Terminal, True, True),
        ("auto", {"NO_COLOR": "1"}, Terminal, False, True),
        ("auto", {"FORCE_COLOR": "1"}, io.StringIO, True, False),
        ("auto", {"FORCE_COLOR": "0"}, Terminal, False, True),
        ("auto", {"GITHUB_ACTIONS": "true"}, io.StringIO, True, False),
        ("auto", {"CI": "1"}, Terminal, True, False),
        ("auto", {"TERM": "dumb"}, Terminal, False, False),
        ("never", {"FORCE_COLOR": "1"}, Terminal, False, True),
        ("always", {"NO_COLOR": "1"}, Closed, True, False),
    ],
)
def test_colors_and_tables_are_for_who_can_see_them(  # noqa: PLR0913, PLR0917 - a row of the table
    monkeypatch: pytest.MonkeyPatch,
    wanted: str,
    environ: dict[str, str],
    stream: type[io.StringIO],
    color: bool,
    terminal: bool,
) -> None:
    monkeypatch.setattr(sys, "stdout", stream())
    monkeypatch.setattr(sys, "stderr", stream())

    found = Screen.of(verbose=0, color=wanted, environ=environ)

    assert (found.color, found.terminal) == (color, terminal)


def test_progress_is_shown_once_it_takes_long_and_data_is_no_markup(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    stream = Terminal()
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setenv("TERM", "xterm")
    with progress.showing(enabled=True) as tell:
        tell(0, 5, "too soon")
        monkeypatch.setattr(progress, "AFTER_S", 0)
        tell(1, 5, "first")
        tell(2, 5, "too soon again")
        tell.__self__.last = 0.0  # type: ignore[attr-defined]
        tell(3, 5, "[red]later[/nope]")
    with progress.showing(enabled=False) as tell:
        tell(1, 5, "nobody looks")

    assert "[red]later[/nope]" in stream.getvalue()
    assert "soon" not in stream.getvalue()


def test_a_closed_pipe_is_given_something_that_takes_all(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with (tmp_path / "out").open("w", encoding="utf-8") as file:

        class Broken(io.StringIO):
            def write(self, _: str) -> int:
                raise BrokenPipeError

            def fileno(self) -> int:
                return file.fileno()

        monkeypatch.setattr(sys, "stdout", Broken())
        screen.write("words")


def failing(error: BaseException) -> Any:
    def fail(*_: object, **__: object) -> None:
        raise error

    return fail


@pytest.mark.parametrize(
    ("error", "code", "said"),
    [
        (RuntimeError("boom"), 4, "this is a bug in toolproof, not in your server"),
        (KeyboardInterrupt(), 130, "Interrupted"),
        (ServerError("it is gone", where="x"), 3, "x: it is gone"),
    ],
)
def test_whatever_is_raised_ends_in_a_code(
    here: Here, monkeypatch: pytest.MonkeyPatch, error: BaseException, code: int, said: str
) -> None:
    monkeypatch.setattr("toolproof.phases.checks.rules.all_rules", failing(error))

    done = here("rules")

    assert done.code == code
    assert said in done.stderr
    assert ("Traceback" in done.stderr) == (code == 4)


@pytest.mark.parametrize(
    ("error", "code", "name"),
    [(RuntimeError("boom"), 4, "internal error"), (ServerError("gone"), 3, "server start")],
)
def test_a_run_that_breaks_still_leaves_its_reports(
    here: Here, monkeypatch: pytest.MonkeyPatch, error: Exception, code: int, name: str
) -> None:
    monkeypatch.setattr("toolproof.runner.execute", failing(error))

    done = here("inspect", "--junit", "j.xml", "--", *SHOP)

    assert done.code == code
    assert f'name="{name}"' in (here.folder / "j.xml").read_text("utf-8")


def test_a_bug_in_one_format_does_not_cost_the_others(
    here: Here, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(name: str) -> Any:
        if name == "junit":
            raise RuntimeError("boom")
        return next(reporter for reporter in REPORTERS if reporter.name == name)

    monkeypatch.setattr(outputs, "_reporter", broken)
    done = here("inspect", "--junit", "j.xml", "--sarif", "s.json", "--", *SHOP)

    assert done.code == 4
    assert not (here.folder / "j.xml").exists()
    assert (here.folder / "s.json").exists()


def test_a_path_that_cannot_be_written_at_the_end_is_told(
    here: Here, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outputs, "write_file", failing(OSError(28, "No space left on device")))

    done = here("run", "--no-checks", "--junit", "j.xml", "--", *SHOP)

    assert done.code == 2
    assert "--junit: j.xml cannot be written: No space left on device" in done.stderr


def test_a_job_gets_its_summary_outputs_and_marks(here: Here) -> None:
    config(here.folder, "")
    files = {
        "GITHUB_OUTPUT": str(here.folder / "out"),
        "GITHUB_STEP_SUMMARY": str(here.folder / "sum.md"),
    }

    done = here("run", "--json", "r.json", GITHUB_ACTIONS="true", **files)
    here("run", "--summary", "off", "--json", "/dev/null", GITHUB_ACTIONS="true", **files)
    azure = here("inspect", TF_BUILD="True")

    assert "::error file=" in done.stdout
    said = (here.folder / "out").read_text("utf-8")
    assert "r.json" in said
    assert (here.folder / "sum.md").read_text("utf-8").count("\n## ") <= 1
    assert "##vso[task.logissue type=error" in azure.stdout


def test_a_report_on_stdout_stands_alone(here: Here) -> None:
    done = here("inspect", "--sarif", "-", "--", *SHOP)

    assert json.loads(done.stdout)["version"] == "2.1.0"
    assert "tool search_books" in done.stderr


def test_a_file_is_whole_or_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "r.json"
    path.write_text("before", encoding="utf-8")
    monkeypatch.setattr(Path, "replace", failing(OSError(13, "Permission denied")))

    with pytest.raises(OSError, match="Permission denied"):
        outputs.write_file(path, "after")

    assert path.read_text("utf-8") == "before"
    assert [one.name for one in tmp_path.iterdir()] == ["r.json"]
