"""Servers over HTTP at the port in PORT: `python -m tests.servers.hosting TRAIT`."""

import http.server
import json
import os
import sys
import time
from typing import Any

from tests.servers.mini import ECHO, RpcError, dressed, run, usual


class _Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    mode = "dual"
    pause_s = 0.0

    def do_POST(self) -> None:
        message = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if "id" not in message:
            self._send(202, b"")
            return
        arguments = (message.get("params") or {}).get("arguments") or {}
        if arguments.get("text") == "die":
            sys.stderr.write("boom\n")
            sys.stderr.flush()
            os._exit(7)
        if message["method"] == "server/discover":
            time.sleep(self.pause_s)
        answer: dict[str, Any] = {"jsonrpc": "2.0", "id": message["id"]}
        try:
            result = usual(message, self.mode, [ECHO], {"tools": {}})
            answer["result"] = dressed(message, result)
        except RpcError as exc:
            answer["error"] = exc.error
        self._send(200, json.dumps(answer).encode())

    def do_GET(self) -> None:
        self._send(405, b"")

    def do_DELETE(self) -> None:
        self._send(405, b"")

    def _send(self, status: int, body: bytes) -> None:
        self.send_response(status)
        if body:
            self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def _listen(mode: str, pause_s: float = 0) -> None:
    print("Acme server, listening", flush=True)
    handler = type("Handler", (_Handler,), {"mode": mode, "pause_s": pause_s})
    http.server.ThreadingHTTPServer(("127.0.0.1", int(os.environ["PORT"])), handler).serve_forever()


def dual() -> None:
    time.sleep(0.2)  # its port is not open at once
    _listen("dual")


def legacy() -> None:
    _listen("legacy")


def slow_probe() -> None:
    """Takes longer for server/discover than the probe is waited for."""
    _listen("dual", 2.3)


def never_listens() -> None:
    time.sleep(600)


def ends() -> None:
    sys.stderr.write("no licence\n")
    sys.exit(4)


TRAITS = {name: value for name, value in globals().items() if callable(value)}

if __name__ == "__main__":
    run(TRAITS)
