"""Stack traces of eight languages in a text, and texts that a runtime writes for an uncaught exception."""

import re
from collections.abc import Iterable, Iterator

from toolproof.patterns import later
from toolproof.records import record

_MOST = 300  # characters of a frame or of an exception that are kept
_FAR = 2_000  # characters between frames, as locals may be shown, and to the exception's line
_NEAR = 400  # a text that is a trace, rather than shows one, has it within so many characters


@record
class Trace:
    """A stack trace that was found.

    Attributes:
        language: Python, JavaScript, Java, Go, .NET, Ruby, PHP or Rust.
        frame: The innermost frame as it was written, without blanks around it.
        cause: The line that names the exception, where one was found; empty otherwise.
        at: The offset of the trace in the text.
    """

    language: str
    frame: str
    cause: str
    at: int


@record
class _Style:
    """How a language writes its traces.

    Attributes:
        hints: One of these stands in every text with such a trace: a quick look before the regex.
        frame: One frame, a whole line.
        needs: How many frames make a trace; fewer do where `sure` is found.
        sure: What only a trace has, besides its frames.
        last_is_top: Whether the innermost frame comes last.
    """

    hints: tuple[str, ...]
    frame: re.Pattern[str]
    needs: int
    sure: re.Pattern[str]
    last_is_top: bool = False


def _line(pattern: str) -> re.Pattern[str]:
    return later(rf"^[ \t]{{0,40}}(?:[│|>][ \t]{{0,10}})?{pattern}", re.MULTILINE)


_STYLES = {
    "Python": _Style(
        hints=("Traceback (most recent call last)", 'File "'),
        frame=_line(r'File "[^"\n]{1,300}", line \d{1,9}(?:, in [^\n]{1,200})?'),
        needs=2,
        sure=later(r"Traceback \(most recent call last\)"),
        last_is_top=True,
    ),
    "JavaScript": _Style(
        hints=("at ",),
        frame=_line(
            r"at [^\n]{0,450}?(?:\.(?:[cm]?[jt]sx?|vue|wasm)(?:\?[^\s:()]{0,60})?|node:[\w/.]{1,80}"
            r"|<anonymous>|\[eval\]):\d{1,9}:\d{1,9}\)?[ \t]*$"
        ),
        needs=2,
        sure=later(r"^[ \t]{0,20}(?:Uncaught )?\w{0,60}Error\b", re.MULTILINE),
    ),
    "Java": _Style(
        hints=(".java:", ".kt:", ".scala:", ".groovy:", ".clj:", "(Native Method)"),
        frame=_line(
            r"at [\w$.@/<>-]{3,350}"
            r"\((?:[\w$]{1,100}\.(?:java|kt|scala|groovy|clj):\d{1,9}|Native Method|Unknown Source)\)"
        ),
        needs=1,
        sure=later(r"Caused by: "),
    ),
    "Go": _Style(
        hints=("goroutine ", ".go:"),
        frame=_line(r"\S{1,250}\.go:\d{1,9}(?: \+0x[0-9a-f]{1,16})?[ \t]*$"),
        needs=2,
        sure=later(r"^goroutine \d{1,9} \[[^\]\n]{1,80}\]:", re.MULTILINE),
    ),
    ".NET": _Style(
        hints=("at ",),
        frame=_line(
            r"at (?:[\w`<>\[\],]{1,100}\.){1,20}[\w`<>|.]{1,100}(?:\[[^\]\n]{1,80}\])?\([^)\n]{0,300}\)"
            r"(?: in [^\n]{1,250}:line \d{1,9})?[ \t]*$"
        ),
        needs=2,
        sure=later(
            r":line \d{1,9}|^[ \t]{0,20}(?:Unhandled exception[.:] )?[\w.]{1,100}Exception\b"
            r"|--- End of (?:inner exception )?stack trace",
            re.MULTILINE,
        ),
    ),
    "Ruby": _Style(
        hints=(".rb:",),
        frame=_line(r"(?:from )?[^\s:]{1,250}\.rb:\d{1,9}:in [`'][^'\n]{1,150}'"),
        needs=1,
        sure=later(r"Error\)"),
    ),
    "PHP": _Style(
        hints=(".php(", "{main}"),
        frame=_line(r"#\d{1,4} (?:[^\n(]{1,250}\.php\(\d{1,9}\)(?:: [^\n]{1,200})?|\{main\})"),
        needs=1,
        sure=later(r"Stack trace:"),
    ),
    "Rust": _Style(
        hints=("panicked at ", "stack backtrace:"),
        frame=later(
            r"^thread '[^'\n]{0,100}' (?:\(\d{1,12}\) )?panicked at [^\n]{1,300}"
            r"|^[ \t]{1,20}at [^\s]{1,250}\.rs:\d{1,9}(?::\d{1,9})?[ \t]*$",
            re.MULTILINE,
        ),
        needs=1,
        sure=later(r"stack backtrace:"),
    ),
}

_PYTHON_CAUSE = later(r"^[A-Za-z_][\w.]{0,150}(?::[ \t][^\n]{0,300})?$", re.MULTILINE)
_ANY_CAUSE = later(
    r"^[ \t]{0,20}((?:Uncaught |Exception in thread [^\n]{1,60} |Caused by: |panic: |Unhandled exception[.:] )?"
    r"[\w.$\\]{0,150}(?:Error|Exception|panic|Fault)\b[^\n]{0,300})",
    re.MULTILINE,
)

# What a runtime itself says of an exception that nobody caught: each a fault of the program.
_RUNTIME = later(
    r"^(?:[\w '\"-]{1,60}: )?(?:Uncaught )?(?:TypeError|ReferenceError|RangeError|AttributeError|NameError|KeyError|IndexError"
    r"|UnboundLocalError|ZeroDivisionError|RecursionError|AssertionError|UnicodeEncodeError"
    r"|UnicodeDecodeError|NoMethodError|NotImplementedError|java\.lang\.\w+|System\.\w+Exception)\b"
    r"|'\w{1,60}' object (?:has no attribute|is not (?:subscriptable|iterable|callable))"
    r"|object of type '\w{1,60}' has no len\(\)"
    r"|(?:list|string|tuple) index out of range|list indices must be integers"
    r"|unsupported operand type\(s\) for"
    r"|Cannot read propert(?:y|ies) .{0,60}of (?:undefined|null)"
    r"|Cannot destructure property|Cannot convert undefined or null to object"
    r"|Maximum call stack size exceeded"
    r"|(?<![\w.$])[\w.$]{1,80} is not (?:a function|iterable)"
    r"|undefined is not an object|null is not an object"
    r"|NullPointerException|(?:Array|String)?IndexOutOfBoundsException|ClassCastException"
    r"|Object reference not set to an instance of an object|NullReferenceException"
    r"|runtime error: |invalid memory address or nil pointer dereference|^panic: "
    r"|undefined (?:local variable or )?method [`'][^'\n]{1,80}' for "
    r"|Call to a member function [^\n]{1,80} on null|Uncaught [\w\\]{1,80}(?:Error|Exception)"
    r"|Undefined (?:array key|index|variable|offset)|panicked at |called `\w{1,20}::unwrap\(\)` on"
)
_BARE_QUOTE = later(r'(?<!\\)"')
_BEGINNING = 2_000  # an exception's text stands at the start of an error's message


def stack_trace(text: str, *, without: Iterable[str] = (), alone: bool = False) -> Trace | None:
    r"""The first stack trace in a text.

    A trace that is a string inside of JSON (`\n` as two characters) is found as well. The time is
    linear in the text.

    Args:
        text: Of any length and content.
        without: What the caller sent: a trace whose innermost frame stands in one of these is an
            echo and no trace of the server.
        alone: Whether only a text counts that is a trace, rather than one that shows a trace
            somewhere: a README, a log that was asked for.
    """
    sent = [part for part in without if len(part) > 8]  # shorter ones hold no frame
    for form in _forms(text):
        for trace in _traces(form):
            if alone and not _is_alone(form, trace):
                continue
            if not any(trace.frame in part for part in sent):
                return trace
    return None


def unhandled_exception(text: str) -> str | None:
    """What a runtime says of an uncaught exception, if the text is or begins with that; quoted."""
    found = _RUNTIME.search(text[:_BEGINNING])
    if found:
        start = text.rfind("\n", 0, found.start()) + 1
        return text[start:].partition("\n")[0].strip()[:_MOST]
    trace = stack_trace(text)
    return (trace.cause or trace.frame) if trace else None


def _forms(text: str) -> Iterator[str]:
    """The text, and the strings of JSON in it as lines of their own, with their escapes undone."""
    yield text
    if "\\n" in text:
        text = _BARE_QUOTE.sub("\n", text).replace("\\n", "\n").replace("\\t", "\t")
        yield text.replace('\\"', '"').replace("\\\\", "\\")


def _traces(text: str) -> Iterator[Trace]:
    for language, style in _STYLES.items():
        if not any(hint in text for hint in style.hints):
            continue
        for frames in _groups(text, style):
            if len(frames) >= style.needs or style.sure.search(text, *_around(frames)):
                top = frames[-1] if style.last_is_top else frames[0]
                frame = top[0].strip(" \t│|>")[:_MOST]
                yield Trace(language, frame, _cause(text, style, frames), frames[0].start())


def _groups(text: str, style: _Style) -> Iterator[list[re.Match[str]]]:
    """The frames, those together that are not far from each other."""
    group: list[re.Match[str]] = []
    for frame in style.frame.finditer(text):
        if group and frame.start() - group[-1].end() > _FAR:
            yield group
            group = []
        group.append(frame)
    if group:
        yield group


def _around(frames: list[re.Match[str]]) -> tuple[int, int]:
    return max(0, frames[0].start() - _FAR), frames[-1].end() + _FAR


def _cause(text: str, style: _Style, frames: list[re.Match[str]]) -> str:
    start, end = _around(frames)
    if style.last_is_top:
        found = _PYTHON_CAUSE.search(text, frames[-1].end(), end)
        return found[0].strip()[:_MOST] if found else ""
    causes = [found[1] for found in _ANY_CAUSE.finditer(text, start, frames[0].end())]
    return causes[-1].strip()[:_MOST] if causes else ""


def _is_alone(text: str, trace: Trace) -> bool:
    lead = text[: trace.at]
    return len(lead.strip()) <= _NEAR and "```" not in lead
