"""What is being done, on stderr, once it takes over a second; the one place beside reporters with rich."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

AFTER_S = 1.0
"""What is done sooner needs no progress."""


@contextmanager
def showing(*, enabled: bool) -> Iterator[Callable[[int, int, str], None]]:
    """Give a function to tell progress to: done, total (0 where nobody knows), in words."""
    if not enabled:
        yield lambda _done, _total, _what: None
        return
    shown = _Shown()
    try:
        yield shown.tell
    finally:
        shown.end()


class _Shown:
    def __init__(self) -> None:
        self.began = time.monotonic()
        self.last = 0.0
        self.progress: Any = None
        self.task: Any = None

    def tell(self, done: int, total: int, what: str) -> None:
        now = time.monotonic()
        if now - self.began < AFTER_S or now - self.last < 0.1:
            return
        self.last = now
        from rich.console import Console
        from rich.progress import (
            BarColumn,
            MofNCompleteColumn,
            Progress,
            TextColumn,
            TimeElapsedColumn,
        )
        from rich.text import Text

        from toolproof.reporters.escape import one_line

        if self.progress is None:
            progress = Progress(
                TimeElapsedColumn(),
                BarColumn(bar_width=20),
                MofNCompleteColumn(),
                TextColumn("{task.description}", markup=False),
                console=Console(stderr=True),
                transient=True,
            )
            progress.start()
            self.task = progress.add_task("", total=None)
            self.progress = progress
        else:
            progress = self.progress
        text = Text(one_line(what)).plain
        progress.update(self.task, completed=done, total=total or None, description=text)

    def end(self) -> None:
        if self.progress is not None:
            self.progress.stop()
