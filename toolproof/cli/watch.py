"""`--watch`: run again when a file changes, until Ctrl-C."""

import gc
import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

from toolproof.cli.screen import write
from toolproof.text import count, listed

EVERY_S = 0.5
"""Between two looks at the files: soon enough for a person, next to nothing for the machine."""
STILL_S = 0.2
"""A change has come to its end when nothing more changes for so long."""
MOST_FILES = 20_000
_LONGEST_CHANGE_S = 10.0
_SIGNALLED = 128

_FOLDERS = frozenset(
    {"node_modules", "__pycache__", "venv", "env", "dist", "build", "target", "vendor"}
)
_ENDINGS = (".pyc", ".log", ".tmp", ".swp", ".pid", ".db", ".db-journal", ".db-wal", ".db-shm", "~")
"""Of files that programs write as they run, or that editors keep beside others."""

Seen = Mapping[str, tuple[int, int]]
"""Of each file its time of change, in ns, and its size."""


class Watched:
    """Files that a run depends on.

    Args:
        left_out: Files that the run writes itself: its reports.
    """

    def __init__(self, left_out: Iterable[Path] = ()) -> None:
        self._left_out = {str(path.resolve()) for path in left_out}

    def look(self, roots: Iterable[Path]) -> Seen:
        """How the files below these roots are now; at most 20,000."""
        seen: dict[str, tuple[int, int]] = {}
        for root in dict.fromkeys(path.resolve() for path in roots):
            for path, status in _files(str(root)):
                if path not in self._left_out:
                    seen[path] = (status.st_mtime_ns, status.st_size)
                if len(seen) >= MOST_FILES:
                    return seen
        return seen


def _files(root: str) -> Iterator[tuple[str, os.stat_result]]:
    """The files at and below a path; what is hidden, built or installed is not looked at."""
    folders = [root]
    while folders:
        folder = folders.pop()
        try:
            entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
        except NotADirectoryError:
            entries = []
            yield from _file(folder)
        except OSError:
            continue
        for entry in entries:
            if entry.name.startswith(".") or entry.name.endswith(_ENDINGS):
                continue
            try:
                if entry.is_dir(follow_symlinks=False):
                    if entry.name not in _FOLDERS:
                        folders.append(entry.path)
                elif entry.is_file():
                    yield entry.path, entry.stat()
            except OSError:
                continue


def _file(path: str) -> Iterator[tuple[str, os.stat_result]]:
    try:
        yield path, os.stat(path)  # noqa: PTH116 - as scandir gives it
    except OSError:
        return


def changed(before: Seen, after: Seen) -> set[str]:
    """The files that came, went, or are different."""
    return {path for path in before.keys() | after.keys() if before.get(path) != after.get(path)}


def watch(
    run: Callable[[], int],
    roots: Callable[[], Iterable[Path]],
    watched: Watched,
) -> int:
    """Run, wait for a change, run again; until Ctrl-C.

    Args:
        run: One run; gives its exit code.
        roots: Where to look; asked after each run, as the config may have changed.
        watched: What to look at there.

    Returns:
        The exit code of the last run; 128 and more where a signal ended it.
    """
    of_the_run: set[str] = set()
    before = watched.look(roots())
    while True:
        code = run()
        if code >= _SIGNALLED:
            return code
        gc.unfreeze()
        after = watched.look(roots())
        during = changed(before, after)
        # What changes during one run after the other is the server's doing, and no reason for more.
        meanwhile, of_the_run = during - of_the_run, during
        try:
            if not meanwhile:
                write(f"watching {count(len(after), 'file')}; Ctrl-C ends\n", to_stderr=True)
                after, meanwhile = _next_change(watched, roots, after)
        except KeyboardInterrupt:
            write("\n", to_stderr=True)
            return code
        before = after
        names = listed((os.path.relpath(path) for path in sorted(meanwhile)), most=3)
        write(f"\nchanged: {names}\n\n", to_stderr=True)


def _next_change(
    watched: Watched, roots: Callable[[], Iterable[Path]], before: Seen
) -> tuple[Seen, set[str]]:
    """The files once a change is over, and which they are."""
    after = before
    while not changed(before, after):
        time.sleep(EVERY_S)
        after = watched.look(roots())
    since = time.monotonic()
    while time.monotonic() - since < _LONGEST_CHANGE_S:
        time.sleep(STILL_S)
        now = watched.look(roots())
        if not changed(after, now):
            break
        after = now
    return after, changed(before, after)
