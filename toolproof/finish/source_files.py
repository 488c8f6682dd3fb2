"""Which files of a repository may define tools, and what stands in them."""

import os
import re
import shutil
import stat
import subprocess
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from pathlib import Path

MAX_BYTES = 1_000_000
SUFFIXES = frozenset(
    {
        ".py",
        ".ts",
        ".tsx",
        ".js",
        ".mjs",
        ".cjs",
        ".go",
        ".rs",
        ".java",
        ".kt",
        ".cs",
        ".rb",
        ".php",
        ".swift",
    }
)
_SKIPPED_FOLDERS = re.compile(
    r"(?:tests?|specs?|test[-_]?(?:data|utils|cases|helpers|support)|e2e|evals?"
    r"|_*(?:tests?|snapshots?|mocks?|fixtures?)_*"
    r"|node_modules|vendor|third[-_]party|dist|build|docs?|examples?|\.github|\.git)\Z",
    re.IGNORECASE,
)
_SKIPPED_ON_A_WALK = re.compile(
    r"(?:\..*|__pycache__|site-packages|s?venv|virtualenv|env|target|obj|out|coverage)\Z"
)
_SKIPPED_NAMES = re.compile(
    r"(?:test_.*\.py|conftest\.py|.*_tests?\.(?:py|go|rb|rs)|.*_spec\.rb"
    r"|.*[.-](?:test|tests|spec|stories|mock|fixture|snap)\.[a-z]+|.*\.(?:min\.[cm]?js|d\.ts)"
    r"|.*(?:Test|Tests|Spec|TestCase|IT)\.(?:java|kt|cs|php|swift)|tests?\.(?:rs|py|go))\Z"
)
_NO_HANG = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
_GIT_LINE = re.compile(r"100(?:644|755) [0-9a-f]+ 0\t(.*)", re.DOTALL)


def suffix_of(path: str) -> str:
    """The suffix of a file's name, with its dot."""
    return f".{path.rpartition('.')[2]}"


def may_define_tools(path: str) -> bool:
    """Whether a file may be searched: source code, and no test, copy, example or build product.

    Args:
        path: Relative to the folder that is searched, with `/`.
    """
    folder, _, name = path.rpartition("/")
    return (
        suffix_of(name) in SUFFIXES and not _SKIPPED_NAMES.match(name) and not _is_skipped(folder)
    )


@lru_cache(maxsize=4096)
def _is_skipped(folder: str) -> bool:
    return any(_SKIPPED_FOLDERS.match(part) for part in folder.split("/"))


def source_files(folder: Path, time_left_s: Callable[[], float]) -> Iterator[str]:
    """The files below `folder` that may define tools: those that git tracks, else all of them.

    Where git tracks none (no repository, no git, nothing added yet), the folder is walked.

    Raises:
        TimeoutError: Listing them took all the time that was left.
    """
    tracked = _tracked(folder, time_left_s())
    yield from (f"{folder}/{path}" for path in tracked if may_define_tools(path))
    if not tracked:
        yield from _walk(folder, time_left_s)


def _tracked(folder: Path, timeout_s: float) -> Sequence[str]:
    git = shutil.which("git")
    if git is None or Path(git).resolve().is_relative_to(folder.resolve()):
        return ()
    try:
        # safe.directory: in a container the checkout may belong to another user. No monitor of the
        # repository's choosing is started for a list of names.
        listed = subprocess.run(  # noqa: S603 - arguments are ours
            [git, "-c", "safe.directory=*", "-c", "core.fsmonitor=false", "ls-files", "-sz"],
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=timeout_s,
            check=True,
        ).stdout
    except subprocess.TimeoutExpired as exc:
        raise TimeoutError from exc
    except (OSError, subprocess.SubprocessError):
        return ()
    entries = (_GIT_LINE.match(entry) for entry in os.fsdecode(listed).split("\0"))
    return [entry[1] for entry in entries if entry]


def _walk(folder: Path, time_left_s: Callable[[], float]) -> Iterator[str]:
    for parent, folders, names in os.walk(folder):
        if time_left_s() <= 0:
            raise TimeoutError
        folders[:] = sorted(
            name
            for name in folders
            if not _SKIPPED_FOLDERS.match(name) and not _SKIPPED_ON_A_WALK.match(name)
        )
        for name in sorted(names):
            if may_define_tools(name):
                yield f"{parent}/{name}"


def read(path: str | Path) -> bytes | None:
    """What stands in a file; None if it is too large, unreadable, or no regular file."""
    try:
        descriptor = os.open(path, os.O_RDONLY | _NO_HANG)
    except (OSError, ValueError):
        return None
    try:
        about = os.fstat(descriptor)
        if not stat.S_ISREG(about.st_mode) or about.st_size > MAX_BYTES:
            return None
        return os.read(descriptor, MAX_BYTES)
    except OSError:
        return None
    finally:
        os.close(descriptor)
