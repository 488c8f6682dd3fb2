"""A parsed ECMA-262 expression, written for Python's re or for the regex engine of Rust."""

import functools
import re
import sys
import unicodedata
from abc import ABC, abstractmethod
from collections.abc import Iterable

from toolproof.schemas.pattern_escapes import LAST_CODE_POINT, PatternError
from toolproof.schemas.pattern_tree import (
    GENERAL_CATEGORIES,
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
from toolproof.schemas.patterns import LONGEST, parse

DEEPEST = 50
"""Groups in groups; writing them takes a few frames of Python for each."""

Span = tuple[int, int]

_DIGITS: tuple[Span, ...] = ((0x30, 0x39),)
_WORD: tuple[Span, ...] = ((0x30, 0x39), (0x41, 0x5A), (0x5F, 0x5F), (0x61, 0x7A))
_ENDS: tuple[Span, ...] = ((0x0A, 0x0A), (0x0D, 0x0D), (0x2028, 0x2029))
_SPACE: tuple[Span, ...] = (
    # Source: ECMA-262, WhiteSpace and LineTerminator.
    (0x09, 0x0D), (0x20, 0x20), (0xA0, 0xA0), (0x1680, 0x1680), (0x2000, 0x200A),
    (0x2028, 0x2029), (0x202F, 0x202F), (0x205F, 0x205F), (0x3000, 0x3000), (0xFEFF, 0xFEFF),
)  # fmt: skip
_SETS = {"d": _DIGITS, "w": _WORD, "s": _SPACE}
_SURROGATE = range(0xD800, 0xE000)
_PLAIN = re.compile(r"[A-Za-z0-9_ @:;,!%&=<>\"'`~#-]")  # a character that means itself everywhere


class UntranslatableError(ValueError):
    """The other language has no way to say it."""


@functools.lru_cache(maxsize=1024)
def ecma_to_python(pattern: str) -> re.Pattern[str] | None:
    """The pattern for Python's re; None where it is not valid, or where re cannot say it.

    It is meant for `search`, as JSON Schema anchors nothing.
    """
    text = _translated(pattern, _Python())
    try:
        return None if text is None else re.compile(text)
    except (re.error, RecursionError, OverflowError):  # such as a lookbehind of any width
        return None


@functools.lru_cache(maxsize=1024)
def ecma_to_rust(pattern: str) -> str | None:
    """The pattern as the engine of jsonschema-rs reads it the same way; None if it cannot be."""
    return _translated(pattern, _Rust())


@functools.lru_cache(maxsize=1024)
def searchable_length(pattern: str) -> int:
    """The longest text that a backtracking engine searches in bounded time: some 10^7 steps.

    A repetition in a repetition, or a choice in one, may take time exponential in the text; two
    that follow each other take its square, and so on.
    """
    if len(pattern) > LONGEST:
        return _FEW
    try:
        endless = _endless(parse(pattern).body, inside=False)
    except (PatternError, RecursionError):
        return _FEW
    if endless is None:
        return _FEW
    starts = 0 if pattern.startswith("^") and "|" not in pattern else 1
    return int(_STEPS ** (1 / max(1, endless + starts)))


_FEW = 24  # characters: 2^24 steps are as many as _STEPS
_STEPS = 10_000_000


def _translated(pattern: str, writer: "_Writer") -> str | None:
    if len(pattern) > LONGEST:
        return None
    try:
        tree = parse(pattern)
        return None if tree.depth > DEEPEST else writer.written(tree)
    except (PatternError, UntranslatableError):
        return None


class _Writer(ABC):
    """Writes a tree; what differs between the languages is in the methods of the two below."""

    def written(self, tree: Tree) -> str:
        self._closed: set[int] = set()
        self._numbers = tree.numbers
        return self._choice(tree.body)

    @abstractmethod
    def property(self, part: Property) -> str:
        """A property of characters, by its name."""

    @abstractmethod
    def end(self) -> str:
        """The end of the text."""

    @abstractmethod
    def back(self, number: int) -> str:
        """What a group matched, once it is closed."""

    @abstractmethod
    def code(self, code: int) -> str:
        """One code point inside brackets."""

    def _choice(self, choice: Choice) -> str:
        return "|".join(
            ["".join([self._part(part) for part in option]) for option in choice.options]
        )

    def _part(self, part: Part) -> str:
        match part:
            case Char(code):
                return chr(code) if _PLAIN.fullmatch(chr(code)) else f"[{self.code(code)}]"
            case Dot():
                return self._set(_complement(_ENDS))
            case ClassEscape() | Property():
                return self._class(Class((part,), negated=False))
            case Class():
                return self._class(part)
            case _:
                return self._structure(part)

    def _structure(self, part: Anchor | Back | Look | Repeat | Group) -> str:
        match part:
            case Anchor(letter):
                return self._anchor(letter)
            case Back(group):
                number = self._numbers.get(group, 0) if isinstance(group, str) else group
                return self.back(number) if number in self._closed else "(?:)"
            case Look(body, behind, negated):
                return f"(?{'<' if behind else ''}{'!' if negated else '='}{self._choice(body)})"
            case Repeat():
                return self._repeat(part)
            case Group():
                return self._group(part)

    def _anchor(self, letter: str) -> str:
        if letter in "^$":
            return self.end() if letter == "$" else letter
        word = self._set(_WORD)  # neither language has the word boundary of ASCII by itself
        edge = f"(?:(?<={word})(?!{word})|(?<!{word})(?={word}))"
        inside = f"(?:(?<={word})(?={word})|(?<!{word})(?!{word}))"
        return edge if letter == "b" else inside

    def _group(self, group: Group) -> str:
        if group.flags not in {"", "i"}:
            raise UntranslatableError(group.flags)
        body = self._choice(group.body)
        if not group.number:
            return f"(?{group.flags}:{body})"
        self._closed.add(group.number)
        return f"({body})"

    def _repeat(self, repeat: Repeat) -> str:
        low, high = repeat.low, repeat.high
        if isinstance(repeat.part, Look):  # matches nothing, however often
            return self._part(repeat.part) if low else ""
        bounds = {(0, None): "*", (1, None): "+", (0, 1): "?"}.get((low, high))
        if bounds is None:
            bounds = f"{{{low}}}" if low == high else f"{{{low},{'' if high is None else high}}}"
        inner = self._part(repeat.part)
        if isinstance(repeat.part, Repeat):
            inner = f"(?:{inner})"
        return inner + bounds + ("?" if repeat.lazy else "")

    def _class(self, part: Class) -> str:
        spans: list[Span] = []
        properties: list[str] = []
        for item in part.items:
            match item:
                case Range(low, high):
                    spans.append((low, high))
                case ClassEscape(letter):
                    spans += _spans(letter)
                case Property():
                    properties.append(self.property(item))
        if not properties:
            merged = _merged(spans)
            return self._set(_complement(merged) if part.negated else merged)
        inner = "".join(self._span(span) for span in _merged(spans)) + "".join(properties)
        return f"[{'^' if part.negated else ''}{inner}]"

    def _set(self, spans: Iterable[Span]) -> str:
        inner = "".join([self._span(span) for span in spans])
        return f"[{inner}]" if inner else "(?!)"

    def _span(self, span: Span) -> str:
        low, high = span
        return self.code(low) if low == high else f"{self.code(low)}-{self.code(high)}"


class _Python(_Writer):
    def property(self, part: Property) -> str:
        spans = _category_spans(part.text.rpartition("=")[2])
        if "=" in part.text and part.text.partition("=")[0] not in {"gc", "General_Category"}:
            raise UntranslatableError(part.text)
        return "".join([self._span(s) for s in (_complement(spans) if part.negated else spans)])

    def end(self) -> str:
        return r"\Z"  # here $ would match before a final line feed too

    def back(self, number: int) -> str:
        return f"(?({number})\\{number})"  # in JavaScript one that took no part matches nothing

    def code(self, code: int) -> str:
        return f"\\U{code:08x}"


class _Rust(_Writer):
    def property(self, part: Property) -> str:
        return f"\\{'P' if part.negated else 'p'}{{{part.text}}}"

    def end(self) -> str:
        return "$"

    def back(self, number: int) -> str:
        return f"(?:\\{number})"

    def code(self, code: int) -> str:
        if code in _SURROGATE:
            raise UntranslatableError(f"{code:x}")
        return f"\\u{{{code:x}}}"

    def _span(self, span: Span) -> str:
        low, high = span
        if low < _SURROGATE.start and high >= _SURROGATE.stop:  # no string of Rust holds those
            return super()._span((low, _SURROGATE.start - 1)) + super()._span(
                (_SURROGATE.stop, high)
            )
        return super()._span(span)


def _spans(letter: str) -> tuple[Span, ...]:
    spans = _SETS[letter.lower()]
    return _complement(spans) if letter.isupper() else spans


def _merged(spans: Iterable[Span]) -> tuple[Span, ...]:
    merged: list[Span] = []
    for low, high in sorted(spans):
        if merged and low <= merged[-1][1] + 1:
            merged[-1] = (merged[-1][0], max(merged[-1][1], high))
        else:
            merged.append((low, high))
    return tuple(merged)


def _complement(spans: tuple[Span, ...]) -> tuple[Span, ...]:
    """What is not in `spans`, which are merged and in order."""
    rest: list[Span] = []
    start = 0
    for low, high in spans:
        if low > start:
            rest.append((start, low - 1))
        start = high + 1
    if start <= LAST_CODE_POINT:
        rest.append((start, LAST_CODE_POINT))
    return tuple(rest)


@functools.cache
def _category_spans(name: str) -> tuple[Span, ...]:
    """The code points of a general category, or of one of three simple properties."""
    if name == "Any":
        return ((0, LAST_CODE_POINT),)
    if name == "ASCII":
        return ((0, 0x7F),)
    if name == "Assigned":
        return _complement(_category_spans("Cn"))
    short = GENERAL_CATEGORIES.get(name, name)
    if short not in GENERAL_CATEGORIES.values():
        raise UntranslatableError(name)
    wanted = ("Lu", "Ll", "Lt") if short == "LC" else (short,)
    category = unicodedata.category
    return _merged(
        (code, code) for code in range(sys.maxunicode + 1) if category(chr(code)).startswith(wanted)
    )


def _endless(choice: Choice, *, inside: bool) -> int | None:
    """How many repetitions without a small bound there are; None if one is in another.

    A choice inside a repetition counts as one in another, as its branches may match the same.
    """
    total = 0
    for part in (part for option in choice.options for part in option):
        match part:
            case Repeat(part=inner, high=high):
                is_endless = high is None or high > 1
                if is_endless and inside:
                    return None
                total += is_endless
                found = _endless(Choice(((inner,),)), inside=inside or is_endless)
            case Group(body=body) | Look(body=body):
                if inside and len(body.options) > 1:
                    return None
                found = _endless(body, inside=inside)
            case Back():
                found = None
            case _:
                found = 0
        if found is None:
            return None
        total += found
    return total
