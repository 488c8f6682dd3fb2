"""What a server's processes hold: memory, descriptors, threads, connections to elsewhere."""

import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

_PROC = Path("/proc")


@dataclass(frozen=True, slots=True)
class Held:
    """What a process and its descendants hold.

    Attributes:
        rss_bytes: Resident memory.
        descriptors: Open files, pipes and sockets; 0 where the system does not tell.
        collects: Whether a collector of garbage lets memory grow for long before it looks.
    """

    rss_bytes: int
    descriptors: int
    threads: int
    processes: int
    collects: bool


def held_by(pid: int | None) -> Held | None:
    """What a server holds, its children included; None over HTTP, or once it has ended."""
    rss = descriptors = threads = processes = 0
    counted = True
    for process in _family(pid):
        import psutil  # noqa: PLC0415 - only where processes are looked at

        with suppress(psutil.Error):
            rss += process.memory_info().rss
            threads += process.num_threads()
            processes += 1
            counted = counted and "python" in process.name().lower()
        with suppress(psutil.Error, AttributeError):
            descriptors += process.num_fds()
    return Held(rss, descriptors, threads, processes, not counted) if processes else None


Scheduled = dict[int, tuple[int, int]]
"""By thread: nanoseconds on a processor, and ready to run while others did."""


def scheduled(pid: int | None) -> Scheduled:
    """What the scheduler gave a server with its children, and this program, which waits with them.

    Empty where the system does not tell.
    Source: docs.kernel.org/scheduler/sched-stats.html, /proc/PID/schedstat.
    """
    found: Scheduled = {}
    for process in () if pid is None else (os.getpid(), pid, *_below(pid)):
        with suppress(OSError):
            for task in (_PROC / str(process) / "task").iterdir():
                with suppress(OSError, ValueError):
                    ran, waited, _slices = (task / "schedstat").read_text(encoding="ascii").split()
                    found[int(task.name)] = int(ran), int(waited)
    return found


def own_time_s(wall_s: float, before: Scheduled, after: Scheduled) -> float:
    """Of a time on the clock, what is the server's own, and not a busy machine's.

    Not less than the processor time: threads that wait side by side are not taken off twice.
    """
    ran = waited = 0
    for thread, (now_ran, now_waited) in after.items():
        then_ran, then_waited = before.get(thread, (0, 0))
        ran += now_ran - then_ran
        waited += now_waited - then_waited
    return max(wall_s - waited / 1e9, min(ran / 1e9, wall_s))


def sockets_of(pid: int | None) -> frozenset[str]:
    """Its connections to other addresses than this machine's own, and lookups of names."""
    import psutil  # noqa: PLC0415

    found: set[str] = set()
    for process in _family(pid):
        with suppress(psutil.Error, OSError):
            for one in process.net_connections(kind="inet"):
                if not one.raddr:
                    continue
                local = str(one.raddr.ip).startswith(("127.", "::1"))
                if not local or one.raddr.port == _DNS or one.status == psutil.CONN_SYN_SENT:
                    found.add(f"{process.pid} {one.fd} {one.raddr.ip} {one.raddr.port}")
    return frozenset(found)


_DNS = 53


def _family(pid: int | None) -> Iterator[Any]:
    if pid is None:
        return
    import psutil  # noqa: PLC0415

    with suppress(psutil.Error):
        leader = psutil.Process(pid)
        yield leader
        if not (_PROC / str(pid) / "task" / str(pid) / "children").exists():
            yield from leader.children(recursive=True)
            return
    for child in _below(pid):
        with suppress(psutil.Error):
            yield psutil.Process(child)


def _below(pid: int) -> Iterator[int]:
    """The descendants of a process, without a look at all others of the machine.

    Source: proc_pid_tid_children(5).
    """
    with suppress(OSError):
        for task in (_PROC / str(pid) / "task").iterdir():
            for child in (task / "children").read_text(encoding="ascii").split():
                yield int(child)
                yield from _below(int(child))
