"""All that a server started, where the system tells of it and where it does not."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator

import psutil
import pytest

from toolproof.connection import groups
from toolproof.connection.groups import Group

SLEEP = "import time; time.sleep(600)"
PARENT = (
    "import subprocess, sys, time\n"
    f"child = subprocess.Popen([sys.executable, '-c', {SLEEP!r}])\n"
    "print(child.pid, flush=True)\n"
    "time.sleep(600)"
)


@pytest.fixture
def parent() -> Iterator[tuple[subprocess.Popen[str], int]]:
    """A process with a child in its group, and the child's pid."""
    started = subprocess.Popen(
        [sys.executable, "-c", PARENT],
        start_new_session=True,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "MARK": "of-this-test"},
    )
    assert started.stdout is not None
    child = int(started.stdout.readline())
    yield started, child
    started.stdout.close()
    for pid in (started.pid, child):
        if psutil.pid_exists(pid):
            os.kill(pid, signal.SIGKILL)
    started.wait()


def test_a_child_survives_its_leader_until_it_is_killed(
    parent: tuple[subprocess.Popen[str], int],
) -> None:
    leader, child = parent
    group = Group(leader.pid, "MARK=of-this-test")
    leader.kill()
    leader.wait()

    found = group.survivors()
    group.kill()
    psutil.wait_procs([psutil.Process(child)] if psutil.pid_exists(child) else [], timeout=5)

    assert [one.pid for one in found] == [child]
    assert "time.sleep(600)" in found[0].command
    assert group.survivors() == []
    group.reap()
    group.close()


def test_without_proc_the_group_itself_is_asked(
    parent: tuple[subprocess.Popen[str], int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(groups, "HAS_PROC", False)
    leader, child = parent
    group = Group(leader.pid, "MARK=of-this-test")

    assert [one.pid for one in group.survivors()] == [leader.pid]
    assert group.waited_s() == 0
    group.kill()
    leader.wait()
    psutil.wait_procs([psutil.Process(child)] if psutil.pid_exists(child) else [], timeout=5)
    group.reap()
    gone = Group(leader.pid, "MARK=x")
    gone.signal(signal.SIGTERM)


def test_a_group_that_is_gone_can_be_signalled_and_killed() -> None:
    started = subprocess.Popen([sys.executable, "-c", ""], start_new_session=True)
    group = Group(started.pid, "MARK=nobody")
    started.wait()

    group.signal(signal.SIGTERM)
    group.kill()
    group.reap()

    assert group.survivors() == []


def test_the_wait_for_a_processor_is_that_of_the_slowest() -> None:
    group = Group(os.getpid(), "MARK=nobody")

    assert 0 <= group.waited_s() < 3600
