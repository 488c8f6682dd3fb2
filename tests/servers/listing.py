"""Servers whose lists are long, broken or without end: `python -m tests.servers.listing TRAIT`."""

import json
import time
from collections.abc import Callable
from typing import Any

from tests.servers.mini import ECHO, NOTHING, Message, RpcError, raw, run, serve


def tool(name: str) -> Message:
    return {**ECHO, "name": name}


def _pages(page: Callable[[str | None], Message], **more: Any) -> None:
    serve({"tools/list": lambda m: page((m.get("params") or {}).get("cursor"))}, **more)


def three_pages() -> None:
    """The cursors are odd, and one of them is empty."""
    pages: dict[str | None, Message] = {
        None: {"tools": [tool("a")], "nextCursor": ""},
        "": {"tools": [tool("b")], "nextCursor": "\u00e6 b"},
        "\u00e6 b": {"tools": [tool("c")]},
    }
    _pages(pages.__getitem__)


def same_cursor() -> None:
    """Ignores the cursor, and gives the same page and the same cursor for ever."""
    _pages(lambda _: {"tools": [tool("a"), tool("b")], "nextCursor": "next"})


def cursor_ring() -> None:
    """The third page leads back to the second."""
    follows = {None: ("a", "1"), "1": ("b", "2"), "2": ("c", "1")}
    _pages(lambda c: {"tools": [tool(follows[c][0])], "nextCursor": follows[c][1]})


def same_page_new_cursor() -> None:
    """The same page for ever, with a new cursor each time."""
    count = iter(range(10_000))
    _pages(lambda _: {"tools": [tool("a")], "nextCursor": f"c{next(count)}"})


def no_end() -> None:
    """A new tool and a new cursor for ever."""
    count = iter(range(10_000))
    _pages(lambda _: {"tools": [tool(f"t{next(count)}")], "nextCursor": f"c{next(count)}"})


def duplicate_on_last_page() -> None:
    """The last page has a tool of the first one: a duplicate, no loop."""
    _pages(lambda c: {"tools": [tool("a")]} | ({} if c else {"nextCursor": "2"}))


def cursor_null() -> None:
    _pages(lambda _: {"tools": [tool("a")], "nextCursor": None})


def cursor_number() -> None:
    _pages(lambda _: {"tools": [tool("a")], "nextCursor": 2})


def tools_object() -> None:
    _pages(lambda _: {"tools": {"a": tool("a")}})


def tools_missing() -> None:
    _pages(lambda _: {})


def odd_entries() -> None:
    _pages(lambda _: {"tools": [tool("a"), None, 5, "b", [], {}]})


def deep_entry() -> None:
    """An entry nested as deep as a parser just bears, on two pages."""

    def page(message: Message) -> object:
        again = "cursor" in message["params"]
        deep = b'{"name":"deep","x":' + b"[" * 900 + b"]" * 900 + b"}"
        more = b"" if again else b',"nextCursor":"2"'
        answer = b'{"jsonrpc":"2.0","id":%d,"result":{"tools":[%b]%b}}\n'
        raw(answer % (message["id"], deep, more))
        return NOTHING

    serve({"tools/list": page})


def fails_on_second_page() -> None:
    def page(cursor: str | None) -> Message:
        if cursor:
            raise RpcError(-32603, "database is gone")
        return {"tools": [tool("a")], "nextCursor": "2"}

    _pages(page)


def tools_fail() -> None:
    def no(message: Message) -> object:
        raise RpcError(-32603, f"no {message['method']}")

    serve({"tools/list": no})


def everything() -> None:
    """Tools, resources, templates and prompts; resources over two pages."""

    def resources(message: Message) -> Message:
        if "cursor" in message["params"]:
            return {"resources": [{"uri": "doc://b", "name": "b"}]}
        return {"resources": [{"uri": "doc://a", "name": "a"}], "nextCursor": "b"}

    on = {
        "resources/list": resources,
        "resources/templates/list": lambda _: {
            "resourceTemplates": [{"uriTemplate": "doc://{id}", "name": "doc"}]
        },
        "prompts/list": lambda _: {"prompts": [{"name": "ask"}]},
    }
    serve(on, capabilities={"tools": {}, "resources": {}, "prompts": {}})


def nothing_works() -> None:
    """Declares resources and prompts, and has neither."""
    serve(capabilities={"tools": {}, "resources": {}, "prompts": {}})


def undeclared() -> None:
    """Gives tools, and does not say so."""
    serve(capabilities={})


def undeclared_and_none() -> None:
    """Declares nothing, and has nothing."""

    def no(message: Message) -> object:
        raise RpcError(-32601, f"no {message['method']}")

    serve({"tools/list": no}, capabilities={})


def prompts_hang() -> None:
    """Never answers prompts/list, and nothing after it."""

    def hang(message: Message) -> object:
        del message
        time.sleep(600)
        return NOTHING

    serve({"prompts/list": hang}, capabilities={"tools": {}, "prompts": {}})


def ten_thousand() -> None:
    listing = json.dumps([tool(f"tool_{n}") for n in range(10_000)])
    _pages(lambda _: {"tools": json.loads(listing)})


TRAITS = {name: value for name, value in globals().items() if callable(value)}

if __name__ == "__main__":
    run(TRAITS)
