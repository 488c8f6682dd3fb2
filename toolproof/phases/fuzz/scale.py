"""Time against the size of an input: does four times as much take far more than four times as long."""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from toolproof.phases.fuzz.generate import Case, Stage
from toolproof.phases.fuzz.lab import Lab, Station, now
from toolproof.phases.fuzz.subject import Subject
from toolproof.phases.fuzz.verdict import Kind, verdict
from toolproof.report.fuzz import InputMode

EXPONENT = 1.5
_LEAST_EXPONENT = 1.3
_TEXT_SIZES = (64, 256, 1_024, 4_096, 16_384, 65_536)
_SLOW_S = 0.08
"""What takes less is not worth a word."""
_FAR = 8.0
"""So many times as long as the smallest input took: well above noise."""
_STOP_S = 0.6
_MOST_FIELDS = 4
_FILLERS = ("", "a", " ", "(")
"""What a text is made longer with: itself, or one letter."""


@dataclass(frozen=True, slots=True)
class Point:
    """One measurement."""

    size: int
    took_s: float


async def scale(lab: Lab, subject: Subject, station: Station, most_s: float) -> None:
    """Measure the growing fields of the tool's lightest good call, for so many seconds at most.

    Raises:
        ServerError: The server does not come back.
    """
    best = subject.best
    if best is None or min(subject.latencies_s) > _STOP_S / 2 or subject.waits:
        return
    if not isinstance(best.case.arguments, dict):
        return
    if any(hit.verdict.kind is Kind.HANG for hit in subject.hits.values()):
        return
    began = now()
    try:
        for field, grown in _growing(subject, best.case.arguments):
            if now() - began > most_s:
                break
            await _measure(lab, subject, station, field, grown)
    finally:
        subject.spent_s += now() - began


Grown = Callable[[int], dict[str, Any]]


def _growing(subject: Subject, arguments: dict[str, Any]) -> Iterator[tuple[str, Grown]]:
    """Ways to make the arguments as large as one likes, in the order of the fields."""
    schema = subject.tool.input_schema.get("properties")
    fields = list(schema) if isinstance(schema, dict) else []
    for filler in _FILLERS:
        for field in fields[:_MOST_FIELDS]:
            value = arguments.get(field)
            if value is None and isinstance(schema, dict):
                value = _sample(schema[field])
            if isinstance(value, str):
                unit = filler or value[:8] or "ab "

                def text(size: int, field: str = field, unit: str = unit) -> dict[str, Any]:
                    return {**arguments, field: (unit * (size // len(unit) + 1))[:size]}

                yield (
                    f"{field} of {len(unit)}-letter parts"
                    if not filler
                    else f"{field} of {filler!r}",
                    text,
                )
            elif isinstance(value, list) and not filler:
                item = value[0] if value else "a"

                def items(size: int, field: str = field, item: Any = item) -> dict[str, Any]:
                    return {**arguments, field: [item] * max(size // 32, 8)}

                yield field, items


def _sample(field: Any) -> Any:
    kind = field.get("type") if isinstance(field, dict) else None
    plain = isinstance(field, dict) and not {"enum", "const", "format", "pattern"} & field.keys()
    return {"string": "a", "array": []}.get(kind) if plain and isinstance(kind, str) else None


async def _measure(lab: Lab, subject: Subject, station: Station, what: str, grown: Grown) -> None:
    points: list[Point] = []
    last: dict[str, Any] = {}
    for size in _TEXT_SIZES:
        arguments = grown(size)
        if subject.plan.label(arguments) is not InputMode.VALID:
            break
        took_s = await _timed(lab, subject, station, arguments)
        if took_s is None:
            return
        last = arguments
        points.append(Point(size, took_s))
        if took_s > _STOP_S:  # or not answered at all: then it takes so long at least
            break
    if not _is_steep(points):
        return
    before = await _timed(lab, subject, station, grown(points[-2].size))
    again = await _timed(lab, subject, station, last)
    if again is None or before is None:
        return
    points[-1] = Point(points[-1].size, min(again, points[-1].took_s))
    points[-2] = Point(points[-2].size, min(before, points[-2].took_s))
    if _is_steep(points):
        _tell(subject, what, points, last)


def _is_steep(points: list[Point]) -> bool:
    """Whether time grows with a power of the size over 1.5, well above noise.

    Over the last step or the last two: one measurement may be off.
    """
    if len(points) < 3 or points[-1].took_s < _SLOW_S:
        return False
    base = min(point.took_s for point in points)
    if points[-1].took_s < _FAR * base:
        return False
    powers = exponent(points[-2], points[-1]), exponent(points[-3], points[-1])
    return max(powers) > EXPONENT and min(powers) > _LEAST_EXPONENT


def exponent(smaller: Point, larger: Point) -> float:
    """The power of the size that the time grows with."""
    return math.log(larger.took_s / max(smaller.took_s, 1e-6)) / math.log(
        larger.size / smaller.size
    )


def _tell(subject: Subject, what: str, points: list[Point], arguments: dict[str, Any]) -> None:
    power = max(exponent(points[-2], points[-1]), exponent(points[-3], points[-1]))
    shown = ", ".join(f"{p.size:,}: {p.took_s * 1_000:.0f} ms" for p in points[-3:])
    detail = f"time grows with the power {power:.1f} of the size of {what} ({shown})"
    case = Case(arguments, InputMode.VALID, f"{what} grown to {points[-1].size:,}", Stage.RANDOM)
    subject.hit(verdict(Kind.SLOW, detail, f"size of {what.partition(' ')[0]}"), case)


async def _timed(
    lab: Lab, subject: Subject, station: Station, arguments: dict[str, Any]
) -> float | None:
    """Seconds of a call, or until it was given up; None where it came to nothing."""
    await station.ready()
    case = Case(arguments, InputMode.VALID, "grown", Stage.RANDOM)
    called, judged = await lab.shown(
        subject, station.worker, case, subject.limit_s(lab.limits.timeout_s)
    )
    if called.late:
        await station.answers()
    elif called.outcome.failure is not None or judged.environment:
        return None
    return called.outcome.latency_ms / 1_000
