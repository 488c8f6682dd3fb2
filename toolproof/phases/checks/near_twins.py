"""Pairs of texts that are equal word for word in most places, found without comparing all with all."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

from toolproof.judgement.naming import stem, text_words
from toolproof.records import record

SHARE_PERCENT = 90
"""So much of the longer text must be in the other one too; whole numbers keep the edge exact."""

FEWEST_WORDS = 4
"""Of shorter texts, one word is more than a tenth."""

_LONGEST = 6_000  # characters of one text: clients cut long before
_MOST_COMPARED = 24  # others that one text is compared with
_FEW = 3  # words that are replaced one for one
_LONGEST_MIDDLE = 200  # words between equal ends that are still aligned
_MOST_WORK = 10_000_000  # words compared in all: a second or two at worst

Bag = frozenset[int]
"""The words of a text as numbers, the rarest first; a word that comes again is another number."""


@record
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
    distinct: dict[int, Sequence[str]] = {}
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
            distinct[index] = words
    yield from _similar(distinct, counts)


def _counted(words: Sequence[str]) -> list[tuple[str, int]]:
    """Each word with how often it came before."""
    seen: Counter[str] = Counter()
    bag = []
    for word in words:
        bag.append((word, seen[word]))
        seen[word] += 1
    return bag


class Alignment(NamedTuple):
    """Two sequences of words, held against each other in order.

    Attributes:
        same: How many words they share in the same order.
        differing: Words that only one has there.
        work: About how many words were compared.
    """

    same: int
    differing: frozenset[str]
    work: int


def aligned(one: Sequence[str], other: Sequence[str]) -> Alignment:
    """What two sequences share in the same order.

    Where what lies between their equal ends is long, order is not heeded: it would take too long.
    """
    start = _common_start(one, other)
    end = _common_start(one[start:][::-1], other[start:][::-1])
    left, right = one[start : len(one) - end], other[start : len(other) - end]
    same, work = start + end, len(one) + len(other)
    if len(left) == len(right):
        pairs = [(a, b) for a, b in zip(left, right, strict=True) if a != b]
        if len(pairs) <= _FEW:
            differing = frozenset(word for pair in pairs for word in pair)
            return Alignment(same + len(left) - len(pairs), differing, work)
    if max(len(left), len(right)) > _LONGEST_MIDDLE:
        common = Counter(left) & Counter(right)
        rest = (Counter(left) | Counter(right)) - common
        return Alignment(same + common.total(), frozenset(rest), work)
    odd: set[str] = set()
    for tag, i, j, k, m in SequenceMatcher(None, left, right, autojunk=False).get_opcodes():
        if tag == "equal":
            same += j - i
        else:
            odd.update(left[i:j], right[k:m])
    return Alignment(same, frozenset(odd), work + len(left) * len(right))


def _common_start(one: Sequence[str], other: Sequence[str]) -> int:
    pairs = zip(one, other, strict=False)
    return next((at for at, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))


def _similar(texts: dict[int, Sequence[str]], counts: Callable[[Twin], bool]) -> Iterator[Twin]:
    counted = {index: _counted(words) for index, words in texts.items()}
    frequency = Counter(word for bag in counted.values() for word in bag)
    known = sorted(frequency, key=lambda word: (frequency[word], word))
    numbers = {word: number for number, word in enumerate(known)}
    search = _Search(
        {index: frozenset(map(numbers.__getitem__, bag)) for index, bag in counted.items()}
    )
    for index, words in texts.items():
        for other in search.near(index):
            found = aligned(words, texts[other])
            search.work += found.work
            longer = max(len(words), len(texts[other]))
            twin = Twin(index, other, frozenset(map(stem, found.differing)), found.same / longer)
            if found.same >= _least(longer) and counts(twin):
                yield twin
                break
        search.add(index)


class _Search:
    """Finds, among the texts that were added, those that share enough with another one.

    Attributes:
        work: How many words were compared so far; past the limit nothing is found any more.
    """

    def __init__(self, bags: dict[int, Bag]) -> None:
        self._bags = bags
        self._holders: dict[int, list[int]] = {}
        self.work = 0

    def near(self, index: int) -> Iterator[int]:
        """Those that share enough words, in any order; the likeliest first; bounded in number."""
        bag = self._bags[index]
        candidates = Counter(
            other for word in _rarest(bag) for other in self._holders.get(word, ())
        )
        for other, _ in candidates.most_common(_MOST_COMPARED):
            self.work += len(bag) + len(self._bags[other])
            if self.work > _MOST_WORK:
                return
            if _may_be_near(bag, self._bags[other]):
                yield other

    def add(self, index: int) -> None:
        for word in _rarest(self._bags[index]):
            known = self._holders.setdefault(word, [])
            if len(known) < _MOST_COMPARED:
                known.append(index)


def _rarest(bag: Bag) -> list[int]:
    """As many of the rarest words as must be looked at: one more than may differ."""
    return sorted(bag)[: len(bag) - _least(len(bag)) + 1]


def _may_be_near(bag: Bag, other: Bag) -> bool:
    least = _least(max(len(bag), len(other)))
    return min(len(bag), len(other)) >= least and len(bag & other) >= least


def _least(size: int) -> int:
    """How many words of a text of that size must be in the other one too."""
    return -(-size * SHARE_PERCENT // 100)
