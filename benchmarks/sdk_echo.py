"""The echo server of the benchmarks on the official Python SDK: what most servers are built on.

    python benchmarks/sdk_echo.py [--work-us N] [--http PORT] [--low-level]

`--low-level` serves the same tool without the SDK's own server class, which checks arguments and logs
refusals. `--work-us` adds so many microseconds of CPU time to each call, for experiments with a slow-down.
"""

import argparse
import asyncio
import time
from typing import Any

from mcp import types
from mcp.server.lowlevel import Server
from mcp.server.mcpserver import MCPServer
from mcp.server.stdio import stdio_server

ABOUT = "Return the text unchanged."


async def low_level() -> None:
    """Serve with the part of the SDK that all its servers have in common."""

    async def list_tools(_context: Any, _params: Any) -> types.ListToolsResult:
        fields = {"text": {"type": "string"}}
        schema = {"type": "object", "properties": fields, "required": ["text"]}
        return types.ListToolsResult(
            tools=[types.Tool(name="echo", description=ABOUT, input_schema=schema)]
        )

    async def call_tool(_context: Any, params: types.CallToolRequestParams) -> types.CallToolResult:
        text = (params.arguments or {}).get("text")
        fits = isinstance(text, str)
        said = types.TextContent(type="text", text=str(text) if fits else "text must be a string")
        return types.CallToolResult(content=[said], is_error=not fits)

    server = Server("sdk-echo", on_list_tools=list_tools, on_call_tool=call_tool)
    async with stdio_server() as (incoming, outgoing):
        await server.run(incoming, outgoing, server.create_initialization_options())


def main() -> None:
    """Serve until standard input ends."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--work-us", type=float, default=0.0)
    parser.add_argument("--http", type=int, metavar="PORT")
    parser.add_argument("--low-level", action="store_true")
    options = parser.parse_args()
    if options.low_level:
        asyncio.run(low_level())
        return
    work_ns = round(options.work_us * 1000)
    server = MCPServer("sdk-echo")

    @server.tool()
    def echo(text: str) -> str:
        """Return the text unchanged."""
        end = time.thread_time_ns() + work_ns
        while time.thread_time_ns() < end:
            pass
        return text

    if options.http is None:
        server.run("stdio")
    else:
        server.run("streamable-http", host="127.0.0.1", port=options.http)


if __name__ == "__main__":
    main()
