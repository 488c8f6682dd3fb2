"""Which server, which file and which tests are meant, and what is said where that is not clear."""

import os
import threading
from pathlib import Path

import pytest

from tests.cli.commanding import SHOP, Here, config
from toolproof.config import source

TESTS = """
tests:
  - {name: a book, tool: get_book, args: {id: b-1}, tags: [smoke]}
  - {name: no book, tool: get_book, args: {id: b-9}}
"""


def test_another_server_is_held_to_the_tests_of_the_file(here: Here) -> None:
    path = config(here.folder, TESTS)
    path.write_text(path.read_text("utf-8").replace("server.py", "no-server.py", 1), "utf-8")

    done = here("run", "--no-checks", "-k", "book", "--", *SHOP)
    inspected = here("inspect", "--exit-zero", "--", *SHOP)

    assert done.code == 1
    assert "2 tests" in done.stdout
    assert "repeat   toolproof run --no-checks -k book --seed" in done.stdout
    assert " -- " in done.stdout.split("repeat ", 1)[1]
    assert inspected.code == 0


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["-k", "nothing"], "no test fits -k 'nothing'"),
        (["--tag", "smok"], "no test fits --tag 'smok'"),
        (["-k", "no book", "--tag", "smoke"], "no test fits -k 'no book' with --tag 'smoke'"),
    ],
)
def test_a_filter_that_fits_no_test_is_no_green_run(
    here: Here, words: list[str], said: str
) -> None:
    config(here.folder, TESTS)

    done = here("run", *words, "--junit", "j.xml")

    assert done.code == 2
    assert f"toolproof.yaml: {said}" in done.stdout
    assert "There are the tests a book, no book; and the tags smoke." in done.stdout
    assert said.partition("'")[0] in (here.folder / "j.xml").read_text("utf-8")


def test_a_filter_means_nothing_to_phases_without_tests(here: Here) -> None:
    config(here.folder, TESTS)

    assert here("run", "-k", "nothing", "--phases", "checks").code == 1


def test_failures_of_tests_that_are_gone_do_not_leave_an_empty_run(here: Here) -> None:
    config(here.folder, TESTS)
    here("run", "--no-checks")
    config(here.folder, TESTS.replace("no book", "none"))
    renamed = here("run", "--no-checks", "--last-failed")
    none = here("run", "--no-checks", "--last-failed", "--tag", "smoke")

    assert "2 tests" in renamed.stdout
    assert none.code == 2
    assert "no test fits --tag 'smoke' with --last-failed" in none.stdout


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["run", "-q"], "It goes before the command: `toolproof -q run`."),
        (["run", "--color"], "It goes before the command: `toolproof --color COLOR run`."),
        (["run", "--jnit"], "--junit"),
        (["rnu"], "did you mean 'run'?"),
        (["zzzzzz"], "see `toolproof --help`"),
        (["inspect", "--"], "there is no command after --"),
        (["-v", "-q", "run"], "-v and -q exclude each other"),
        (["run", "--shard", "3/2"], "expected i/n with 1 <= i <= n"),
        (["inspect", "--json", "--junit", "-"], "--json prints to stdout"),
        (["run", "--json", "-", "--junit", "-"], "only one report can go to stdout"),
        (["run", "--junit", "."], "--junit: . cannot be written: it is a folder"),
        (["rules", "--check", "nam"], "Did you mean 'name'?"),
        (["rules", "--check", "zzzzzz"], "There are name, "),
        (["rules", "zzzzzzzzzz"], "List them with `toolproof rules`."),
        (["inspect"], "there is no server to test: no toolproof.yaml here or above"),
        (["inspect", "-c", "none.yaml"], "none.yaml: no such file"),
        (["inspect", "--mcp-json", "none.json"], "Give the path of an mcpServers file."),
        (["inspect", "--mcp-json", "a", "--url", "http://h"], "--mcp-json excludes --url"),
        (["inspect", "--header", "A: b", "--", "x"], "--header goes with --url"),
        (["inspect", "--url", "http://h", "--header", "A"], "expected 'NAME: VALUE', got 'A'"),
    ],
)
def test_a_mistake_of_the_call_is_one_clear_sentence(
    here: Here, words: list[str], said: str
) -> None:
    done = here(*words)

    assert done.code == 2
    assert said in done.stdout + done.stderr
    assert "Traceback" not in done.stderr


def test_a_single_server_has_no_name_to_choose(here: Here) -> None:
    config(here.folder, "")

    done = here("run", "--server", "z")

    assert done.code == 2
    assert "it has just one, without a name" in done.stdout
    assert "Leave --server out." in done.stdout


def test_the_version_is_told(here: Here) -> None:
    assert here("--version").stdout.startswith("toolproof ")
    assert "inspect" in here("--help").stdout
    assert here().code == 2


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_file_may_come_through_a_pipe(here: Here) -> None:
    text = config(here.folder, TESTS).read_text("utf-8")
    reading, writing = os.pipe()
    os.write(writing, text.encode())
    os.close(writing)
    try:
        assert source.read_text(Path(f"/dev/fd/{reading}")) == text
    finally:
        os.close(reading)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_named_pipe_may_be_written_later(here: Here) -> None:
    text = config(here.folder, TESTS).read_text("utf-8")
    pipe = here.folder / "pipe.yaml"
    os.mkfifo(pipe)
    writer = threading.Timer(0.1, pipe.write_text, (text, "utf-8"))
    writer.start()

    assert source.read_text(pipe) == text


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_pipe_into_which_nobody_writes_is_not_waited_for(
    here: Here, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(source, "PIPE_S", 0.01)
    pipe = here.folder / "pipe.yaml"
    os.mkfifo(pipe)
    end = os.open(pipe, os.O_RDWR)
    try:
        done = here("run", pipe)
    finally:
        os.close(end)

    assert done.code == 2
    assert "the pipe was not closed within" in done.stdout
    assert Path(pipe).is_fifo()
