"""Pairs of texts that are equal word for word in most places, found without comparing all with all."""

from collections import Counter
from collections.abc import Iterator, Sequence
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


def near_twins(texts: Sequence[str]) -> Iterator[Twin]:
    """For each text, the earlier ones that are the same, or nearly: the most alike first met.

    Two sets that share nine tenths must share one of the rarest words of each (prefix filtering), so
    only texts that do are compared; the work is bounded however alike the texts are.
    """
    first: dict[str, int] = {}
    counted: dict[int, list[tuple[str, int]]] = {}
    for index, text in enumerate(texts):
        words = text_words(text[:_LONGEST])
        key = " ".join(words)
        if not key:
            continue
        if key in first:
            yield Twin(index, first[key], frozenset(), 1.0)
            continue
        first[key] = index
        if len(words) >= FEWEST_WORDS:
            counted[index] = _counted(words)
    frequency = Counter(word for bag in counted.values() for word in bag)
    known = sorted(frequency, key=lambda word: (frequency[word], word))
    numbers = {word: number for number, word in enumerate(known)}
    bags = {index: frozenset(map(numbers.__getitem__, bag)) for index, bag in counted.items()}
    for index, other, common in _similar(bags):
        differing = frozenset(stem(known[number][0]) for number in bags[index] ^ bags[other])
        yield Twin(index, other, differing, common / max(len(bags[index]), len(bags[other])))


def _counted(words: Sequence[str]) -> list[tuple[str, int]]:
    """Each word with how often it came before."""
    seen: Counter[str] = Counter()
    bag = []
    for word in words:
        bag.append((word, seen[word]))
        seen[word] += 1
    return bag


def _similar(bags: dict[int, Bag]) -> Iterator[tuple[int, int, int]]:
    """Pairs that share enough, with how many words they share."""
    holders: dict[int, list[int]] = {}
    work = 0
    for index, bag in bags.items():
        rarest = sorted(bag)[: _prefix(len(bag))]
        candidates = Counter(other for word in rarest for other in holders.get(word, ()))
        for other, _ in candidates.most_common(_MOST_COMPARED):
            work += len(bag) + len(bags[other])
            if work > _MOST_WORK:
                return
            common = _common(bag, bags[other])
            if common:
                yield index, other, common
        for word in rarest:
            known = holders.setdefault(word, [])
            if len(known) < _MOST_COMPARED:
                known.append(index)


def _common(bag: Bag, other: Bag) -> int:
    """How many words two texts share, where it is enough; else 0."""
    least = _least(max(len(bag), len(other)))
    if min(len(bag), len(other)) < least:
        return 0
    common = len(bag & other)
    return common if common >= least else 0


def _prefix(size: int) -> int:
    """How many of the rarest words must be looked at: one more than may differ."""
    return size - _least(size) + 1


def _least(size: int) -> int:
    """How many words of a text of that size must be in the other one too."""
    return -(-size * SHARE_PERCENT // 100)
