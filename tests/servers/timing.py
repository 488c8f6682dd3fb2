"""Servers that are slow, silent or stuck: `python -m tests.servers.timing TRAIT`."""

import os
import sys
import time

from tests.servers.mini import NOTHING, Message, RpcError, echo, run, serve, text, usual, write


def _progress(message: Message, value: object) -> None:
    token = message["params"]["_meta"]["progressToken"]
    params = {"progressToken": token, "progress": value}
    write({"jsonrpc": "2.0", "method": "notifications/progress", "params": params})


def silent() -> None:
    """Answers nothing, whatever it is asked."""
    for _ in sys.stdin:
        pass


def ignores_calls() -> None:
    """Answers everything but calls of tools; stays responsive."""
    serve({"tools/call": lambda _: NOTHING})


def hangs() -> None:
    """A call that says "hang" stops the whole server."""

    def call(message: Message) -> Message:
        while message["params"]["arguments"].get("text") == "hang":
            time.sleep(60)
        return echo(message)

    serve({"tools/call": call})


def hangs_and_starts_once() -> None:
    """As `hangs`, but there is the file in STARTED after its first start, and then it ends."""
    path = os.environ["STARTED"]
    if os.path.exists(path):  # noqa: PTH110
        sys.exit(3)
    with open(path, "w", encoding="utf-8"):  # noqa: PTH123
        pass
    hangs()


def reads_nothing_more() -> None:
    """After the lists, nothing is read; what is written to it stays in the pipe."""

    def listing(message: Message) -> object:
        tool = {"name": "echo", "inputSchema": {"type": "object"}}
        write({"jsonrpc": "2.0", "id": message["id"], "result": {"tools": [tool]}})
        time.sleep(600)
        return NOTHING

    serve({"tools/list": listing})


def progress() -> None:
    """A call of about half a second that reports progress."""

    def call(message: Message) -> Message:
        for step in range(5):
            time.sleep(0.1)
            _progress(message, step)
        return text("done")

    serve({"tools/call": call})


def endless_progress() -> None:
    def call(message: Message) -> Message:
        for step in range(10_000):
            time.sleep(0.05)
            _progress(message, step)
        return text("done")

    serve({"tools/call": call})


def bad_progress() -> None:
    """Progress that stands still, has no number, has a foreign token, comes after the answer."""

    def call(message: Message) -> object:
        for value in (1, 1, "2", True, 10**400):
            _progress(message, value)
        params = {"progressToken": "mine", "progress": 1}
        write({"jsonrpc": "2.0", "method": "notifications/progress", "params": params})
        write({"jsonrpc": "2.0", "method": "notifications/progress", "params": [1]})
        write({"jsonrpc": "2.0", "id": message["id"], "result": text("done")})
        _progress(message, 9)
        return NOTHING

    serve({"tools/call": call})


def slow_start() -> None:
    """Ready after as many seconds as SLOW says; speaks as MODE says."""
    time.sleep(float(os.environ["SLOW"]))
    serve(mode=os.environ["MODE"])


def slow_and_deaf() -> None:
    """Ready after SLOW seconds; speaks 2026-07-28, and answers no initialize."""
    time.sleep(float(os.environ["SLOW"]))
    serve({"initialize": lambda _: NOTHING}, mode="modern")


def slow_and_sloppy() -> None:
    """Ready after SLOW seconds; answers any method with nothing, and initialize only later."""
    time.sleep(float(os.environ["SLOW"]))

    def agree(message: Message) -> object:
        time.sleep(0.6)
        return usual(message, "legacy", [], {"tools": {}})

    def empty(message: Message) -> object:
        write({"jsonrpc": "2.0", "id": message["id"], "result": {}})
        return NOTHING

    serve({"initialize": agree, "server/discover": empty})


def slow_and_picky() -> None:
    """Ready after SLOW seconds; refuses newer versions, leaves unknown methods unanswered."""
    time.sleep(float(os.environ["SLOW"]))

    def agree(message: Message) -> Message:
        if message["params"]["protocolVersion"] != "2024-11-05":
            raise RpcError(-32602, "unsupported protocol version")
        info = {"name": "mini", "version": "1.0"}
        return {"protocolVersion": "2024-11-05", "capabilities": {}, "serverInfo": info}

    serve({"initialize": agree, "server/discover": lambda _: NOTHING})


def cancelled() -> None:
    """Tells on stderr what was cancelled."""

    def told(message: Message) -> None:
        if message["method"] == "notifications/cancelled":
            sys.stderr.write(f"cancelled {message['params']['requestId']}\n")
            sys.stderr.flush()

    serve({"tools/call": lambda _: NOTHING}, mode=os.environ.get("MODE", "legacy"), notified=told)


TRAITS = {name: value for name, value in globals().items() if callable(value)}

if __name__ == "__main__":
    run(TRAITS)
