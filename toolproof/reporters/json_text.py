"""A JSON document as text: indented, strict UTF-8, the same to every reader and harmless in a log.

`json.dumps` with an indent is written in Python and takes several times as long as this.
"""

import json
from collections.abc import Iterator, Sequence
from functools import lru_cache
from json.encoder import encode_basestring
from typing import Any

from toolproof.reporters.escape import json_string

_WORDS = {None: "null", True: "true", False: "false"}
_MANY = 20  # entries; a longer list is written piece by piece


def json_document(value: Any) -> str:
    """The document with a two-space indent, and a line end.

    Raises:
        ValueError: There is a number that JSON has no word for.
    """
    return "".join(json_pieces(value))


def json_pieces(value: Any) -> Iterator[str]:
    """The same in pieces of a record or so: a whole one of 50 MB is then held but once."""
    yield from _pieces(value, "\n")
    yield "\n"


def _pieces(value: Any, line: str) -> Iterator[str]:
    """The pieces of a value; `line` is a line end with the indent of the line that it stands on."""
    if not _is_large(value):
        yield _text(value, line)
        return
    inner = line + "  "
    before = inner
    if isinstance(value, dict):
        yield "{"
        for key, item in value.items():
            yield f"{before}{_key(key)}: "
            yield from _pieces(item, inner)
            before = f",{inner}"
        yield f"{line}}}"
        return
    yield "["
    for item in value:
        yield before
        yield from _pieces(item, inner)
        before = f",{inner}"
    yield f"{line}]"


def _is_large(value: Any) -> bool:
    if isinstance(value, dict):
        return any(type(item) is list and item and _holds_much(item) for item in value.values())
    return isinstance(value, list) and bool(value) and _holds_much(value)


def _holds_much(items: Sequence[Any]) -> bool:
    """Whether there are many entries, or the first is large itself: a run of a collection."""
    return len(items) > _MANY or _is_large(items[0])


def _text(value: Any, line: str) -> str:
    """The text of a value."""
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
