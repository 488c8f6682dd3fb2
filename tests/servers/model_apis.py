"""Two model APIs on loopback, as far as their official SDKs need them: scripted, and badly behaved.

A prompt says what shall happen: `pick NAME {json}` (several by ` + `), `nothing`, `429 twice`,
`status 500`, `garbage`, `no choices`, `slow`, `refuse`, `bad arguments`, `quote the key`.
"""

import json
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from tests.servers import scripted_api
from tests.servers.scripted_api import Api, Handler


@contextmanager
def serving() -> Iterator[Api]:
    with scripted_api.serving(Api(_Handler)) as api:
        yield api


def picks_in(prompt: str) -> list[tuple[str, str]]:
    return re.findall(r"pick (\S+) (\{.*?\})(?= \+|$)", prompt)


class _Handler(Handler):
    def do_POST(self) -> None:
        request = self.request_json()
        api = self.server
        prompt = request["messages"][-1]["content"]
        api.tries[prompt] += 1
        if "429 twice" in prompt and api.tries[prompt] <= 2:
            self.answer(429, {"error": {"message": "slow down"}})
        elif found := re.search(r"status (\d+)", prompt):
            self.answer(int(found[1]), {"error": {"message": "as you wish"}})
        elif "quote the key" in prompt:
            self.answer(401, {"error": {"message": f"no such key: {api.keys[-1]}"}})
        elif "garbage" in prompt:
            self.answer(200, text="<html>not JSON</html>")
        elif "slow" in prompt:
            time.sleep(0.6)
        elif self.path.endswith("/messages"):
            self.answer(200, self._anthropic(prompt))
        else:
            self.answer(200, self._openai(prompt))

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
