"""A server with all that it started, as one thing to signal, to look for, and to end."""

import os
import signal
from contextlib import suppress
from pathlib import Path
from typing import Any

from toolproof.connection.survivor import Survivor
from toolproof.records import record

_PROC = Path("/proc")
HAS_PROC = (_PROC / "self" / "stat").exists()
_COMMAND_SHOWN = 200
TERMINATE = signal.SIGTERM
"""What asks a server to end."""


def spawn_options() -> dict[str, Any]:
    """A session and a group of its own: our Ctrl-C does not reach it, one signal reaches it all."""
    return {"start_new_session": True}


class Group:
    """The process group of a server, and the processes that bear its mark.

    Args:
        leader: The pid of the server, which leads a session and a group of its own.
        mark: `NAME=VALUE`, as it stands in the environment of all that it started.
    """

    def __init__(self, leader: int, mark: str) -> None:
        self.leader = leader
        self._mark = mark.encode()
        self._born = _stat(str(leader)).born if HAS_PROC else 0

    def signal(self, number: int) -> None:
        """Send a signal to the whole group; nothing happens if it is gone."""
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self.leader, number)

    def survivors(self) -> list[Survivor]:
        """What is alive of the group or bears the mark, but for the leader.

        Zombies are nobody's leak. Where there is no /proc, one entry stands for the group.
        """
        if HAS_PROC:
            return [Survivor(pid, _command(pid)) for pid in self._alive()]
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self.leader, 0)
            return [Survivor(self.leader, "its process group")]
        return []

    def waited_s(self) -> float:
        """How long its processes had to wait for a processor: what a busy machine adds to a start.

        The longest of them, in seconds; 0 where the system does not say. Source: the second field
        of /proc/PID/schedstat, nanoseconds (Linux, Documentation/scheduler/sched-stats).
        """
        waits = [_run_delay_s(pid) for pid in (self.leader, *self._alive())] if HAS_PROC else []
        return max(waits, default=0.0)

    def kill(self) -> None:
        """End everything at once, the leader too."""
        self.signal(signal.SIGKILL)
        for pid in self._alive() if HAS_PROC else ():
            with suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)

    def reap(self) -> None:
        """As process 1 of a container: take the exit status of what was handed to us.

        On its pid only, so that no status is taken from anyone who waits for it.
        """
        for name in _pids() if HAS_PROC else ():
            stat = _stat(name)
            if (
                stat.parent == os.getpid()
                and stat.group == self.leader
                and int(name) != self.leader
            ):
                with suppress(ChildProcessError):
                    os.waitpid(int(name), os.WNOHANG)

    def close(self) -> None:
        """Nothing to close here; a Windows job has a handle."""

    def _alive(self) -> list[int]:
        found = []
        for name in _pids():
            stat = _stat(name)
            if int(name) == self.leader or stat.state in "ZX" or stat.born < self._born:
                continue
            if stat.group == self.leader or self._marked(name):
                found.append(int(name))
        return found

    def _marked(self, name: str) -> bool:
        try:
            environ = (_PROC / name / "environ").read_bytes()
        except OSError:  # it has ended, or belongs to another user
            return False
        return environ.startswith(self._mark + b"\0") or b"\0" + self._mark + b"\0" in environ


@record
class _Stat:
    state: str = "X"
    parent: int = 0
    group: int = 0
    born: int = 0


def _stat(name: str) -> _Stat:
    """What /proc says of a process; source: proc_pid_stat(5), fields 3, 4, 5 and 22."""
    try:
        text = (_PROC / name / "stat").read_bytes()
    except OSError:  # it has ended
        return _Stat()
    # The command stands in parentheses and may hold any character, these included.
    fields = text[text.rfind(b")") + 2 :].split()
    return _Stat(fields[0].decode(), int(fields[1]), int(fields[2]), int(fields[19]))


def _run_delay_s(pid: int) -> float:
    with suppress(OSError, ValueError, IndexError):
        return int((_PROC / str(pid) / "schedstat").read_bytes().split()[1]) / 1e9
    return 0.0


def _pids() -> list[str]:
    return [name for name in os.listdir(_PROC) if name.isdigit()]  # noqa: PTH208 - names alone


def _command(pid: int) -> str:
    with suppress(OSError):
        words = (_PROC / str(pid) / "cmdline").read_bytes().rstrip(b"\0").split(b"\0")
        return b" ".join(words).decode(errors="replace")[:_COMMAND_SHOWN]
    return ""
