"""Descriptions of tools, as they stand in source code and as the server lists them."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping

from toolproof.finish.definitions import is_elsewhere, name_given
from toolproof.finish.derived_names import derived
from toolproof.finish.source_lexers import quotes
from toolproof.finish.source_text import SourceText

_FIRST = 40
_SHORTEST = 15
_PROBE = 12
_ESCAPED_SPACE = re.compile(r"\\[nrt]")
_WORD = re.compile(r"[^\W_]+")


def words(text: str) -> str:
    """The text's words, one blank between any two: so quotes, breaks and joins do not matter."""
    return " ".join(_WORD.findall(_ESCAPED_SPACE.sub(" ", text)))


class Described:
    """What a tool's description begins with, in a form that can be found in source code.

    Attributes:
        start: The words of its first 40 characters; empty if there are too few to tell tools apart.
    """

    def __init__(self, description: str) -> None:
        begins = words(description[:_FIRST])
        self.start = begins if len(begins) >= _SHORTEST else ""
        self._whole = words(description[: 4 * _FIRST])
        self._short = len(description.strip()) <= _FIRST

    def begins(self, text: str) -> bool:
        """Whether a literal in the source is this description, or begins with its beginning."""
        found = words(text[: 8 * _FIRST])
        if self._short or not self.start:
            return bool(found) and found == self._whole
        return found.startswith(self.start)

    def contradicts(self, text: str) -> bool:
        """Whether a literal that describes a tool in the source describes another one."""
        found = words(text[: 8 * _FIRST])
        shared = min(len(found), len(self._whole), _FIRST)
        return bool(found) and (not shared or found[:shared] != self._whole[:shared])


class Descriptions:
    """Descriptions that belong to one tool alone, ready to be found in many files."""

    def __init__(self, tools: Mapping[str, str]) -> None:
        described = {label: Described(text) for label, text in tools.items()}
        times = Counter(about.start for about in described.values())
        self._by_start: dict[str, list[tuple[str, Described]]] = defaultdict(list)
        for label, about in described.items():
            if about.start and times[about.start] == 1:
                self._by_start[about.start[:_SHORTEST]].append((label, about))
        self._probes = {text.strip().encode("utf-8", "replace")[:_PROBE] for text in tools.values()}

    def may_be_in(self, data: bytes, suffix: str) -> bool:
        """Whether a file may hold one of the descriptions: quick, and generous."""
        return any(
            not self._probes.isdisjoint(
                part.lstrip()[:_PROBE] for part in data.split(quote) if len(part) >= _PROBE
            )
            for quote in quotes(suffix)
        )

    def lines(self, source: SourceText) -> Iterator[tuple[str, int]]:
        """The lines of a file on which one of the descriptions begins, with the tools' labels.

        One that the code around it gives to another tool is none of them.
        """
        marked = list(derived(source, None))
        for index, literal in enumerate(source.literals):
            if literal.end - literal.start < _SHORTEST:
                continue
            text, _ = source.joined(index)
            key = words(text[: 8 * _FIRST])[:_SHORTEST]
            for label, about in self._by_start.get(key, ()):
                if not about.begins(text) or is_elsewhere(source, literal.start):
                    continue
                owners = [hit.name for hit in marked if hit.begin <= literal.start < hit.end]
                owner = owners[-1] if owners else name_given(source, literal.start)
                blank = text[: len(text) - len(text.lstrip())]
                line = source.line_of(literal.start) + blank.count("\n")
                if (owner is None or label.endswith(owner)) and not source.is_packed(line):
                    yield label, line
