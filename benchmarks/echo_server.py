"""Minimal MCP server over stdio (standard library only): the fast end of a benchmark.

    python echo_server.py            # both eras: initialize handshake and 2026-07-28
    python echo_server.py legacy     # handshake revisions only; server/discover is an unknown method
    python echo_server.py modern     # 2026-07-28 only; initialize is refused with -32022

One tool, `echo` ({"text": string}), returned as one text block. All complete lines that one read brings are answered in
one write, so the server is never what limits a client written in Python. It does no validation beyond what it needs to
answer: it is a yardstick for speed, not an example of a good server.
"""

from __future__ import annotations

import json
import os
import sys
from typing import Any

LEGACY = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
MODERN = "2026-07-28"
VERSION_KEY = "io.modelcontextprotocol/protocolVersion"
INFO = {"name": "echo-server", "version": "1.0.0"}
CAPABILITIES: dict[str, Any] = {"tools": {}}
TOOLS = [
    {
        "name": "echo",
        "description": "Return the text unchanged.",
        "inputSchema": {
            "type": "object",
            "properties": {"text": {"type": "string", "description": "Text to return."}},
            "required": ["text"],
            "additionalProperties": False,
        },
        "annotations": {"readOnlyHint": True},
    }
]
CACHE: dict[str, Any] = {"ttlMs": 0, "cacheScope": "public"}
dumps = json.JSONEncoder(separators=(",", ":")).encode


class RpcError(Exception):
    """A JSON-RPC error to send back: (code, message, data or None)."""


def answer(method: str, params: dict[str, Any], mode: str) -> dict[str, Any]:
    """Return the result of one request; raise RpcError for a JSON-RPC error. `mode` is legacy, modern or dual."""
    meta = params.get("_meta")
    modern = mode != "legacy" and isinstance(meta, dict) and VERSION_KEY in meta
    extra: dict[str, Any] = {"resultType": "complete"} if modern else {}
    if method == "tools/call":
        if params.get("name") != "echo":
            raise RpcError(-32602, f"Unknown tool: {params.get('name')}", None)
        text = (params.get("arguments") or {}).get("text")
        if not isinstance(text, str):
            return {
                "content": [{"type": "text", "text": "text must be a string"}],
                "isError": True,
                **extra,
            }
        return {"content": [{"type": "text", "text": text}], "isError": False, **extra}
    if method == "tools/list":
        return {"tools": TOOLS, **extra, **(CACHE if modern else {})}
    if method == "server/discover" and modern:
        if meta is not None and meta[VERSION_KEY] != MODERN:
            raise RpcError(
                -32022,
                "Unsupported protocol version",
                {"supported": [MODERN], "requested": meta[VERSION_KEY]},
            )
        return {"supportedVersions": [MODERN], "capabilities": CAPABILITIES, **extra, **CACHE}
    if method == "initialize":
        asked = params.get("protocolVersion")
        if mode == "modern":
            raise RpcError(
                -32022, "Unsupported protocol version", {"supported": [MODERN], "requested": asked}
            )
        agreed = asked if asked in LEGACY else LEGACY[-1]
        return {"protocolVersion": agreed, "capabilities": CAPABILITIES, "serverInfo": INFO}
    if method == "ping":
        return {}
    raise RpcError(-32601, f"Method not found: {method}", None)


def reply(line: bytes, mode: str) -> bytes:
    """Answer one line; notifications and blank lines give no bytes."""
    if not line.strip():
        return b""
    message = json.loads(line)
    if "id" not in message:
        return b""
    body: dict[str, Any] = {"jsonrpc": "2.0", "id": message["id"]}
    try:
        body["result"] = answer(message["method"], message.get("params") or {}, mode)
    except RpcError as fault:
        code, text, data = fault.args
        body["error"] = {"code": code, "message": text, **({} if data is None else {"data": data})}
    return dumps(body).encode() + b"\n"


def main(mode: str) -> None:
    """Serve until standard input ends. Reads and writes file descriptors 0 and 1 directly."""
    rest = b""
    while chunk := os.read(0, 1 << 16):
        *lines, rest = (rest + chunk).split(b"\n")
        out = b"".join(reply(line, mode) for line in lines)
        while out:
            out = out[os.write(1, out) :]


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "dual")
