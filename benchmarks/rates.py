"""Calls per second of `toolproof bench` beside those of a bare client and of another tester.

    python -m benchmarks.rates [--rounds N] [--rival PATH]

Each row takes turns: every client once in each round, with a new process of the server, and the best
round of each counts, as load of the machine only ever takes away. Asked for: 0.7 of the bare client
with one call in flight and 0.5 with ten on the fastest server that Python allows, 0.9 on the official
SDK, the client's own part of a call there at most a tenth, and over HTTP one and a half times the
other tester. Over HTTP the bare client tells what the server can give on revision 2025-11-25; ours
asks by the newest one that the server has, as users do. At last a server that gives answers away to
other calls, and whether that is seen.
"""

import argparse
import asyncio
import json
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks import raw_http
from benchmarks.compare import ECHO, rival
from benchmarks.figures import Figure, heading, missed, told
from benchmarks.raw_client import one_round

HERE = Path(__file__).parent
OURS = str(Path(sys.executable).with_name("toolproof"))
SDK = [sys.executable, str(HERE / "sdk_echo.py")]
SWAPPING = [sys.executable, str(HERE / "swapping_server.py")]
ARGUMENTS = {"text": "hi"}
PARAMS = {"name": "echo", "arguments": ARGUMENTS}
CALLS = {"echo": 4000, "sdk": 400}
SAME = ("--protocol", "2025-11-25")
"""The bare client's revision: on the newer one the SDK's server itself takes a fifth longer."""

Target = dict[str, Any]
"""One entry of `bench` in a JSON report."""


def bench(tester: str, calls: int, in_flight: int, *server: str) -> Target:
    """What a tester's own bench reports of the echo server."""
    with tempfile.TemporaryDirectory() as name:
        report = Path(name) / "report.json"
        words = [tester, "bench", "--tool", "echo", "--args", json.dumps(ARGUMENTS)]
        words += ["--calls", str(calls), "--concurrency", str(in_flight), "--json", str(report)]
        done = subprocess.run([*words, *server], capture_output=True, check=False)
        if done.returncode not in (0, 1):
            sys.exit(f"{tester} ended with {done.returncode}: {done.stderr.decode()[-500:]}")
        [target] = json.loads(report.read_text(encoding="utf-8"))["bench"]
    found: Target = target
    return found


def bare(calls: int, in_flight: int, command: list[str]) -> Target:
    """The same of the bare client."""
    found = asyncio.run(one_round(command, calls, in_flight, PARAMS))
    return {"throughput": found["calls_per_s"]}


def bare_http(url: str, calls: int, in_flight: int) -> Target:
    """The same of the bare client over HTTP."""
    return asyncio.run(raw_http.one_round(url, calls, in_flight, PARAMS))


def best(rounds: int, clients: Mapping[str, Callable[[], Target]]) -> dict[str, Target]:
    """The round with the most calls per second of each, all taking turns."""
    seen: dict[str, list[Target]] = {name: [] for name in clients}
    for _ in range(rounds):
        for name, measure in clients.items():
            seen[name].append(measure())
    return {name: max(all_, key=lambda one: one["throughput"]) for name, all_ in seen.items()}


def over_stdio(other: str, rounds: int) -> Iterator[Figure]:
    """Against the bare client."""
    for name, command, wanted in (
        ("echo", ECHO, {1: 0.7, 10: 0.5}),
        ("sdk", SDK, {1: 0.9, 10: 0.9}),
    ):
        for in_flight, least in wanted.items():
            calls = CALLS[name]
            clients = {
                "bare": partial(bare, calls, in_flight, command),
                "ours": partial(bench, OURS, calls, in_flight, *SAME, "--", *command),
                "rival": partial(bench, other, 400, in_flight, "--", *command),
            }
            found = best(rounds, clients)
            rates = {who: one["throughput"] for who, one in found.items()}
            yield Figure(
                f"{name} server, {in_flight} in flight",
                f"ours {rates['ours']:7,.0f} /s, bare client {rates['bare']:7,.0f} /s, "
                f"rival {rates['rival']:5,.0f} /s; ours : bare",
                rates["ours"] / rates["bare"],
                least=least,
            )
            if name == "sdk" and in_flight == 1:
                share = found["ours"]["client_share"]
                yield Figure(
                    "the client's part of p50 there",
                    f"{found['ours']['client_ms']:.3f} of "
                    f"{found['ours']['service_p50_ms']:.3f} ms; share",
                    share,
                    most=0.1,
                )


@contextmanager
def serving() -> Iterator[str]:
    """The URL of the SDK's server over HTTP."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    quiet = subprocess.DEVNULL
    with subprocess.Popen([*SDK, "--http", str(port)], stdout=quiet, stderr=quiet) as server:
        try:
            for _ in range(600):
                try:
                    socket.create_connection(("127.0.0.1", port), 1).close()
                    break
                except OSError:
                    time.sleep(0.05)
            yield f"http://127.0.0.1:{port}/mcp"
        finally:
            server.terminate()


def over_http(other: str, rounds: int) -> Iterator[Figure]:
    """Against the other tester."""
    with serving() as url:
        for in_flight in (1, 10):
            clients = {
                "bare": partial(bare_http, url, 400, in_flight),
                "ours": partial(bench, OURS, 400, in_flight, "--url", url),
                "rival": partial(bench, other, 400, in_flight, "--url", url),
            }
            rates = {who: one["throughput"] for who, one in best(rounds, clients).items()}
            yield Figure(
                f"sdk server over HTTP, {in_flight} in flight",
                f"ours {rates['ours']:5,.0f} /s, bare client {rates['bare']:5,.0f} /s, "
                f"rival {rates['rival']:5,.0f} /s; ours : rival",
                rates["ours"] / rates["rival"],
                least=1.5,
            )


def swapped(other: str) -> Iterator[Figure]:
    """Whether answers that went to other calls are seen."""
    for who, tester in (("ours", OURS), ("rival", other)):
        failures = bench(tester, 500, 10, "--", *SWAPPING)["failures"]
        yield Figure(
            f"swapped answers are seen, {who}",
            f"{'; '.join(failures) or 'nothing'}; failures",
            len(failures),
            least=1 if who == "ours" else None,
        )


def figures(other: str, rounds: int) -> Iterator[Figure]:
    """All of this part."""
    yield from over_stdio(other, rounds)
    yield from over_http(other, rounds)
    yield from swapped(other)


def main() -> int:
    """Measure and print; 1 where a target is missed."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--rival", type=Path)
    options = parser.parse_args()
    heading("calls per second")
    found = []
    for figure in figures(str(options.rival or rival()), options.rounds):
        told(figure)
        found.append(figure)
    return int(bool(missed(found)))


if __name__ == "__main__":
    sys.exit(main())
