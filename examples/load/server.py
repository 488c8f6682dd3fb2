"""A clock over HTTP that says how late it is in a time zone, for the example of load."""

import json
import sys
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

TOOL = {
    "name": "get_time",
    "description": "Returns the time at an offset from UTC. Use it when somebody asks how late it is.",
    "inputSchema": {
        "type": "object",
        "properties": {
            "hours": {
                "type": "integer",
                "minimum": -12,
                "maximum": 14,
                "description": "Hours ahead of UTC.",
            }
        },
        "required": ["hours"],
        "additionalProperties": False,
    },
    "annotations": {"readOnlyHint": True},
}


def answer(method: str, params: dict[str, Any]) -> dict[str, Any] | None:
    """The result of a request; None for a method that is unknown here."""
    if method == "initialize":
        return {
            "protocolVersion": "2025-11-25",
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "clock", "version": "1.0"},
        }
    if method == "tools/list":
        return {"tools": [TOOL]}
    if method == "tools/call":
        hours = params.get("arguments", {}).get("hours")
        if isinstance(hours, bool) or not isinstance(hours, int) or not -12 <= hours <= 14:
            text = "hours: expected a whole number from -12 to 14"
            return {"content": [{"type": "text", "text": text}], "isError": True}
        then = datetime.now(UTC) + timedelta(hours=hours)
        return {"content": [{"type": "text", "text": then.strftime("%H:%M")}]}
    return {} if method == "ping" else None


class Handler(BaseHTTPRequestHandler):
    """One endpoint, /mcp, without sessions and without a stream of the server's own."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = -1  # head and body in one segment

    def handle(self) -> None:
        """Serve a connection until its client goes, however it goes."""
        with suppress(ConnectionError):
            super().handle()

    def do_POST(self) -> None:
        """Answer one message."""
        message = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if "id" not in message:
            self._send(202, b"")
            return
        body: dict[str, Any] = {"jsonrpc": "2.0", "id": message["id"]}
        result = answer(message["method"], message.get("params") or {})
        if result is None:
            body["error"] = {"code": -32601, "message": f"no method {message['method']!r}"}
        else:
            body["result"] = result
        self._send(200, json.dumps(body).encode())

    def do_GET(self) -> None:
        """There is no stream."""
        self._send(405, b"")

    def do_DELETE(self) -> None:
        """There is no session."""
        self._send(405, b"")

    def log_message(self, *_: Any) -> None:
        """Say nothing: a line for each request would be what is measured."""

    def _send(self, status: int, body: bytes) -> None:
        self.send_response(status)
        if body:
            self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


if __name__ == "__main__":
    port = int(sys.argv[1]) if len(sys.argv) > 1 else 8000
    server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
    server.daemon_threads = True
    print(f"http://127.0.0.1:{server.server_port}/mcp", flush=True)
    server.serve_forever()
