"""Servers of the official SDK over HTTP, as users run them: uvicorn on a free port of loopback.

python -m tests.servers.http_sdk [stateless] [json] [polling] [sse]

Prints its address. `polling` keeps events and closes streams early; `sse` is the transport of
2024-11-05.
"""

import socket
import sys

import anyio
import uvicorn
from mcp.server.mcpserver import Context, MCPServer
from mcp.server.streamable_http import EventCallback, EventMessage, EventStore
from mcp_types import JSONRPCMessage

server = MCPServer("over http", version="1.0")


class Kept(EventStore):
    """All events of all streams, in memory."""

    def __init__(self) -> None:
        self.events: list[tuple[str, JSONRPCMessage | None]] = []

    async def store_event(self, stream_id: str, message: JSONRPCMessage | None) -> str:
        self.events.append((stream_id, message))
        return str(len(self.events))

    async def replay_events_after(
        self, last_event_id: str, send_callback: EventCallback
    ) -> str | None:
        after = int(last_event_id)
        stream = self.events[after - 1][0]
        for number, (name, message) in enumerate(self.events[after:], after + 1):
            if name == stream and message is not None:
                await send_callback(EventMessage(message, str(number)))
        return stream


@server.tool()
def echo(text: str) -> str:
    """Return the text unchanged."""
    return text


@server.tool()
def fail() -> str:
    """Fail with a text."""
    raise ValueError("on purpose")


@server.tool()
async def count(to: int, ctx: Context) -> str:
    """Report progress up to a number."""
    for step in range(1, to + 1):
        await ctx.report_progress(step, to)
    return f"counted to {to}"


@server.tool()
async def poll(ctx: Context) -> str:
    """Close the stream before the result, so that the client has to come back for it."""
    await ctx.close_sse_stream()
    await anyio.sleep(0.2)
    return "came back"


@server.tool()
async def hang() -> str:
    """Answer after a minute."""
    await anyio.sleep(60)
    return "at last"


def main(traits: list[str]) -> None:
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)  # no delay
    listener.bind(("127.0.0.1", 0))
    path = "/sse" if "sse" in traits else "/mcp"
    print(f"http://127.0.0.1:{listener.getsockname()[1]}{path}", flush=True)
    if "sse" in traits:
        app = server.sse_app()
    else:
        app = server.streamable_http_app(
            json_response="json" in traits,
            stateless_http="stateless" in traits,
            event_store=Kept() if "polling" in traits else None,
            retry_interval=50 if "polling" in traits else None,
        )
    config = uvicorn.Config(app, log_level="warning", timeout_graceful_shutdown=1)
    anyio.run(lambda: uvicorn.Server(config).serve(sockets=[listener]))


if __name__ == "__main__":
    main(sys.argv[1:])
