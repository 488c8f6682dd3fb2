"""Every figure that the benchmarks promise, side by side, in one run.

    python -m benchmarks [--rounds N] [--runs N] [--rival PATH]

Three parts: what whole commands take, calls per second, and how well a comparison tells a slower
server from an equal one. Exits with 1 where a target is missed. Some ten minutes on a quiet machine,
most of it the comparisons (`--runs 40` of each kind); `python -m benchmarks.fuzz` does the fuzzer.
"""

import argparse
import sys
from collections.abc import Callable, Iterator
from itertools import chain
from pathlib import Path

from benchmarks import ab, compare, rates
from benchmarks.figures import Figure, heading, missed, told


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=5, help="of each command and each rate")
    parser.add_argument("--runs", type=int, default=40, help="comparisons of each kind; 0 for none")
    parser.add_argument("--rival", type=Path, help="its command, if it is not to be installed")
    options = parser.parse_args()
    other, rounds = str(options.rival or compare.rival()), options.rounds
    parts: dict[str, Callable[[], Iterator[Figure]]] = {
        "whole commands": lambda: compare.figures(other, rounds),
        "calls per second": lambda: rates.figures(other, rounds),
        "comparisons": lambda: chain.from_iterable(
            ab.figures(name, options.runs) for name in sorted(ab.KINDS)
        ),
    }
    found: list[Figure] = []
    if not options.runs:
        del parts["comparisons"]
    for name, measure in parts.items():
        heading(name)
        for figure in measure():
            told(figure)
            found.append(figure)
    for figure in missed(found):
        print(f"\nmissed: {figure.of}: {figure.value:.2f}, {figure.target}")
    return int(bool(missed(found)))


if __name__ == "__main__":
    sys.exit(main())
