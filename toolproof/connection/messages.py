"""JSON-RPC messages as values: reading them strictly, writing them, and telling what is one."""

import json
import re
from collections.abc import Iterator
from typing import Any

from toolproof.connection.wire import JsonObject
from toolproof.text import shorten

_ENDS = 400
"""Bytes at both ends of a message in which its id is looked for when it cannot be parsed."""
_ID = re.compile(rb'"id"\s*:\s*(\d{1,18})\s*[,}]')
_MAYBE_LONE = re.compile(
    rb"\\(?:\\u[dD]|u[dD](?:[89abAB]..(?!\\u[dD][c-fC-F])"
    rb"|(?<!\\u[dD][89abAB]..\\u[dD])[c-fC-F]))"
)
"""An escape that may be an unpaired surrogate: pairs are passed over without a walk."""
_SHOWN = 200
_LONGEST_INT = 4300
"""Digits; CPython refuses to read more (sys.set_int_max_str_digits)."""


class NotJsonError(ValueError):
    """NaN or Infinity: Python's parser reads them, JSON does not know them."""


def _refuse(name: str) -> Any:
    raise NotJsonError(f"{name}, which is not JSON")


decode = json.JSONDecoder(parse_constant=_refuse).decode
"""A text as the value it stands for.

Raises:
    NotJsonError: It holds NaN or Infinity.
    json.JSONDecodeError: It is not JSON.
    RecursionError: It is nested too deep.
    ValueError: An integer has more digits than Python reads.
"""
_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode


def encode(message: JsonObject) -> bytes:
    """A message as one line, without its end.

    Lone surrogates travel as their escapes. ASCII alone would hide servers that can't read UTF-8.

    Raises:
        ValueError: It cannot be sent as JSON: NaN, or too deep.
        TypeError: A value in it is no JSON.
    """
    try:
        return _encode(message).encode(errors="backslashreplace")
    except RecursionError:
        raise ValueError("the message is nested too deep to be sent") from None


def decode_oddly(text: str) -> Any:
    """The value that a lenient parser would read; None if even that fails."""
    try:
        return json.loads(text, parse_int=_int_or_none)
    except (ValueError, RecursionError):
        return None


def _int_or_none(digits: str) -> int | None:
    return int(digits) if len(digits) <= _LONGEST_INT else None


def is_message(value: Any) -> bool:
    """Is it meant as JSON-RPC: a request, a notification, a response, or an array of these?

    A log line may be a JSON object too, so one without `jsonrpc` must look like nothing else.
    """
    if isinstance(value, list):
        return bool(value) and all(isinstance(item, dict) and is_message(item) for item in value)
    if not isinstance(value, dict):
        return False
    if "jsonrpc" in value:
        return True
    if "id" in value and ("result" in value or isinstance(value.get("error"), dict)):
        return True
    method = value.get("method")
    return isinstance(method, str) and ("id" in value or method.startswith("notifications/"))


def id_within(raw: bytes) -> int | None:
    """The id of a message that cannot be parsed, where it stands before or behind the payload."""
    head, tail = raw[:_ENDS], raw[-_ENDS:]
    second = min((at for at in (head.find(b"{", 1), head.find(b"[", 1)) if at > 0), default=_ENDS)
    inner = tail.rstrip()[:-1]
    last = max(inner.rfind(b"}"), inner.rfind(b"]"))
    found = _ID.search(head[:second] + b",") or _ID.search(tail[last + 1 :])
    return int(found[1]) if found else None


def lone_surrogate(value: Any, raw: bytes) -> str | None:
    """A JSON pointer to a string, or member name, that holds an unpaired surrogate.

    Args:
        value: What `raw` stands for.
    """
    if _MAYBE_LONE.search(raw) is None:
        return None
    for place, text in strings_in(value):
        if not text.isascii():
            try:
                text.encode()
            except UnicodeEncodeError:
                return _pointer(place)
    return None


Place = tuple["Place", str | int] | None
"""Where a value stands: the place of its parent, and the step from there; None is the root."""


def strings_in(value: Any) -> Iterator[tuple[Place, str]]:
    """Every string and member name with its place; a stack of our own, as nesting is hostile."""
    stack: list[tuple[Place, Any]] = [(None, value)]
    while stack:
        place, item = stack.pop()
        if isinstance(item, str):
            yield place, item
        elif isinstance(item, dict):
            for name, member in item.items():
                yield (place, name), name
                stack.append(((place, name), member))
        elif isinstance(item, list):
            stack.extend(((place, index), member) for index, member in enumerate(item))


def _pointer(place: Place) -> str:
    """The place as a JSON pointer."""
    steps = []
    while place is not None:
        place, step = place
        shown = str(step).replace("~", "~0").replace("/", "~1")
        steps.append(shown.encode(errors="backslashreplace").decode())
    return "".join(f"/{step}" for step in reversed(steps))


def repeated_members(raw: bytes) -> list[str]:
    """Member names that stand twice in one object of a message, each once, in order."""
    found: dict[str, None] = {}

    def pairs(items: list[tuple[str, Any]]) -> JsonObject:
        made = dict(items)
        if len(made) < len(items):
            seen: set[str] = set()
            for name, _ in items:
                if name in seen:
                    found[name] = None
                seen.add(name)
        return made

    try:
        json.loads(raw.decode(errors="replace"), object_pairs_hook=pairs)
    except (ValueError, RecursionError):
        return []
    return list(found)


def type_words(value: Any) -> str:
    """The type of a JSON value, for people."""
    if value is None:
        return "null"
    names = {bool: "a boolean", int: "a number", float: "a number", str: "a string", list: "a list"}
    return names.get(type(value), "an object")


def short_json(value: Any) -> str:
    """A value of the server as short JSON; it may be as long and as deep as it likes."""
    try:
        return shorten(json.dumps(value, ensure_ascii=False), _SHOWN)
    except (ValueError, RecursionError):
        return type_words(value)
