"""A JSON document as text: indented, strict UTF-8, the same to every reader and harmless in a log.

`json.dumps` with an indent is written in Python and takes ten times as long as this.
"""

import json
from collections.abc import Sequence
from functools import lru_cache
from json.encoder import encode_basestring
from typing import Any

from toolproof.reporters.escape import json_string

_WORDS = {None: "null", True: "true", False: "false"}


def json_document(value: Any) -> str:
    """The document with a two-space indent, and a line end.

    Raises:
        ValueError: There is a number that JSON has no word for.
    """
    return f"{_text(value, chr(10))}\n"


def _text(value: Any, line: str) -> str:
    """The text of a value; `line` is a line end with the indent of the line that it stands on."""
    kind = type(value)
    if kind is str:
        return json_string(encode_basestring(value))
    if kind is dict:
        inner = line + "  "
        return _held([f"{_key(k)}: {_text(item, inner)}" for k, item in value.items()], line, "{}")
    if kind is list:
        inner = line + "  "
        return _held([_text(item, inner) for item in value], line, "[]")
    if value is None or kind is bool:
        return _WORDS[value]
    return int.__repr__(value) if kind is int else json.dumps(value, allow_nan=False)


@lru_cache(maxsize=4096)
def _key(key: str) -> str:
    return json_string(encode_basestring(key))


def _held(parts: Sequence[str], line: str, brackets: str) -> str:
    if not parts:
        return brackets
    inner = line + "  "
    return f"{brackets[0]}{inner}{f',{inner}'.join(parts)}{line}{brackets[1]}"
