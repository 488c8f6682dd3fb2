"""What scripted HTTP APIs on loopback have in common: they keep what they were asked."""

import json
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


class Api(ThreadingHTTPServer):
    """Counts what it was asked, and keeps the requests with their keys.

    Args:
        base: What its address ends with.
    """

    daemon_threads = True

    def __init__(self, handler: type[BaseHTTPRequestHandler], base: str = "") -> None:
        super().__init__(("127.0.0.1", 0), handler)
        self.asked: list[dict[str, Any]] = []
        self.keys: list[str | None] = []
        self.tries: Counter[str] = Counter()
        self.url = f"http://127.0.0.1:{self.server_port}{base}"


@contextmanager
def serving(api: Api) -> Iterator[Api]:
    """Serve until the end of the block."""
    with api:
        threading.Thread(target=api.serve_forever, args=[0.01], daemon=True).start()
        yield api
        api.shutdown()


class Handler(BaseHTTPRequestHandler):
    """Reads JSON, and answers with JSON or with a text as it is."""

    server: Api

    def log_message(self, *_args: object) -> None:
        pass

    def request_json(self) -> dict[str, Any]:
        """The request, which is kept."""
        request: dict[str, Any] = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.asked.append(request)
        self.server.keys.append(self.headers.get("x-api-key") or self.headers.get("authorization"))
        return request

    def answer(self, status: int, body: Any = None, *, text: str | None = None) -> None:
        """Answer; a refusal may be asked again at once."""
        data = (json.dumps(body) if text is None else text).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json" if text is None else "text/html")
        self.send_header("Content-Length", str(len(data)))
        if status >= 400:
            self.send_header("retry-after", "0")
        self.end_headers()
        self.wfile.write(data)
