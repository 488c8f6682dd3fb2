"""One call to one server of the fuzzer's own: sent, waited for, and all that was seen meanwhile."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from toolproof.connection.observations import Kind as Seen
from toolproof.connection.observations import Observation
from toolproof.connection.wire import Failure, JsonObject, Outcome
from toolproof.phases.fuzz.generate import ABSENT
from toolproof.phases.fuzz.pool import Worker
from toolproof.phases.fuzz.verdict import WIRE


@dataclass(slots=True)
class Called:
    """What became of a call.

    Attributes:
        wire: What the wire saw since the call before, of the kinds that findings tell.
        exit_status: How the process ended, if it did.
        stderr: What the server wrote there; only where it ended.
    """

    outcome: Outcome
    wire: Sequence[Observation] = ()
    exit_status: str | None = None
    stderr: str = ""

    @property
    def lost(self) -> bool:
        return self.outcome.failure is Failure.LOST

    @property
    def late(self) -> bool:
        return self.outcome.failure is Failure.TIMEOUT


def params_of(tool: str, arguments: Any) -> JsonObject:
    """The params of a call; without `arguments` for ABSENT."""
    if arguments is ABSENT:
        return {"name": tool}
    return {"name": tool, "arguments": arguments}


def send(
    worker: Worker, tool: str, arguments: Any, idle_s: float, total_s: float | None = None
) -> asyncio.Future[Outcome]:
    """Send a call, and return at once; nothing that the server does raises.

    Args:
        total_s: The most in all; 6 times `idle_s` if not given.
    """
    worker.calls += 1
    try:
        return worker.session.request_nowait(
            "tools/call", params_of(tool, arguments), idle_s=idle_s, total_s=total_s
        )
    except (
        ValueError,
        TypeError,
    ) as error:  # an input that JSON cannot hold: not the server's fault
        future = asyncio.get_running_loop().create_future()
        future.set_result(Outcome(failure=Failure.NEEDS_INPUT, detail=str(error)))
        return future


async def call(
    worker: Worker, tool: str, arguments: Any, idle_s: float, total_s: float | None = None
) -> Called:
    """Call a tool and wait; see `send`."""
    session = worker.session
    lines = worker.server.stderr_count
    outcome = await send(worker, tool, arguments, idle_s, total_s)
    called = Called(outcome)
    if len(worker.log) != worker.told:
        called.wire = sightings(worker)
    if outcome.failure is Failure.LOST:
        ending = session.ending
        called.exit_status = ending.words if ending else None
        called.stderr = worker.server.stderr_tail(20, since=lines)
    return called


def ended(worker: Worker) -> Called:
    """What there is to say of a call after whose answer the server ended."""
    server = worker.server
    ending = server.session.ending
    outcome = Outcome(failure=Failure.LOST, detail=f"{server.ended}, right after its answer")
    return Called(outcome, (), ending.words if ending else None, server.stderr_tail(20))


def sightings(worker: Worker) -> Sequence[Observation]:
    """What the log has that was not looked at yet, one for each kind and tool."""
    found: list[Observation] = []
    for seen in worker.log:
        key = str(seen.kind), seen.tool
        if worker.counts.get(key, 0) != seen.count:
            new = seen.count - worker.counts.get(key, 0)
            worker.counts[key] = seen.count
            if seen.kind in WIRE or seen.kind is Seen.SECRET_LEAK:
                found.append(seen.kept[-1] if new > 0 else seen.first)
    worker.told = len(worker.log)
    return found
