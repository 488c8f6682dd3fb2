"""A command is found in the environment that it gets, or the word that is wrong is named."""

import os
import sys
from pathlib import Path

import pytest

from toolproof.connection.launch import INHERITED, inherited, launch
from toolproof.errors import ServerError


def _fault(*command: str, env: dict[str, str] | None = None, cwd: Path = Path()) -> ServerError:
    with pytest.raises(ServerError) as caught:
        launch(command, env or {}, cwd)
    return caught.value


def test_a_program_becomes_a_full_path() -> None:
    found = launch(("sh", "-c", "true"), {"A": "b"}, Path())

    assert Path(found.argv[0]).is_absolute()
    assert found.argv[1:] == ("-c", "true")
    assert found.label == "sh -c true"
    assert found.env["A"] == "b"
    assert set(found.env) <= {*INHERITED, "A"}


def test_own_variables_win_over_inherited_ones() -> None:
    assert launch((sys.executable,), {"PATH": "/x"}, Path()).env["PATH"] == "/x"
    assert inherited()["PATH"] == os.environ["PATH"]


@pytest.mark.parametrize("command", [(), ("",), (" ",)])
def test_an_empty_command_is_named(command: tuple[str, ...]) -> None:
    assert _fault(*command).message == "the command is empty"


@pytest.mark.parametrize(
    ("command", "hint"),
    [
        (("pyhton3",), 'Did you mean "python3"?'),
        (("python server.py",), "Give the program and each argument as a word of its own."),
        (("no-such-program",), "Install it, or give its full path."),
    ],
)
def test_a_program_that_is_not_found_gets_a_hint(command: tuple[str, ...], hint: str) -> None:
    assert _fault(*command).hint == hint


@pytest.mark.parametrize("word", ["~/server", "$HOME/server"])
def test_what_only_a_shell_would_expand_gets_a_hint(word: str) -> None:
    assert _fault(word).hint == "There is no shell that would expand it: write the path out."


def test_a_file_of_this_folder_needs_its_dot(tmp_path: Path) -> None:
    (tmp_path / "server.sh").touch()
    with pytest.raises(ServerError) as caught:
        launch(("server.sh",), {}, Path(), tmp_path)

    assert caught.value.hint == 'Write "./server.sh" for the file in this folder.'


def test_a_nul_character_is_named() -> None:
    assert "NUL" in _fault("sh", "a\0b").message
    assert "NUL" in _fault("sh", env={"A": "\0"}).message


def test_a_folder_that_is_a_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()

    assert "is not a directory" in _fault("sh", cwd=tmp_path / "file").message
