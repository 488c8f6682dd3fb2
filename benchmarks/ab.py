"""How often a comparison cries wolf, and how often it sees one: equal servers, and one 15 % slower.

    python -m benchmarks.ab [--runs N] [--server noop|sdk] [--slower 0.15] [--json FILE]

Each run is `toolproof bench --compare-command`, as users make it: once with the same server twice,
where a finding is a false alarm, and once with a server that needs so much more of the processor's
time for a call. Asked for: at most 2 false alarms in 40 runs, and 35 slow-downs found.
"""

import argparse
import asyncio
import json
import os
import shlex
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.figures import Figure, told
from benchmarks.raw_client import RawClient, percentile

HERE = Path(__file__).parent
OURS = str(Path(sys.executable).with_name("toolproof"))
LEAST_FOUND, MOST_ALARMS = 35 / 40, 2 / 40


@dataclass(frozen=True)
class Kind:
    """A server whose calls can be made slower.

    Attributes:
        work_us: What each call costs besides the protocol.
    """

    script: str
    tool: str
    arguments: dict[str, Any]
    work_us: float
    option: tuple[str, ...] = ()

    def command(self, work_us: float) -> list[str]:
        return [sys.executable, str(HERE / self.script), *self.option, f"{work_us:.1f}"]


KINDS = {
    "noop": Kind("work_server.py", "noop", {}, 300),
    "sdk": Kind("sdk_echo.py", "echo", {"text": "hi"}, 1000, ("--work-us",)),
}


async def quiet_latency_us(kind: Kind) -> float:
    """What a call takes while the machine lets it: the tenth percentile of three processes."""
    latencies: list[float] = []
    params = {"name": kind.tool, "arguments": kind.arguments}
    for _ in range(3):
        client = RawClient()
        await client.start(kind.command(kind.work_us))
        for _ in range(200):
            began = time.perf_counter()
            await client.call("tools/call", params)
            latencies.append((time.perf_counter() - began) * 1e6)
        await client.stop()
    return percentile(sorted(latencies), 0.1)


def compared(kind: Kind, new_us: float, folder: Path) -> dict[str, Any]:
    """One comparison of the server with one that takes `new_us`."""
    words = [OURS, "bench", "--tool", kind.tool, "--args", json.dumps(kind.arguments)]
    words += ["--json", "report.json", "--compare-command", shlex.join(kind.command(kind.work_us))]
    began = time.perf_counter()
    done = subprocess.run(
        [*words, "--", *kind.command(new_us)], cwd=folder, capture_output=True, check=False
    )
    wall_s = time.perf_counter() - began
    if done.returncode not in (0, 1):
        sys.exit(f"exit code {done.returncode}: {done.stderr.decode()[-500:]}")
    report = json.loads((folder / "report.json").read_text(encoding="utf-8"))
    [target] = report["bench"]
    found = target["comparison"]
    return {
        "alarm": done.returncode == 1,
        "wall_s": wall_s,
        "load": os.getloadavg()[0],
        **{name: found[name] for name in ("ratio", "low", "high")},
    }


def shown(runs: list[dict[str, Any]]) -> str:
    alarms = sum(run["alarm"] for run in runs)
    ratios = sorted(run["ratio"] for run in runs)
    wide = sorted((run["high"] - run["low"]) / 2 for run in runs)
    seconds = sorted(run["wall_s"] for run in runs)
    return (
        f"told slower {alarms:>2} of {len(runs)}; ratio {ratios[0]:.3f} to {ratios[-1]:.3f}, median"
        f" {percentile(ratios, 0.5):.3f}; interval +-{percentile(wide, 0.5):.1%};"
        f" {percentile(seconds, 0.5):.1f} s a run; share"
    )


def experiment(name: str, runs: int, slower: float) -> dict[str, list[dict[str, Any]]]:
    """Both comparisons in turn, so that both meet the same load."""
    kind = KINDS[name]
    added_us = slower * asyncio.run(quiet_latency_us(kind))
    print(f"{name}: {slower:.0%} of a call are {added_us:.0f} us", flush=True)
    found: dict[str, list[dict[str, Any]]] = {"equal": [], "slower": []}
    with tempfile.TemporaryDirectory() as folder:
        for number in range(1, runs + 1):
            found["equal"].append(compared(kind, kind.work_us, Path(folder)))
            found["slower"].append(compared(kind, kind.work_us + added_us, Path(folder)))
            told_slower = {
                which: sum(run["alarm"] for run in all_) for which, all_ in found.items()
            }
            print(f"  {number} of {runs}: {told_slower}", file=sys.stderr, flush=True)
    return found


def figures(name: str, runs: int, slower: float = 0.15) -> Iterator[Figure]:
    """Both shares, of one kind of server; nothing for no runs."""
    if runs:
        yield from judged(name, experiment(name, runs, slower), slower)


def judged(name: str, found: dict[str, list[dict[str, Any]]], slower: float) -> Iterator[Figure]:
    """The shares of runs that told a slow-down where there is none, and where there is one."""
    alarms, hits = (sum(run["alarm"] for run in found[which]) for which in found)
    equal, slow = (len(found[which]) for which in found)
    yield Figure(
        f"{name} server, false alarms", shown(found["equal"]), alarms / equal, most=MOST_ALARMS
    )
    yield Figure(
        f"{name} server, {slower:.0%} slower is told",
        shown(found["slower"]),
        hits / slow,
        least=LEAST_FOUND,
    )


def main() -> int:
    """Measure and print; 1 where a target is missed."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--runs", type=int, default=40)
    parser.add_argument("--server", choices=sorted(KINDS), action="append")
    parser.add_argument("--slower", type=float, default=0.15)
    parser.add_argument("--json", type=Path, help="where each run is written")
    options = parser.parse_args()
    kept = True
    everything = {}
    for name in options.server or sorted(KINDS):
        found = experiment(name, options.runs, options.slower)
        everything[name] = found
        for figure in judged(name, found, options.slower):
            told(figure)
            kept &= figure.kept
    if options.json:
        options.json.write_text(json.dumps(everything, indent=1) + "\n", encoding="utf-8")
    return int(not kept)


if __name__ == "__main__":
    sys.exit(main())
