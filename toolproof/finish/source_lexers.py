"""Where literals and comments begin and end, in the languages that servers are written in.

No parser: one regular expression for each family of languages. Where it loses its way (in a quote
within a regular expression, say) literals are missed, and a tool is not found.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple


class Piece(NamedTuple):
    """A part of a source file that is no code, or where code is not to be read.

    Attributes:
        start: Offset of its first character; `end` is past its last.
        literal: Whether it is a string literal; False for comments, characters, regular
            expressions, and templates with code inside.
    """

    start: int
    end: int
    literal: bool


def _quoted(quote: str, inside: str = r"\\\n") -> str:
    plain = rf"[^{quote}{inside}]*+"
    return rf"{quote}{plain}(?:\\.{plain})*+{quote}"


def _tripled(quote: str) -> str:
    return rf"{quote}{{3}}(?:[^{quote}\\]++|\\.|{quote}(?!{quote}{quote}))*+(?:{quote}{{3}}|\Z)"


def _here(opening: str) -> str:
    return (
        rf"(?P<other>{opening}(?P<quote>[\"'`]?)(?P<label>[A-Za-z_]\w*)(?P=quote)[^\n]*\n"
        r"(?:.*?^[ \t]*(?P=label)\b|.*))"
    )


_DOUBLE, _SINGLE = _quoted('"'), _quoted("'")
_DOUBLE_LINES, _SINGLE_LINES = _quoted('"', r"\\"), _quoted("'", r"\\")
_TEXT_BLOCK = _tripled('"')
_C_COMMENT = r"(?P<comment>//[^\n]*+|/\*.*?(?:\*/|\Z))"
_CHARACTER = r"(?P<other>'(?:\\[^'\n]{1,10}|[^'\\\n])')"
_ESCAPE = r"(?P<escape>\\.)"  # so that no unclosed quote is looked at twice
_PYTHON = rf"""
  (?P<comment>\#[^\n]*+)
| (?P<literal>{_TEXT_BLOCK}|{_tripled("'")}|{_DOUBLE}|{_SINGLE})
| {_ESCAPE}
"""
_SCRIPT = rf"""
  {_C_COMMENT}
| (?P<literal>{_DOUBLE}|{_SINGLE})
| (?P<template>`)
| (?P<brace>[{{}}])
| (?P<other>/(?<=[(,=:\[!&|?{{}};\n ]/)(?![ /*=])
    (?:[^/\\\[\n]|\\.|\[(?:[^\]\\\n]|\\.){{0,200}}+\]){{1,500}}+/)
| {_ESCAPE}
"""
_GO = rf"{_C_COMMENT} | (?P<literal>{_DOUBLE}|`[^`]*+`) | {_CHARACTER} | {_ESCAPE}"
_RUST = rf"""
  {_C_COMMENT}
| (?P<literal>r(?<![^\Wb]r)(?P<hashes>\#*+)".*?(?:"(?P=hashes)|\Z)|{_DOUBLE_LINES})
| {_CHARACTER}
| {_ESCAPE}
"""
_BRACES = rf"""
  {_C_COMMENT}
| (?P<literal>{_TEXT_BLOCK}|@\$?"(?:[^"]|"")*+"|{_DOUBLE})
| {_CHARACTER}
| {_ESCAPE}
"""
_RUBY = rf"""
  (?P<comment>\#(?!\{{)[^\n]*+|=begin\b(?<=^=begin).*?(?:^=end\b|\Z)|__END__$(?<=^__END__).*)
| {_here("<<[~-]")}
| (?P<literal>{_DOUBLE_LINES}|{_SINGLE_LINES})
| {_ESCAPE}
"""
_PHP = rf"""
  (?P<comment>//[^\n]*+|\#(?!\[)[^\n]*+|/\*.*?(?:\*/|\Z))
| {_here("<<<[ ]?")}
| (?P<literal>{_DOUBLE_LINES}|{_SINGLE_LINES})
| {_ESCAPE}
"""


def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.VERBOSE | re.DOTALL | re.MULTILINE)


_LEXERS = {
    ".js": _compiled(_SCRIPT),
    **dict.fromkeys((".java", ".kt", ".cs", ".swift"), _compiled(_BRACES)),
    ".py": _compiled(_PYTHON),
    ".go": _compiled(_GO),
    ".rs": _compiled(_RUST),
    ".rb": _compiled(_RUBY),
    ".php": _compiled(_PHP),
}
_SCRIPTS = frozenset({".ts", ".tsx", ".js", ".mjs", ".cjs"})
_QUOTES = {
    **dict.fromkeys(_SCRIPTS, (b'"', b"'", b"`")),
    **dict.fromkeys((".py", ".rb", ".php"), (b'"', b"'")),
    ".go": (b'"', b"`"),
}
_FILLED_IN = {
    ".kt": re.compile(r"\$[{A-Za-z_]"),
    ".php": re.compile(r"\$[{A-Za-z_]|\{\$"),
    ".rb": re.compile(r"#\{"),
    ".swift": re.compile(r"\\\("),
}
_PREFIXED = {".py": re.compile(r"[fFtT][rR]?$"), ".cs": re.compile(r"\$@?$")}
_OPENING = re.compile(r"(?:r\#*|@\$?)?(?P<quote>\"{3}|'{3}|[\"'`])")
_IN_TEMPLATE = re.compile(r"\\.|`|\$\{", re.DOTALL)


def quotes(suffix: str) -> tuple[bytes, ...]:
    """What string literals are written in."""
    return _QUOTES.get(suffix, (b'"',))


def pieces(text: str, suffix: str) -> list[Piece]:
    """The literals and comments of a file, in order, in time linear in its length.

    Args:
        suffix: One of `source_files.SUFFIXES`.
    """
    if suffix in _SCRIPTS:
        return list(_script_pieces(text))
    return [
        Piece(*found.span(), found.lastgroup == "literal")
        for found in _LEXERS[suffix].finditer(text)
    ]


def _script_pieces(text: str) -> Iterator[Piece]:
    lexer = _LEXERS[".js"]
    at = depth = 0
    interrupted: list[
        int
    ] = []  # templates with code inside: the depth of braces at which each goes on
    while found := lexer.search(text, at):
        start, at = found.span()
        kind = found.lastgroup
        in_template = kind == "template"
        if kind == "brace":
            depth += 1 if found[0] == "{" else -1
            if found[0] == "}" and interrupted and interrupted[-1] == depth:
                interrupted.pop()
                in_template = True
        if in_template:
            at, goes_on = _end_of_template(text, at)
            if goes_on:
                interrupted.append(depth)
                depth += 1
            whole = kind == "template" and not goes_on and text.endswith("`", start + 1, at)
            yield Piece(start, at, whole)
        elif kind != "brace":
            yield Piece(start, at, kind == "literal")


def _end_of_template(text: str, at: int) -> tuple[int, bool]:
    """Where a part of a template ends, and whether code follows that is filled in."""
    while found := _IN_TEMPLATE.search(text, at):
        at = found.end()
        if found[0] in ("`", "${"):
            return at, found[0] == "${"
    return len(text), False


def inside(text: str, literal: Piece, suffix: str) -> tuple[str, bool]:
    """What stands between a literal's quotes, escapes as written, and whether it is constant."""
    opening = _OPENING.match(text, literal.start)
    quote = opening["quote"] if opening else ""
    end = literal.end
    while text[end - 1] == "#":
        end -= 1
    start = opening.end() if opening else literal.start
    inner = text[start : max(start, end - len(quote))]
    prefixed, filled_in = _PREFIXED.get(suffix), _FILLED_IN.get(suffix)
    before = prefixed and prefixed.search(text, max(0, literal.start - 3), literal.start)
    return inner, not before and not (filled_in and filled_in.search(inner))
