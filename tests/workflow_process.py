"""A step's process, followed to its end as GitHub's runner does."""

import contextlib
import os
import signal
import subprocess
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

LINGER = 2.0  # seconds that output may stay open after a step's end


@dataclass(frozen=True)
class Ended:
    """How a process ended: its status, what it wrote to stdout and stderr, and whether in time."""

    status: int
    streams: tuple[str, str]
    late: bool


def followed(words: Sequence[str], folder: Path, env: Mapping[str, str], timeout: float) -> Ended:
    """Run a command; what it leaves running and holds its output open is killed."""
    process = subprocess.Popen(
        words,
        cwd=folder,
        env=dict(env),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    streams: list[IO[bytes]] = [stream for stream in (process.stdout, process.stderr) if stream]
    texts = ["", ""]

    def follow(which: int) -> None:
        with streams[which] as stream:
            texts[which] = stream.read().decode("utf-8", "replace")

    threads = [threading.Thread(target=follow, args=(which,), daemon=True) for which in (0, 1)]
    for thread in threads:
        thread.start()
    late = False
    try:
        process.wait(timeout)
    except subprocess.TimeoutExpired:
        late = True
    if not late:
        for thread in threads:
            thread.join(LINGER)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    status = process.wait()
    for thread in threads:
        thread.join()
    return Ended(status, (texts[0], texts[1]), late)
