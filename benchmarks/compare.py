"""Our figures beside those of the other tester of this kind on PyPI, in one run.

    python benchmarks/compare.py [--rounds N] [--rival PATH]

Each row runs both commands in turn, N times, and prints the least and the median of the wall-clock
and CPU seconds of the whole process tree, and the ratio of the medians. The rival is installed into
a virtual environment of its own, `.rival`, where it is not there yet. The server is a fast one of the
standard library, so that what is measured is the testers.
"""

import argparse
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

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
        pip = [folder / "bin" / "python", "-m", "pip", "install", "--quiet"]
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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--rival", type=Path)
    options = parser.parse_args()
    commands = {
        "ours": [str(Path(sys.executable).with_name("toolproof"))],
        "rival": [str(options.rival or rival())],
    }
    rows = {
        "start-up (--help)": ["--help"],
        "inspect": ["inspect", "--", *ECHO],
        "run of 20 tests": ["run", "toolproof.yaml"],
    }
    print(f"load average {os.getloadavg()[0]:.1f}, {os.cpu_count()} cores, {options.rounds} rounds")
    print(f"{'':20} {'ours':>17} {'rival':>17}   ratio (wall, CPU)")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        config(folder)
        for row, words in rows.items():
            found: dict[str, list[tuple[float, float]]] = {"ours": [], "rival": []}
            for _ in range(options.rounds):
                for who, command in commands.items():
                    found[who].append(timed([*command, *words], folder))
            middle = {
                who: [statistics.median(column) for column in zip(*values, strict=True)]
                for who, values in found.items()
            }
            shown = "  ".join(
                f"{middle[who][0]:6.2f} s {middle[who][1]:6.2f} s" for who in ("ours", "rival")
            )
            wall, cpu = (middle["rival"][i] / middle["ours"][i] for i in (0, 1))
            print(f"{row:20} {shown}   {wall:.1f} x, {cpu:.1f} x", flush=True)


if __name__ == "__main__":
    main()
