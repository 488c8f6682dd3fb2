"""Statistics of latencies: pure functions, no numpy."""

import math
import random
from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass

CONFIDENCE = 0.95
"""Of every interval here."""
_Z = 1.959964
"""Standard deviations of a normal distribution that hold so much."""
_T = [12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.16, 2.145, 2.131]  # fmt: skip
"""The same of Student's distribution with 1, 2, 3, ... degrees of freedom."""
_LEAST = 1e-9
"""Milliseconds: less is no measured latency, and has no logarithm."""
_LEAST_ERROR = 0.002
"""Of a round's logarithm: a bootstrap of few blocks may say none at all."""


def percentile(ordered: Sequence[float], share: float) -> float:
    """The nearest-rank percentile: the smallest latency that `share` of the calls kept to.

    Nearest rank gives a latency that a call really had; interpolation gives one that none had, and
    with few calls it hides the slowest.
    Source: Hyndman and Fan, Sample Quantiles in Statistical Packages (1996), definition 1.

    Args:
        ordered: One or more values, ascending.
        share: In (0, 1]; 0.95 for the 95th percentile.

    Raises:
        ValueError: There is no value, or `share` is out of range.
    """
    if not ordered or not 0 < share <= 1:
        raise ValueError(f"no percentile {share} of {len(ordered)} values")
    # 0.95 * 20 is 19.000000000000004 in binary floating point: not the twentieth value.
    return ordered[max(0, math.ceil(share * len(ordered) - 1e-9) - 1)]


def percentile_interval(
    ordered: Sequence[float], share: float, confidence: float = CONFIDENCE
) -> tuple[float, float] | None:
    """The order-statistic interval of a percentile; None where there are too few values for one.

    The number of values below the true percentile is binomial(n, share), whatever the distribution
    of latencies is; the interval is between the two order statistics that enclose it with the
    confidence asked for, each tail having half of the rest.
    Source: Conover, Practical Nonparametric Statistics (1999), section 3.2.

    Args:
        ordered: Ascending.
        share: In (0, 1).
        confidence: In (0, 1).
    """
    n = len(ordered)
    tail = (1 - confidence) / 2
    low = _binomial_quantile(n, share, tail)
    high = _binomial_quantile(n, share, 1 - tail) + 1
    if low < 1 or high > n:
        return None
    return ordered[low - 1], ordered[high - 1]


def enough_for(share: float, confidence: float = CONFIDENCE) -> int:
    """The least number of calls that gives the percentile an interval.

    The greatest of n values is at or above the true percentile with probability 1 - share^n, and
    that must leave no more than half of the rest: 368 calls for p99.
    """
    return math.ceil(math.log((1 - confidence) / 2) / math.log(share))


def _binomial_quantile(n: int, p: float, q: float) -> int:
    """The least k with P(X <= k) >= q for X ~ binomial(n, p)."""
    if n > 20_000:  # the normal approximation is exact enough there, and the sum would be slow
        return max(0, min(n, round(n * p + _normal_quantile(q) * math.sqrt(n * p * (1 - p)))))
    total = 0.0
    log_p, log_q = math.log(p), math.log1p(-p)
    for k in range(n + 1):
        total += math.exp(
            math.lgamma(n + 1)
            - math.lgamma(k + 1)
            - math.lgamma(n - k + 1)
            + k * log_p
            + (n - k) * log_q
        )
        if total >= q - 1e-12:
            return k
    return n


def _normal_quantile(q: float) -> float:
    """By bisection of the error function: no table, no dependency."""
    low, high = -10.0, 10.0
    for _ in range(80):
        middle = (low + high) / 2
        if 0.5 * (1 + math.erf(middle / math.sqrt(2))) < q:
            low = middle
        else:
            high = middle
    return (low + high) / 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Percentile:
    """One percentile with its interval.

    Attributes:
        low: Lower bound of the 95 % interval; None where there are too few calls. Likewise `high`.
    """

    share: float
    value: float
    low: float | None = None
    high: float | None = None

    @property
    def n_is_too_small(self) -> bool:
        return self.high is None


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """What a sample of latencies comes to, in milliseconds."""

    calls: int
    mean: float
    least: float
    greatest: float
    p50: Percentile
    p90: Percentile
    p95: Percentile
    p99: Percentile


def summary(latencies_ms: Sequence[float]) -> Summary:
    """The percentiles that reports show.

    Raises:
        ValueError: There is no latency.
    """
    ordered = sorted(latencies_ms)
    if not ordered:
        raise ValueError("no latency was measured")

    def at(share: float) -> Percentile:
        interval = percentile_interval(ordered, share) or (None, None)
        return Percentile(
            share=share, value=percentile(ordered, share), low=interval[0], high=interval[1]
        )

    return Summary(
        calls=len(ordered),
        mean=math.fsum(ordered) / len(ordered),
        least=ordered[0],
        greatest=ordered[-1],
        p50=at(0.5),
        p90=at(0.9),
        p95=at(0.95),
        p99=at(0.99),
    )


def median(values: Sequence[float]) -> float:
    """The middle value, or the mean of the two middle ones.

    Raises:
        ValueError: There is no value.
    """
    ordered = sorted(values)
    if not ordered:
        raise ValueError("no median of nothing")
    middle = len(ordered) // 2
    if len(ordered) % 2:
        return ordered[middle]
    return (ordered[middle - 1] + ordered[middle]) / 2


def is_steady(latencies_ms: Sequence[float], window: int = 20, tolerance: float = 0.1) -> bool:
    """Whether warm-up is over: the median of the last window is near that of the one before it.

    Args:
        latencies_ms: In the order of the calls.
        window: Calls in each of the two.
        tolerance: Share by which the medians may differ.
    """
    if len(latencies_ms) < 2 * window:
        return False
    before = median(latencies_ms[-2 * window : -window])
    now = median(latencies_ms[-window:])
    return abs(now - before) <= tolerance * max(before, 1e-9)


@dataclass(frozen=True, slots=True)
class Bucket:
    """One bar of a histogram: latencies in [low, high) milliseconds."""

    low: float
    high: float
    count: int


def histogram(latencies_ms: Sequence[float], buckets: int = 20) -> list[Bucket]:
    """Logarithmic buckets from the least to the greatest, as latencies have long tails.

    Args:
        latencies_ms: In any order; may be empty.
        buckets: At most so many; one where all latencies are equal.
    """
    ordered = sorted(latencies_ms)
    if not ordered:
        return []
    least = max(ordered[0], 1e-6)
    greatest = max(ordered[-1], least)
    if greatest / least < 1 + 1e-9:
        return [Bucket(ordered[0], ordered[-1], len(ordered))]
    edges = [least * (greatest / least) ** (i / buckets) for i in range(buckets + 1)]
    edges[0], edges[-1] = ordered[0], math.nextafter(greatest, math.inf)
    cuts = [bisect_left(ordered, edge) for edge in edges]
    return [Bucket(edges[i], edges[i + 1], cuts[i + 1] - cuts[i]) for i in range(buckets)]


def littles_law_ratio(throughput: float, mean_ms: float, concurrency: int) -> float:
    """Calls in flight by Little's law (rate times mean latency), as a share of those asked for.

    About 1 in a closed loop that was kept busy; well below it, the client was not fast enough to
    keep so many calls in flight, and the throughput is the client's.
    Source: Little, A Proof for the Queuing Formula L = lambda W (1961).
    """
    return throughput * mean_ms / 1000 / concurrency


@dataclass(frozen=True, slots=True, kw_only=True)
class Ratio:
    """How many times as slow the new one is: 1 is equal, 1.15 is 15 % slower."""

    value: float
    low: float
    high: float


def ratio_of_medians(old: Sequence[float], new: Sequence[float]) -> float:
    """The median of the new latencies over that of the old ones."""
    return max(median(new), _LEAST) / max(median(old), _LEAST)


def ratio_in_turns(old: Sequence[float], new: Sequence[float]) -> float:
    """How many times as slow the new one is, of calls in strict turns: old, new, old, new, ...

    Each new call is held against the old one right before it and the old one right after it, so
    that what the machine does meanwhile hits both, and a drift cancels. On a busy machine the
    medians of these ratios spread four times less than the ratio of the medians.

    Args:
        old: Latencies in the order of the calls; as many as `new`, one or more.
        new: Likewise.

    Raises:
        ValueError: There is no latency.
    """
    old_logs = [math.log(max(value, _LEAST)) for value in old]
    new_logs = [math.log(max(value, _LEAST)) for value in new]
    before = median([n - o for o, n in zip(old_logs, new_logs, strict=True)])
    if len(old) == 1:
        return math.exp(before)
    after = median([n - o for o, n in zip(old_logs[1:], new_logs[:-1], strict=True)])
    return math.exp((before + after) / 2)


def bootstrap_ratio(
    blocks: Sequence[tuple[Sequence[float], Sequence[float]]],
    *,
    seed: int = 0,
    rounds: int = 1000,
    confidence: float = CONFIDENCE,
    ratio: Callable[[Sequence[float], Sequence[float]], float] = ratio_of_medians,
) -> Ratio:
    """The ratio new : old of interleaved blocks, with a bootstrap interval over the blocks.

    Each block measured both within a moment, so what the machine does meanwhile hits both alike:
    the ratio within a block is what is resampled, not the calls, as calls of one moment are not
    independent.
    Source: Efron and Tibshirani, An Introduction to the Bootstrap (1993), chapter 13 (percentile).

    Args:
        blocks: Pairs of latencies: old, new. Three or more.
        seed: Same seed, same interval.
        ratio: Of one block.

    Raises:
        ValueError: There are too few blocks.
    """
    if len(blocks) < 3:
        raise ValueError("a comparison needs three blocks or more")
    logs = [math.log(ratio(old, new)) for old, new in blocks]
    rng = random.Random(seed)  # noqa: S311 - statistics, no secret
    n = len(logs)
    means = sorted(median(rng.choices(logs, k=n)) for _ in range(rounds))
    tail = (1 - confidence) / 2
    return Ratio(
        value=math.exp(median(logs)),
        low=math.exp(percentile(means, max(tail, 1 / rounds))),
        high=math.exp(percentile(means, 1 - tail)),
    )


def joined_ratio(rounds: Sequence[Ratio], *, spread: float, fresh: bool = True) -> Ratio:
    """What some rounds say together, each with processes of its own.

    Two processes of the same program are not equally fast, whatever they do: their memory is laid
    out otherwise. So a ratio of one pair of processes, however well measured, is one draw, and the
    interval must hold what another pair would have given.
    Source: DerSimonian and Laird, Meta-Analysis in Clinical Trials (1986): random effects; Hartung
    and Knapp, Statistics in Medicine 20 (2001), for the variance and Student's distribution, as how
    much the rounds differ is known from few of them; but never less than by the first.

    Args:
        rounds: One or more, each with a 95 % interval of what it measured within itself.
        spread: Standard deviation of the logarithm of the ratio over pairs of processes that is
            known beforehand; more is taken where the rounds show more.
        fresh: Whether each round had new processes; else the spread does not shrink with them.
    """
    logs = [math.log(one.value) for one in rounds]
    own = [max(math.log(one.high / one.low) / (2 * _Z), _LEAST_ERROR) ** 2 for one in rounds]
    known = spread**2
    between = max(_between(logs, own), known if fresh else 0.0)
    weights = [1 / (variance + between) for variance in own]
    total = math.fsum(weights)
    middle = math.fsum(w * y for w, y in zip(weights, logs, strict=True)) / total
    always = 0.0 if fresh else known
    half = _Z * math.sqrt(1 / total + always)
    if len(rounds) > 2:
        squares = (w * (y - middle) ** 2 for w, y in zip(weights, logs, strict=True))
        seen = math.fsum(squares) / ((len(rounds) - 1) * total)
        half = max(half, student_t(len(rounds) - 1) * math.sqrt(seen + always))
    return Ratio(value=math.exp(middle), low=math.exp(middle - half), high=math.exp(middle + half))


def student_t(freedom: int) -> float:
    """Standard deviations that hold `CONFIDENCE` where the deviation itself is estimated.

    Beyond the table the first two terms of the expansion in 1 / freedom, right to three digits there.
    Source: Abramowitz and Stegun, Handbook of Mathematical Functions (1964), 26.7.5.
    """
    if freedom <= len(_T):
        return _T[freedom - 1]
    first, second = (_Z**3 + _Z) / 4, (5 * _Z**5 + 16 * _Z**3 + 3 * _Z) / 96
    return _Z + first / freedom + second / freedom**2


def _between(logs: Sequence[float], own: Sequence[float]) -> float:
    """The variance between rounds that their own errors do not explain (DerSimonian and Laird)."""
    weights = [1 / variance for variance in own]
    total = math.fsum(weights)
    middle = math.fsum(w * y for w, y in zip(weights, logs, strict=True)) / total
    surplus = math.fsum(w * (y - middle) ** 2 for w, y in zip(weights, logs, strict=True))
    scale = total - math.fsum(w * w for w in weights) / total
    return max(0.0, (surplus - (len(logs) - 1)) / scale) if scale > 0 else 0.0


def detectable_effect(latencies_ms: Sequence[float]) -> float:
    """The least relative change of the median that this sample could tell from noise.

    Half the width of the median's interval, twice (one for each run), relative to the median.
    """
    ordered = sorted(latencies_ms)
    interval = percentile_interval(ordered, 0.5)
    middle = percentile(ordered, 0.5)
    if interval is None or middle <= 0:
        return math.inf
    return (interval[1] - interval[0]) / middle
