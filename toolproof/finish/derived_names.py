"""Places in a source file where a tool takes its name from a function or class, by their form."""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from toolproof.finish.definitions import Hit, members
from toolproof.finish.source_text import SourceText


@dataclass(frozen=True, slots=True)
class _Style:
    """How a language marks a function as a tool.

    Attributes:
        mark: The decorator, attribute or annotation, up to its arguments.
        other: Another one, that may stand between the mark and the function.
        header: What the function's name stands in, after all marks.
        closing: What ends a mark after its arguments.
    """

    mark: re.Pattern[str]
    other: re.Pattern[str]
    header: re.Pattern[str]
    closing: str = ""


_ATTRIBUTE = re.compile(r"#?\[")
_ANNOTATION = re.compile(r"@[\w.]+")
_MODIFIED = r"(?:[\w<>\[\],.?]+\s+){1,8}?"
_STYLES = {
    ".py": _Style(
        re.compile(
            r"^[ \t]*@(?:[\w.]+\.)?(?:(?:register|add|mcp|server|define)_)?tool\b", re.MULTILINE
        ),
        re.compile(r"@[\w.]+"),
        re.compile(r"(?:async\s+)?def\s+(?P<name>\w+)"),
    ),
    ".rs": _Style(
        re.compile(r"#\[\s*(?:\w+::)*tool\b"),
        _ATTRIBUTE,
        re.compile(r"(?:pub(?:\([^)]*\))?\s+)?(?:async\s+)?(?:unsafe\s+)?fn\s+(?P<name>\w+)"),
        "]",
    ),
    ".cs": _Style(
        re.compile(r"\[(?:[^\[\]]{0,200},)?\s*McpServerTool(?:Attribute)?\b"),
        _ATTRIBUTE,
        re.compile(_MODIFIED + r"(?P<name>\w+)(?:<[\w, ]+>)?\s*\("),
        "]",
    ),
    ".java": _Style(
        re.compile(r"@(?:Mcp)?Tool\b"), _ANNOTATION, re.compile(_MODIFIED + r"(?P<name>\w+)\s*\(")
    ),
    ".kt": _Style(
        re.compile(r"@(?:Mcp)?Tool\b"),
        _ANNOTATION,
        re.compile(r"(?:\w+\s+){0,4}fun\s+(?:<[^>\n]*>\s*)?(?P<name>\w+)"),
    ),
    ".php": _Style(
        re.compile(r"#\[\s*\\?(?:\w+\\)*McpTool\b"),
        _ATTRIBUTE,
        re.compile(r"(?:\w+\s+){0,4}function\s+(?P<name>\w+)"),
        "]",
    ),
}
_RUBY_CLASS = re.compile(r"\bclass\s+(?:\w+::)*(?P<name>\w+)\s*<\s*(?:\w+::)*\w*Tool\b")
_RUBY_NAME = re.compile(r"(?:(?!\bclass\b).)*?\btool_name\b", re.DOTALL)
_SPACE = re.compile(r"[\s,]*")
_POSITIONAL = re.compile(r"\(\s*+(?!\)|\w+\s*[=:])")
_BODY = re.compile(r":[ \t]*\n")
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_SNAKE_CASE = frozenset({".cs", ".rb"})
_NAMES = frozenset({"Name", "name"})


_MARKS = {
    ".py": (re.compile(rb"@(?:[\w.]+\.)?(?:\w+_)?tool\b"), re.compile(rb"\bdef\s+(\w+)")),
    ".rs": (re.compile(rb"#\[\s*(?:\w+::)*tool\b"), re.compile(rb"\bfn\s+(\w+)")),
    ".cs": (re.compile(rb"McpServerTool"), re.compile(rb"\b([A-Z]\w*)\s*[(<]")),
    ".java": (re.compile(rb"@(?:Mcp)?Tool\b"), re.compile(rb"(\w+)\s*\(")),
    ".kt": (re.compile(rb"@(?:Mcp)?Tool\b"), re.compile(rb"(\w+)\s*\(")),
    ".php": (re.compile(rb"McpTool\b"), re.compile(rb"\bfunction\s+(\w+)")),
    ".rb": (re.compile(rb"Tool\b"), re.compile(rb"\bclass\s+(?:\w+::)*(\w+)")),
}


def marked_names(data: bytes, suffix: str) -> set[bytes]:
    """The names that functions or classes of a file may give to tools: quick, and generous."""
    mark, header = _MARKS.get(suffix, (None, None))
    if not mark or not header or not mark.search(data):
        return set()
    found = set(header.findall(data))
    if suffix in _SNAKE_CASE:
        found |= {snake_case(name.decode("ascii", "replace")).encode() for name in found}
    return found


def derived(source: SourceText, names: Collection[str] | None) -> Iterator[Hit]:
    """Where a function or class that is marked as a tool gives it one of the names, or any."""
    if source.suffix == ".rb":
        for found in _RUBY_CLASS.finditer(source.code):
            if _RUBY_NAME.match(source.code, found.end(), found.end() + 600):
                continue
            yield from _hits(source, found, names, found, ())
        return
    style = _STYLES.get(source.suffix)
    for mark in style.mark.finditer(source.code) if style else ():
        yield from _marked(source, style, mark, names) if style else ()


def _marked(
    source: SourceText, style: _Style, mark: re.Match[str], names: Collection[str] | None
) -> Iterator[Hit]:
    code, at = source.code, mark.end()
    described: list[str] = []
    if code[at : at + 1] == "(":
        # Who names the tool there does not name it after the function.
        if _names_it(source, at):
            return
        described.extend(_described(source, at))
    after = _after_marks(source, style, mark.start())
    header = style.header.match(code, after) if after is not None else None
    if header:
        yield from _hits(source, header, names, mark, described)


def _names_it(source: SourceText, opening: int) -> bool:
    keys = {key for key, _ in members(source, opening)}
    if keys & _NAMES:
        return True
    # In Java and Kotlin the one value without a name is the description.
    return source.suffix not in (".java", ".kt") and bool(_POSITIONAL.match(source.code, opening))


def _described(source: SourceText, opening: int) -> Iterator[str]:
    for key, value in members(source, opening):
        for index in source.literals_in(value, value + 1) if key == "description" else ():
            text, constant = source.joined(index)
            if constant:
                yield text


def _after_marks(source: SourceText, style: _Style, start: int) -> int | None:
    """Where the function begins that the mark at `start`, and others after it, are for."""
    code, at = source.code, start
    while True:
        space = _SPACE.match(code, at)
        at = space.end() if space else at
        found = style.other.match(code, at)
        if not found:
            return at
        opening = found.end() - 1 if style.closing else found.end()
        if style.closing or code[opening : opening + 1] == "(":
            end = source.end_of_brackets(opening)
            if end is None:
                return None
            at = end
        else:
            at = opening


def _hits(
    source: SourceText,
    header: re.Match[str],
    names: Collection[str] | None,
    mark: re.Match[str],
    described: Collection[str],
) -> Iterator[Hit]:
    name, end = header["name"], header.end()
    # C# and Ruby SDKs write a method's or class's name in snake case.
    spellings = {name, snake_case(name)} if source.suffix in _SNAKE_CASE else {name}
    for known in sorted(spellings):
        if names is None or known in names:
            docstring = _docstring(source, end) if source.suffix == ".py" and not described else ()
            yield Hit(
                name=known,
                offset=header.start("name"),
                begin=mark.start(),
                end=end,
                described=(*described, *docstring),
            )


def snake_case(name: str) -> str:
    """A method's or class's name as some SDKs write it: `GetWeatherAsync` is `get_weather`."""
    return _HUMP.sub("_", name.removesuffix("Async")).lower()


def _docstring(source: SourceText, end: int) -> Iterator[str]:
    """The docstring of the function whose name ends at an offset."""
    opening = source.code.find("(", end)
    closed = source.end_of_brackets(opening) if opening == end else None
    body = _BODY.search(source.code, closed, closed + 400) if closed else None
    if body:
        for index in source.literals_in(body.end(), body.end() + 400):
            if not source.code[body.end() : source.literals[index].start].strip():
                yield source.joined(index)[0]
            return
