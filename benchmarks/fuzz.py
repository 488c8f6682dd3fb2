"""What our fuzzer and another tester find of the planted bugs, and how fast, in one run.

    python -m benchmarks.fuzz [--only ours] [--rival PATH] [--mended PATH] [--rate] [-v]

Each tester fuzzes the planted server with seed 1, once with bugs and once without. A bug is found
where a finding of its kind is on its tool; whatever else is told is false. The rival is measured as
it installs today and, as its generator breaks with today's Hypothesis, also with an older one in a
virtual environment of its own; that one ends without a report at a recursive `$ref`, so it is
measured a third time without those tools. `--rate` measures calls per second on two echo servers.
"""

import argparse
import asyncio
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.compare import RIVAL, ROOT, rival
from benchmarks.planted import serving
from benchmarks.planted.world import TOOLS
from benchmarks.raw_client import RawClient, one_round
from benchmarks.score import Score, planted, score, tools_of
from toolproof.phases.fuzz.ends import holds_surrogate
from toolproof.phases.fuzz.engine import inputs_of
from toolproof.phases.fuzz.generate import Plan

HERE = Path(__file__).parent
SERVER = [sys.executable, str(Path(serving.__file__).with_name("server.py"))]
OURS = str(Path(sys.executable).with_name("toolproof"))
OLDER = "hypothesis==6.139.3"
"""The newest that the rival's generator works with."""
LIMIT_S = 900
SDK_ECHO = [sys.executable, str(HERE / "sdk_echo.py")]
ECHO = [sys.executable, str(HERE / "echo_server.py")]
SAME = ("--protocol", "2025-11-25")
"""The bare client's revision: on the newer one the SDK's server itself takes a fifth longer."""


@dataclass(frozen=True)
class Run:
    """One run of a tester.

    Attributes:
        report: None where the run ended without one.
        harmful: Calls of tools that nobody may call without being asked.
    """

    report: dict[str, Any] | None
    wall_s: float
    cpu_s: float
    exit_code: int | None
    last_words: str
    harmful: int


def mended_rival() -> Path:
    """The other tester with the Hypothesis of its days, installed on first use."""
    folder = ROOT / ".rival-mended"
    command = folder / "bin" / "toolproof"
    if not command.exists():
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        pip = [str(folder / "bin" / "python"), "-m", "pip", "install", "--quiet"]
        subprocess.run([*pip, "--disable-pip-version-check", RIVAL, OLDER], check=True)
    return command


def recursive_tools() -> list[str]:
    """The tools with a `$ref`, at which the rival's run ends."""
    return [name for name, tool in TOOLS.items() if "$ref" in json.dumps(tool.schema)]


def fuzzed(tester: str, *server: str, options: Sequence[str] = (), skip: Sequence[str] = ()) -> Run:
    """Fuzz a server in a folder of its own."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        record = folder / "harmful"
        command = [*server, "--record", str(record)] if list(server[:2]) == SERVER else [*server]
        words: list[str] = [tester, "fuzz", "--seed", "1", "--json", "report.json", *options]
        if skip:
            lines: dict[str, Any] = {"server": {"command": command}, "fuzz": {"skip": list(skip)}}
            (folder / "toolproof.yaml").write_text(json.dumps(lines), encoding="utf-8")
            words += ["-c", "toolproof.yaml"]
        else:
            words += ["--", *command]
        before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
        try:
            done = subprocess.run(
                words, cwd=folder, capture_output=True, check=False, timeout=LIMIT_S
            )
            code, said = done.returncode, (done.stderr or done.stdout).decode(errors="replace")
        except subprocess.TimeoutExpired:
            code, said = None, f"not done after {LIMIT_S} s"
        wall = time.perf_counter() - began
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        report = folder / "report.json"
        found = json.loads(report.read_text(encoding="utf-8")) if report.exists() else None
        called = record.read_text(encoding="utf-8").count("\n") if record.exists() else 0
        cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        return Run(found, wall, cpu, code, _last_line(said), called)


def _last_line(text: str) -> str:
    lines = [line.strip(" │|+-") for line in text.splitlines()]
    return next((line for line in reversed(lines) if line), "")


def row(name: str, run: Run, judged: Score | None, off: Run | None) -> str:
    """One line of the table."""
    total = len(planted())
    if judged is None:
        found = f"{'-':>8} {'no report':>9}"
        calls = f"{'-':>8} {'-':>8}"
    else:
        found = (
            f"{len(judged.found):>3}/{total:<4} {len(judged.false):>5} {len(judged.on_controls):>8}"
        )
        calls = f"{judged.calls:>8,} {judged.calls / run.wall_s:>8,.0f}"
    without = "-"
    if off is not None and off.report is not None:
        without = str(len(score(off.report, []).false))
    return (
        f"{name:26}{found:>18} {without:>8} {run.wall_s:>7.1f} {run.cpu_s:>7.1f} {calls}"
        f" {run.harmful + (off.harmful if off else 0):>8}"
    )


HEAD = (
    f"{'':26}{'found':>8} {'false':>5} {'controls':>8} {'bugs off':>8} {'wall s':>7} {'CPU s':>7}"
    f" {'calls':>8} {'calls/s':>8} {'harmful':>8}"
)


def measure(
    name: str, tester: str, *, skip: Sequence[str] = (), options: Sequence[str] = (), verbose: bool
) -> None:
    """Print a row, and what explains it."""
    on = fuzzed(tester, *SERVER, skip=skip, options=options)
    off = fuzzed(tester, *SERVER, "--off", skip=skip, options=options) if on.report else None
    judged = score(on.report, planted()) if on.report else None
    print(row(name, on, judged, off), flush=True)
    if judged is None:
        print(f"    exit code {on.exit_code}: {on.last_words[:150]}")
        return
    if on.report and on.report.get("error"):
        print(f"    the run says: {on.report['error']}")
    if not verbose:
        return
    for bug in judged.missed:
        print(f"    missed  {bug.id} ({bug.tool}): {bug.about}")
    for one in judged.false:
        print(f"    false   {one.tool}: {one.kind}, {one.mode}, {one.shown}")
    for one in score(off.report, []).false if off and off.report else ():
        print(f"    off     {one.tool}: {one.kind}, {one.mode}, {one.shown}")
    for tool in tools_of(on.report) if on.report else ():
        if tool.get("skipped"):
            print(f"    skipped {tool['tool']}: {tool['skipped']}")


def rates(tester: str, rounds: int) -> None:
    """Calls per second on servers that do nothing, the best of some rounds, beside a bare client's."""
    for name, server, least in (
        ("echo, standard library", ECHO, 5_000),
        ("echo, SDK's own server class", SDK_ECHO, 700),
        ("echo, SDK's low-level server", [*SDK_ECHO, "--low-level"], 700),
    ):
        best = alone = together = mixed = 0.0
        params = {"name": "echo", "arguments": {"text": "hi"}}
        for _ in range(rounds):
            options = ("--examples", "20000", "--max-time-s", "20", *SAME)
            run = fuzzed(tester, *server, options=options)
            if run.report is not None:
                [tool] = tools_of(run.report)
                best = max(best, tool["calls"] / tool["duration_s"])
            calls = least * 2
            alone = max(alone, asyncio.run(one_round(server, calls, 1, params))["calls_per_s"])
            together = max(
                together, asyncio.run(one_round(server, calls, 6, params))["calls_per_s"]
            )
            mixed = max(mixed, asyncio.run(bare_mixed(server)))
        print(
            f"{name:30}{best:>7,.0f} calls/s, {least:,} are asked for; a bare client, valid calls"
            f" alone: {alone:,.0f} one by one, {together:,.0f} with six in flight; half of them"
            f" invalid, six in flight: {mixed:,.0f}",
            flush=True,
        )


async def bare_mixed(server: Sequence[str]) -> float:
    """Calls per second of a bare client with inputs such as ours: a refusal may cost the server more."""
    client = RawClient()
    await client.start(server)
    [tool] = (await client.call("tools/list", {}))["result"]["tools"]
    all_params = (
        {"name": tool["name"], "arguments": case.arguments}
        for case in inputs_of(Plan(tool["inputSchema"], seed=1), (), 1_000)
        if isinstance(case.arguments, dict) and not holds_surrogate(case.arguments)
    )
    made = 0

    async def work() -> None:
        nonlocal made
        for params in all_params:
            await client.call("tools/call", params)
            made += 1

    began = time.perf_counter()
    await asyncio.gather(*(work() for _ in range(6)))
    wall_s = time.perf_counter() - began
    await client.stop()
    return made / wall_s


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--only", choices=("ours", "rival"))
    parser.add_argument("--rival", type=Path, help="the other tester, as it installs today")
    parser.add_argument("--mended", type=Path, help="the other tester with an older Hypothesis")
    parser.add_argument("--workers", type=int, help="of ours; by default as many as it chooses")
    parser.add_argument("--rate", action="store_true", help="calls per second on echo servers too")
    parser.add_argument("--rounds", type=int, default=3, help="of --rate")
    parser.add_argument("-v", "--verbose", action="store_true", help="name what was missed")
    options = parser.parse_args()
    load = os.getloadavg()[0]
    print(f"{len(planted())} bugs, {len(TOOLS)} tools, load average {load:.1f}")
    print(HEAD, flush=True)
    own = ("--workers", str(options.workers)) if options.workers else ()
    if options.only != "rival":
        measure("ours", OURS, options=own, verbose=options.verbose)
    if options.only != "ours":
        verbose = options.verbose
        measure("rival, as installed", str(options.rival or rival()), verbose=verbose)
        mended = str(options.mended or mended_rival())
        measure("  older Hypothesis", mended, verbose=verbose)
        measure("  and no recursive tools", mended, skip=recursive_tools(), verbose=verbose)
    if options.rate:
        rates(OURS, options.rounds)


if __name__ == "__main__":
    main()
