"""Pairs of texts that are equal word for word in most places, found without comparing all with all."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from toolproof.judgement.naming import stem, text_words

SHARE_PERCENT = 90
"""So much of the longer text must be in the other one too; whole numbers keep the edge exact."""

FEWEST_WORDS = 4
"""Of shorter texts, one word is more than a tenth."""

_LONGEST = 6_000  # characters of one text: clients cut long before
_MOST_COMPARED = 24  # others that one text is compared with
_MOST_WORK = 10_000_000  # words compared in all: a second or two at worst

Bag = frozenset[int]
"""The words of a text as numbers, the rarest first; a word that comes again is another number."""


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


def near_twins(texts: Sequence[str], counts: Callable[[Twin], bool]) -> Iterator[Twin]:
    """For each text, an earlier one that is the same, or nearly.

    Two sets that share nine tenths must share one of the rarest words of each (prefix filtering), so
    only texts that do are compared; the work is bounded however alike the texts are.

    Args:
        texts: In order; those without a word are passed over.
        counts: Whether a pair is worth telling; if not, the next one is looked for.
    """
    first: dict[str, int] = {}
    counted: dict[int, list[tuple[str, int]]] = {}
    for index, text in enumerate(texts):
        words = text_words(text[:_LONGEST])
        key = " ".join(words)
        if not key:
            continue
        if key in first:
            twin = Twin(index, first[key], frozenset(), 1.0)
            if counts(twin):
                yield twin
            continue
        first[key] = index
        if len(words) >= FEWEST_WORDS:
            counted[index] = _counted(words)
    yield from _similar(counted, counts)


def _counted(words: Sequence[str]) -> list[tuple[str, int]]:
    """Each word with how often it came before."""
    seen: Counter[str] = Counter()
    bag = []
    for word in words:
        bag.append((word, seen[word]))
        seen[word] += 1
    return bag


def _similar(
    counted: dict[int, list[tuple[str, int]]], counts: Callable[[Twin], bool]
) -> Iterator[Twin]:
    frequency = Counter(word for bag in counted.values() for word in bag)
    known = sorted(frequency, key=lambda word: (frequency[word], word))
    numbers = {word: number for number, word in enumerate(known)}
    bags = {index: frozenset(map(numbers.__getitem__, bag)) for index, bag in counted.items()}
    search = _Search(bags)
    for index, bag in bags.items():
        for other, common in search.near(index):
            differing = frozenset(stem(known[number][0]) for number in bag ^ bags[other])
            share = common / max(len(bag), len(bags[other]))
            twin = Twin(index, other, differing, share)
            if counts(twin):
                yield twin
                break
        search.add(index)


class _Search:
    """Finds, among the texts that were added, those that share enough with another one."""

    def __init__(self, bags: dict[int, Bag]) -> None:
        self._bags = bags
        self._holders: dict[int, list[int]] = {}
        self._work = 0

    def near(self, index: int) -> Iterator[tuple[int, int]]:
        """Each with how many words it shares; the likeliest first; none once all work is done."""
        bag = self._bags[index]
        candidates = Counter(
            other for word in _rarest(bag) for other in self._holders.get(word, ())
        )
        for other, _ in candidates.most_common(_MOST_COMPARED):
            self._work += len(bag) + len(self._bags[other])
            if self._work > _MOST_WORK:
                return
            common = _common(bag, self._bags[other])
            if common:
                yield other, common

    def add(self, index: int) -> None:
        for word in _rarest(self._bags[index]):
            known = self._holders.setdefault(word, [])
            if len(known) < _MOST_COMPARED:
                known.append(index)


def _rarest(bag: Bag) -> list[int]:
    """As many of the rarest words as must be looked at: one more than may differ."""
    return sorted(bag)[: len(bag) - _least(len(bag)) + 1]


def _common(bag: Bag, other: Bag) -> int:
    """How many words two texts share, where it is enough; else 0."""
    least = _least(max(len(bag), len(other)))
    if min(len(bag), len(other)) < least:
        return 0
    common = len(bag & other)
    return common if common >= least else 0


def _least(size: int) -> int:
    """How many words of a text of that size must be in the other one too."""
    return -(-size * SHARE_PERCENT // 100)
