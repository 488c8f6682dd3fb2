"""Our session beside a bare client on the same echo server: calls per second, and one huge answer.

    python -m benchmarks.wire [--calls N] [--rounds R] [--check]

Rounds are interleaved, each with a new server process, and the best of each client counts. The ratio
of CPU per call stands beside that of calls per second: on a busy machine it says more. `--check`
exits with 1 where a target is missed: 0.7 of the bare client at 1 call in flight, 0.5 at 10, by
either figure, and 40 MiB in one answer at most 0.5 s later than there.
"""

import argparse
import asyncio
import gc
import sys
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.raw_client import RawClient
from toolproof.connection import McpServer
from toolproof.connection.wire import Outcome

HERE = Path(__file__).parent
ECHO = (sys.executable, str(HERE / "echo_server.py"))
HUGE = (sys.executable, str(HERE / "huge_server.py"))
CALL = {"name": "echo", "arguments": {"text": "hi"}}
WARM_UP = 200
TARGETS = {1: 0.7, 10: 0.5}
HUGE_MIB, HUGE_LIMIT_S = 40, 0.5


@dataclass(frozen=True)
class Config:
    """How to start a server."""

    command: Sequence[str]
    protocol: str = "auto"
    url: str | None = None
    env: dict[str, str] = field(default_factory=dict)
    headers: dict[str, str] = field(default_factory=dict)
    cwd: Path = Path()
    startup_timeout_s: float = 30


@dataclass(frozen=True)
class Speed:
    """What one round gave.

    Attributes:
        cpu_us: Of the client, per call.
    """

    calls_per_s: float
    cpu_us: float


Call = Callable[[], Awaitable[Any]]
Run = Callable[[], Awaitable[Speed]]


async def measured(call: Call, calls: int, in_flight: int) -> Speed:
    """So many calls, so many at a time."""
    for _ in range(WARM_UP):
        await call()
    left = calls

    async def worker() -> None:
        nonlocal left
        while left > 0:
            left -= 1
            await call()

    gc.collect()
    begun, cpu = time.perf_counter(), time.process_time()
    await asyncio.gather(*(worker() for _ in range(in_flight)))
    took, cpu = time.perf_counter() - begun, time.process_time() - cpu
    return Speed(calls / took, cpu / calls * 1e6)


async def bare(calls: int, in_flight: int) -> Speed:
    client = RawClient()
    await client.start(ECHO)
    try:
        return await measured(lambda: client.call("tools/call", CALL), calls, in_flight)
    finally:
        await client.stop()


async def ours(calls: int, in_flight: int, protocol: str) -> Speed:
    async with McpServer(Config(ECHO, protocol)) as server:
        session = server.session
        return await measured(lambda: session.request("tools/call", CALL), calls, in_flight)


async def through_server(calls: int, in_flight: int, protocol: str) -> Speed:
    """By `McpServer.call_outcome`, as phases do."""
    async with McpServer(Config(ECHO, protocol)) as server:
        arguments = {"text": "hi"}
        return await measured(lambda: server.call_outcome("echo", arguments), calls, in_flight)


async def huge_bare() -> float:
    client = RawClient()
    await client.start(HUGE)
    try:
        begun = time.perf_counter()
        await client.call("tools/call", {"name": "huge", "arguments": {"mib": HUGE_MIB}})
        return time.perf_counter() - begun
    finally:
        await client.stop()


async def huge_ours() -> float:
    async with McpServer(Config(HUGE)) as server:
        begun = time.perf_counter()
        outcome: Outcome = await server.call_outcome("huge", {"mib": HUGE_MIB})
        took_s = time.perf_counter() - begun
        if outcome.result is None:
            raise RuntimeError(outcome.detail)
        return took_s


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--calls", type=int, default=5000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--check", action="store_true", help="exit with 1 where a target is missed")
    options = parser.parse_args(argv)
    missed = False
    for in_flight, target in TARGETS.items():
        speeds = rounds(rivals(options.calls, in_flight), options.rounds)
        best = speeds["bare client"]
        print(f"{in_flight} in flight")
        for name, speed in speeds.items():
            rate, cpu = speed.calls_per_s / best.calls_per_s, best.cpu_us / speed.cpu_us
            missed |= max(rate, cpu) < target
            print(
                f"  {name:<20}{speed.calls_per_s:>9,.0f} /s ({rate:.2f})"
                f"{speed.cpu_us:>8.1f} us ({cpu:.2f})"
            )
    plain_s = min(asyncio.run(huge_bare()) for _ in range(3))
    own_s = min(asyncio.run(huge_ours()) for _ in range(3))
    missed |= own_s - plain_s > HUGE_LIMIT_S
    print(f"{HUGE_MIB} MiB in one answer: bare client {plain_s:.2f} s, session {own_s:.2f} s")
    return int(missed and options.check)


def rivals(calls: int, in_flight: int) -> dict[str, Run]:
    """The clients that are held against each other."""
    return {
        "bare client": lambda: bare(calls, in_flight),
        "session, legacy": lambda: ours(calls, in_flight, "2025-11-25"),
        "session, modern": lambda: ours(calls, in_flight, "2026-07-28"),
        "McpServer, modern": lambda: through_server(calls, in_flight, "2026-07-28"),
    }


def rounds(runs: dict[str, Run], count: int) -> dict[str, Speed]:
    """The best of each rival, all taking turns."""
    seen: dict[str, list[Speed]] = {name: [] for name in runs}
    for _ in range(count):
        for name, run in runs.items():
            seen[name].append(asyncio.run(_awaited(run)))
    return {
        name: Speed(max(s.calls_per_s for s in all_), min(s.cpu_us for s in all_))
        for name, all_ in seen.items()
    }


async def _awaited(run: Run) -> Speed:
    return await run()


if __name__ == "__main__":
    sys.exit(main())
