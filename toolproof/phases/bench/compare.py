"""Is the new server slower than the old one? Interleaved, or against a saved report."""

import asyncio
import itertools
import math
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

from toolproof.connection import McpServer
from toolproof.connection.session import Session
from toolproof.connection.wire import Failure
from toolproof.errors import ServerError
from toolproof.phases.bench.load import Call, undisturbed
from toolproof.phases.bench.stats import (
    Ratio,
    bootstrap_ratio,
    detectable_effect,
    joined_ratio,
    ratio_in_turns,
)
from toolproof.report import BenchResult, Comparison

ROUNDS, MOST_ROUNDS = 4, 16
"""Each with new processes of both servers, which start in turn before the other: on a machine with
few cores the system gives the first one the better place, and keeps it there. That was measured as up
to a fifth of a call of half a millisecond."""
BLOCKS = 12
"""Of a round: what the machine does meanwhile hits both servers of a block alike."""
LEAST_IN_BLOCK = 8
ENOUGH = 0.04
"""Rounds end where the interval is no wider than so much to each side."""
SPREAD = 0.015
"""By so much two processes of the same program differ in speed (standard deviation, measured with
`benchmarks/ab.py` on servers in Python): without it one comparison of equals in eight is a false
alarm."""
MOST_S, ROUND_S, RESTART_S = 45.0, 4.0, 4.0
"""For all rounds; for one, unless calls are slow; for starting both anew, else it is not repeated."""

_NAMES = ("the old server", "the new server")

WarmUp = Callable[[Session], Awaitable[object]]


async def interleaved(
    old: McpServer,
    new: McpServer,
    call: Call,
    *,
    warm_up: WarmUp,
    calls: int,
    baseline: str,
    seed: int,
) -> Comparison:
    """Both servers alive, call by call in turn, one in flight, in rounds of new processes.

    Rounds come in pairs, so that each server was as often the first to start, unless time is over.

    Args:
        old: The server to compare with.
        new: The server under test.
        call: What both are asked.
        warm_up: Makes calls to a new process until they are steady.
        calls: How many of each, at least, unless they are slow.
        baseline: What to call the old one.
        seed: Of the bootstrap.
    """
    pairs = max(BLOCKS * LEAST_IN_BLOCK, math.ceil(calls / ROUNDS))
    rounds: list[Ratio] = []
    began = time.perf_counter()
    fresh = old.pid is not None and new.pid is not None
    while True:
        if fresh or not rounds:
            restarted = time.perf_counter()
            order = (0, 1) if len(rounds) % 2 == 0 else (1, 0)
            trouble = await _afresh((old, new), order, warm_up, restart=fresh)
            fresh = fresh and time.perf_counter() - restarted < RESTART_S
        else:
            trouble = None
        found = trouble or await _turns(old.session, new.session, call, pairs)
        if isinstance(found, str):
            return Comparison(baseline=baseline, ratio=1, low=0, high=0, verdict=found)
        rounds.append(
            bootstrap_ratio(_blocks(*found), seed=seed + len(rounds), ratio=ratio_in_turns)
        )
        ratio = joined_ratio(rounds, spread=SPREAD, fresh=fresh)
        even = len(rounds) % 2 == 0
        narrow = math.log(ratio.high / ratio.value) <= ENOUGH and len(rounds) >= ROUNDS
        if (narrow and even) or len(rounds) >= MOST_ROUNDS or time.perf_counter() - began > MOST_S:
            break
    return Comparison(
        baseline=baseline,
        ratio=ratio.value,
        low=ratio.low,
        high=ratio.high,
        verdict=verdict(ratio.value, ratio.low, ratio.high),
        detectable=(ratio.high - ratio.low) / 2,
    )


async def _afresh(
    servers: tuple[McpServer, McpServer],
    order: tuple[int, int],
    warm_up: WarmUp,
    *,
    restart: bool,
) -> str | None:
    """Both servers new and warm, in this order; what went wrong, if something did."""
    if restart:
        ends = await asyncio.gather(*(_restarted(servers[which]) for which in order))
        for which, words in zip(order, ends, strict=True):
            if words is not None:
                return f"{_NAMES[which]} did not start again: {words}"
    for which in order:
        await warm_up(servers[which].session)
        if servers[which].ended is not None:
            return f"{_NAMES[which]} ended: {servers[which].ended}"
    return None


async def _restarted(server: McpServer) -> str | None:
    """What went wrong, if something did."""
    try:
        await server.reconnect()
    except ServerError as exc:
        return exc.message
    return None


async def _turns(
    old: Session, new: Session, call: Call, pairs: int
) -> tuple[list[float], list[float]] | str:
    """The latencies of both, in milliseconds, as many of each; or why there are none to compare."""
    sessions = (old, new)
    latencies: tuple[list[float], list[float]] = ([], [])
    errors = [0, 0]
    enough = min(pairs, 2 * BLOCKS)
    with undisturbed():
        began = time.perf_counter()
        for made in range(pairs):
            if made >= enough and time.perf_counter() - began > ROUND_S:
                break
            for which in (0, 1):
                outcome = await sessions[which].request(
                    "tools/call", call.params, idle_s=call.idle_s
                )
                if outcome.failure is Failure.LOST:
                    return f"{_NAMES[which]} ended during the comparison"
                result = outcome.result
                errors[which] += result is None or result.get("isError") is True
                latencies[which].append(outcome.latency_ms)
    for which in (0, 1):
        if errors[which] == len(latencies[which]):
            return f"every call of {_NAMES[which]} failed"
    return latencies


def _blocks(
    old: Sequence[float], new: Sequence[float]
) -> list[tuple[Sequence[float], Sequence[float]]]:
    """The calls in `BLOCKS` parts of their order."""
    cuts = [len(old) * block // BLOCKS for block in range(BLOCKS + 1)]
    return [(old[start:end], new[start:end]) for start, end in itertools.pairwise(cuts)]


def verdict(value: float, low: float, high: float) -> str:
    """The ratio in words."""
    spread = f"95 % interval {low - 1:+.1%} to {high - 1:+.1%}"
    if low > 1:
        return f"{value - 1:.1%} slower ({spread})"
    if high < 1:
        return f"{1 - value:.1%} faster ({spread})"
    return f"no difference that could be told ({spread})"


def against_report(
    now: BenchResult,
    before: Mapping[str, Any],
    *,
    baseline: str,
    same_machine: bool,
    latencies_ms: Sequence[float],
) -> Comparison:
    """The medians of two runs; a verdict only where both ran on the same kind of machine.

    Args:
        now: The target in this run.
        before: The target in the saved report, as JSON.
        baseline: What to call that report.
        same_machine: Whether both fingerprints are equal, or the user said that it does not matter.
        latencies_ms: Of this run, for the effect that it could tell.
    """
    old = before.get("p50_ms")
    effect = detectable_effect(latencies_ms) if latencies_ms else None
    if not isinstance(old, int | float) or isinstance(old, bool) or old <= 0:
        words = "the saved report has no p50 for this target"
        return Comparison(baseline=baseline, ratio=1, low=0, high=0, verdict=words)
    ratio = now.p50_ms / old
    margin = effect if effect is not None and effect < 10 else 1.0
    low, high = ratio * (1 - margin), ratio * (1 + margin)
    if not same_machine:
        words = f"{ratio - 1:+.1%}, measured on another machine: no verdict"
        return Comparison(
            baseline=baseline, ratio=ratio, low=0, high=high, verdict=words, detectable=effect
        )
    return Comparison(
        baseline=baseline,
        ratio=ratio,
        low=low,
        high=high,
        verdict=verdict(ratio, low, high),
        detectable=effect,
    )


def broken(comparison: Comparison, max_regression: float | None) -> str | None:
    """What fails: only a slow-down whose lower bound is over the limit."""
    limit = max_regression if max_regression is not None else 1.0
    if comparison.low > limit:
        return (
            f"slower than {comparison.baseline}: {comparison.verdict}, "
            f"the limit is {limit - 1:+.0%} (max_regression)"
        )
    return None
