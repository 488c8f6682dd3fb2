"""Misspelt words: which known one an unknown one was meant to be."""

import functools
from collections.abc import Iterable

_LONGEST = 40
_TWO_EDITS_FROM = 8  # letters; in a shorter word, two edits make another word


def meant(word: str, known: Iterable[str]) -> str | None:
    """The known word that is one or two letters away, the nearest first; None where there is none.

    Two letters that change places count as one. Short words need to be nearer, as one letter makes
    another word of them.
    """
    return _meant(word, frozenset(known)) if 4 <= len(word) <= _LONGEST else None


@functools.lru_cache(maxsize=4096)
def _meant(word: str, known: frozenset[str]) -> str | None:
    near = [
        (away, not (one.startswith(word) or word.startswith(one)), one)
        for one in known
        if len(one) >= 4
        and abs(len(one) - len(word)) <= 2
        and (away := distance(word, one)) <= (2 if len(one) >= _TWO_EDITS_FROM else 1)
    ]
    return min(near)[2] if near else None


def distance(one: str, other: str) -> int:
    """How many letters to insert, drop, replace, or swap with the next.

    Source: optimal string alignment, the restricted form of Damerau's distance.
    """
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, a in enumerate(one, 1):
        current = [i]
        for j, b in enumerate(other, 1):
            best = min(row[j] + 1, current[j - 1] + 1, row[j - 1] + (a != b))
            if i > 1 and j > 1 and a == other[j - 2] and one[i - 2] == b:
                best = min(best, before[j - 2] + 1)
            current.append(best)
        before, row = row, current
    return row[-1]
