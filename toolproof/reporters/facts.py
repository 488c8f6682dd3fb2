"""Measurements and times, in words."""

from collections.abc import Iterator, Sequence

from toolproof.report import AnyReport
from toolproof.reporters.causes import subject_of
from toolproof.reporters.escape import one_line
from toolproof.reporters.view import Judged, has_several_servers, judged

SLOW_MS = 1000.0
"""What took longer is told."""

MEASURES = frozenset({"bench", "evals"})
"""Phases whose facts are results: shown although nothing is wrong."""

_BUDGETED = frozenset({"fuzz", "bench"})  # they take the time that they are given
_MINUTE_S = 60


def measures(report: AnyReport) -> Iterator[tuple[str, str, Sequence[tuple[str, str]]]]:
    """Phase, subject and facts of what was measured."""
    several = has_several_servers(report)
    for one in judged(report):
        if one.phase in MEASURES and one.outcome.facts:
            facts = [(one_line(label), one_line(value)) for label, value in one.outcome.facts]
            yield one.phase, subject_of(one, several=several), facts


def slowest(report: AnyReport, most: int) -> Sequence[tuple[float, Judged]]:
    """What took over a second, the slowest first, with its time in milliseconds."""
    found = [
        (one.outcome.duration_ms or 0.0, one)
        for one in judged(report)
        if one.phase not in _BUDGETED and (one.outcome.duration_ms or 0.0) > SLOW_MS
    ]
    return sorted(found, key=lambda pair: -pair[0])[:most]


def seconds(time_s: float) -> str:
    """A time for people: 23 ms, 0.4 s, 12.4 s, 3 min 20 s."""
    if 0.001 <= time_s < 0.1:
        return f"{time_s * 1000:.0f} ms"
    if time_s < _MINUTE_S:
        return f"{time_s:.1f} s"
    minutes, rest = divmod(round(time_s), _MINUTE_S)
    return f"{minutes:,} min {rest} s"


def milliseconds(time_ms: float) -> str:
    """A time for people: 0.4 ms, 3 ms, 1.2 s."""
    if 0 < time_ms < 1:
        return f"{time_ms:.1f} ms"
    return f"{time_ms:.0f} ms" if time_ms < SLOW_MS else seconds(time_ms / 1000)
