import math
import random
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolproof.phases.bench.stats import (
    bootstrap_ratio,
    detectable_effect,
    enough_for,
    histogram,
    is_steady,
    littles_law_ratio,
    median,
    percentile,
    percentile_interval,
    summary,
)

latencies = st.lists(st.floats(0.001, 1e6), min_size=1, max_size=300)
shares = st.floats(0.001, 1)


def test_p95_of_twenty_calls_is_the_nineteenth() -> None:
    assert percentile(range(1, 21), 0.95) == 19


@given(latencies, shares)
def test_percentile_agrees_with_numpy(samples: list[float], share: float) -> None:
    wanted = np.percentile(np.array(samples), share * 100, method="inverted_cdf")

    got = percentile(sorted(samples), share)

    rank = share * len(samples)
    if abs(rank - round(rank)) > 1e-6:  # at an exact rank the two round 0.95 * 20 in another way
        assert got == wanted


@given(latencies, shares)
def test_at_least_the_share_of_calls_kept_to_it(samples: list[float], share: float) -> None:
    limit = percentile(sorted(samples), share)

    assert sum(sample <= limit for sample in samples) >= share * len(samples) - 1e-6


@pytest.mark.parametrize("share", [0, 1.01, -1])
def test_a_share_out_of_range_is_refused(share: float) -> None:
    with pytest.raises(ValueError, match="no percentile"):
        percentile([1.0], share)


def test_p99_needs_368_calls() -> None:
    """Spec: p99 is marked "n too small" under about 370 calls (phases.md, bench)."""
    assert enough_for(0.99) == 368
    assert percentile_interval(range(368), 0.99) is not None
    assert percentile_interval(range(367), 0.99) is None


def test_the_median_interval_of_a_hundred_is_the_textbook_one() -> None:
    """Conover's table: order statistics 40 and 61 for n = 100."""
    assert percentile_interval(range(1, 101), 0.5) == (40, 61)


@pytest.mark.parametrize("share", [0.5, 0.9, 0.95])
def test_the_interval_holds_the_true_percentile_as_often_as_it_says(share: float) -> None:
    rng = random.Random(7)
    truth = -math.log(1 - share)  # of the exponential distribution
    held = 0
    for _ in range(400):
        low, high = percentile_interval(sorted(rng.expovariate(1) for _ in range(200)), share) or (
            math.inf,
            -math.inf,
        )
        held += low <= truth <= high

    assert held >= 0.93 * 400


def test_the_interval_of_many_calls_is_that_of_the_exact_sum() -> None:
    exact = percentile_interval(range(20_000), 0.95)
    approximate = percentile_interval(range(20_001), 0.95)

    assert exact is not None
    assert approximate is not None
    assert abs(exact[0] - approximate[0]) <= 2
    assert abs(exact[1] - approximate[1]) <= 2


@given(latencies)
def test_a_summary_is_ordered(samples: list[float]) -> None:
    found = summary(samples)

    assert found.least <= found.p50.value <= found.p90.value <= found.p95.value
    assert found.p95.value <= found.p99.value <= found.greatest
    assert found.calls == len(samples)
    assert math.isclose(found.mean, float(np.mean(samples)), rel_tol=1e-9)
    assert found.p99.n_is_too_small is (len(samples) < 368)


def test_nothing_measured_is_refused() -> None:
    with pytest.raises(ValueError, match="no latency"):
        summary([])
    with pytest.raises(ValueError, match="no median"):
        median([])


@given(latencies)
def test_median_agrees_with_numpy(samples: list[float]) -> None:
    assert math.isclose(median(samples), float(np.median(samples)), rel_tol=1e-12)


@given(latencies, st.integers(1, 40))
def test_a_histogram_counts_every_call_once(samples: list[float], buckets: int) -> None:
    found = histogram(samples, buckets)

    assert sum(bucket.count for bucket in found) == len(samples)
    assert len(found) <= buckets
    assert all(left.high == right.low for left, right in pairwise(found))


def test_no_latency_has_no_histogram() -> None:
    assert histogram([]) == []


def test_warm_up_ends_when_the_median_stays() -> None:
    assert not is_steady([1.0] * 39)
    assert not is_steady([10.0] * 20 + [5.0] * 20)
    assert is_steady([10.0] * 20 + [9.5] * 20)


def test_littles_law_says_whether_the_calls_were_in_flight() -> None:
    assert littles_law_ratio(throughput=1000, mean_ms=10, concurrency=10) == 1
    assert littles_law_ratio(throughput=500, mean_ms=10, concurrency=10) == 0.5


def blocks(slower: float, seed: int) -> list[tuple[list[float], list[float]]]:
    rng = random.Random(seed)
    noise = [1 + rng.random() / 2 for _ in range(20)]  # what the machine does hits both
    return [
        (
            [shared * rng.lognormvariate(0, 0.3) for _ in range(40)],
            [shared * slower * rng.lognormvariate(0, 0.3) for _ in range(40)],
        )
        for shared in noise
    ]


def test_a_bootstrap_finds_a_slow_down_and_is_repeatable() -> None:
    ratio = bootstrap_ratio(blocks(1.3, 1), seed=3)

    assert ratio.low > 1.1
    assert ratio.low <= ratio.value <= ratio.high
    assert ratio == bootstrap_ratio(blocks(1.3, 1), seed=3)


def test_a_bootstrap_of_equals_holds_one() -> None:
    held = sum(
        ratio.low <= 1 <= ratio.high
        for ratio in (bootstrap_ratio(blocks(1.0, seed), seed=seed) for seed in range(60))
    )

    assert held >= 52


def test_two_blocks_compare_nothing() -> None:
    with pytest.raises(ValueError, match="three blocks"):
        bootstrap_ratio([([1], [1]), ([1], [1])])


def test_the_detectable_effect_shrinks_with_the_calls() -> None:
    rng = random.Random(1)
    many = [rng.lognormvariate(0, 0.5) for _ in range(2000)]

    assert detectable_effect(many) < detectable_effect(many[:50]) < 1
    assert detectable_effect([1.0, 2.0]) == math.inf
