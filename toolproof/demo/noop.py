"""A server that does nothing, to measure what the client itself costs. Standard library only.

All complete lines that one read brings are answered in one write, so it is never what limits a
client. It speaks the revisions that open with `initialize`, and tells by a method of its own how much
of the processor's time it has had, as that is no cost of the client.
"""

import json
import os
import time
from typing import Any

TOOL = {
    "name": "noop",
    "description": "Does nothing and returns ok.",
    "inputSchema": {"type": "object", "additionalProperties": False},
    "annotations": {"readOnlyHint": True},
}
OK = '{"content":[{"type":"text","text":"ok"}]}'
LATEST = "2025-11-25"


def reply(line: bytes) -> bytes:
    """The answer to one line; nothing for a notification."""
    message: dict[str, Any] = json.loads(line)
    if "id" not in message:
        return b""
    ident = message["id"]
    result: dict[str, object]
    match message["method"]:
        case "tools/call":
            return f'{{"jsonrpc":"2.0","id":{ident},"result":{OK}}}\n'.encode()
        case "initialize":
            info = {"name": "noop", "version": "1"}
            result = {"protocolVersion": LATEST, "capabilities": {"tools": {}}, "serverInfo": info}
        case "tools/list":
            result = {"tools": [TOOL]}
        case "toolproof/cpu":
            result = {"cpuSeconds": time.process_time()}
        case "ping":
            result = {}
        case method:
            error = {"code": -32601, "message": f"there is no method {method}"}
            return json.dumps({"jsonrpc": "2.0", "id": ident, "error": error}).encode() + b"\n"
    return json.dumps({"jsonrpc": "2.0", "id": ident, "result": result}).encode() + b"\n"


def main() -> None:
    """Serve until stdin ends, on the file descriptors themselves."""
    rest = b""
    while chunk := os.read(0, 1 << 16):
        *lines, rest = (rest + chunk).split(b"\n")
        out = b"".join(reply(line) for line in lines if line.strip())
        while out:
            out = out[os.write(1, out) :]


if __name__ == "__main__":
    main()
