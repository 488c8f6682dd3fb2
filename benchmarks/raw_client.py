"""Bare asyncio JSON-lines client (standard library only): the limit that a benchmark can reach in CPython.

    python raw_client.py [--calls N] [--concurrency K] [--rounds R] [--tool NAME] [--args JSON] [--json] -- COMMAND...

It does a handshake, warms up, then makes N `tools/call` requests with K in flight and prints calls per second (best of
R rounds, each with a new server process) and the latencies of the best round: p50, p95, p99, maximum in milliseconds,
nearest rank. It has no timeouts, no checks and no cleverness, so that what another client costs is a ratio to it:

    ratio = calls/s of the other client / calls/s of this one      (same server, same machine, rounds interleaved)

A call whose answer is a JSON-RPC error or has isError counts as an error and is reported; with errors, a run is void.
"""

from __future__ import annotations

import argparse
import asyncio
import functools
import json
import math
import sys
import time
from collections.abc import Sequence
from typing import Any

WARM_UP = 200


class RawClient:
    """One server process, one reader task, a future for each request id."""

    async def start(self, command: Sequence[str]) -> None:
        """Start the server and do the handshake (revision 2025-11-25)."""
        self.process = await asyncio.create_subprocess_exec(
            *command, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, limit=1 << 26
        )
        assert self.process.stdin
        assert self.process.stdout
        self.stdin, self.stdout = self.process.stdin, self.process.stdout
        self.futures: dict[int, asyncio.Future[dict[str, Any]]] = {}
        self.last_id = 0
        self.reader = asyncio.create_task(self._read())
        info = {"name": "raw-client", "version": "1.0.0"}
        await self.call(
            "initialize", {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": info}
        )
        self.stdin.write(b'{"jsonrpc":"2.0","method":"notifications/initialized"}\n')

    async def _read(self) -> None:
        while line := await self.stdout.readline():
            message = json.loads(line)
            if future := self.futures.pop(message.get("id"), None):
                future.set_result(message)
        for future in self.futures.values():
            future.set_exception(ConnectionError("the server closed its output"))

    async def call(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        """Send one request, wait for its response and return the whole response object; ConnectionError at a loss."""
        if self.reader.done():
            raise ConnectionError("the server closed its output")
        self.last_id += 1
        future: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
        self.futures[self.last_id] = future
        message = {"jsonrpc": "2.0", "id": self.last_id, "method": method, "params": params}
        self.stdin.write(json.dumps(message).encode() + b"\n")
        return await future

    async def stop(self) -> None:
        """Close the server's input and wait until it has exited (it is killed after 5 s)."""
        self.stdin.close()
        try:
            await asyncio.wait_for(self.process.wait(), 5)
        except TimeoutError:
            self.process.kill()
        await self.reader


def percentile(ordered: Sequence[float], q: float) -> float:
    """Nearest-rank percentile of an ascending sequence, q in 0..1: the least that a share q does not exceed."""
    return ordered[max(0, math.ceil(q * len(ordered)) - 1)]


async def one_round(
    command: Sequence[str], calls: int, concurrency: int, params: dict[str, Any]
) -> dict[str, float]:
    """Measure one server process; the keys of the result are those that are printed."""
    client = RawClient()
    await client.start(command)
    for _ in range(WARM_UP):
        await client.call("tools/call", params)
    latencies: list[float] = []
    errors = 0
    left = calls

    async def worker() -> None:
        nonlocal left, errors
        while left > 0:
            left -= 1
            begin = time.perf_counter()
            response = await client.call("tools/call", params)
            latencies.append((time.perf_counter() - begin) * 1000)
            errors += "error" in response or bool(response["result"].get("isError"))

    begin, cpu = time.perf_counter(), time.process_time()
    await asyncio.gather(*(worker() for _ in range(concurrency)))
    elapsed, cpu = time.perf_counter() - begin, time.process_time() - cpu
    await client.stop()
    latencies.sort()
    shown = {f"p{q}_ms": round(percentile(latencies, q / 100), 4) for q in (50, 95, 99)}
    return {
        "calls": calls,
        "concurrency": concurrency,
        "errors": errors,
        "calls_per_s": round(calls / elapsed),
        **shown,
        "max_ms": round(latencies[-1], 4),
        "client_cpu_us_per_call": round(cpu / calls * 1e6, 1),
    }


def main(argv: Sequence[str] | None = None) -> int:
    """Parse the command line, measure, print; exit status 1 when a call gave an error or the server was lost."""
    parser = argparse.ArgumentParser(
        description="calls per second and latencies of a bare JSON-lines client"
    )
    parser.add_argument("--calls", type=int, default=5000)
    parser.add_argument(
        "--concurrency",
        type=int,
        action="append",
        help="calls in flight; repeatable (default: 1, 10)",
    )
    parser.add_argument("--rounds", type=int, default=3, help="the best of this many is printed")
    parser.add_argument("--tool", default="echo")
    parser.add_argument(
        "--args", default='{"text": "hi"}', help="arguments of the tool, a JSON object"
    )
    parser.add_argument("--json", action="store_true", help="one JSON object a line")
    parser.add_argument("command", nargs="+", help="the server, after --")
    options = parser.parse_args(argv)
    params = {"name": options.tool, "arguments": json.loads(options.args)}
    failed = False
    for concurrency in options.concurrency or [1, 10]:
        measure = functools.partial(one_round, options.command, options.calls, concurrency, params)
        try:
            runs = [asyncio.run(measure()) for _ in range(options.rounds)]
        except OSError as error:  # ConnectionError is one
            print(f"{options.command[0]}: {error}", file=sys.stderr)
            return 1
        best = max(runs, key=lambda run: run["calls_per_s"])
        failed = failed or any(run["errors"] for run in runs)
        line = (
            json.dumps(best)
            if options.json
            else "  ".join(f"{key} {value:g}" for key, value in best.items())
        )
        print(line, flush=True)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
