"""What a process and its descendants hold."""

import os
import socket
import subprocess
import sys

import pytest

from toolproof.phases.fuzz.usage import held_by, own_time_s, scheduled, sockets_of

STARTS = (
    "import subprocess, sys; one = subprocess.Popen([sys.executable, '-c', 'input()']); "
    "print('on', flush=True); one.wait()"
)


def test_children_count_too() -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", STARTS], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    try:
        assert process.stdout is not None
        process.stdout.readline()
        held = held_by(process.pid)
    finally:
        process.communicate()

    assert held is not None
    assert held.processes == 2
    assert held.rss_bytes > 0
    assert not held.collects


def test_what_is_gone_or_elsewhere_holds_nothing() -> None:
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()

    assert held_by(None) is None
    assert held_by(process.pid) is None
    assert sockets_of(process.pid) == frozenset()


@pytest.mark.skipif(sys.platform == "win32", reason="no connected datagram sockets are listed")
def test_a_lookup_of_a_name_is_seen_and_a_connection_to_this_machine_is_not() -> None:
    before = sockets_of(os.getpid())
    with (
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking,
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as local,
    ):
        asking.connect(("127.0.0.1", 53))  # sends nothing
        local.connect(("127.0.0.1", 9))
        seen = sockets_of(os.getpid()) - before

    assert len(seen) == 1


@pytest.mark.parametrize(
    ("wall_s", "ran_ms", "waited_ms", "own_s"),
    [
        (1.0, 200, 0, 1.0),  # it slept
        (1.0, 200, 700, 0.3),  # others ran
        (1.0, 900, 900, 0.9),  # two threads, one of which waited while the other ran
        (0.1, 400, 0, 0.1),  # several threads at work
    ],
)
def test_a_time_is_less_what_others_ran_in(
    wall_s: float, ran_ms: int, waited_ms: int, own_s: float
) -> None:
    before, ended = {1: (10**9, 10**9)}, {7: (10**12, 10**12)}
    after = {1: (10**9 + ran_ms * 10**6, 10**9), 2: (0, waited_ms * 10**6)}

    assert own_time_s(wall_s, before | ended, after) == pytest.approx(own_s)


def test_without_word_from_the_scheduler_a_time_is_the_clock_s() -> None:
    assert scheduled(None) == {}
    assert own_time_s(0.5, {}, {}) == 0.5


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells")
def test_the_processor_time_of_a_server_is_counted_with_ours() -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", "sum(range(10**6)); print(); input()"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    try:
        assert process.stdout is not None
        process.stdout.readline()
        found = scheduled(process.pid)
    finally:
        process.communicate()

    assert found[process.pid][0] > 0
    assert os.getpid() in found
