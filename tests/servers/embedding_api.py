"""An endpoint `/v1/embeddings` on loopback, good and bad: the model's name says what shall happen.

`good`, `backwards`, `status 429 once`, `status 500`, `garbage`, `slow`, `no data`, `too few`, `ragged`,
`not a number`, `all alike`.
"""

import re
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any
from zlib import crc32

from tests.servers.scripted_api import Api, Handler, serving

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


@contextmanager
def embedding() -> Iterator[Api]:
    with serving(Api(_Handler, "/v1")) as api:
        yield api


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


class _Handler(Handler):
    def do_POST(self) -> None:
        request = self.request_json()
        model = str(request["model"])
        self.server.tries[model] += 1
        status = re.fullmatch(r"status (\d+)( once)?", model)
        if not self.path.endswith("/v1/embeddings"):
            self.answer(404, {"error": {"message": f"no {self.path} here"}})
        elif status and not (status[2] and self.server.tries[model] > 1):
            self.answer(int(status[1]), {"error": {"message": "as you wish"}})
        elif model == "garbage":
            self.answer(200, text="<html>not JSON</html>")
        elif model == "slow":
            time.sleep(0.6)
        elif model == "no data":
            self.answer(200, {"object": "list", "data": None})
        else:
            self.answer(200, {"object": "list", "data": _entries(model, request["input"])})
