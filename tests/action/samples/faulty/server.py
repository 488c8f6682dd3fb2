"""A server with flaws that are told on the lines of this file."""

import json
import sys
from typing import Any


def many(count: int) -> list[dict[str, Any]]:
    return [
        {"name": f"tool_{number}", "description": "", "inputSchema": {"type": "strng"}}
        for number in range(count)
    ]


TOOLS: list[dict[str, Any]] = [
    *many(int(sys.argv[1]) if len(sys.argv) > 1 else 0),
    {
        "name": "subtract",
        "description": "Subtract one whole number from another, and tell the difference.",
        "inputSchema": {
            "type": "object",
            "properties": {"a": {"type": "integr", "description": "The first number"}},
            "required": ["a", "b"],
        },
        "annotations": {"readOnlyHint": True, "openWorldHint": False},
    },
    {
        "name": "add",
        "description": "Add two whole numbers and tell the sum.",
        "inputSchema": {
            "type": "object",
            "properties": {
                "a": {"type": "integer", "description": "The first number"},
                "b": {"type": "integer", "description": "The second number"},
            },
            "required": ["a", "b"],
            "additionalProperties": False,
        },
        "annotations": {"readOnlyHint": True, "openWorldHint": False},
    },
]


def is_whole(value: object) -> bool:
    return (isinstance(value, int) and not isinstance(value, bool)) or (
        isinstance(value, float) and value.is_integer()
    )


def text(words: str, *, is_error: bool = False) -> dict[str, Any]:
    return {"content": [{"type": "text", "text": words}], "isError": is_error}


def call(params: dict[str, Any]) -> dict[str, Any] | None:
    if params.get("name") != "add":
        return None
    given = params.get("arguments", {})
    if (
        not isinstance(given, dict)
        or set(given) != {"a", "b"}
        or not all(map(is_whole, given.values()))
    ):
        return text("add takes two whole numbers, a and b", is_error=True)
    return text(f"{given['a'] + given['b']}")


def answer(method: str, params: dict[str, Any]) -> dict[str, Any] | None:
    match method:
        case "initialize":
            return {
                "protocolVersion": "2025-11-25",
                "capabilities": {"tools": {}},
                "serverInfo": {"name": "adder", "version": "1.0.0"},
            }
        case "tools/list":
            return {"tools": TOOLS}
        case "tools/call":
            return call(params)
        case "ping":
            return {}
        case _:
            return None


def main() -> None:
    for line in sys.stdin:
        message = json.loads(line)
        if "id" not in message or "method" not in message:
            continue
        result = answer(message["method"], message.get("params") or {})
        reply = {"jsonrpc": "2.0", "id": message["id"]}
        if result is None:
            code = -32602 if message["method"] == "tools/call" else -32601
            reply["error"] = {"code": code, "message": "there is none"}
        else:
            reply["result"] = result
        print(json.dumps(reply), flush=True)


if __name__ == "__main__":
    main()
