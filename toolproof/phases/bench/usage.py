"""CPU time and memory of a server's processes, the machine, and its fingerprint."""

import os
import platform
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from toolproof.records import record


@record
class Usage:
    """Of a process and all its descendants.

    Attributes:
        cpu_s: User and system time, in seconds.
        rss_bytes: The most memory that each had, added up (Linux); elsewhere what they have now.
    """

    cpu_s: float
    rss_bytes: int


def usage_of(pid: int | None) -> Usage | None:
    """What a server uses, its children included, as `npx` and `uv run` are only parents; None where
    that cannot be told: over HTTP, on some systems, or once it has ended.
    """  # noqa: D205 - one sentence
    if pid is None:
        return None
    import psutil

    try:
        leader = psutil.Process(pid)
        family = [leader, *leader.children(recursive=True)]
    except psutil.Error:
        return None
    cpu_s, rss = 0.0, 0
    for process in family:
        with suppress(psutil.Error):
            times = process.cpu_times()
            cpu_s += times.user + times.system
            rss += _peak(process.pid) or process.memory_info().rss
    return Usage(cpu_s, rss)


def _peak(pid: int) -> int | None:
    """Peak resident memory in bytes, where the system keeps it (Linux: VmHWM, in kB)."""
    try:
        status = Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    except OSError:
        return None
    line = next((line for line in status.splitlines() if line.startswith("VmHWM:")), "")
    words = line.split()
    return int(words[1]) * 1024 if len(words) == 3 else None


def machine() -> Mapping[str, str]:
    """What figures depend on: two runs can be compared where these are equal."""
    return {
        "processor": _processor(),
        "cores": str(os.cpu_count() or 0),
        "system": f"{platform.system()} {platform.machine()}",
        "python": ".".join(map(str, sys.version_info[:2])),
    }


def _processor() -> str:
    with suppress(OSError):
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()
