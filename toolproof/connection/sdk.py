"""A second opinion: what clients built on the official Python SDK would refuse.

The only module that imports the SDK, and only when it is asked: that costs a quarter of a second.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

MOST = 5
"""Refusals that are told; the first is enough for the SDK to drop the whole list."""


def refused_tools(entries: Sequence[Any], revision: str) -> list[str]:
    """Why the SDK refuses a list of tools, by index and member; empty where it takes it.

    Args:
        entries: The raw entries of tools/list, over all pages.
        revision: The agreed one.
    """
    parse = _parser(revision)
    if parse is None:
        return []
    result = {"tools": list(entries), "resultType": "complete", "ttlMs": 0, "cacheScope": "private"}
    try:
        parse(result)
    except RecursionError:
        return ["tools: nested too deeply"]
    except ValueError as error:
        return _told(error)
    return []


def _told(error: ValueError) -> list[str]:
    """The refusals in pydantic's error; SDKs of all ages validate with it."""
    errors = getattr(error, "errors", None)
    if not callable(errors):
        return [str(error).partition("\n")[0]]
    told = []
    for one in errors(include_url=False, include_input=False, include_context=False):
        where = ".".join(map(str, one["loc"]))
        told.append(f"{where}: {one['msg']}")
    return list(dict.fromkeys(told))[:MOST]


def _parser(revision: str) -> Callable[[Mapping[str, Any]], object] | None:
    """What the installed SDK reads a list with: 2.x by revision, 1.x by one model for all."""
    try:
        from mcp_types import methods
    except ImportError:
        pass
    else:
        return lambda result: methods.parse_server_result("tools/list", revision, result)
    try:
        from mcp import types
    except ImportError:
        return None
    model: Any = types.ListToolsResult
    validate: Callable[[Mapping[str, Any]], object] = model.model_validate
    return validate
