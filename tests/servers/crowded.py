"""Tools that notice whether calls wait beside theirs: `python -m tests.servers.crowded NAME...`.

Each call that had company is written into the file `company`, one name a line.
"""

import json
import os
import select
import sys
from pathlib import Path
from typing import Any

from tests.servers.mini import Message, raw, reply, text, usual

HINTS = {
    "good": {"readOnlyHint": True},
    "fails_in_company": {"readOnlyHint": True},
    "dies_in_company": {"readOnlyHint": True},
    "stuck_at_quotes": {"readOnlyHint": True},
    "changes_in_company": {"readOnlyHint": False, "destructiveHint": False},
}
GATHER_S = 0.002
"""How long it looks whether more come: they are sent in one go."""


def entry(name: str) -> dict[str, Any]:
    return {
        "name": name,
        "description": "Gives the text back.",
        "inputSchema": {
            "type": "object",
            "properties": {"text": {"type": "string", "maxLength": 40}},
            "required": ["text"],
            "additionalProperties": False,
        },
        "annotations": HINTS[name],
    }


def call(message: Message, company: int) -> Message:
    name, given = message["params"]["name"], message["params"].get("arguments")
    if company:
        with Path("company").open("a", encoding="utf-8") as file:
            file.write(f"{name}\n")
        if name == "dies_in_company":
            os._exit(3)
        if name in {"fails_in_company", "changes_in_company"}:
            error = {"code": -32603, "message": "two at once confused the cache of pages"}
            return reply(message, error=error)
    if not isinstance(given, dict) or given.keys() != {"text"}:
        return reply(message, result=text("Invalid arguments: text is what it takes", isError=True))
    words = given["text"]
    if not isinstance(words, str) or len(words) > 40:
        return reply(message, result=text("Invalid arguments: text is a short one", isError=True))
    if name == "stuck_at_quotes" and "'" in words:
        while True:
            select.select([], [], [], 60)
    return reply(message, result=text(words))


def write(message: Message) -> None:
    raw(json.dumps(message).encode() + b"\n")  # ASCII: it can say again what it was told


def main() -> None:
    tools = [entry(name) for name in sys.argv[1:]]
    unread = b""
    while True:
        while select.select([0], [], [], GATHER_S if b"\n" in unread else None)[0]:
            more = os.read(0, 1 << 16)
            if not more:
                return
            unread += more
        *lines, unread = unread.split(b"\n")
        messages = [json.loads(line) for line in lines]
        calls = sum(message.get("method") == "tools/call" for message in messages)
        for message in messages:
            if message.get("method") == "tools/call":
                write(call(message, calls - 1))
            elif "id" in message and "method" in message:
                write(reply(message, result=usual(message, "legacy", tools, {"tools": {}})))


if __name__ == "__main__":
    main()
