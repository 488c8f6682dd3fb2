"""Two model APIs on loopback, as far as their official SDKs need them: scripted, and badly behaved.

A prompt says what shall happen: `pick NAME {json}` (several by ` + `), `nothing`, `429 twice`,
`status 500`, `garbage`, `no choices`, `slow`, `refuse`, `bad arguments`, `quote the key`.
"""

import json
import re
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


class Api(ThreadingHTTPServer):
    """Counts what it was asked, and keeps the requests."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.asked: list[dict[str, Any]] = []
        self.keys: list[str | None] = []
        self.tries: Counter[str] = Counter()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"


@contextmanager
def serving() -> Iterator[Api]:
    with Api() as api:
        threading.Thread(target=api.serve_forever, args=[0.01], daemon=True).start()
        yield api
        api.shutdown()


def picks_in(prompt: str) -> list[tuple[str, str]]:
    return re.findall(r"pick (\S+) (\{.*?\})(?= \+|$)", prompt)


class _Handler(BaseHTTPRequestHandler):
    server: Api

    def log_message(self, *_args: object) -> None:
        pass

    def do_POST(self) -> None:
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        api = self.server
        api.asked.append(request)
        api.keys.append(self.headers.get("x-api-key") or self.headers.get("authorization"))
        prompt = request["messages"][-1]["content"]
        api.tries[prompt] += 1
        if "429 twice" in prompt and api.tries[prompt] <= 2:
            self._send(429, {"error": {"message": "slow down"}}, {"retry-after": "0"})
        elif found := re.search(r"status (\d+)", prompt):
            self._send(int(found[1]), {"error": {"message": "as you wish"}}, {"retry-after": "0"})
        elif "quote the key" in prompt:
            self._send(401, {"error": {"message": f"no such key: {api.keys[-1]}"}})
        elif "garbage" in prompt:
            self._send(200, None, text="<html>not JSON</html>")
        elif "slow" in prompt:
            time.sleep(0.6)
        elif self.path.endswith("/messages"):
            self._send(200, self._anthropic(prompt))
        else:
            self._send(200, self._openai(prompt))

    def _anthropic(self, prompt: str) -> dict[str, Any]:
        content: list[dict[str, Any]] = [
            {"type": "tool_use", "id": f"t{i}", "name": name, "input": json.loads(text)}
            for i, (name, text) in enumerate(picks_in(prompt))
        ]
        if "bad arguments" in prompt:
            content = [{"type": "tool_use", "id": "t", "name": "x", "input": "no object"}]
        content = content or [{"type": "text", "text": "I would rather talk."}]
        return {
            "id": "m",
            "type": "message",
            "role": "assistant",
            "model": "scripted",
            "content": None if "no choices" in prompt else content,
            "stop_reason": "refusal" if "refuse" in prompt else "end_turn",
            "stop_sequence": None,
            "usage": {"input_tokens": 100, "output_tokens": 10},
        }

    def _openai(self, prompt: str) -> dict[str, Any]:
        calls = [
            {"id": f"c{i}", "type": "function", "function": {"name": name, "arguments": text}}
            for i, (name, text) in enumerate(picks_in(prompt))
        ]
        if "bad arguments" in prompt:
            function = {"name": "x", "arguments": "{no JSON"}
            calls = [{"id": "c", "type": "function", "function": function}]
        message: dict[str, Any] = {"role": "assistant", "content": None if calls else "No."}
        if calls:
            message["tool_calls"] = calls
        if "refuse" in prompt:
            message["refusal"] = "no"
        choice = {"index": 0, "message": message, "finish_reason": "stop"}
        return {
            "id": "c",
            "object": "chat.completion",
            "created": 1,
            "model": "scripted",
            "choices": [] if "no choices" in prompt else [choice],
            "usage": {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110},
        }

    def _send(
        self,
        status: int,
        body: dict[str, Any] | None,
        headers: dict[str, str] | None = None,
        text: str | None = None,
    ) -> None:
        data = (text if text is not None else json.dumps(body)).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json" if text is None else "text/html")
        self.send_header("Content-Length", str(len(data)))
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)
