"""What a process and its descendants hold."""

import os
import socket
import subprocess
import sys

import pytest

from toolproof.phases.fuzz.usage import held_by, sockets_of

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
