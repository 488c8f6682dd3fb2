"""Servers whose handshake is odd, or old, or new: `python -m tests.servers.opening TRAIT`."""

import os
import sys
from typing import Any

from tests.servers.mini import (
    ECHO,
    INFO,
    MODERN,
    NOTHING,
    Message,
    RpcError,
    reply,
    run,
    serve,
    write,
)


def legacy() -> None:
    serve()


def modern() -> None:
    serve(mode="modern")


def dual() -> None:
    serve(mode="dual")


def old() -> None:
    """Speaks 2024-11-05 and agrees on that, whatever it is asked for."""
    result = {"protocolVersion": "2024-11-05", "capabilities": {"tools": {}}, "serverInfo": INFO}
    serve({"initialize": lambda _: result})


def ignores_unknown() -> None:
    """Answers no method that it does not know."""
    serve({"server/discover": lambda _: NOTHING})


def refuses_newer() -> None:
    """Refuses every version but the one in ONLY, and names it if NAMES is set."""
    only = os.environ["ONLY"]

    def agree(message: Message) -> Message:
        asked = message["params"]["protocolVersion"]
        if asked != only:
            data: Message | None = {"supported": [only]} if "NAMES" in os.environ else None
            raise RpcError(-32602, f"unsupported protocol version {asked}", data)
        return {"protocolVersion": only, "capabilities": {"tools": {}}, "serverInfo": INFO}

    serve({"initialize": agree})


def refuses_all() -> None:
    def no(message: Message) -> object:
        raise RpcError(-32603, f"not today, {message['method']}")

    serve({"initialize": no})


def _agrees(**result: Any) -> None:
    given = {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": INFO}
    said = {name: value for name, value in (given | result).items() if value is not None}
    serve({"initialize": lambda _: said})


def version_made_up() -> None:
    _agrees(protocolVersion="1999-01-01")


def version_modern() -> None:
    _agrees(protocolVersion=MODERN)


def version_missing() -> None:
    _agrees(protocolVersion=None)


def no_server_info() -> None:
    _agrees(serverInfo=None)


def info_without_version() -> None:
    _agrees(serverInfo={"name": "mini", "version": 1})


def empty_version() -> None:
    _agrees(serverInfo={"name": "mini", "version": ""})


def no_capabilities() -> None:
    _agrees(capabilities=None)


def result_null() -> None:
    def no(message: Message) -> object:
        write(reply(message, result=None))
        return NOTHING

    serve({"initialize": no})


def _discovers(result: Any, mode: str = "modern") -> None:
    serve({"server/discover": lambda _: result}, mode=mode)


def discover_without_versions() -> None:
    _discovers({"capabilities": {"tools": {}}})


def discover_without_capabilities() -> None:
    _discovers({"supportedVersions": [MODERN]})


def discover_names_legacy() -> None:
    """Has server/discover, and names older revisions alone."""
    _discovers({"supportedVersions": ["2025-06-18"], "capabilities": {}}, "legacy")


def discover_names_future() -> None:
    _discovers({"supportedVersions": ["2099-01-01"], "capabilities": {}})


def no_discover() -> None:
    """Speaks 2026-07-28 alone, without server/discover."""

    def no(message: Message) -> object:
        raise RpcError(-32601, f"method not found: {message['method']}")

    serve({"server/discover": no}, mode="modern")


def capability_error() -> None:
    """Answers server/discover with an error that only a modern server sends."""

    def no(message: Message) -> object:
        data: object = {"requiredCapabilities": {"sampling": {}}}
        raise RpcError(-32021, f"{message['method']} needs sampling", data)

    serve({"server/discover": no}, mode="modern")


def bare_results() -> None:
    """2026-07-28 without the members that each result must have."""
    bare = {"resultType": None, "ttlMs": -1, "cacheScope": "all"}
    serve({"tools/list": lambda _: {"tools": [ECHO], **bare}}, mode="modern")


def counts_starts() -> None:
    """Adds a byte to the file in STARTS for each start, then is a good server."""
    with open(os.environ["STARTS"], "a", encoding="utf-8") as file:  # noqa: PTH123
        file.write("x")
    serve(mode="dual")


def fails_after_first_start() -> None:
    """Starts once; later there is the file in STARTED, and it ends."""
    path = os.environ["STARTED"]
    if os.path.exists(path):  # noqa: PTH110
        sys.exit(3)
    with open(path, "w", encoding="utf-8"):  # noqa: PTH123
        pass
    serve(mode="dual")


TRAITS = {name: value for name, value in globals().items() if callable(value)}

if __name__ == "__main__":
    run(TRAITS)
