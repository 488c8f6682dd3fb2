"""Texts that match an ECMA-262 expression, written from its parts; and texts that just do not.

Each is only a proposal: lookarounds and backreferences are followed as far as that is simple, and
a validator decides.
"""

import unicodedata
from collections.abc import Iterator, Sequence
from random import Random
from typing import NamedTuple

from toolproof.phases.fuzz.generate.limits import LONGEST_TEXT
from toolproof.schemas.pattern_escapes import PatternError
from toolproof.schemas.pattern_tree import (
    Back,
    Char,
    Choice,
    Class,
    ClassEscape,
    Dot,
    Group,
    Look,
    Part,
    Property,
    Range,
    Repeat,
    Tree,
)
from toolproof.schemas.patterns import LONGEST, parse

_DEEPEST = 40  # groups in groups
_PLAIN = "a0A1zZ9bB-_ ./:@#+,=;%&!?\"'()[]{}<>|*~^$`\\\n\téß日😀\x00"
_FOREIGN = "é日😀ßа١\u00a0\u200b" + _PLAIN
_MORE = 2  # repetitions beyond the least, where a text shall be a bit longer
_BYTE_ORDER_MARK = 0xFEFF
_SURROGATES = range(0xD800, 0xE000)
_RANDOM_MOST = 8
_EVEN = 0.5
_MOST_STEPS = 30_000  # parts written for one text: `((a?){100}){100}` may write no character


class _TooLongError(Exception):
    """The text has become longer than any text may be."""


class Sample(NamedTuple):
    """A text, and a word for the reason."""

    text: str
    word: str


class _Pick:
    """How a text is written: which alternative, how often, which character.

    Args:
        turn: Which alternative is taken at each choice, counted round.
        more: Repetitions beyond the least.
        spare: Characters that may be added in all, to reach a length.
        palette: Characters in the order in which they are liked.
        rng: Decides everything, if it is given.
    """

    def __init__(
        self,
        *,
        turn: int = 0,
        more: int = 0,
        spare: int = 0,
        palette: str = _PLAIN,
        edge: bool = False,
        rng: Random | None = None,
    ) -> None:
        self.turn = turn
        self.more = more
        self.spare = spare
        self.palette = palette
        self.edge = edge
        self.rng = rng
        self.left = LONGEST_TEXT
        self.steps = _MOST_STEPS
        self.groups: dict[int, str] = {}

    def option(self, count: int) -> int:
        return self.rng.randrange(count) if self.rng else self.turn % count

    def times(self, low: int, high: int | None, width: int) -> int:
        """How often a part comes that has at least `width` characters."""
        room = None if high is None else high - low
        if self.rng:
            added = self.rng.choice((0, 0, 1, 1, 2, 3, _RANDOM_MOST))
        elif self.spare:
            added = self.spare // max(width, 1)
        else:
            added = self.more
        added = added if room is None else min(added, room)
        self.spare -= min(self.spare, added * max(width, 1))
        return low + added

    def char(self, part: Part) -> str:
        if self.rng:
            likely = [char for char in self.rng.sample(_FOREIGN, 12) if _has(part, ord(char))]
            ranges = _ranges(part)
            if ranges and (not likely or self.rng.random() < _EVEN):
                low, high = self.rng.choice(ranges)
                return chr(self.rng.randint(low, high))
            return likely[0] if likely else _first(part, _PLAIN)
        if self.edge and (ranges := _ranges(part)):
            return chr(ranges[-1][1])
        return _first(part, self.palette)


def matching(pattern: str, shortest: int = 0, longest: int | None = None) -> Iterator[Sample]:
    """Texts that should match, plain ones first; none where the pattern cannot be read."""
    tree = _parsed(pattern)
    if tree is None:
        return
    least = _least(tree.body)
    fill = max(shortest - least, 0)
    picks: list[tuple[_Pick, str]] = [(_Pick(spare=fill), "shortest")]
    picks += [
        (_Pick(turn=turn, spare=fill), f"way {turn + 1}") for turn in range(1, _ways(tree.body))
    ]
    picks.append((_Pick(more=_MORE, spare=fill), "longer"))
    picks.append((_Pick(palette=_FOREIGN, more=1, spare=fill), "letter outside ASCII"))
    picks.append((_Pick(edge=True, more=1, spare=fill), "end of its classes"))
    if longest is not None and least < longest <= LONGEST_TEXT:
        picks.append((_Pick(spare=longest - least), "maximum length"))
    elif longest is None:
        picks.append((_Pick(spare=200), "long"))
    for pick, word in picks:
        text = _written(tree, pick)
        if text is not None:
            yield Sample(text, word)


def random_match(pattern: str, rng: Random) -> str | None:
    """Some text that should match."""
    tree = _parsed(pattern)
    return None if tree is None else _written(tree, _Pick(rng=rng))


def near_misses(text: str) -> Iterator[Sample]:
    """Texts one step away from one that matches."""
    yield Sample(f"{text}!", "with a sign behind")
    yield Sample(f"!{text}", "with a sign before")
    yield Sample(text[:-1], "cut short")
    yield Sample(text[1:], "without its start")
    yield Sample(text.swapcase(), "in the other case")
    yield Sample(f" {text}", "with a blank before")
    yield Sample(f"{text}é", "with a letter outside ASCII")
    yield Sample(text * 2, "twice")
    yield Sample(text[: len(text) // 2] + "\n" + text[len(text) // 2 :], "with a line end")
    yield Sample("", "empty")
    yield Sample("!", "a sign")
    yield Sample("é", "a letter outside ASCII")


def _parsed(pattern: str) -> Tree | None:
    if len(pattern) > LONGEST:
        return None
    try:
        tree = parse(pattern)
    except PatternError:
        return None
    return tree if tree.depth <= _DEEPEST else None


def _written(tree: Tree, pick: _Pick) -> str | None:
    try:
        return _choice(tree.body, pick, tree)
    except _TooLongError:
        return None


def _choice(choice: Choice, pick: _Pick, tree: Tree) -> str:
    pick.steps -= len(choice.options)
    if pick.steps < 0:
        raise _TooLongError
    at = pick.option(len(choice.options))
    if not pick.rng and not pick.turn:  # the plainest alternative is the shortest one
        widths = [sum(map(_width, option)) for option in choice.options]
        at = widths.index(min(widths))
    return _sequence(choice.options[at], pick, tree)


def _sequence(parts: Sequence[Part], pick: _Pick, tree: Tree) -> str:
    """The parts one after the other; what a lookahead wants is laid over what follows it."""
    written: list[str] = []
    wanted = ""
    wanted_from = 0
    for part in parts:
        if isinstance(part, Look) and not part.negated:
            text = _choice(part.body, pick, tree)
            if part.behind:
                written.append(text)
            else:
                if not wanted:
                    wanted_from = len(written)
                wanted += text
        else:
            written.append(_part(part, pick, tree))
    if not wanted:
        return "".join(written)
    before, after = "".join(written[:wanted_from]), "".join(written[wanted_from:])
    return before + wanted + after[len(wanted) :]


def _part(part: Part, pick: _Pick, tree: Tree) -> str:
    match part:
        case Char(code):
            text = chr(code)
        case Dot() | ClassEscape() | Property() | Class():
            text = pick.char(part)
        case Group():
            text = _choice(part.body, pick, tree)
            if part.number:
                pick.groups[part.number] = text
        case Back(group):
            number = tree.numbers.get(group, 0) if isinstance(group, str) else group
            text = pick.groups.get(number, "")
        case Repeat():
            times = pick.times(part.low, part.high, _width(part.part))
            pick.steps -= times
            if times > pick.left or pick.steps < 0:
                raise _TooLongError
            return "".join([_part(part.part, pick, tree) for _ in range(times)])
        case _:
            return ""
    pick.left -= len(text)
    if pick.left < 0:
        raise _TooLongError
    return text


def _least(choice: Choice) -> int:
    return min(sum(map(_width, option)) for option in choice.options)


def _width(part: Part) -> int:
    """The least number of characters."""
    match part:
        case Char() | Dot() | ClassEscape() | Property() | Class():
            return 1
        case Group():
            return _least(part.body)
        case Repeat():
            return part.low and part.low * _width(part.part)
        case _:
            return 0


def _ways(choice: Choice) -> int:
    """How many alternatives the widest choice has, up to a few."""
    most = len(choice.options)
    for option in choice.options:
        for part in option:
            inner = part.part if isinstance(part, Repeat) else part
            if isinstance(inner, Group):
                most = max(most, _ways(inner.body))
    return min(most, 6)


def _first(part: Part, palette: str) -> str:
    for char in palette:
        if _has(part, ord(char)):
            return char
    ranges = _ranges(part)
    return chr(ranges[0][0]) if ranges else "a"


def _ranges(part: Part) -> list[tuple[int, int]]:
    """The ranges that a class lists, without surrogates; none for one that says what it is not."""
    if not isinstance(part, Class) or part.negated:
        return []
    listed = [(item.low, item.high) for item in part.items if isinstance(item, Range)]
    return [
        (low, high) for low, high in listed if low not in _SURROGATES and high not in _SURROGATES
    ]


def _has(part: Part | Range, code: int) -> bool:
    match part:
        case Range(low, high):
            return low <= code <= high
        case Char(own):
            return code == own
        case Dot():
            return code not in {0x0A, 0x0D, 0x2028, 0x2029}
        case ClassEscape(letter):
            return _has_escape(letter.lower(), code) is letter.islower()
        case Property(text, negated):
            return _has_property(text.rpartition("=")[2], code) is not negated
        case Class(items, negated):
            return any(_has(item, code) for item in items) is not negated
    return False


def _has_escape(letter: str, code: int) -> bool:
    char = chr(code)
    if letter == "d":
        return char.isascii() and char.isdigit()
    if letter == "w":
        return char.isascii() and (char.isalnum() or char == "_")
    return char.isspace() or code == _BYTE_ORDER_MARK


def _has_property(name: str, code: int) -> bool:
    """By general category, roughly: a validator decides."""
    category = unicodedata.category(chr(code))
    first = name[:1]
    return category.startswith(name) if len(name) <= len("Lu") else category[0] == first
