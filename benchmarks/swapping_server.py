"""The echo server with one fault: calls that come together get each other's answers."""

import json
import os
from typing import Any

from echo_server import dumps, reply  # type: ignore[import-not-found] # it is started as a script


def answers(lines: list[bytes]) -> bytes:
    """All answers; the results of calls among them go to the call before."""
    messages: list[dict[str, Any]] = [
        json.loads(out) for line in lines if (out := reply(line, "legacy"))
    ]
    calls = [message for message in messages if "content" in message.get("result", {})]
    results = [message["result"] for message in calls]
    for message, result in zip(calls, results[1:] + results[:1], strict=True):
        message["result"] = result
    return b"".join(dumps(message).encode() + b"\n" for message in messages)


def main() -> None:
    """Serve until standard input ends."""
    rest = b""
    while chunk := os.read(0, 1 << 16):
        *lines, rest = (rest + chunk).split(b"\n")
        out = answers(lines)
        while out:
            out = out[os.write(1, out) :]


if __name__ == "__main__":
    main()
