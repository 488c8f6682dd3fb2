"""What whole commands take, beside those of the other tester of this kind on PyPI, in one run.

    python -m benchmarks.compare [--rounds N] [--rival PATH]

Each row runs both commands in turn, N times, and prints the medians of the wall-clock and CPU seconds
of the whole process tree, and the ratio of the wall-clock ones: asked for is a third of the rival's.
The rival is installed into a virtual environment of its own, `.rival`, where it is not there yet. The
server is a fast one of the standard library, so that what is measured is the testers; only the last
row has a server on the official SDK, whose own start stands beside it, as both wait for that.
"""

import argparse
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from benchmarks.figures import Figure, heading, missed, told

HERE = Path(__file__).parent
ROOT = HERE.parent
RIVAL = "mcp-toolproof==0.3.1"
ECHO = [sys.executable, str(HERE / "echo_server.py")]


def rival() -> Path:
    """The other tester's command, installed on first use."""
    folder = ROOT / ".rival"
    command = folder / "bin" / "toolproof"
    if not command.exists():
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        pip = [str(folder / "bin" / "python"), "-m", "pip", "install", "--quiet"]
        subprocess.run([*pip, "--disable-pip-version-check", RIVAL], check=True)
    return command


def timed(command: list[str], cwd: Path) -> tuple[float, float]:
    """Wall-clock and CPU seconds of a command with all its children."""
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    done = subprocess.run(
        command, cwd=cwd, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False
    )
    wall = time.perf_counter() - began
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode not in (0, 1):
        sys.exit(f"{command} ended with {done.returncode}: {done.stderr.decode()[-500:]}")
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return wall, cpu


def config(folder: Path) -> None:
    tests = "\n".join(
        f"  - {{name: t{i}, tool: echo, args: {{text: hi {i}}}, expect: {{contains: hi {i}}}}}"
        for i in range(20)
    )
    command = ", ".join(f'"{word}"' for word in ECHO)
    (folder / "toolproof.yaml").write_text(
        f"server:\n  command: [{command}]\ntests:\n{tests}\n", encoding="utf-8"
    )


Times = tuple[float, float]
"""Wall-clock and CPU seconds."""


def middle(rounds: int, commands: dict[str, list[str]], folder: Path) -> dict[str, Times]:
    """The medians of each command, all taking turns."""
    found: dict[str, list[Times]] = {who: [] for who in commands}
    for _ in range(rounds):
        for who, command in commands.items():
            found[who].append(timed(command, folder))
    return {
        who: (statistics.median(t[0] for t in times), statistics.median(t[1] for t in times))
        for who, times in found.items()
    }


def figures(other: str, rounds: int) -> Iterator[Figure]:
    """All of this part."""
    ours = str(Path(sys.executable).with_name("toolproof"))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        config(folder)
        for row, words in ROWS.items():
            times = middle(rounds, {"ours": [ours, *words], "rival": [other, *words]}, folder)
            yield _figure(row, times["ours"], times["rival"], least=3)
        example = folder / "example"
        shutil.copytree(ROOT / "examples" / "weather", example)
        # The example's `python` is the one that has the SDK.
        os.environ["PATH"] = os.pathsep.join(
            [str(Path(sys.executable).parent), os.environ.get("PATH", "")]
        )
        words = ["run", "toolproof.yaml"]
        alone = [sys.executable, "-c", SERVER_ALONE]
        commands = {"ours": [ours, *words], "rival": [other, *words], "server": alone}
        times = middle(max(3, rounds // 2), commands, example)
        yield _figure("run, examples/weather", times["ours"], times["rival"], least=3)
        wall, cpu = times["server"]
        yield Figure(
            "  of which its server needs to start", f"{wall:5.2f} s ({cpu:.2f} s CPU)", wall
        )
        less = {who: (times[who][0] - wall, times[who][1] - cpu) for who in ("ours", "rival")}
        yield _figure("  without that", less["ours"], less["rival"])


SERVER_ALONE = "import subprocess, sys; subprocess.run([sys.executable, 'server.py'], input=b'')"
ROWS = {
    "start-up (--help)": ["--help"],
    "inspect": ["inspect", "--", *ECHO],
    "run of 20 tests": ["run", "toolproof.yaml"],
}


def _figure(row: str, ours: Times, other: Times, least: float | None = None) -> Figure:
    shown = (
        f"ours {ours[0]:5.2f} s ({ours[1]:.2f} s CPU), rival {other[0]:5.2f} s "
        f"({other[1]:.2f} s CPU): {other[0] / max(ours[0], 1e-3):.1f} x, "
        f"{other[1] / max(ours[1], 1e-3):.1f} x in CPU"
    )
    return Figure(row, shown, other[0] / max(ours[0], 1e-3), least=least)


def main() -> int:
    """Measure and print; 1 where a target is missed."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--rival", type=Path)
    options = parser.parse_args()
    heading(f"whole commands, {options.rounds} rounds")
    found = []
    for figure in figures(str(options.rival or rival()), options.rounds):
        told(figure)
        found.append(figure)
    return int(bool(missed(found)))


if __name__ == "__main__":
    sys.exit(main())
