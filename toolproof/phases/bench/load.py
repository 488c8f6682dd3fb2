"""The hot path: calls in a closed or an open loop on the raw wire, timed and compared."""

import asyncio
import gc
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from toolproof.connection.session import Session
from toolproof.connection.wire import Failure, JsonObject, Outcome
from toolproof.records import record

LATE_S = 0.001
"""A call of an open loop that starts later than this after its time is counted as late."""


@dataclass(slots=True)
class Batch:
    """What a number of calls gave.

    Attributes:
        latencies_ms: Of calls that came back, errors included; in the order in which they ended.
        wall_s: From the first start to the last end.
        errors: Calls that gave an error.
        differing: Calls that gave a result other than the expected one: errors too, once it is
            certain that the tool still gives the expected one when it is called alone.
        kinds: How often each kind of error came.
        sizes: Bytes of a few answers.
    """

    latencies_ms: list[float] = field(default_factory=list)
    wall_s: float = 0.0
    errors: int = 0
    differing: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    sizes: list[int] = field(default_factory=list)
    late: int = 0
    dropped: int = 0
    lost: bool = False

    @property
    def calls(self) -> int:
        return len(self.latencies_ms)

    @property
    def throughput(self) -> float:
        """Calls per second."""
        return self.calls / self.wall_s if self.wall_s > 0 else 0.0


@record(kw_only=True)
class Call:
    """What is called, and what it should give.

    Attributes:
        params: Of tools/call.
        expected: The result that every call must equal; None where the tool does not give the same
            twice.
    """

    params: JsonObject
    idle_s: float
    expected: JsonObject | None = None

    @staticmethod
    def of(tool: str, arguments: dict[str, Any], idle_s: float) -> "Call":
        return Call(params={"name": tool, "arguments": arguments}, idle_s=idle_s)


@contextmanager
def undisturbed() -> Iterator[None]:
    """No garbage collection while inside: its pauses would be told as the server's."""
    gc.collect()
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def note(batch: Batch, outcome: Outcome, expected: JsonObject | None) -> None:
    """Count one answer."""
    batch.latencies_ms.append(outcome.latency_ms)
    result = outcome.result
    if result is not None and result.get("isError") is not True:
        if expected is None or result == expected:
            if len(batch.sizes) < 100:
                batch.sizes.append(len(outcome.raw))
            return
        batch.differing += 1
        return
    if outcome.failure is Failure.LOST:
        batch.lost = True
    batch.errors += 1
    batch.kinds[kind_of(outcome)] += 1


def convict(batch: Batch) -> None:
    """Count the results that differed as errors."""
    if batch.differing:
        batch.errors += batch.differing
        batch.kinds["result unlike the one it gives alone"] += batch.differing
        batch.differing = 0


def kind_of(outcome: Outcome) -> str:
    """What went wrong with a call, in few words."""
    if outcome.failure is not None:
        return str(outcome.failure)
    if outcome.error is not None:
        return f"JSON-RPC error {outcome.error.get('code')}"
    return "error result"


async def closed_loop(
    session: Session,
    calls: Sequence[Call],
    *,
    concurrency: int,
    count: int | None = None,
    duration_s: float | None = None,
) -> Batch:
    """Keep `concurrency` calls in flight until there were `count`, or for `duration_s` seconds.

    Args:
        calls: Made in turn.
        count: How many in all; or
        duration_s: for how long.
    """
    batch = Batch()
    left = count if count is not None else 1 << 62
    end: float | None = None
    turn = 0
    kinds = len(calls)
    request = session.request

    async def work() -> None:
        nonlocal left, turn
        while left > 0 and not batch.lost and (end is None or time.perf_counter() < end):
            left -= 1
            call = calls[turn % kinds]
            turn += 1
            outcome = await request("tools/call", call.params, idle_s=call.idle_s)
            note(batch, outcome, call.expected)

    with undisturbed():
        began = time.perf_counter()
        end = began + duration_s if duration_s is not None else None
        if concurrency == 1:
            await work()
        else:
            await asyncio.gather(*(work() for _ in range(concurrency)))
        batch.wall_s = time.perf_counter() - began
    return batch


async def open_loop(
    session: Session,
    call: Call,
    *,
    rate: float,
    most: int,
    count: int | None = None,
    duration_s: float | None = None,
) -> Batch:
    """Start calls at a fixed rate, whether or not earlier ones have ended.

    Latency counts from when a call should have started, so a server that stalls is charged for
    every call that had to wait: no coordinated omission (Tene, How NOT to Measure Latency, 2015).

    Args:
        session: The wire.
        call: What is called.
        rate: Starts per second.
        most: So many may be in flight; further ones are dropped, and counted.
        count: How many in all; or
        duration_s: for how long.
    """
    batch = Batch()
    total = count if count is not None else max(1, round(rate * (duration_s or 1)))
    loop = asyncio.get_running_loop()
    flying: set[asyncio.Future[Outcome]] = set()

    def ended(future: asyncio.Future[Outcome], due: float) -> None:
        flying.discard(future)
        outcome = future.result()
        outcome.latency_ms = (loop.time() - due) * 1000
        note(batch, outcome, call.expected)

    with undisturbed():
        began = loop.time()
        for index in range(total):
            due = began + index / rate
            now = loop.time()
            if due > now:
                await asyncio.sleep(due - now)
                now = loop.time()
            elif index % 64 == 0:
                await asyncio.sleep(0)  # answers must be read even when starts are late
            if now - due > LATE_S:
                batch.late += 1
            if batch.lost:
                break
            if len(flying) >= most:
                batch.dropped += 1
                continue
            future = session.request_nowait("tools/call", call.params, idle_s=call.idle_s)
            flying.add(future)
            future.add_done_callback(lambda done, due=due: ended(done, due))  # type: ignore[misc]
        while flying:
            await asyncio.wait(set(flying))
        batch.wall_s = loop.time() - began
    return batch
