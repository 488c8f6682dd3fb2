"""A source file, with the same text beside it in which everything is blank that is no code."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from functools import cached_property

from toolproof.finish.source_lexers import Piece, inside, pieces

_NOT_LINE_END = re.compile(r"[^\n]")
_LONGEST_WORD = 64
_BETWEEN_PARTS = re.compile(r"[\s+\\.]*+")
_CLOSING = {"(": ")", "[": "]", "{": "}"}
_BRACKET = re.compile(r"[()\[\]{}]")
_MOST_PARTS = 32
_MOST_CODE = 1_000


class SourceText:
    """A source file's text, its code and its string literals.

    Attributes:
        text: As it stands in the file.
        suffix: The file's, which says the language: one of `source_files.SUFFIXES`.
        code: As long as `text`, line for line. Comments are blank; of a literal only the quotes are
            left, as `"`, unless it is a single word: so quoted keys can be read.
        literals: The string literals, in order.
    """

    def __init__(self, text: str, suffix: str) -> None:
        self.text = text
        self.suffix = suffix
        found = pieces(text, suffix)
        self.literals = [piece for piece in found if piece.literal]
        self.code = "".join(_code(text, found))

    def line_of(self, offset: int) -> int:
        """The line, from 1, of an offset."""
        return bisect_right(self._line_starts, offset)

    def start_of(self, line: int) -> int:
        """The offset at which a line begins, from 1; the end of the text, if there is none."""
        return self._line_starts[line - 1] if line <= len(self._line_starts) else len(self.text)

    def lines(self, first: int, last: int) -> str:
        """The text from one line to another, both included, from 1."""
        return self.text[self.start_of(first) : self.start_of(last + 1)]

    def is_packed(self, line: int) -> bool:
        """Whether a line holds so much code that pointing at it says nothing: a minified file."""
        code = self.code[self.start_of(line) : self.start_of(line + 1)]
        return len(code) > _MOST_CODE and len(code.replace(" ", "")) > _MOST_CODE

    def literals_in(self, start: int, end: int) -> range:
        """The indexes of the literals that begin in a span of offsets."""
        starts = self._literal_starts
        return range(bisect_left(starts, start), bisect_left(starts, end))

    def joined(self, index: int) -> tuple[str, bool]:
        """A literal's text with that of those added to it, and whether nothing else is added."""
        last = self.literals[index]
        first, constant = inside(self.text, last, self.suffix)
        texts = [first]
        for literal in self.literals[index + 1 : index + _MOST_PARTS]:
            between = self.code[last.end : literal.start]
            if not _BETWEEN_PARTS.fullmatch(between) or not (
                between.strip() or self._joins_by_itself(between, last.start)
            ):
                break
            more, fixed = inside(self.text, literal, self.suffix)
            texts.append(more)
            constant = constant and fixed
            last = literal
        rest = self.code[last.end : last.end + 40].lstrip()
        return "".join(texts), constant and not rest.startswith(("+", "%", ".", "?", "if "))

    def _joins_by_itself(self, between: str, offset: int) -> bool:
        """Whether the language joins literals that only white space parts: Python, in brackets."""
        return self.suffix == ".py" and (
            "\n" not in between or self.opening_before(offset) is not None
        )

    def end_of_brackets(self, opening: int) -> int | None:
        """The offset past the bracket that closes the one at `opening`, if one does."""
        return self._brackets.closing.get(opening)

    def outermost(self, opening: int, end: int) -> Iterator[tuple[int, int]]:
        """The stretches between two brackets that are in no other, each with the bracket after it."""
        depth, start = 0, opening
        for found in _BRACKET.finditer(self.code, opening, end):
            if found[0] in _CLOSING:
                if depth == 1:
                    yield start, found.end()
                depth += 1
            else:
                depth -= 1
                if depth == 0:
                    yield start, found.start()
                    return
            if depth == 1:
                start = found.end()
        if depth == 1:
            yield start, end

    def opening_before(self, offset: int) -> int | None:
        """The offset of the innermost bracket that is open at `offset`."""
        at = bisect_left(self._brackets.offsets, offset)
        return self._brackets.innermost[at - 1] if at else None

    @cached_property
    def _brackets(self) -> "_Brackets":
        return _Brackets(self.code)

    @cached_property
    def _line_starts(self) -> list[int]:
        return [0, *(match.end() for match in re.finditer(r"\n", self.text))]

    @cached_property
    def _literal_starts(self) -> list[int]:
        return [literal.start for literal in self.literals]


class _Brackets:
    """The brackets of a file's code, paired. One that fits none is passed over.

    Attributes:
        offsets: Where each bracket stands, in order.
        innermost: For each, the bracket that is open right after it, if one is.
        closing: The offset past the bracket that closes the one at an offset.
    """

    def __init__(self, code: str) -> None:
        self.offsets: list[int] = []
        self.innermost: list[int | None] = []
        self.closing: dict[int, int] = {}
        is_open: list[int] = []
        for found in _BRACKET.finditer(code):
            if found[0] in _CLOSING:
                is_open.append(found.start())
            elif is_open and _CLOSING[code[is_open[-1]]] == found[0]:
                self.closing[is_open.pop()] = found.end()
            self.offsets.append(found.start())
            self.innermost.append(is_open[-1] if is_open else None)


def _code(text: str, found: Iterable[Piece]) -> Iterator[str]:
    at = 0
    for start, end, literal in found:
        yield text[at:start]
        at = end
        inner = text[start + 1 : end - 1]
        if not literal:
            yield _blank(text[start:end])
        elif len(inner) <= _LONGEST_WORD and inner.isidentifier():
            yield f'"{inner}"'
        elif text[end - 1] == "\n":  # one that the end of the file cuts off
            yield f'"{_blank(text[start + 1 : end])}'
        else:
            yield f'"{_blank(inner)}"'
    yield text[at:]


def _blank(text: str) -> str:
    return _NOT_LINE_END.sub(" ", text) if "\n" in text else " " * len(text)
