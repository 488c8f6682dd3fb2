"""Exit codes and foreign exceptions become words and a ServerError, in one table."""

import os
import re
import signal
import socket
import ssl
from collections.abc import Iterable, Mapping

from toolproof.errors import ServerError
from toolproof.text import listed

_SAYS: Mapping[type[Exception], tuple[str, str]] = {
    FileNotFoundError: ("there is no such command", "Give its full path, or install it."),
    IsADirectoryError: ("it is a directory", "Name the program in it."),
    NotADirectoryError: (
        "a part of its path is a file, not a directory",
        "Correct the path of the command or of cwd.",
    ),
    PermissionError: ("it may not be run", "Make the file executable: chmod +x FILE."),
    ConnectionRefusedError: ("nothing listens there", "Start the server, or correct the URL."),
    ConnectionResetError: ("it closed the connection", "Look at the server's log."),
    socket.gaierror: ("its host is not known", "Correct the host in the URL."),
    ssl.SSLError: ("TLS failed", "Correct the certificate, or the scheme in the URL."),
    TimeoutError: ("it did not answer in time", "Raise server.startup_timeout_s."),
}
_START_BY_HAND = "Start it by hand and look at what it prints."
_IN_CONTAINER = "TOOLPROOF_IN_CONTAINER"
"""Set in toolproof's own image, where nothing of the server's is installed."""
_NOT_INSTALLED = (
    "The server's dependencies are not in the container: install them with 'setup' "
    "(e.g. pip install -e .) or use 'runtime: host'."
)
_LACKS = re.compile(
    r"ModuleNotFoundError|No module named|Cannot find (?:module|package)|(?:command )?not found|ENOENT"
    r"|No such file or directory"
)
_SHELL_SIGNALS = 128
"""A shell, and what imitates one, exits with 128 + N where its child was ended by signal N."""
_VARIABLE = re.compile(r"\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b")
_SPEAKS_OF_VARIABLES = re.compile(r"(?i)environment variable|\benv(?:ironment)? var|\.env\b")


def exit_words(code: int) -> str:
    """How a process ended, for people: "exit code 1", "signal SIGKILL (killed)".

    Args:
        code: As `subprocess` gives it: negative for the number of a signal.
    """
    if code < 0:
        return signal_words(-code)
    if 0 < code - _SHELL_SIGNALS < signal.NSIG:
        return f"exit code {code} (as after {signal_words(code - _SHELL_SIGNALS)})"
    if code > 0xFF:  # Windows: an NTSTATUS such as 0xC0000005
        return f"exit code 0x{code & 0xFFFFFFFF:08X}"
    return f"exit code {code}"


def signal_words(number: int) -> str:
    """A signal's name with what it stands for."""
    try:
        name = signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
    words = signal.strsignal(number)
    return f"signal {name} ({words.lower()})" if words else f"signal {name}"


def with_stderr(message: str, stderr: str) -> str:
    """The message, and what the server wrote on stderr last, if it wrote anything."""
    return f"{message}; the end of its stderr:\n{stderr}" if stderr else message


def server_error(exc: Exception, target: str, stderr: str = "") -> ServerError:
    """What the user should read when `exc` kept the server from starting.

    Args:
        exc: What was raised, maybe inside the group of a task group.
        target: The command or the URL.
        stderr: The server's last words, if it had any.
    """
    exc = _innermost(exc)
    for kind, (message, hint) in _SAYS.items():
        if isinstance(exc, kind):
            lacks = kind is FileNotFoundError and _IN_CONTAINER in os.environ
            return ServerError(
                with_stderr(message, stderr), where=target, hint=_NOT_INSTALLED if lacks else hint
            )
    said = f"it could not be reached: {str(exc) or type(exc).__name__}"
    return ServerError(with_stderr(said, stderr), where=target, hint=_START_BY_HAND)


def start_hint(stderr: str, known: Iterable[str], given: Iterable[str]) -> str:
    """What to do about a server that ended at its start.

    It gets few variables (`wire.md`, section 2). If its last words name one that we have and it
    has not, that is most likely why. In our container it lacks what the job has not installed there.

    Args:
        stderr: Its last words.
        known: The names of our own variables.
        given: The names of those that it got.
    """
    missing = sorted((set(_VARIABLE.findall(stderr)) & set(known)) - set(given))
    if missing:
        return f"Pass {listed(missing)} on with server.env: a server inherits few variables."
    if _SPEAKS_OF_VARIABLES.search(stderr):
        return "Set the variable with server.env: a server inherits few variables."
    if _IN_CONTAINER in set(known) and _LACKS.search(stderr):
        return _NOT_INSTALLED
    return _START_BY_HAND


def _innermost(exc: Exception) -> Exception:
    while isinstance(exc, ExceptionGroup):
        exc = exc.exceptions[0]
    return exc
