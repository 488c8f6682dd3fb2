"""A server over stdio whose one tool answers with as many MiB of text as it is asked for."""

import json
import sys
from typing import Any


def result_of(method: str, params: dict[str, Any]) -> dict[str, Any] | None:
    if method == "initialize":
        info = {"name": "huge-server", "version": "1.0.0"}
        return {
            "protocolVersion": params["protocolVersion"],
            "capabilities": {"tools": {}},
            "serverInfo": info,
        }
    if method == "tools/list":
        tool = {"name": "huge", "description": "Much text.", "inputSchema": {"type": "object"}}
        return {"tools": [tool]}
    if method == "tools/call":
        line = "The quick brown fox jumps over the lazy dog: \u00e6, \u00f8, \u00e5.\n"
        size = params["arguments"]["mib"] << 20
        return {"content": [{"type": "text", "text": line * (size // len(line.encode()))}]}
    return None


for received in sys.stdin:
    message = json.loads(received)
    if "id" in message:
        answer: dict[str, Any] = {"jsonrpc": "2.0", "id": message["id"]}
        result = result_of(message["method"], message.get("params") or {})
        if result is None:
            answer["error"] = {"code": -32601, "message": "method not found"}
        else:
            answer["result"] = result
        sys.stdout.write(json.dumps(answer, ensure_ascii=False) + "\n")
        sys.stdout.flush()
