"""A figure beside what is asked of it, and tables of them: what all parts of `make bench` print."""

import os
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Figure:
    """One measured figure.

    Attributes:
        of: What was measured.
        shown: Ours beside others, with units.
        value: What is held against the target.
        least: The target from below; None where `most` is one, or where none was set.
        most: The target from above.
    """

    of: str
    shown: str
    value: float
    least: float | None = None
    most: float | None = None

    @property
    def kept(self) -> bool:
        """Whether the target is kept; true where there is none."""
        if self.least is not None and self.value < self.least:
            return False
        return self.most is None or self.value <= self.most

    @property
    def target(self) -> str:
        if self.least is not None:
            return f"at least {self.least:g}"
        return f"at most {self.most:g}" if self.most is not None else ""


def told(figure: Figure) -> None:
    """Print a figure as soon as it is there: a run takes minutes."""
    verdict = "" if not figure.target else "ok    " if figure.kept else "MISSED"
    line = f"{verdict:6} {figure.of:38} {figure.shown}"
    if figure.target:
        line += f"  {figure.value:.2f}, {figure.target}"
    print(line, flush=True)


def heading(words: str) -> None:
    """A part begins: with the load, as figures of a busy machine say less."""
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0
    print(f"\n{words} (load average {load:.1f}, {os.cpu_count()} cores)", flush=True)


def missed(figures: Sequence[Figure]) -> Sequence[Figure]:
    """Those whose target is not kept."""
    return [figure for figure in figures if not figure.kept]
