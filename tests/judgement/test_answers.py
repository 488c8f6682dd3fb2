import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolproof.judgement.answers import confusions, pass_hat_k, wilson


@pytest.mark.parametrize(
    ("correct", "total", "low", "high"),
    [
        # Newcombe, Two-sided confidence intervals for the single proportion (1998), table I,
        # method 3 (score): rounded to four digits there.
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
        (20, 20, 0.8389, 1.0),
    ],
)
def test_wilson_gives_the_published_intervals(
    correct: int, total: int, low: float, high: float
) -> None:
    found = wilson(correct, total)

    assert found == pytest.approx((low, high), abs=6e-5)


def test_nothing_counted_could_be_anything() -> None:
    assert wilson(0, 0) == (0, 1)


@given(st.integers(1, 500).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_the_share_is_inside_its_interval(counted: tuple[int, int]) -> None:
    low, high = wilson(*counted)

    assert 0 <= low <= counted[0] / counted[1] + 1e-12
    assert counted[0] / counted[1] <= high + 1e-12 <= 1 + 1e-12


def test_pass_hat_k_is_the_share_of_draws_that_are_all_right() -> None:
    assert pass_hat_k([(3, 4)], 1) == 0.75
    assert pass_hat_k([(3, 4)], 2) == 0.5  # C(3, 2) / C(4, 2)
    assert pass_hat_k([(4, 4), (0, 4)], 3) == 0.5
    assert pass_hat_k([(2, 4)], 3) == 0


@given(st.lists(st.integers(0, 6), min_size=1), st.integers(1, 5))
def test_pass_hat_k_falls_with_k(rights: list[int], k: int) -> None:
    counts = [(right, 6) for right in rights]

    assert pass_hat_k(counts, k + 1) <= pass_hat_k(counts, k) + 1e-12
    assert math.isclose(pass_hat_k(counts, 1), sum(rights) / (6 * len(rights)))


@pytest.mark.parametrize("counts", [[], [(1, 1)]])
def test_too_few_answers_have_no_pass_hat_k(counts: list[tuple[int, int]]) -> None:
    with pytest.raises(ValueError, match="needs 2 answers"):
        pass_hat_k(counts, 2)


def test_confusions_are_counted_the_most_frequent_first() -> None:
    picks = [("a", "b"), ("a", "a"), ("a", None), ("a", "b"), (None, "c")]

    assert confusions(picks) == [("a", "b", 2), (None, "c", 1), ("a", None, 1)]
