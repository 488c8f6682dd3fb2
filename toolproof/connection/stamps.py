"""What the stateless revision wants on every request: `_meta`, and over HTTP some headers."""

import base64
import functools
import re
from collections.abc import Iterator, Mapping
from typing import Any

from toolproof.connection.wire import LEGACY, MODERN, JsonObject
from toolproof.version import version

_PREFIX = "io.modelcontextprotocol/"
SERVER_INFO = f"{_PREFIX}serverInfo"
"""The key in a result's `_meta` that names the server."""
_NAMED_BY = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}
_VISIBLE = re.compile(r"[\x20-\x7e]*")
_SENTINEL = re.compile(r"=\?base64\?.*\?=", re.DOTALL)
_TOKEN = re.compile(r"[!#$%&'*+\-.^_`|~0-9A-Za-z]+")
_VERSION_HEADER_SINCE = LEGACY.index("2025-06-18")

Marked = tuple[tuple[tuple[str, ...], str], ...]
"""Of a tool: each path of property names to a value that goes into a header, and its name."""


@functools.cache
def client_info() -> JsonObject:
    """What we say of ourselves."""
    return {"name": "toolproof", "version": version()}


def modern_meta(capabilities: JsonObject, revision: str = MODERN) -> JsonObject:
    """The members of `_meta` that each request of 2026-07-28 has."""
    return {
        f"{_PREFIX}protocolVersion": revision,
        f"{_PREFIX}clientInfo": client_info(),
        f"{_PREFIX}clientCapabilities": capabilities,
    }


def request_headers(
    revision: str, method: str, params: Mapping[str, Any], marked: Mapping[str, Marked]
) -> dict[str, str]:
    """The headers that the revision wants on this request.

    Args:
        revision: The one agreed on; "" before that.
        marked: For each tool, what `marked_parameters` found in its inputSchema.
    """
    if revision != MODERN:
        late = revision in LEGACY and LEGACY.index(revision) >= _VERSION_HEADER_SINCE
        return {"MCP-Protocol-Version": revision} if late else {}
    headers = {"MCP-Protocol-Version": revision, "Mcp-Method": method}
    name = params.get(_NAMED_BY.get(method, ""))
    if isinstance(name, str):
        headers["Mcp-Name"] = header_value(name)
        if method == "tools/call":
            for path, header in marked.get(name, ()):
                value = _reached(params.get("arguments"), path)
                if value is not None:
                    headers[f"Mcp-Param-{header}"] = header_value(value)
    return headers


def header_value(value: str) -> str:
    """The text as HTTP can carry it: as it is, or in Base64 between marks."""
    plain = _VISIBLE.fullmatch(value) and value == value.strip() and not _SENTINEL.fullmatch(value)
    if plain:
        return value
    encoded = base64.b64encode(value.encode(errors="replace")).decode()
    return f"=?base64?{encoded}?="


def marked_parameters(schema: Any) -> Marked:
    """Each `x-mcp-header` that properties alone lead to; unusable ones are left out."""
    return tuple(_marks(schema))


def _marks(schema: Any) -> Iterator[tuple[tuple[str, ...], str]]:
    stack: list[tuple[tuple[str, ...], Any]] = [((), schema)]
    while stack:
        path, node = stack.pop()
        if not isinstance(node, dict):
            continue
        header = node.get("x-mcp-header")
        if path and isinstance(header, str) and _TOKEN.fullmatch(header):
            yield path, header
        properties = node.get("properties")
        if isinstance(properties, dict):
            stack.extend(((*path, name), child) for name, child in properties.items())


def _reached(value: Any, path: tuple[str, ...]) -> str | None:
    """The argument there as header text; None if it is absent, null, or no scalar."""
    for name in path:
        if not isinstance(value, dict):
            return None
        value = value.get(name)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return value
    if isinstance(value, int | float):
        return repr(value)
    return None
