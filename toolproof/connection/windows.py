"""A server with all that it started on Windows: a job; the counterpart of `groups` there."""

import ctypes
import os
import signal
import subprocess
import sys
from contextlib import suppress
from typing import Any, ClassVar

from toolproof.connection.survivor import Survivor

assert sys.platform == "win32"  # noqa: S101 - how type checkers learn it; elsewhere: `groups`

TERMINATE = signal.CTRL_BREAK_EVENT
"""What asks a server to end; it reaches a process group of the same console."""

_KILL_ON_CLOSE = 0x2000
_PROCESS_IDS, _EXTENDED_LIMITS = 3, 9
_MAY_BE_ASSIGNED = 0x0101  # PROCESS_SET_QUOTA and PROCESS_TERMINATE
_MOST_LISTED = 256
_kernel32 = ctypes.WinDLL("kernel32", use_last_error=True)
for _function in ("CreateJobObjectW", "OpenProcess"):
    getattr(_kernel32, _function).restype = ctypes.c_void_p


class _Limits(ctypes.Structure):
    """JOBOBJECT_EXTENDED_LIMIT_INFORMATION; source: winnt.h."""

    _fields_: ClassVar[list[tuple[str, Any]]] = [
        ("process_time", ctypes.c_int64),
        ("job_time", ctypes.c_int64),
        ("flags", ctypes.c_uint32),
        ("smallest_set", ctypes.c_size_t),
        ("largest_set", ctypes.c_size_t),
        ("most_processes", ctypes.c_uint32),
        ("affinity", ctypes.c_size_t),
        ("priority", ctypes.c_uint32),
        ("scheduling", ctypes.c_uint32),
        ("io_counters", ctypes.c_uint64 * 6),
        ("process_memory", ctypes.c_size_t),
        ("job_memory", ctypes.c_size_t),
        ("peak_process_memory", ctypes.c_size_t),
        ("peak_job_memory", ctypes.c_size_t),
    ]


class _ProcessIds(ctypes.Structure):
    """JOBOBJECT_BASIC_PROCESS_ID_LIST; source: winnt.h."""

    _fields_: ClassVar[list[tuple[str, Any]]] = [
        ("assigned", ctypes.c_uint32),
        ("listed", ctypes.c_uint32),
        ("ids", ctypes.c_size_t * _MOST_LISTED),
    ]


def spawn_options() -> dict[str, Any]:
    """A process group of its own, so that CTRL_BREAK reaches it and our Ctrl-C does not."""
    return {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}


class Group:
    """A job that holds the server and what it starts, and ends them when it is closed.

    Args:
        leader: The pid of the server.
        mark: Not needed here: nothing leaves a job.
    """

    def __init__(self, leader: int, mark: str) -> None:
        del mark
        self.leader = leader
        self._job = _kernel32.CreateJobObjectW(None, None)
        limits = _Limits(flags=_KILL_ON_CLOSE)
        _kernel32.SetInformationJobObject(
            ctypes.c_void_p(self._job),
            _EXTENDED_LIMITS,
            ctypes.byref(limits),
            ctypes.sizeof(limits),
        )
        process = _kernel32.OpenProcess(_MAY_BE_ASSIGNED, 0, leader)
        if process:
            job, handle = ctypes.c_void_p(self._job), ctypes.c_void_p(process)
            _kernel32.AssignProcessToJobObject(job, handle)
            _kernel32.CloseHandle(handle)

    def signal(self, number: int) -> None:
        """Send CTRL_BREAK to the group; nothing happens if it is gone."""
        with suppress(OSError):
            os.kill(self.leader, number)

    def survivors(self) -> list[Survivor]:
        """What is alive in the job, but for the leader."""
        found = _ProcessIds()
        ok = _kernel32.QueryInformationJobObject(
            ctypes.c_void_p(self._job),
            _PROCESS_IDS,
            ctypes.byref(found),
            ctypes.sizeof(found),
            None,
        )
        pids = list(found.ids[: found.listed]) if ok else []
        return [Survivor(pid, f"process {pid} of its job") for pid in pids if pid != self.leader]

    def waited_s(self) -> float:
        """Not known here."""
        return 0.0

    def kill(self) -> None:
        """End everything at once, the leader too."""
        _kernel32.TerminateJobObject(ctypes.c_void_p(self._job), 1)

    def reap(self) -> None:
        """Nothing to reap: Windows keeps no zombies."""

    def close(self) -> None:
        """Close the job; whatever is left in it ends."""
        _kernel32.CloseHandle(ctypes.c_void_p(self._job))
