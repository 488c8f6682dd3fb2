"""How to write for whoever reads: colors, width, tables or plain lines."""

import os
import shutil
import sys
from collections.abc import Mapping
from contextlib import suppress
from typing import TextIO

from toolproof.records import record

CI_VARIABLES = (
    "CI",
    "GITHUB_ACTIONS",
    "GITLAB_CI",
    "TF_BUILD",
    "BUILDKITE",
    "CIRCLECI",
    "JENKINS_URL",
)
PLAIN_WIDTH = 80
"""Columns where nobody can be asked."""


@record(kw_only=True)
class Screen:
    """What is known of stdout and stderr.

    Attributes:
        verbose: -1 for `-q`, 0, or how many `-v` were given.
        terminal: Whether stdout is a terminal that a person watches, so that tables are welcome.
        progress: Whether stderr is one, so that progress is.
        color: Whether stdout takes colors.
        width: Columns of stdout.
        ascii: Whether stdout cannot show symbols beyond ASCII.
    """

    verbose: int = 0
    terminal: bool = False
    progress: bool = False
    color: bool = False
    width: int = PLAIN_WIDTH
    ascii: bool = False

    @staticmethod
    def of(*, verbose: int, color: str, environ: Mapping[str, str]) -> "Screen":
        """Look at the streams and the environment.

        Args:
            verbose: As in the attributes.
            color: auto, always or never; before NO_COLOR, FORCE_COLOR, the terminal, the CI.
            environ: The environment.
        """
        in_ci = any(environ.get(name) for name in CI_VARIABLES)
        watched = _isatty(sys.stdout) and environ.get("TERM") != "dumb"
        unable = _unable(sys.stdout)
        for stream in (sys.stdout, sys.stderr):
            with suppress(AttributeError, ValueError):  # not every stream can be told
                stream.reconfigure(  # type: ignore[union-attr]
                    encoding="utf-8", errors="backslashreplace"
                )
        return Screen(
            verbose=verbose,
            terminal=watched and not in_ci,
            progress=_isatty(sys.stderr) and not in_ci and environ.get("TERM") != "dumb",
            color=_color(color, environ, watched=watched),
            width=max(40, shutil.get_terminal_size((PLAIN_WIDTH, 24)).columns),
            ascii=unable,
        )


def _color(wanted: str, environ: Mapping[str, str], *, watched: bool) -> bool:
    if wanted != "auto":
        return wanted == "always"
    if environ.get("NO_COLOR"):
        return False
    if environ.get("FORCE_COLOR"):
        return environ["FORCE_COLOR"] != "0"
    return watched or bool(environ.get("GITHUB_ACTIONS") or environ.get("GITLAB_CI"))


def _isatty(stream: TextIO) -> bool:
    try:
        return stream.isatty()
    except ValueError:  # closed
        return False


def _unable(stream: TextIO) -> bool:
    """Whether a stream's own encoding has no symbols: a Windows code page, say."""
    try:
        "─│✓".encode(stream.encoding or "utf-8")
    except (UnicodeEncodeError, LookupError, AttributeError):
        return os.name == "nt"
    return False


def write(text: str, *, to_stderr: bool = False) -> None:
    """Write to stdout or stderr in one go; a pipe that was closed is no error of ours."""
    stream = sys.stderr if to_stderr else sys.stdout
    try:
        stream.write(text)
        stream.flush()
    except BrokenPipeError:
        # Python would complain at its end when it flushes: give it something that takes all.
        descriptor = os.open(os.devnull, os.O_WRONLY)
        os.dup2(descriptor, stream.fileno())
        os.close(descriptor)
