"""Is the new server slower than the old one? Interleaved, or against a saved report."""

from collections.abc import Mapping, Sequence
from typing import Any

from toolproof.connection.session import Session
from toolproof.phases.bench.load import Call, closed_loop
from toolproof.phases.bench.stats import bootstrap_ratio, detectable_effect
from toolproof.report import BenchResult, Comparison

BLOCKS = 24
"""Pairs of blocks: what the machine does meanwhile hits both of a pair alike."""
LEAST_IN_BLOCK = 12


async def interleaved(
    old: Session, new: Session, call: Call, *, calls: int, baseline: str, seed: int
) -> Comparison:
    """Both servers alive, blocks of calls in turn, one in flight; which comes first alternates.

    Args:
        old: The server to compare with.
        new: The server under test.
        call: What both are asked.
        calls: How many of each, at least; spread over `BLOCKS`.
        baseline: What to call the old one.
        seed: Of the bootstrap.
    """
    size = max(LEAST_IN_BLOCK, calls // BLOCKS)
    pairs: list[tuple[Sequence[float], Sequence[float]]] = []
    for block in range(BLOCKS):
        found: dict[int, Sequence[float]] = {}
        for which in (0, 1) if block % 2 == 0 else (1, 0):
            batch = await closed_loop((old, new)[which], [call], concurrency=1, count=size)
            found[which] = batch.latencies_ms
            if batch.errors == batch.calls:
                words = ("the old server", "the new server")[which]
                return Comparison(
                    baseline=baseline,
                    ratio=1,
                    low=0,
                    high=0,
                    verdict=f"every call of {words} failed",
                )
        pairs.append((found[0], found[1]))
    ratio = bootstrap_ratio(pairs, seed=seed)
    return Comparison(
        baseline=baseline,
        ratio=ratio.value,
        low=ratio.low,
        high=ratio.high,
        verdict=verdict(ratio.value, ratio.low, ratio.high),
        detectable=(ratio.high - ratio.low) / 2,
    )


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
