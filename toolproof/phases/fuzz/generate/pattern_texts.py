"""Texts that match an ECMA-262 expression, written from its parts; and texts that just do not.

Each is only a proposal: lookarounds and backreferences are followed as far as that is simple, and
a validator decides.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import NamedTuple

from toolproof.phases.fuzz.generate.letters import FOREIGN, PLAIN, first, last, some
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
    Repeat,
    Tree,
)
from toolproof.schemas.patterns import LONGEST, parse

_DEEPEST = 40  # groups in groups
_MORE = 2  # repetitions beyond the least, where a text shall be a bit longer
_RANDOM_MOST = 8
_RANDOM_STEPS = 2_000
_MOST_STEPS = 30_000  # parts written for one text: `((a?){100}){100}` may write no character


class _TooLongError(Exception):
    """The text has become longer than any text may be."""


class Sample(NamedTuple):
    """A text, and a word for the reason."""

    text: str
    word: str


@dataclass(kw_only=True, slots=True)
class _Pick:
    """How a text is written: which alternative, how often, which character.

    Attributes:
        turn: Which alternative is taken at each choice, counted round.
        more: Repetitions beyond the least.
        spare: Characters that may be added in all, to reach a length.
        palette: Characters in the order in which they are liked.
        edge: Whether the last character of a class is taken.
        rng: Decides everything, if it is given.
        left: Characters that may still be written; `steps`: parts.
        groups: What the capturing groups matched.
    """

    turn: int = 0
    more: int = 0
    spare: int = 0
    palette: str = PLAIN
    edge: bool = False
    rng: Random | None = None
    left: int = LONGEST_TEXT
    steps: int = _MOST_STEPS
    groups: dict[int, str] = field(default_factory=dict)

    def option(self, count: int) -> int:
        return self.rng.randrange(count) if self.rng else self.turn % count

    def times(self, low: int, high: int | None, width: int) -> int:
        """How often a part comes that has at least `width` characters."""
        room = None if high is None else high - low
        if self.rng and self.steps < _MOST_STEPS - _RANDOM_STEPS:
            added = 0  # repetitions in repetitions grow too fast
        elif self.rng:
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
            return some(part, self.rng)
        return last(part, self.palette) if self.edge else first(part, self.palette)


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
    picks.append((_Pick(palette=FOREIGN, more=1, spare=fill), "letter outside ASCII"))
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
