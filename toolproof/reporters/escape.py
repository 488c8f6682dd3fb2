"""Text from the server, made safe for one target language each.

The order of work on every text: make visible, shorten, escape for the format. Each function here
that is named after a format does the last step alone; it is called once, where the text is written.
Rules and what happens without them: reports.md, section 4.
"""

import html
import re
import string
from functools import lru_cache

from toolproof.patterns import later

RETURN_SIGN = "\N{DOWNWARDS ARROW WITH CORNER LEFTWARDS}"
"""Stands for a line end in places of one line."""

# The end of each alternative excludes what starts another one: no text makes the search quadratic.
_ANSI = later(
    r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]"  # CSI: colours, cursor
    r"|(?:\x1b\]|\x9d)[^\x07\x1b\x9c\x9d]*(?:\x07|\x1b\\|\x9c)"  # OSC: titles, links
    r"|\x1b[ -/]+[0-~]"  # character sets, as `tput sgr0` writes them
)
_HIDDEN = (
    "\x00-\x08\x0b-\x1f\x7f-\x9f"  # controls
    "\xad\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\uffa0"  # shown as nothing, or as a blank
    "\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff"  # zero width, bidi, line separators
    "\ufff9-\ufffb\ufdd0-\ufdef\ufffe\uffff\ud800-\udfff"
)
_UNSEEN = later(
    f"[{_HIDDEN}"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"  # tags, selectors
    + "".join(
        f"{chr(plane * 0x10000 + 0xFFFE)}-{chr(plane * 0x10000 + 0xFFFF)}" for plane in range(1, 17)
    )
    + "]"
)
_JSON_ESCAPED = later(f"[{_HIDDEN}\U00010000-\U0010ffff]")
_MARKER = later(r"#(?=#(?:vso|teamcity)?\[)", re.IGNORECASE)
# What .NET's TrimStart() takes for white space: the runner looks for commands behind it.
_BLANK = "\t\n\v\f\r \x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000" + "".join(
    map(chr, range(0x2000, 0x200B))
)
_LINE_START = later(rf"^((?:\x1b\[[0-9;]*m|[{_BLANK.replace(chr(10), '')}])*)::", re.MULTILINE)
_NOT_PLAIN_ASCII = {
    code: f"&#{code};"
    for code in range(128)
    if chr(code) not in string.ascii_letters + string.digits + " "
}
_SHORT = 512  # characters; longer texts are not kept
_PLAIN_WORDS = later(r"[A-Za-z]+(?:[ -][A-Za-z]+)*")
_BACKTICKS = later("`+")
_NOT_FILE_NAME = later(r"[^A-Za-z0-9_.-]+")
_NOT_IDENTIFIER = later(r"[^A-Za-z0-9_-]")


def visible(text: str) -> str:
    r"""With nothing hidden in it: ANSI sequences gone, other controls shown as `\u{202E}`.

    Line ends become `\n`; tabs stay. The result holds only what UTF-8 and XML can hold, and doing
    it twice changes nothing.
    """
    if text.isascii() and text.replace("\n", "").isprintable():
        return text
    return _shown(text) if len(text) <= _SHORT else _show(text)


def _show(text: str) -> str:
    if _UNSEEN.search(text) is None:
        return text
    text = _ANSI.sub("", text).replace("\r\n", "\n").replace("\r", "\n")
    return _UNSEEN.sub(lambda found: f"\\u{{{ord(found[0]):X}}}", text)


# every format asks for the same names and messages again
_shown = lru_cache(maxsize=8192)(_show)


def one_line(text: str) -> str:
    """Visible, and on one line: for names, messages and titles."""
    if text.isascii() and text.isprintable():
        return text
    text = visible(text)
    if "\n" in text or "\t" in text:
        text = text.replace("\n", RETURN_SIGN).replace("\t", " ")
    return text


def unmarked(text: str) -> str:
    """Without the markers that a CI obeys anywhere in a line of a log: `##[`, `##vso[`, `##teamcity[`."""
    return _MARKER.sub("#\u200b", text) if "##" in text else text


def log_lines(text: str) -> str:
    """A server's lines as they may be relayed to a log that a CI reads: none is a command.

    Every line starts with a bar, since a command counts only at a line's start or, with a marker,
    anywhere in it.
    """
    lines = unmarked(visible(text)).split("\n")
    return "\n".join(f"│ {line}" for line in lines)


def log_line(line: str) -> str:
    """A line of our own that quotes a server: as it is, unless a CI would take it for a command."""
    line = unmarked(line)
    return f"│ {line}" if line.lstrip(_BLANK).startswith("::") else line


def screen_lines(text: str) -> str:
    """Lines as drawn, wrapped and coloured: none is a command, wherever it was wrapped."""
    if "::" in text:
        text = _LINE_START.sub("\\1:\u200b:", text)
    return unmarked(text)


def command_data(text: str) -> str:
    """The message of a GitHub workflow command.

    Source: https://github.com/actions/toolkit/blob/main/packages/core/src/command.ts
    """
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def command_property(text: str) -> str:
    """A property's value of a GitHub workflow command; same source as `command_data`.

    The runner trims the last one, and drops `=` in front: they are left out here.
    """
    text = text.rstrip(_BLANK).lstrip(_BLANK + "=")
    return command_data(text).replace(":", "%3A").replace(",", "%2C")


def azure_data(text: str) -> str:
    """A value or the message of an Azure Pipelines logging command.

    Source: https://learn.microsoft.com/azure/devops/pipelines/scripts/logging-commands
    """
    text = text.replace("%", "%AZP25").replace("\r", "%0D").replace("\n", "%0A")
    return text.replace(";", "%3B").replace("]", "%5D")


def xml_text(text: str) -> str:
    """Visible: so only of characters that XML 1.0 can hold; the serialiser escapes the rest.

    Source: https://www.w3.org/TR/xml/#charsets
    """
    return visible(text)


def xml_lines(document: str) -> str:
    """A serialised document of the same content, no line of which is a command in a job's log."""
    if "::" in document:
        document = _LINE_START.sub(r"\1&#58;:", document)
    return _MARKER.sub("&#35;", document) if "##" in document else document


def markdown_code(text: str) -> str:
    """One line as inline code: no character of it is Markdown, HTML, a mention or a link."""
    return f"<code>{one_line(text).translate(_NOT_PLAIN_ASCII)}</code>"


def markdown_text(text: str) -> str:
    """One line as text: every sign is a reference, and no `@` or `#` touches the word behind it.

    Readers look for mentions and issues in what comes of the references, too.
    """
    line = one_line(text).translate(_NOT_PLAIN_ASCII)
    return line.replace("&#64;", "&#64;\u200b").replace("&#35;", "&#35;\u200b")


def markdown_name(text: str) -> str:
    """As `markdown_code`, but bare where it is only words."""
    return text if _PLAIN_WORDS.fullmatch(text) else markdown_code(text)


def markdown_fence(text: str, language: str = "") -> str:
    """Text of several lines as a code block, with a fence longer than any run of backticks in it.

    In a block nothing can be escaped: a line that is a command in a job's log gets a bar.
    """
    text = "\n".join(log_line(line) for line in visible(text).split("\n"))
    longest = max((len(run) for run in _BACKTICKS.findall(text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{text}\n{fence}"


def html_text(text: str) -> str:
    """Visible, for the content of an element or an attribute in quotes."""
    text = html.escape(visible(text), quote=True)
    if "::" in text or "##" in text:  # also a page may be printed to a job's log
        text = text.replace("::", "&#58;:").replace("##", "#&#35;")
    return text


def html_json(document: str) -> str:
    """A JSON document, for the inside of `<script type="application/json">`."""
    return (
        document.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
    )


def json_string(string: str) -> str:
    r"""A JSON string in its quotes as strict UTF-8 can hold it, the same to every reader.

    What is invisible or no character becomes its `\u` escape; so does the second of two `#`, as a
    CI obeys `##[` anywhere in a line, also of a document that is printed to its log. So does what
    is beyond U+FFFF: one such character would make a whole document twice as large in memory.
    """
    if not (string.isascii() and string.isprintable()):
        string = _JSON_ESCAPED.sub(_json_escape, string)
    return string.replace("##", "#\\u0023") if "##" in string else string


def _json_escape(found: re.Match[str]) -> str:
    units = found[0].encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{units[at : at + 4]}" for at in range(0, len(units), 4))


def file_name(text: str) -> str:
    """A server's or a shard's name as a part of a file's name: 64 safe characters at most."""
    return _NOT_FILE_NAME.sub("_", text)[:64].lstrip(".") or "_"


def identifier(text: str) -> str:
    """A name as a part of a dotted one: readers make a tree of the dots."""
    return _NOT_IDENTIFIER.sub("_", text) or "_"
