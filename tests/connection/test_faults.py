"""Exit codes and exceptions in words."""

import socket
import ssl

import pytest

from toolproof.connection.faults import exit_words, server_error, start_hint, with_stderr


@pytest.mark.parametrize(
    ("code", "words"),
    [
        (0, "exit code 0"),
        (7, "exit code 7"),
        (-9, "signal SIGKILL (killed)"),
        (-11, "signal SIGSEGV (segmentation fault)"),
        (-200, "signal 200"),
        (137, "exit code 137 (as after signal SIGKILL (killed))"),
        (255, "exit code 255"),
        (0xC0000005, "exit code 0xC0000005"),
    ],
)
def test_a_status_is_told_in_words(code: int, words: str) -> None:
    assert exit_words(code) == words


@pytest.mark.parametrize(
    ("exc", "words"),
    [
        (FileNotFoundError(), "there is no such command"),
        (IsADirectoryError(), "it is a directory"),
        (NotADirectoryError(), "a part of its path is a file"),
        (PermissionError(), "it may not be run"),
        (ConnectionRefusedError(), "nothing listens there"),
        (ConnectionResetError(), "it closed the connection"),
        (socket.gaierror(), "its host is not known"),
        (ssl.SSLError(), "TLS failed"),
        (TimeoutError(), "it did not answer in time"),
        (ExceptionGroup("x", [ExceptionGroup("y", [PermissionError()])]), "it may not be run"),
        (ValueError("odd"), "it could not be reached: odd"),
        (ValueError(), "it could not be reached: ValueError"),
    ],
)
def test_a_foreign_exception_becomes_words_and_a_hint(exc: Exception, words: str) -> None:
    error = server_error(exc, "npx server", "boom")

    assert words in error.message
    assert error.message.endswith("the end of its stderr:\nboom")
    assert str(error).startswith("npx server: ")
    assert error.hint


def test_without_stderr_nothing_is_said_of_it() -> None:
    assert with_stderr("it ended", "") == "it ended"


@pytest.mark.parametrize(
    ("stderr", "hint"),
    [
        ("KeyError: 'ACME_KEY'", "Pass ACME_KEY on with server.env"),
        ("KeyError: 'OTHER_KEY'", "Start it by hand"),
        ("GIVEN_KEY is wrong", "Start it by hand"),
        ("Missing environment variable", "Set the variable with server.env"),
        ("", "Start it by hand"),
    ],
)
def test_a_variable_that_is_missing_is_named(stderr: str, hint: str) -> None:
    assert start_hint(stderr, ["ACME_KEY", "GIVEN_KEY"], ["GIVEN_KEY"]).startswith(hint)
