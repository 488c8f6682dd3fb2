"""Lines of JSON-RPC on stdin to the tools, and their answers to stdout; both eras of the protocol."""

import argparse
import json
import os
import sys
import traceback
from pathlib import Path
from typing import Any

from benchmarks.planted import (  # noqa: F401 - each of the others declares its tools
    accepting,
    answering,
    controls,
    costing,
    crashing,
    erring,
    hanging,
    harmful,
    leaking,
    muttering,
    refusing,
    remembering,
    tracing,
)
from benchmarks.planted.validate import problem
from benchmarks.planted.world import (
    TOOLS,
    CallError,
    NoReplyError,
    RpcError,
    Tool,
    World,
    failed,
    said,
)

LEGACY = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
MODERN = "2026-07-28"
VERSION = "io.modelcontextprotocol/protocolVersion"
INFO = {"name": "planted", "version": "1.0.0"}
CAPABILITIES: dict[str, Any] = {"tools": {}}
CACHE = {"ttlMs": 0, "cacheScope": "private"}
ABSENT = object()
compact = json.JSONEncoder(separators=(",", ":")).encode


def listed(world: World) -> list[dict[str, Any]]:
    """The definitions, as tools/list gives them."""
    known = [*TOOLS.values(), *world.kept.get("added tools", ())]
    return [tool.definition(planted=world.planted) for tool in known]


def called(params: dict[str, Any], world: World) -> dict[str, Any]:
    """The result of one call.

    Raises:
        RpcError: It ends with a JSON-RPC error.
        NoReplyError: It is not answered.
    """
    name = params.get("name")
    tool = TOOLS.get(name) if isinstance(name, str) else None
    if tool is None:
        raise RpcError(-32602, "unknown tool")
    arguments = params.get("arguments", ABSENT)
    meta = params.get("_meta")
    world.progress = meta.get("progressToken") if isinstance(meta, dict) else None
    if tool.raw and world.planted and arguments is ABSENT:
        arguments = params["arguments"]
    if arguments is ABSENT:
        arguments = {}
    if not isinstance(arguments, dict) and not (tool.any_arguments and world.planted):
        raise RpcError(-32602, "arguments must be an object")
    if isinstance(arguments, dict):
        wrong = problem(tool.checked(planted=world.planted), arguments)
        if wrong is not None:
            return failed(f"Invalid arguments: {wrong}")
    return ran(tool, arguments, world)


def ran(tool: Tool, arguments: Any, world: World) -> dict[str, Any]:
    """What the tool answers to arguments that it takes."""
    try:
        answer = tool.run(arguments, world)
    except CallError as refusal:
        return failed(str(refusal))
    except (RpcError, NoReplyError):
        raise
    except Exception as exc:
        if tool.raw:
            raise
        traceback.print_exc()
        raise RpcError(-32603, f"{type(exc).__name__}: {exc}") from exc
    return said(answer) if isinstance(answer, str) else answer


def answered(method: str, params: dict[str, Any], world: World) -> dict[str, Any]:
    """The result of one request."""
    meta = params.get("_meta")
    modern = isinstance(meta, dict) and VERSION in meta
    extra: dict[str, Any] = {"resultType": "complete"} if modern else {}
    world.stamp = extra
    if method == "tools/call":
        return {**called(params, world), **extra}
    if method == "tools/list":
        if params.get("cursor") is not None:
            raise RpcError(-32602, "unknown cursor")
        return {"tools": listed(world), **extra, **(CACHE if modern else {})}
    if method == "server/discover" and isinstance(meta, dict) and modern:
        if meta[VERSION] != MODERN:
            raise RpcError(-32022, "unsupported protocol version")
        return {"supportedVersions": [MODERN], "capabilities": CAPABILITIES, **extra, **CACHE}
    if method == "initialize":
        asked = params.get("protocolVersion")
        agreed = asked if asked in LEGACY else LEGACY[-1]
        return {"protocolVersion": agreed, "capabilities": CAPABILITIES, "serverInfo": INFO}
    if method == "ping":
        return {}
    raise RpcError(-32601, "method not found")


def reply(line: bytes, world: World) -> None:
    """Answer one line on stdout; notifications are not answered."""
    try:
        message = json.loads(line)
    except (ValueError, RecursionError):
        error = {"code": -32700, "message": "parse error"}
        world.write(compact({"jsonrpc": "2.0", "id": None, "error": error}).encode() + b"\n")
        return
    if not isinstance(message, dict) or "id" not in message or "method" not in message:
        return
    world.call_id = message["id"]
    params = message.get("params")
    body: dict[str, Any] = {"jsonrpc": "2.0", "id": message["id"]}
    try:
        body["result"] = answered(
            message["method"], params if isinstance(params, dict) else {}, world
        )
    except RpcError as fault:
        code, words = fault.args
        body["error"] = {"code": code, "message": words}
    except NoReplyError:
        return
    world.write(compact(body).encode() + b"\n")


def write(data: bytes) -> None:
    """On standard output, at once."""
    while data:
        data = data[os.write(1, data) :]


def main() -> None:
    """Serve until standard input ends."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--off", action="store_true", help="without bugs")
    parser.add_argument("--record", type=Path, help="where calls of harmful tools are noted")
    options = parser.parse_args()
    off = options.off or os.environ.get("PLANTED") == "off"
    world = World(planted=not off, record=options.record, write=write)
    if hasattr(sys, "set_int_max_str_digits"):
        sys.set_int_max_str_digits(0)
    sys.setrecursionlimit(5_000)  # the validator takes several frames for each level of a value
    parts: list[bytes] = []
    while chunk := os.read(0, 1 << 16):
        parts.append(chunk)
        if b"\n" not in chunk:
            continue
        *lines, rest = b"".join(parts).split(b"\n")
        parts = [rest]
        for line in lines:
            if line.strip():
                reply(line, world)
