"""An endpoint `/v1/embeddings` on loopback, good and bad: the model's name says what shall happen.

`good`, `backwards`, `status 429 once`, `status 500`, `garbage`, `slow`, `no data`, `too few`, `ragged`,
`not a number`, `all alike`.
"""

import json
import re
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from zlib import crc32

SAME = {
    "locates": "searches",
    "papers": "files",
    "documents": "files",
    "find": "search",
    "folder": "workspace",
}
"""Words that mean what another one does."""
DIMENSIONS = 64


def vector_of(text: str) -> list[float]:
    """Each word adds to one number: a model that knows a few synonyms, the same on all machines."""
    vector = [0.0] * DIMENSIONS
    for word in re.findall(r"\w+", text.lower()):
        vector[crc32(SAME.get(word, word).encode()) % DIMENSIONS] += 1.0
    return vector


class Endpoint(ThreadingHTTPServer):
    """Keeps what it was asked."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.asked: list[dict[str, Any]] = []
        self.keys: list[str | None] = []
        self.tries: Counter[str] = Counter()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/v1"


@contextmanager
def embedding() -> Iterator[Endpoint]:
    with Endpoint() as endpoint:
        threading.Thread(target=endpoint.serve_forever, args=(0.02,), daemon=True).start()
        yield endpoint
        endpoint.shutdown()


def _entries(model: str, texts: Sequence[str]) -> list[dict[str, Any]]:
    vectors = [vector_of(text) for text in texts]
    if model == "all alike":
        vectors = [vector_of("one")] * len(texts)
    if model == "ragged":
        vectors[-1] = vectors[-1][:-1]
    if model == "not a number":
        vectors[0][0] = float("nan")
    entries = [
        {"object": "embedding", "index": index, "embedding": vector}
        for index, vector in enumerate(vectors)
    ]
    if model == "backwards":
        entries.reverse()
    return entries[1:] if model == "too few" else entries


class _Handler(BaseHTTPRequestHandler):
    server: Endpoint

    def log_message(self, *_args: object) -> None:
        pass

    def do_POST(self) -> None:
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        endpoint, model = self.server, str(request["model"])
        endpoint.asked.append(request)
        endpoint.keys.append(self.headers.get("authorization"))
        endpoint.tries[model] += 1
        status = re.fullmatch(r"status (\d+)( once)?", model)
        if not self.path.endswith("/v1/embeddings"):
            self._send(404, json.dumps({"error": {"message": f"no {self.path} here"}}))
        elif status and not (status[2] and endpoint.tries[model] > 1):
            self._send(int(status[1]), json.dumps({"error": {"message": "as you wish"}}))
        elif model == "garbage":
            self._send(200, "<html>not JSON</html>", "text/html")
        elif model == "slow":
            time.sleep(0.6)
        elif model == "no data":
            self._send(200, json.dumps({"object": "list", "data": None}))
        else:
            self._send(
                200, json.dumps({"object": "list", "data": _entries(model, request["input"])})
            )

    def _send(self, status: int, text: str, kind: str = "application/json") -> None:
        data = text.encode()
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        self.send_header("retry-after", "0")
        self.end_headers()
        self.wfile.write(data)
