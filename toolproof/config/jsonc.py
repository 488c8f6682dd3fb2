"""JSON with comments and commas too many, as editors keep their settings."""

import json
import re
from typing import Any

_TOKEN = re.compile(
    r"""(?P<text>"(?:[^"\\]|\\.)*")|(?P<comment>//[^\n]*|/\*.*?\*/)|(?P<comma>,(?=(?:\s|//[^\n]*\n|/\*.*?\*/)*[}\]]))""",
    re.DOTALL,
)


def loads(text: str) -> Any:
    """The value of a text.

    Raises:
        json.JSONDecodeError: Without the comments it is still no JSON; the line is right.
        RecursionError: It is nested too deep.
    """
    try:
        return json.loads(text)
    except json.JSONDecodeError:
        return json.loads(_TOKEN.sub(_plain, text))


def _plain(token: re.Match[str]) -> str:
    if token["text"] is not None:
        return token[0]
    return "\n" * token[0].count("\n") if token["comment"] is not None else ""
