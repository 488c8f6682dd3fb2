"""What one source file says of the tools that are looked for, by their names."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from toolproof.finish.definitions import Hit, definitions
from toolproof.finish.derived_names import derived, marked_names
from toolproof.finish.descriptions import Described, words
from toolproof.finish.source_lexers import quotes
from toolproof.finish.source_text import SourceText

_LINES_BELOW = 12
_MOST_LITERALS = 60
_BEFORE = 200
_MAY_DEFINE = re.compile(rb"(?:[nN]ame|NAME)[\"']?[^\"'`]{0,60}\Z|[tT]ool[^\"'`]{0,160}\Z")
_DESCRIBES = re.compile(r"[dD]escription\b[^\"\n;]{0,60}(?:\{\s*return\s*|\(\s*)?\Z")
_OTHER_TYPE = re.compile(r"\b(?:class|struct|object|interface|record)\b")


@dataclass(frozen=True, slots=True)
class Candidate:
    """A line that may define a tool.

    Attributes:
        sure: Its form alone says that it defines a tool of this name.
        near: The tool's description stands in it, or just below.
        mounted: Only the end of the tool's name stands there; the rest comes from elsewhere.
        wrapped: It is the first argument of a function that in this file is seen to define another.
    """

    path: str
    line: int
    sure: bool
    near: bool
    mounted: bool = False
    wrapped: bool = False


class Wanted:
    """Names of tools that are looked for, ready to be found in many files.

    Args:
        tools: Each tool's label with its description.
        names: What may stand in the source, each with the labels of the tools that it may mean.
        mounted: Whether the names are but the ends of labels.
    """

    def __init__(
        self, tools: Mapping[str, str], names: Mapping[str, Sequence[str]], *, mounted: bool
    ) -> None:
        self._labels = names
        self._mounted = mounted
        self._described = {
            label: Described(tools[label]) for labels in names.values() for label in labels
        }
        self._names = {name.encode("utf-8", "replace") for name in names}

    def may_be_in(self, data: bytes, suffix: str) -> bool:
        """Whether a file may define one of the tools: quick, and generous."""
        for quote in quotes(suffix):
            for name in self._names.intersection(data.split(quote)):
                if _may_define(data, quote + name + quote):
                    return True
        return not self._names.isdisjoint(marked_names(data, suffix))

    def candidates(self, path: str, source: SourceText) -> Iterator[tuple[str, Candidate]]:
        """The lines of a file that may define tools, with the tools' labels."""
        found: list[tuple[str, str | None, Candidate]] = []
        for hit in (*definitions(source, self._labels), *derived(source, self._labels)):
            line = source.line_of(hit.offset)
            if source.is_packed(line):
                continue
            nearby = _Nearby(source, hit, line)
            for label in self._labels[hit.name]:
                about = self._described[label]
                if not any(map(about.contradicts, hit.described)):
                    candidate = Candidate(path, line, hit.sure, nearby.says(about), self._mounted)
                    found.append((label, hit.wrapper, candidate))
        known = {wrapper for _, wrapper, candidate in found if candidate.near}
        for label, wrapper, candidate in found:
            if candidate.sure or candidate.near:
                yield label, candidate
            elif wrapper and wrapper in known:
                yield label, replace(candidate, wrapped=True)


def _may_define(data: bytes, quoted: bytes) -> bool:
    at = data.find(quoted)
    while at >= 0:
        if _MAY_DEFINE.search(data[max(0, at - _BEFORE) : at]):
            return True
        at = data.find(quoted, at + 1)
    return False


class _Nearby:
    """The text in and below a hit, read once for all the tools that it may define."""

    def __init__(self, source: SourceText, hit: Hit, line: int) -> None:
        within = source.literals_in(hit.begin, hit.end)[:_MOST_LITERALS]
        self._literals = [*hit.described, *(source.joined(index)[0] for index in within)]
        self._below = ""
        if hit.sure:
            self._below = f" {words(source.lines(line, line + _LINES_BELOW))}"
        elif hit.begin == hit.offset:
            self._literals.extend(_described_below(source, hit, line))

    def says(self, about: Described) -> bool:
        """Whether a tool's description stands there."""
        if about.start and f" {about.start}" in self._below:
            return True
        return any(map(about.begins, self._literals))


def _described_below(source: SourceText, hit: Hit, line: int) -> Iterator[str]:
    """What a type that names itself says of itself, if that stands below the name."""
    end = source.start_of(line + _LINES_BELOW + 1)
    for index in source.literals_in(hit.end, end):
        start = source.literals[index].start
        if _OTHER_TYPE.search(source.code, hit.end, start):
            return
        if _DESCRIBES.search(source.code, max(hit.end, start - 120), start):
            yield source.joined(index)[0]
