"""What results of one call have in common: expectations that a good server will meet tomorrow, too."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from toolproof.report import Answer, CallResult
from toolproof.report.values import plain
from toolproof.schemas import type_of

MOST_KEYS = 8
_LONGEST_KEY = 100
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*", re.ASCII)
_MEDIA = ("image", "audio")
_VARIABLE = re.compile(r"[A-Z][A-Z0-9_]*", re.ASCII)


def expectations(results: Sequence[CallResult]) -> dict[str, Any]:
    """What to expect of the call, as the keys of `expect`.

    Args:
        results: At least one, each a success of the same call.
    """
    paths = _types(results)
    if paths:
        return {"jsonpath": paths}
    blocks = [_blocks(result) for result in results]
    kinds = [
        block
        for block in blocks[0]
        if all(any(_like(block, other) for other in others) for others in blocks[1:])
    ]
    if all(result.text.strip() for result in results):
        return {"regex": r"\S"}
    unique = {str(kind): kind for kind in kinds}
    return {"content": list(unique.values())[:MOST_KEYS]} if unique else {"is_error": False}


def values_by_name(result: CallResult) -> list[tuple[str, Any]]:
    """The scalars in a result's data with their names, for the arguments of later calls."""
    found: list[tuple[str, Any]] = []
    stack: list[tuple[str, Any]] = [("", plain(result.data)[0])]
    while stack and len(found) < 1000:
        name, value = stack.pop()
        if isinstance(value, dict):
            stack += list(value.items())
        elif isinstance(value, list):
            stack += [(name, one) for one in value[:20]]
        elif isinstance(value, str | int) and not isinstance(value, bool):
            found.append((name, value))
    return found


def _types(results: Sequence[CallResult]) -> dict[str, dict[str, Any]]:
    """JSONPaths into the data with the types that they lead to in all results."""
    datas = [result.data for result in results]
    if any(data is None for data in datas):
        return {}
    if not all(isinstance(data, dict) for data in datas):
        kinds = {_type(data) for data in datas}
        return {"$": {"type": kinds.pop()}} if len(kinds) == 1 else {}
    found: dict[str, dict[str, Any]] = {}
    for key in datas[0]:
        if not isinstance(key, str) or not key.isprintable() or len(key) > _LONGEST_KEY:
            continue
        if not all(key in data for data in datas):
            continue
        if "PATH" in datas[0] and _VARIABLE.fullmatch(key) and key != "PATH":
            continue  # the environment, and another machine has another one
        kinds = {_type(data[key]) for data in datas}
        if len(kinds) == 1 and "null" not in kinds:
            found[_path(key)] = {"type": kinds.pop()}
        if len(found) == MOST_KEYS:
            break
    return found or {"$": {"type": "object"}}


def _type(value: Any) -> str:
    kind = type_of(value)
    return "number" if kind == "integer" else kind  # 20 today may be 20.5 tomorrow


def _path(key: str) -> str:
    if _NAME.fullmatch(key):
        return f"$.{key}"
    escaped = key.replace("\\", "\\\\").replace("'", "\\'")
    return f"$['{escaped}']"


def _blocks(result: CallResult) -> list[dict[str, Any]]:
    raw = result.reply.raw if isinstance(result.reply, Answer) else {}
    content = raw.get("content")
    found = []
    for block in content if isinstance(content, list) else ():
        if isinstance(block, dict) and block.get("type") in (
            *_MEDIA,
            "text",
            "resource",
            "resource_link",
        ):
            kind = {"type": block["type"]}
            if block["type"] in _MEDIA and isinstance(block.get("mimeType"), str):
                kind["mime_type"] = block["mimeType"]
            found.append(kind)
    return found


def _like(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    return dict(one) == dict(other)
