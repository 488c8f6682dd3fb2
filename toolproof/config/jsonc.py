"""JSON with comments and commas too many, as editors keep their settings."""

import json
import re
from typing import Any

# Each alternative takes what never ends up to the end: else the search would be quadratic.
_TEXT = r'(?P<text>"(?:[^"\\]|\\(?:.|\Z))*(?:"|\Z))'
_COMMENT = re.compile(rf"{_TEXT}|//[^\n]*|/\*.*?(?:\*/|\Z)", re.DOTALL)
_COMMA = re.compile(rf"{_TEXT}|,(?=\s*[}}\]])", re.DOTALL)


def loads(text: str) -> Any:
    """The value of a text.

    Raises:
        json.JSONDecodeError: Without the comments it is still no JSON; the line is right.
        RecursionError: It is nested too deep.
    """
    try:
        return json.loads(text)
    except json.JSONDecodeError:
        return json.loads(_COMMA.sub(_without, _COMMENT.sub(_without, text)))


def _without(token: re.Match[str]) -> str:
    """A text as it is; of anything else only the line ends, so that lines keep their numbers."""
    return token[0] if token["text"] is not None else "\n" * token[0].count("\n")
