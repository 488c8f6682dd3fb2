"""Texts that fit lengths, patterns and formats, and texts that just do not."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

from toolproof.judgement.facts import Facts
from toolproof.phases.fuzz.generate.case import Choice
from toolproof.phases.fuzz.generate.formats import ENCODED, FORMATS
from toolproof.phases.fuzz.generate.limits import LONGEST_TEXT
from toolproof.phases.fuzz.generate.pattern_texts import (
    Sample,
    matching,
    near_misses,
    random_match,
)

LETTER = "é"
FOREIGN = "letter outside ASCII"
_ALPHABETS = (
    "abcdefghijklmnopqrstuvwxyz",
    "ABCXYZ 0123456789",
    " !\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~",
    "äßéñøçÅŞğıİ",
    "日本語中文한국어ไทยעבריתعربي",
    "😀👩‍👩‍👧🇨🇦🏳️‍🌈",
    "\u00a0\u200b\u200d\u202e\ufeff\u0301\u2028",
    "\t\n\r\x00\x1b\x7f",
)
_TRIES = 60  # random texts for a pattern of which no planned one matched


@dataclass(frozen=True, slots=True)
class TextRules:
    """What a string must be, besides its length.

    Attributes:
        patterns: ECMA-262 expressions that must all be found in it.
        formats: Names of formats that are known here.
        encodings: Names that `contentEncoding` gives.
    """

    facts: Facts
    patterns: Sequence[str] = ()
    formats: Sequence[str] = ()
    encodings: Sequence[str] = ()

    @property
    def is_free(self) -> bool:
        """Whether any text of the right length will do, and nothing says that another is meant."""
        return not (self.patterns or self.formats or self.encodings)

    @property
    def is_bound(self) -> bool:
        """Whether a pattern or a registered format decides what fits."""
        return bool(self.patterns) or any(FORMATS[name].wrong for name in self.formats)

    @property
    def longest(self) -> int:
        """The greatest length that is made here."""
        most = self.facts.longest
        return LONGEST_TEXT if most is None else min(most, LONGEST_TEXT)


def text_choices(rules: TextRules, liked: str) -> Iterator[Choice]:
    """Texts that should fit, plain ones first; `liked` is the plain one where nothing forbids it."""
    for sample in _samples(rules):
        if sample.word != FOREIGN or not sample.text.isascii():
            yield Choice(sample.text, _kind_of(sample), sample.word)
    if not rules.is_bound and rules.facts.shortest <= rules.longest:
        if not rules.encodings:
            yield Choice(_sized(liked, rules.facts.shortest, rules.longest), "base", "plain")
        yield from _of_letters(rules.facts.shortest, rules.longest)
        yield from _at_bounds(rules)


def _of_letters(shortest: int, longest: int) -> Iterator[Choice]:
    if shortest == 0:
        yield Choice("", "empty", "empty")
    if longest > 0:
        yield Choice(_sized(LETTER, shortest, longest), "foreign", FOREIGN)
        yield Choice(_sized(" ", shortest, longest, fill=" "), "blank", "blank")


def _at_bounds(rules: TextRules) -> Iterator[Choice]:
    shortest, longest = rules.facts.shortest, rules.longest
    is_bound = longest == rules.facts.longest
    if is_bound:
        yield Choice("a" * longest, "maximum", "maximum length")
    if shortest > 0:
        yield Choice("a" * shortest, "minimum", "minimum length")
        if shortest < longest:
            yield Choice("a" * (shortest + 1), "minimum+1", "minimum length and one")
    if is_bound and longest > shortest:
        yield Choice("a" * (longest - 1), "maximum-1", "maximum length less one")


def wrong_texts(rules: TextRules, right: Sequence[str]) -> Iterator[Choice]:
    """Texts with one thing wrong; `right` are some that fit."""
    example = right[0] if right else ""
    yield from _wrong_lengths(rules.facts, example)
    for name in rules.formats:
        wrong = FORMATS[name].wrong
        if wrong:
            for text, word in (*wrong, ("", "empty"), ("%", "a sign")):
                yield Choice(text, "format", f"no {name}: {word}", "format")
    for name in rules.encodings:
        for text, word in ENCODED[name].wrong if name in ENCODED else ():
            yield Choice(text, "encoding", f"no {name}: {word}", "contentEncoding")
    if rules.patterns:
        for sample in near_misses(example):
            yield Choice(sample.text, "pattern", f"off pattern: {sample.word}", "pattern")


def _wrong_lengths(facts: Facts, example: str) -> Iterator[Choice]:
    shortest, longest = facts.shortest, facts.longest
    if shortest > 0:
        yield Choice(example[: shortest - 1], "short", "too short", "minLength")
    if shortest > 1:
        yield Choice("", "short", "empty", "minLength")
    if longest is not None and longest < LONGEST_TEXT:
        far = longest * 2 + 100
        yield Choice(_sized(example, longest + 1, longest + 1), "long", "too long", "maxLength")
        yield Choice(_sized(example, longest + 1, far), "long", "far too long", "maxLength")


def random_text(rules: TextRules, rng: Random) -> str:
    """Some text that should fit."""
    if rules.patterns:
        return random_match(rng.choice(rules.patterns), rng) or ""
    if rules.formats or rules.encodings:
        samples = [sample.text for sample in _samples(rules)]
        if samples:
            return rng.choice(samples)
    shortest, longest = rules.facts.shortest, rules.longest
    length = min(max(shortest, rng.choice((0, 1, 2, 3, 8, 20, 100)) + rng.randint(0, 5)), longest)
    alphabet = rng.choice(_ALPHABETS) if rng.getrandbits(1) else "".join(_ALPHABETS)
    return "".join(rng.choices(alphabet, k=length))


def _samples(rules: TextRules) -> Iterator[Sample]:
    shortest, longest = rules.facts.shortest, rules.facts.longest
    for name in rules.formats:
        for text, word in FORMATS[name].right:
            yield Sample(text, word)
    for name in rules.encodings:
        for text, word in ENCODED[name].right if name in ENCODED else ():
            yield Sample(text, word)
    yield from _of_all(rules.patterns)
    for pattern in rules.patterns:
        yield from matching(pattern, shortest, longest)


def _of_all(patterns: Sequence[str]) -> Iterator[Sample]:
    """For several patterns: their texts one behind the other, which suits starts and ends."""
    texts = [next((sample.text for sample in matching(pattern)), "") for pattern in patterns]
    if len(texts) > 1:
        yield Sample("".join(texts), "plain")
        yield Sample("".join(reversed(texts)), "plain")


def desperate_texts(rules: TextRules) -> Iterator[Choice]:
    """Random texts for patterns of which no planned text matched."""
    rng = Random(0)  # noqa: S311 - the same ones each time
    for pattern in rules.patterns:
        for _ in range(_TRIES):
            text = random_match(pattern, rng)
            if text is not None:
                yield Choice(text, "base", "plain")


def _kind_of(sample: Sample) -> str:
    if sample.word in {"plain", "shortest"}:
        return "base"
    return "foreign" if sample.word == FOREIGN else "sample"


def _sized(text: str, shortest: int, longest: int, *, fill: str = "a") -> str:
    """The text, filled up or cut to a length in the range."""
    if len(text) < shortest:
        text += fill * (shortest - len(text))
    return text[:longest]
