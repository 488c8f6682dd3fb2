"""Why a text is no YAML, in words for whoever wrote it."""

import re

import yaml

_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ufffe\uffff]")

_EXPLAINED = (
    (
        "cannot start any token",
        "a value that starts with this character must be in quotes; and blanks indent, not tabs",
    ),
    (
        "mapping values are not allowed",
        "there is a ': ' where none can be: put the value in quotes, or check the indentation",
    ),
    (
        "found unexpected end of stream",
        "a quote or a bracket is opened and never closed",
    ),
    (
        "expected ',' or",
        'a bracket is not closed, or something in it needs quotes, such as "${NAME}"',
    ),
    (
        "could not find expected ':'",
        "a key has no ':' after it, or text that goes over several lines needs quotes",
    ),
    (
        "did not find expected key",
        "the indentation does not fit the lines before it",
    ),
    (
        "did not find expected '-' indicator",
        "the entries of a list must be indented alike, each after a '- '",
    ),
    (
        "did not find expected node content",
        "a value is missing, or there is a ',' too many",
    ),
    (
        "exceeded maximum nesting depth",
        "it is nested too deep",
    ),
    (
        "block sequence entries are not allowed",
        "a list cannot start here: put its first '- ' on a line of its own",
    ),
    (
        "found unknown escape character",
        "in double quotes a backslash starts an escape: use single quotes, or write it twice",
    ),
)


class NotYaml(Exception):  # noqa: N818 - told to the user as a mistake
    """The text cannot be read.

    Attributes:
        line: Where, from 1; None if it is about the whole.
        reason: Why.
    """

    def __init__(self, line: int | None, reason: str) -> None:
        super().__init__(reason)
        self.line = line
        self.reason = reason


def explained(error: yaml.YAMLError) -> NotYaml:
    """What a parser's complaint means."""
    mark = getattr(error, "problem_mark", None)
    problem = str(getattr(error, "problem", None) or getattr(error, "reason", None) or error)
    context = str(getattr(error, "context", None) or "")
    for start, meaning in _EXPLAINED:
        if start in f"{problem}; {context}":
            problem = f"{meaning} ({problem})"
            break
    line = mark.line + 1 if mark is not None else None
    return NotYaml(line, f"it is not valid YAML: {problem}")


def refuse_control_characters(text: str) -> None:
    """Raise NotYaml for the first character that no YAML file may have."""
    if found := _CONTROL.search(text):
        line = text.count("\n", 0, found.start()) + 1
        code = f"U+{ord(found[0]):04X}"
        reason = f"it is not valid YAML: it holds the control character {code}"
        raise NotYaml(line, f"{reason}; in double quotes it can be written as an escape")
