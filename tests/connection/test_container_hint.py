"""In toolproof's own image a server lacks what nobody has installed there: that is said."""

import pytest

from toolproof.connection.faults import server_error, start_hint

WORDS = "install them with 'setup' (e.g. pip install -e .) or use 'runtime: host'"


@pytest.mark.parametrize(
    "stderr",
    [
        "ModuleNotFoundError: No module named 'weather'",
        "/usr/bin/python: No module named weather",
        "Error: Cannot find module '/srv/dist/server.js'",
        "sh: 1: weather: not found",
        "bash: weather: command not found",
        "Error: spawn ENOENT",
    ],
)
def test_a_server_that_lacks_something_in_the_container_is_told_of_setup(stderr: str) -> None:
    assert WORDS in start_hint(stderr, ["TOOLPROOF_IN_CONTAINER"], [])
    assert WORDS not in start_hint(stderr, ["PATH"], [])


def test_another_death_is_not_blamed_on_the_container() -> None:
    assert WORDS not in start_hint("ZeroDivisionError", ["TOOLPROOF_IN_CONTAINER"], [])


def test_a_command_that_is_not_there_is_told_of_setup(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOOLPROOF_IN_CONTAINER", "1")

    assert WORDS in (server_error(FileNotFoundError(), "weather").hint or "")
