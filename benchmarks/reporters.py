"""Time and memory of every report format, of large and hostile runs (reports.md, section 16).

    python benchmarks/reporters.py            # 5,000 problems in all formats; 100,000 in each
    python benchmarks/reporters.py --quick    # the first alone

Each measurement is a process of its own: its peak of memory is its own, too.
"""

import json
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.reports import hostile_texts
from toolproof.report import (
    Check,
    CheckSection,
    FuzzFinding,
    FuzzResult,
    FuzzSection,
    InputMode,
    Place,
    Problem,
    RunReport,
    Severity,
)
from toolproof.reporters import REPORTERS, annotations, console

FORMATS: dict[str, Callable[[RunReport], str]] = {
    **{reporter.name: reporter.render for reporter in REPORTERS},
    "junit-strict": partial(REPORTERS[1].render, strict=True),
    "annotations": annotations.render,
    "console": partial(console.render, terminal=False, color=False),
    "console-verbose": partial(console.render, terminal=False, color=False, verbose=1),
    "terminal": partial(console.render, terminal=True, color=True, width=100),
}
VARIANTS = {"junit-strict", "console-verbose", "terminal"}
SEVERITIES = list(Severity)


def large_report(tools: int, problems: int) -> RunReport:
    """Problems spread over tools, each with words of its own; a fifth are findings of the fuzzer."""
    texts = hostile_texts(1, 500)
    names = tuple(f"tool_{n}_{texts[n % 97][:8]}" for n in range(tools))

    def message(n: int) -> str:
        return f"problem {n} of {names[n % tools]}: {texts[n % 500]} is not what was expected here"

    found = tuple(
        Problem(
            tool=names[n % tools],
            check=Check.QUALITY,
            severity=SEVERITIES[n % 3],
            message=message(n),
            rule=f"rule-{n % 100}",
            pointer=f"/inputSchema/properties/p{n}",
            fix="Say in a sentence or two what the field holds.",
            place=Place(f"src/server_{n % 50}.py", n % 3000 + 1, "definition"),
        )
        for n in range(problems * 4 // 5)
    )
    fuzzed = tuple(
        FuzzResult(
            tool=names[n % tools],
            calls=100,
            findings=(
                FuzzFinding(
                    kind="crash",
                    mode=InputMode.VALID,
                    input={"text": texts[n % 500]},
                    detail=message(n),
                    stderr=texts[n % 500] * 20,
                    repeat=f"toolproof call {n}",
                ),
            ),
        )
        for n in range(problems // 5)
    )
    return RunReport(
        duration_s=100.0,
        alias="large",
        sections=(CheckSection(tools=names, problems=found), FuzzSection(seed=7, results=fuzzed)),
        seed=7,
        started="2026-11-30T21:00:00Z",
    )


def measure(formats: str, tools: int, problems: int) -> dict[str, Any]:
    """Seconds of CPU that rendering took, the peak of memory in MB, and the size of the text."""
    report = large_report(tools, problems)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    pace = _pace()
    began = time.process_time()
    size = sum(len(FORMATS[name](report)) for name in formats.split(","))
    return {
        "seconds": round(time.process_time() - began, 2),
        "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
        "before_mb": before // 1024,
        "pace": round((pace + _pace()) / 2, 2),
        "size_mb": round(size / 1e6, 2),
    }


def _pace() -> float:
    """Millions of steps of a plain loop in a second of CPU: how much else the machine does."""
    began = time.process_time()
    total = 0
    for number in range(1_000_000):
        total += number & 3
    return 1 / (time.process_time() - began)


def apart(formats: str, tools: int, problems: int) -> dict[str, Any]:
    """`measure` in a process of its own."""
    command = [sys.executable, __file__, "--one", formats, str(tools), str(problems)]
    found: dict[str, Any] = json.loads(
        subprocess.run(command, capture_output=True, check=True).stdout
    )
    return found


def told(what: str, found: dict[str, Any], most_s: float, most_mb: int) -> bool:
    """Print one measurement; whether it keeps to its limits."""
    good = found["seconds"] <= most_s and found["peak_mb"] <= most_mb
    print(
        f"{'ok  ' if good else 'OVER'} {what:<32} {found['seconds']:6.2f} s (of {most_s:g})  "
        f"{found['peak_mb']:4d} MB (of {most_mb}; {found['before_mb']} of them the report)  "
        f"{found['size_mb']:7.2f} MB of text, at {found['pace']:.0f} M steps/s"
    )
    return bool(good)


def main(arguments: list[str]) -> int:
    if arguments[:1] == ["--one"]:
        print(json.dumps(measure(arguments[1], int(arguments[2]), int(arguments[3]))))
        return 0
    formats = [name for name in FORMATS if name not in VARIANTS]
    good = told("5,000 problems, all formats", apart(",".join(formats), 1000, 5000), 2, 200)
    if "--quick" not in arguments:
        for name in FORMATS:
            half = apart(name, 10_000, 50_000)
            whole = apart(name, 20_000, 100_000)
            good &= told(f"100,000 problems, {name}", whole, 10, 500)
            growth = whole["seconds"] / max(half["seconds"], 0.05)
            # Twice the work in twice the time, perhaps one more rung of a ladder, and some noise.
            if growth > 3:
                print(f"OVER {name} takes {growth:.1f} times as long for twice as much")
                good = False
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
