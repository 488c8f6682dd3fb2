"""Servers whose answers are wrong: `python -m tests.servers.answering TRAIT`."""

import time
from typing import Any

from tests.servers.mini import (
    NOTHING,
    Message,
    RpcError,
    echo,
    reply,
    run,
    serve,
    text,
    write,
)


def _instead(**said: Any) -> None:
    """Answer a call of a tool with these members."""

    def call(message: Message) -> object:
        write({"jsonrpc": "2.0", "id": message["id"], **said})
        return NOTHING

    serve({"tools/call": call})


def no_result() -> None:
    _instead()


def result_null() -> None:
    _instead(result=None)


def result_list() -> None:
    _instead(result=[1])


def both() -> None:
    _instead(result={}, error={"code": -1, "message": "no"})


def string_code() -> None:
    _instead(error={"code": "E_BAD", "message": "no"})


def float_code() -> None:
    _instead(error={"code": -32602.0, "message": "no"})


def error_string() -> None:
    _instead(error="no")


def no_message() -> None:
    _instead(error={"code": -32000})


def method_too() -> None:
    _instead(method="tools/call", result=text("hi"))


def refused() -> None:
    _instead(error={"code": -32602, "message": "text is missing", "data": {"at": "text"}})


def _with_id(made: Any) -> None:
    """Answer a call of a tool under another id."""

    def call(message: Message) -> object:
        write(reply(message, result=echo(message)) | {"id": made(message["id"])})
        return NOTHING

    serve({"tools/call": call})


def string_id() -> None:
    _with_id(str)


def float_id() -> None:
    _with_id(float)


def unknown_id() -> None:
    _with_id(lambda _: 9999)


def object_id() -> None:
    _with_id(lambda _: {"a": 1})


def null_id_result() -> None:
    """A result that is nobody's, before the right one."""

    def call(message: Message) -> Message:
        write({"jsonrpc": "2.0", "id": None, "result": {}})
        return echo(message)

    serve({"tools/call": call})


def null_id_error() -> None:
    def call(message: Message) -> object:
        write(reply(message, error={"code": -32602, "message": "text is missing"}) | {"id": None})
        return NOTHING

    serve({"tools/call": call})


def no_id_error() -> None:
    def call(message: Message) -> object:
        del message
        write({"jsonrpc": "2.0", "error": {"code": -32602, "message": "text is missing"}})
        return NOTHING

    serve({"tools/call": call})


def nothing_at_all() -> None:
    """A message that is neither request nor response, before the answer."""

    def call(message: Message) -> Message:
        write({"jsonrpc": "2.0"})
        return echo(message)

    serve({"tools/call": call})


def twice() -> None:
    def call(message: Message) -> Message:
        write(reply(message, result=echo(message)))
        return echo(message)

    serve({"tools/call": call})


def late() -> None:
    """Answers a call that says "late" after half a second, in its order."""

    def call(message: Message) -> Message:
        if message["params"]["arguments"].get("text") == "late":
            time.sleep(0.5)
        return echo(message)

    serve({"tools/call": call})


def notifications_answered() -> None:
    """An error without an id for each notification."""

    def no(message: Message) -> None:
        words = f"method not found: {message['method']}"
        write({"jsonrpc": "2.0", "id": None, "error": {"code": -32601, "message": words}})

    serve(notified=no)


def notifications_answered_vaguely() -> None:
    """The same, in words that do not say for what."""

    def no(message: Message) -> None:
        del message
        write({"jsonrpc": "2.0", "id": None, "error": {"code": -32601, "message": "unknown"}})

    serve(notified=no)


def notifications_answered_with_result() -> None:
    serve(notified=lambda _: write({"jsonrpc": "2.0", "result": None}))


def notifications_answered_with_zero() -> None:
    """The id of a notification is read as 0."""
    serve(notified=lambda _: write({"jsonrpc": "2.0", "id": 0, "result": {}}))


def null_id_for_lists() -> None:
    """The first request after a notification is answered by an error without an id."""

    def no(message: Message) -> object:
        del message
        write({"jsonrpc": "2.0", "id": None, "error": {"code": -32603, "message": "broken"}})
        return NOTHING

    serve({"tools/list": no})


def empty_for_all() -> None:
    """An empty result for every method that it does not know."""

    def empty(message: Message) -> object:
        write(reply(message, result={}))
        return NOTHING

    serve({"server/discover": empty})


def mixed_up() -> None:
    """Keeps calls back until there are two, then answers the second first."""
    kept: list[Message] = []

    def call(message: Message) -> object:
        kept.append(message)
        if len(kept) == 2:
            for one in reversed(kept):
                write(reply(one, result=echo(one)))
            kept.clear()
        return NOTHING

    serve({"tools/call": call})


def refuses_ping() -> None:
    def no(message: Message) -> object:
        raise RpcError(-32601, f"no {message['method']}")

    serve({"ping": no})


TRAITS = {name: value for name, value in globals().items() if callable(value)}

if __name__ == "__main__":
    run(TRAITS)
