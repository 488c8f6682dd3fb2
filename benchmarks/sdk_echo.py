"""The echo server of the benchmarks on the official Python SDK: what most servers are built on.

    python benchmarks/sdk_echo.py [--work-us N] [--http PORT]

`--work-us` adds so many microseconds of CPU time to each call, for experiments with a slow-down.
"""

import argparse
import time

from mcp.server.mcpserver import MCPServer


def main() -> None:
    """Serve until standard input ends."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--work-us", type=float, default=0.0)
    parser.add_argument("--http", type=int, metavar="PORT")
    options = parser.parse_args()
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
