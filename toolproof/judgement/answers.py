"""Statistics of right and wrong answers: pure functions."""

import math
from collections import Counter
from collections.abc import Iterable, Sequence

Z_95 = 1.959963984540054
"""The 97.5 % quantile of the normal distribution: a two-sided 95 % interval."""


def wilson(correct: int, total: int, z: float = Z_95) -> tuple[float, float]:
    """The Wilson score interval of a share, in 0 to 1; (0, 1) where nothing was counted.

    Unlike the textbook's normal interval it keeps its promise for few answers and for shares near
    0 and 1, which is where evals are.
    Source: Wilson, Probable Inference, the Law of Succession, and Statistical Inference (1927).

    Args:
        correct: In 0 to total.
        total: How many there were.
        z: Normal quantile; the default gives 95 %.
    """
    if total == 0:
        return 0.0, 1.0
    share = correct / total
    denominator = 1 + z * z / total
    centre = (share + z * z / (2 * total)) / denominator
    half = z / denominator * math.sqrt(share * (1 - share) / total + z * z / (4 * total * total))
    low = 0.0 if correct == 0 else centre - half
    high = 1.0 if correct == total else centre + half
    return max(0.0, low), min(1.0, high)


def pass_hat_k(successes: Sequence[tuple[int, int]], k: int) -> float:
    """The chance that k answers to a case are all right, as the mean over the cases.

    For a case with c of n right it is C(c, k) / C(n, k), which is unbiased.
    Source: Yao et al., tau-bench (2024), equation for pass^k.

    Args:
        successes: (c, n) of each case, with n >= k.
        k: From 1.

    Raises:
        ValueError: A case has fewer than k answers, or there is none.
    """
    if not successes or any(n < k for _, n in successes):
        raise ValueError(f"pass^{k} needs {k} answers to each case")
    shares = [math.comb(c, k) / math.comb(n, k) for c, n in successes]
    return math.fsum(shares) / len(shares)


def confusions(
    picks: Iterable[tuple[str | None, str | None]],
) -> list[tuple[str | None, str | None, int]]:
    """Which tool was picked in place of which, the most frequent first.

    Args:
        picks: (expected, picked); None is no tool.
    """
    counted = Counter((expected, picked) for expected, picked in picks if expected != picked)
    rows = [(expected, picked, number) for (expected, picked), number in counted.items()]
    return sorted(rows, key=lambda row: (-row[2], row[0] or "", row[1] or ""))
