"""A good server over stdio in standard library alone; the traits beside it bend one thing each.

python -m tests.servers.mini [legacy | modern | dual]
"""

import json
import sys
from collections.abc import Callable, Mapping
from typing import Any

LEGACY = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
MODERN = "2026-07-28"
VERSION = "io.modelcontextprotocol/protocolVersion"
INFO = {"name": "mini", "version": "1.0"}
ECHO = {
    "name": "echo",
    "description": "Returns the text unchanged.",
    "inputSchema": {
        "type": "object",
        "properties": {"text": {"type": "string"}},
        "required": ["text"],
        "additionalProperties": False,
    },
    "annotations": {"readOnlyHint": True},
}
LISTS = ("tools/list", "resources/list", "resources/templates/list", "prompts/list")

Message = dict[str, Any]
Answer = Callable[[Message], Any]
"""From a request to its result; NOTHING where it is not answered."""


class RpcError(Exception):
    """A JSON-RPC error: code, message, maybe data."""

    def __init__(self, code: int, message: str, data: Any = None) -> None:
        super().__init__(message)
        self.error = {"code": code, "message": message} | ({} if data is None else {"data": data})


class _Nothing:
    pass


NOTHING = _Nothing()
_known_modern = False


def raw(data: bytes) -> None:
    """Write bytes on stdout as they are."""
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def line(message: Any) -> bytes:
    return json.dumps(message, ensure_ascii=False).encode() + b"\n"


def write(message: Any) -> None:
    raw(line(message))


def text(words: str, **more: Any) -> Message:
    return {"content": [{"type": "text", "text": words}], "isError": False, **more}


def echo(message: Message) -> Message:
    return text(str(message["params"]["arguments"].get("text", "")))


def reply(message: Message, **said: Any) -> Message:
    """A response to it, as a dict that may be bent."""
    return {"jsonrpc": "2.0", "id": message["id"], **said}


def usual(message: Message, mode: str, tools: list[Any], capabilities: Any) -> Any:
    """What a good server answers."""
    method, params = message["method"], message.get("params") or {}
    if method == "initialize":
        asked = params.get("protocolVersion")
        if mode == "modern":
            raise RpcError(-32022, "unsupported version", {"supported": [MODERN]})
        agreed = asked if asked in LEGACY else LEGACY[-1]
        return {"protocolVersion": agreed, "capabilities": capabilities, "serverInfo": INFO}
    if method == "server/discover" and mode != "legacy":
        return {"supportedVersions": [MODERN], "capabilities": capabilities}
    if method == "tools/list":
        return {"tools": tools}
    if method == "ping" and mode != "modern":
        return {}
    if method == "tools/call":
        return echo(message)
    raise RpcError(-32601, f"method not found: {method}")


def dressed(message: Message, result: Any) -> Any:
    """The result with what the stateless revision adds, where the request was stamped."""
    meta = (message.get("params") or {}).get("_meta")
    if not isinstance(result, dict) or not isinstance(meta, dict) or VERSION not in meta:
        return result
    more: Message = {"resultType": "complete"}
    if message["method"] in (*LISTS, "server/discover"):
        more |= {"ttlMs": 0, "cacheScope": "private"}
    return more | result


def serve(  # noqa: PLR0913 - each is one thing that a trait may bend
    on: Mapping[str, Answer] | None = None,
    *,
    mode: str = "legacy",
    tools: list[Any] | None = None,
    capabilities: Any = None,
    out: Callable[[Message], None] = write,
    first: Callable[[], None] = lambda: None,
    notified: Callable[[Message], None] = lambda _: None,
    answered: Callable[[Message], None] = lambda _: None,
    last: Callable[[], None] = lambda: None,
) -> None:
    """Serve until the end of input.

    Args:
        on: Answers by method, in place of the usual ones.
        out: Writes a response.
        first: Called before anything is read, `last` after the end of input.
        notified: Called for each notification.
        answered: Called for each response to a request of ours.
    """
    first()
    for received in sys.stdin.buffer:
        message = json.loads(received)
        if "method" not in message:
            answered(message)
            continue
        if "id" not in message:
            notified(message)
            continue
        try:
            answer = (on or {}).get(message["method"])
            if answer is not None:
                result = answer(message)
            else:
                result = usual(
                    message,
                    mode,
                    [ECHO] if tools is None else tools,
                    {"tools": {}} if capabilities is None else capabilities,
                )
        except RpcError as exc:
            out(reply(message, error=exc.error))
            continue
        if result is not NOTHING:
            out(reply(message, result=dressed(message, result)))
    last()


def run(traits: Mapping[str, Callable[[], None]]) -> None:
    """Be the server whose trait the command line names."""
    traits[sys.argv[1]]()


if __name__ == "__main__":
    serve(mode=sys.argv[1] if len(sys.argv) > 1 else "dual")
