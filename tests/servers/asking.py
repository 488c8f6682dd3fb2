"""Servers that ask their client for something: `python -m tests.servers.asking TRAIT`."""

import sys
from collections import deque
from typing import Any

from tests.servers.mini import NOTHING, Message, reply, run, serve, text, write

FORM = {
    "type": "object",
    "properties": {"name": {"type": "string", "minLength": 2}, "age": {"type": "integer"}},
    "required": ["name"],
}
_calls: deque[Message] = deque()


def _asks(method: str, ident: Any = "ask-1", **params: Any) -> None:
    """Each call of a tool asks this first, and answers with what came back."""

    def call(message: Message) -> object:
        _calls.append(message)
        write({"jsonrpc": "2.0", "id": ident, "method": method, "params": params})
        return NOTHING

    def answered(message: Message) -> None:
        write(reply(_calls.popleft(), result=text(said(message))))

    serve({"tools/call": call}, answered=answered)


def said(message: Message) -> str:
    """What came back, as one line."""
    return repr({key: message[key] for key in ("id", "result", "error") if key in message})


def ping() -> None:
    _asks("ping")


def roots() -> None:
    _asks("roots/list")


def sampling() -> None:
    content = {"type": "text", "text": 'Say "hi"\nplease'}
    _asks("sampling/createMessage", messages=[{"role": "user", "content": content}], maxTokens=9)


def form() -> None:
    _asks("elicitation/create", message="Who are you?", requestedSchema=FORM)


def url() -> None:
    _asks("elicitation/create", mode="url", message="Sign in", url="https://example.com")


def unknown() -> None:
    _asks("acme/dance", 7)


def odd_ids() -> None:
    """Requests whose ids no client can answer, then the answer."""

    def call(message: Message) -> Message:
        for ident in (None, True, 1.5, [1]):
            write({"jsonrpc": "2.0", "id": ident, "method": "ping"})
        write({"jsonrpc": "2.0", "id": 1, "method": 5})
        write({"id": 2, "method": "ping"})
        return text("asked " + message["params"]["arguments"].get("text", ""))

    serve({"tools/call": call})


def changes() -> None:
    """Says in each call that its lists have changed, and something of its own."""

    def call(message: Message) -> Message:
        del message
        for what in ("tools", "prompts"):
            write({"jsonrpc": "2.0", "method": f"notifications/{what}/list_changed"})
        write({"jsonrpc": "2.0", "method": "notifications/acme", "params": {"n": 1}})
        return text("changed")

    serve({"tools/call": call})


def _wants(
    requests: dict[str, Any] | None, state: Any = None, *, rounds: int = 1, mode: str = "modern"
) -> None:
    """Answers `rounds` calls with a wish for input, then with what it got."""
    left = [rounds]

    def call(message: Message) -> Message:
        params = message["params"]
        if left[0] > 0:
            left[0] -= 1
            wish: Message = {"resultType": "input_required"}
            wish |= {} if requests is None else {"inputRequests": requests}
            return wish | ({} if state is None else {"requestState": state})
        got = {key: params.get(key) for key in ("inputResponses", "requestState", "arguments")}
        return text(repr(got))

    serve({"tools/call": call}, mode=mode)


def needs_roots_and_form() -> None:
    ask = {"method": "elicitation/create", "params": {"message": "Who?", "requestedSchema": FORM}}
    _wants({"r": {"method": "roots/list"}, "f": ask}, "opaque \u00e6")


def needs_nothing_but_state() -> None:
    _wants(None, "again", rounds=3)


def needs_for_ever() -> None:
    _wants({"r": {"method": "roots/list"}}, rounds=10_000)


def needs_emptily() -> None:
    _wants(None)


def needs_oddly() -> None:
    _wants({"a": 5, "b": {"method": 6}, "c": {"method": "acme/dance"}})


def asks_though_modern() -> None:
    """A request on the wire, which 2026-07-28 does not know."""

    def call(message: Message) -> Message:
        write({"jsonrpc": "2.0", "id": 1, "method": "roots/list"})
        sys.stdin.readline()
        return text(message["params"]["name"])

    serve({"tools/call": call}, mode="modern")


TRAITS = {name: value for name, value in globals().items() if callable(value)}

if __name__ == "__main__":
    run(TRAITS)
