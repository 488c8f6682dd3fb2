"""What a server's processes hold: memory, descriptors, connections to elsewhere."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Held:
    """What a process and its descendants hold.

    Attributes:
        rss_bytes: Resident memory now.
        descriptors: Open files, pipes and sockets; 0 where the system does not tell.
    """

    rss_bytes: int
    descriptors: int


def held_by(pid: int | None) -> Held | None:
    """What a server holds, its children included; None over HTTP, or once it has ended."""
    rss = descriptors = 0
    alive = False
    for process in _family(pid):
        import psutil  # noqa: PLC0415 - only where processes are looked at

        with suppress(psutil.Error):
            rss += process.memory_info().rss
            alive = True
        with suppress(psutil.Error, AttributeError):
            descriptors += process.num_fds()
    return Held(rss, descriptors) if alive else None


def sockets_of(pid: int | None) -> frozenset[str]:
    """Its connections to other addresses than this machine's own, and lookups of names."""
    import psutil  # noqa: PLC0415

    found: set[str] = set()
    for process in _family(pid):
        with suppress(psutil.Error, OSError):
            for one in process.net_connections(kind="inet"):
                if one.raddr and not str(one.raddr.ip).startswith(("127.", "::1")):
                    found.add(f"{process.pid} {one.fd} {one.raddr.ip}:{one.raddr.port}")
                elif one.raddr and one.raddr.port == _DNS:
                    found.add(f"{process.pid} dns")
                elif one.raddr and one.status == psutil.CONN_SYN_SENT:
                    found.add(f"{process.pid} {one.fd} connecting")
    return frozenset(found)


_DNS = 53


def _family(pid: int | None) -> Iterator[Any]:
    if pid is None:
        return
    import psutil  # noqa: PLC0415

    with suppress(psutil.Error):
        leader = psutil.Process(pid)
        yield leader
        yield from leader.children(recursive=True)
