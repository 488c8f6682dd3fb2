"""Pairs of texts that are equal word for word in most places, found without comparing all with all."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from toolproof.judgement.naming import stem, text_words

SHARE_PERCENT = 90
"""So much of the longer text must be in the other one too; whole numbers keep the edge exact."""

FEWEST_WORDS = 4
"""Of shorter texts, one word is more than a tenth."""

_MOST_WORDS = 2_000  # of one text; what differs beyond is not seen
_MOST_COMPARED = 24  # others that one text is compared with
_MOST_WORK = 20_000_000  # words compared in all: some seconds at worst

Words = frozenset[tuple[str, int]]
"""The words of a text, each with how often it came before: a set that counts."""


@dataclass(frozen=True, slots=True)
class Twin:
    """A text that is nearly that of an earlier one.

    Attributes:
        index: Of the later text.
        other: Of the earlier one.
        differing: Words, by their stems, that only one of the two has; empty for equal texts.
        share: How much of the longer text is in the other one too.
    """

    index: int
    other: int
    differing: frozenset[str]
    share: float


def near_twins(texts: Sequence[str]) -> Iterator[Twin]:
    """For each text, the earlier ones that are the same, or nearly: the most alike first met.

    Two sets that share nine tenths must share one of the rarest words of each (prefix filtering), so
    only texts that do are compared; the work is bounded however alike the texts are.
    """
    first: dict[str, int] = {}
    bags: dict[int, Words] = {}
    for index, text in enumerate(texts):
        words = text_words(text)[:_MOST_WORDS]
        key = " ".join(words)
        if not key:
            continue
        if key in first:
            yield Twin(index, first[key], frozenset(), 1.0)
            continue
        first[key] = index
        if len(words) >= FEWEST_WORDS:
            bags[index] = _counted(words)
    yield from _similar(bags)


def _counted(words: Sequence[str]) -> Words:
    seen: Counter[str] = Counter()
    bag = []
    for word in words:
        bag.append((word, seen[word]))
        seen[word] += 1
    return frozenset(bag)


def _similar(bags: dict[int, Words]) -> Iterator[Twin]:
    frequency = Counter(word for bag in bags.values() for word in bag)
    holders: dict[tuple[str, int], list[int]] = {}
    work = 0
    for index, bag in bags.items():
        rarest = sorted(bag, key=lambda word: (frequency[word], word))[: _prefix(len(bag))]
        candidates = Counter(other for word in rarest for other in holders.get(word, ()))
        for other, _ in candidates.most_common(_MOST_COMPARED):
            if work > _MOST_WORK:
                return
            work += len(bag) + len(bags[other])
            twin = _compared(index, other, bag, bags[other])
            if twin is not None:
                yield twin
        for word in rarest:
            known = holders.setdefault(word, [])
            if len(known) < _MOST_COMPARED:
                known.append(index)


def _prefix(size: int) -> int:
    """How many of the rarest words must be looked at: one more than may differ."""
    return size - _least(size) + 1


def _least(size: int) -> int:
    """How many words of a text of that size must be in the other one too."""
    return -(-size * SHARE_PERCENT // 100)


def _compared(index: int, other: int, bag: Words, earlier: Words) -> Twin | None:
    longer = max(len(bag), len(earlier))
    if min(len(bag), len(earlier)) < _least(longer):
        return None
    common = len(bag & earlier)
    if common < _least(longer):
        return None
    differing = frozenset(stem(word) for word, _ in bag ^ earlier)
    return Twin(index, other, differing, common / longer)
