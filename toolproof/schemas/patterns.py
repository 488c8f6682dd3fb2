"""Regular expressions as ECMA-262 defines them: is a pattern valid, and if not, why."""

import functools
import re

from toolproof.schemas.pattern_escapes import Escapes, PatternError
from toolproof.schemas.pattern_tree import (
    Anchor,
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

LONGEST = 100_000
"""Characters; a longer pattern is not judged, as parsing takes about a microsecond for each."""

_QUANTIFIER = re.compile(r"\{([0-9]+)(,([0-9]*))?\}")
_FLAGS = re.compile(r"\?([ims]*)(?:-([ims]*))?:")
_NAME = re.compile(r"\?<([^>]*)>")
_STRANGERS = {
    "?P<": "'(?P<name>' is Python's; JavaScript writes '(?<name>'",
    "?P=": "'(?P=name)' is Python's; JavaScript writes '\\k<name>'",
    "?P>": "'(?P>name)' is Perl's",
    "?>": "'(?>' is no group of JavaScript, which has no atomic groups",
    "?#": "'(?#' is no group of JavaScript, which has no comments",
    "?(": "'(?(' is no group of JavaScript, which has no conditions",
    "?|": "'(?|' is no group of JavaScript",
    "?'": "\"(?'\" is no group of JavaScript, which writes '(?<name>'",
    "?&": "'(?&' is no group of JavaScript",
}


@functools.lru_cache(maxsize=4096)
def ecma_regex_error(pattern: str) -> str | None:
    r"""Why the pattern is no valid ECMA-262 regular expression; None if it is one.

    It is one if it is valid with the flag `u`, which JSON Schema asks for, or without it, as many
    implementations compile it; but an escaped letter without a meaning (`\A`, `\Z`), which
    JavaScript reads as the letter itself and its authors do not, is an error either way.
    """
    if len(pattern) > LONGEST:
        return None
    try:
        parse(pattern)
    except PatternError as error:
        return error.reason
    return None


def has_lookaround(pattern: str) -> bool:
    """Whether a valid pattern uses lookahead or lookbehind."""
    if len(pattern) > LONGEST or "(?" not in pattern:
        return False
    try:
        return parse(pattern).looks
    except PatternError:
        return False


def parse(pattern: str) -> Tree:
    """The parts of the pattern, read with the flag `u` if it is valid so, else without.

    Raises:
        PatternError: It is valid in neither way.
    """
    read = _read(pattern)
    if isinstance(read, str):
        raise PatternError(read)
    return read


@functools.lru_cache(maxsize=1024)
def _read(pattern: str) -> Tree | str:
    """The parts, or the reason why there are none."""
    try:
        return _Parser(pattern, unicode=True).tree()
    except PatternError:
        try:
            return _Parser(pattern, unicode=False).tree()
        except PatternError as error:
            return error.reason


class _Open:
    """A group that is not closed yet: its alternatives so far, and how to close it."""

    def __init__(self, start: int, kind: str = "", *, number: int = 0, name: str = "") -> None:
        self.start = start
        self.kind = kind
        self.number = number
        self.name = name
        self.options: list[list[Part]] = [[]]
        self.names: set[str] = set()  # of groups in the alternative that is being read
        self.other_names: set[str] = set()  # of groups in those before

    def next_option(self) -> None:
        self.options.append([])
        self.other_names |= self.names
        self.names = set()

    @property
    def body(self) -> Choice:
        return Choice(tuple(tuple(option) for option in self.options))

    def closed(self) -> Part:
        if self.kind in {"=", "!", "<=", "<!"}:
            return Look(self.body, behind="<" in self.kind, negated="!" in self.kind)
        return Group(self.body, self.number, self.name, self.kind)


class _Parser(Escapes):
    """One pass over a pattern, with a stack of open groups in place of recursion.

    Source: ECMA-262, Regular Expression (Literal) syntax, and annex B.1.2 where `unicode` is false.
    """

    def tree(self) -> Tree:
        open_groups = [_Open(0)]
        depth = 0
        looks = False
        while self.at < len(self.pattern):
            char = self.pattern[self.at]
            group = open_groups[-1]
            if char == "(":
                opened = self._opened()
                if opened.name:
                    if any(opened.name in one.names for one in open_groups):
                        raise PatternError(f"two groups have the name {opened.name!r}")
                    group.names.add(opened.name)
                open_groups.append(opened)
                depth = max(depth, len(open_groups) - 1)
                continue
            if char == ")":
                if len(open_groups) == 1:
                    raise PatternError(f"')' at {self.at} closes no group")
                self.at += 1
                open_groups.pop()
                part = group.closed()
                looks = looks or isinstance(part, Look)
                open_groups[-1].names |= group.names | group.other_names
                open_groups[-1].options[-1].append(self._repeated(part))
            elif char == "|":
                self.at += 1
                group.next_option()
            else:
                group.options[-1].append(self._repeated(self._atom(char)))
        if len(open_groups) > 1:
            raise PatternError(f"the group opened at {open_groups[-1].start} is not closed")
        self.check_backreferences()
        return Tree(open_groups[0].body, self.groups, dict(self.numbers), depth, looks)

    def _opened(self) -> _Open:
        start = self.at
        self.at += 1
        if not self.pattern.startswith("?", self.at):
            self.groups += 1
            return _Open(start, number=self.groups)
        for kind in ("=", "!", "<=", "<!"):
            if self.pattern.startswith("?" + kind, self.at):
                self.at += 1 + len(kind)
                return _Open(start, kind)
        flags = _FLAGS.match(self.pattern, self.at)
        if flags:
            self.at = flags.end()
            return _Open(start, self._flags(flags))
        named = _NAME.match(self.pattern, self.at)
        if named:
            self.at = named.end()
            self.groups += 1
            self.name_group(named[1], start)
            return _Open(start, number=self.groups, name=named[1])
        for stranger, reason in _STRANGERS.items():
            if self.pattern.startswith(stranger, self.at):
                raise PatternError(reason)
        if re.compile(r"\?[a-zA-Z-]+\)").match(self.pattern, self.at):
            raise PatternError(f"'(?...)' at {start}: JavaScript has no flags inside a pattern")
        raise PatternError(f"'(?' at {start} opens no group that JavaScript knows")

    def _flags(self, flags: re.Match[str]) -> str:
        on, off = flags[1], flags[2]
        used = on + (off or "")
        if len(set(used)) < len(used) or (off is not None and not used):
            raise PatternError(
                f"the flags of the group at {flags.start() - 1} contradict themselves"
            )
        return used and f"{on}-{off}" if off else on

    def _atom(self, char: str) -> Part:
        start = self.at
        if char == "\\":
            return self.escape()
        if char == "[":
            return self._class()
        self.at += 1
        if char in "^$":
            return Anchor(char)
        if char == ".":
            return Dot()
        if char in "*+?":
            raise PatternError(f"{char!r} at {start} repeats nothing")
        if char == "{" and _QUANTIFIER.match(self.pattern, start):
            raise PatternError(f"the repetition at {start} repeats nothing")
        if char in "{}]" and self.unicode:
            raise PatternError(f"{char!r} at {start} must be written '\\{char}'")
        return Char(ord(char))

    def _repeated(self, part: Part) -> Part:
        """The part with the quantifier behind it, if there is one."""
        start = self.at
        bounds = self._quantifier()
        if bounds is None:
            return part
        lookahead = isinstance(part, Look) and not part.behind
        if isinstance(part, (Anchor, Look)) and (self.unicode or not lookahead):
            raise PatternError(f"the repetition at {start} repeats nothing")
        lazy = self.pattern.startswith("?", self.at)
        self.at += lazy
        if self.pattern.startswith("+", self.at):
            raise PatternError(f"'+' at {self.at}: JavaScript has no possessive repetition")
        return Repeat(part, *bounds, lazy)

    def _quantifier(self) -> tuple[int, int | None] | None:
        char = self.pattern[self.at : self.at + 1]
        if char in {"*", "+", "?"}:
            self.at += 1
            return {"*": (0, None), "+": (1, None), "?": (0, 1)}[char]
        match = _QUANTIFIER.match(self.pattern, self.at) if char == "{" else None
        if match is None:
            return None
        low = _bounded(match[1])
        high = low if match[2] is None else _bounded(match[3]) if match[3] else None
        if high is not None and high < low:
            raise PatternError(f"the repetition {match[0]!r} has its numbers out of order")
        self.at = match.end()
        return low, high

    def _class(self) -> Part:
        start = self.at
        self.at += 1
        negated = self.pattern.startswith("^", self.at)
        self.at += negated
        items: list[Range | ClassEscape | Property] = []
        while True:
            if self.at >= len(self.pattern):
                raise PatternError(f"the class opened at {start} is not closed")
            if self.pattern[self.at] == "]":
                self.at += 1
                return Class(tuple(items), negated)
            items += self._class_item(start)

    def _class_item(self, start: int) -> list[Range | ClassEscape | Property]:
        low_at = self.at
        low = self._class_atom(start)
        ahead = self.pattern[self.at : self.at + 2]
        if not ahead.startswith("-") or ahead in {"-", "-]"}:
            return [low]
        self.at += 1
        high = self._class_atom(start)
        if not isinstance(low, Range) or not isinstance(high, Range):
            if self.unicode:
                raise PatternError(f"a set such as '\\d' at {low_at} cannot begin or end a range")
            return [low, Range(ord("-"), ord("-")), high]
        if low.low > high.low:
            found = self.pattern[low_at : self.at]
            raise PatternError(f"the range {found!r} at {low_at} is out of order")
        return [Range(low.low, high.low)]

    def _class_atom(self, start: int) -> Range | ClassEscape | Property:
        if self.at >= len(self.pattern):
            raise PatternError(f"the class opened at {start} is not closed")
        char = self.pattern[self.at]
        if char != "\\":
            self.at += 1
            return Range(ord(char), ord(char))
        part = self.escape(in_class=True)
        if isinstance(part, (ClassEscape, Property)):
            return part
        code = part.code if isinstance(part, Char) else 0
        return Range(code, code)


def _bounded(digits: str) -> int:
    """A count; more than a million is as good as a million, and int() refuses 4,301 digits."""
    digits = digits.lstrip("0") or "0"
    return int(digits) if len(digits) < len("1000000") else 1_000_000


__all__ = ["LONGEST", "Back", "PatternError", "ecma_regex_error", "has_lookaround", "parse"]
