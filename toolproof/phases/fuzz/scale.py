"""Time against the size of an input: does four times as much take far more than four times as long."""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from toolproof.phases.fuzz.generate import Case, Stage
from toolproof.phases.fuzz.lab import Lab, Station, now
from toolproof.phases.fuzz.subject import Subject
from toolproof.phases.fuzz.usage import own_time_s, scheduled
from toolproof.phases.fuzz.verdict import Kind, verdict
from toolproof.report.fuzz import InputMode

EXPONENT = 1.5
_LEAST_EXPONENT = 1.3
_TEXT_SIZES = (64, 256, 1_024, 4_096, 16_384, 65_536)
_SLOW_S = 0.08
"""What takes less is not worth a word."""
_FAR = 8.0
"""So many times as long as the smallest input took: well above noise."""
_STOP_S = 0.2
"""What takes longer is large enough."""
_SLUGGISH_S = 0.3
"""A tool whose quickest call takes longer is not measured."""
_TOO_FEW = 3
"""Two times and one that is too late: one more is needed for two powers that can agree."""
_LOOKS = 4
"""How often, at most, the last times are measured again where they may tell of something."""
_MOST_FIELDS = 4
_FILLERS = ("", "a", " ", "(")
"""What a text is made longer with: itself, or one letter."""


@dataclass(frozen=True, slots=True)
class Point:
    """One measurement.

    Attributes:
        took_s: Seconds until the answer, but for those in which the machine let others run; or
            until it was given up as too `late`.
    """

    size: int
    took_s: float
    late: bool = False


async def scale(lab: Lab, subject: Subject, station: Station, most_s: float) -> None:
    """Measure the growing fields of the tool's lightest good call, for so many seconds at most.

    Raises:
        ServerError: The server does not come back.
    """
    best = subject.best
    if best is None or min(subject.latencies_s) > _SLUGGISH_S or subject.waits:
        return
    if not isinstance(best.case.arguments, dict):
        return
    if subject.hangs:
        return
    began = now()
    until = began + lab.limits.max_time_s - subject.spent_s
    try:
        for field, grown in _growing(subject, best.case.arguments):
            if now() - began > most_s:
                break
            await _measure(lab, subject, station, field, grown, until)
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
                yield from _longer(arguments, field, value[0] if value else "a")


def _longer(arguments: dict[str, Any], field: str, item: Any) -> Iterator[tuple[str, Grown]]:
    """A list of equal items, and one of items that differ; the size is that of its JSON, about."""
    each = max(len(str(item)) + 6, 8)

    def equal(size: int) -> dict[str, Any]:
        return {**arguments, field: [item] * (size // each + 4)}

    def different(size: int) -> dict[str, Any]:
        items = range(size // each + 4)
        return {**arguments, field: [f"{item}{at}" if text else at for at in items]}

    text = isinstance(item, str)
    yield field, equal
    if text or type(item) is int:
        yield f"{field} of different items", different


def _sample(field: Any) -> Any:
    kind = field.get("type") if isinstance(field, dict) else None
    plain = isinstance(field, dict) and not {"enum", "const", "format", "pattern"} & field.keys()
    return {"string": "a", "array": []}.get(kind) if plain and isinstance(kind, str) else None


async def _measure(  # noqa: PLR0913, PLR0917 - what one measurement needs
    lab: Lab, subject: Subject, station: Station, what: str, grown: Grown, until: float
) -> None:
    points = await _measured(lab, subject, station, grown)
    for _ in range(_LOOKS):
        if not _may_be_steep(points) or now() > until:
            return
        for at in (-3, -2, -1):  # once more: the shorter time is nearer to the truth
            if not points[at].late:
                size = points[at].size
                again = await _timed(lab, subject, station, size, grown(size))
                if again is None:
                    return
                points[at] = min(again, points[at], key=lambda point: point.took_s)
        if _is_steep(points):
            _tell(subject, what, points, grown(points[-1].size))
            return


async def _measured(lab: Lab, subject: Subject, station: Station, grown: Grown) -> list[Point]:
    """The times of larger and larger inputs, until they are long; none where a call came to nothing."""
    points: list[Point] = []
    for size in _TEXT_SIZES:
        arguments = grown(size)
        if subject.plan.label(arguments) is not InputMode.VALID:
            break
        point = await _timed(lab, subject, station, size, arguments)
        if point is None:
            return []
        points.append(point)
        if point.took_s > _STOP_S or point.late:
            break
    if points and points[-1].late:  # half of it may be just in time, and tells more of the power
        half = points[-1].size // 2
        point = await _timed(lab, subject, station, half, grown(half))
        if point is not None and not point.late:
            points.insert(-1, point)
        if len(points) == _TOO_FEW:
            between = math.isqrt(points[0].size * points[1].size)
            point = await _timed(lab, subject, station, between, grown(between))
            if point is not None and not point.late:
                points.insert(1, point)
    return points


def _is_steep(points: Sequence[Point]) -> bool:
    """Whether time grows with a power of the size over 1.5, well above noise.

    Over the last step or the last two: one measurement may be off. A call that was given up only
    shows that it takes long; the power is that of the ones before.
    """
    return _power(points) > EXPONENT and min(_powers(points)) > _LEAST_EXPONENT


def _may_be_steep(points: Sequence[Point]) -> bool:
    """Whether it is worth to look again: one time that came out too long hides a power."""
    return _power(points) > _LEAST_EXPONENT


def _power(points: Sequence[Point]) -> float:
    """The larger of the last step's and the last two steps' powers; 0 for what is short."""
    return max(_powers(points), default=0.0)


def _powers(points: Sequence[Point]) -> tuple[float, ...]:
    slow_s = _SLOW_S
    if points and points[-1].late:
        points, slow_s = points[:-1], _SLOW_S / 4
    if len(points) < 3 or points[-1].took_s < slow_s:
        return ()
    if points[-1].took_s < _FAR * min(point.took_s for point in points):
        return ()
    return exponent(points[-2], points[-1]), exponent(points[-3], points[-1])


def exponent(smaller: Point, larger: Point) -> float:
    """The power of the size that the time grows with."""
    return math.log(larger.took_s / max(smaller.took_s, 1e-6)) / math.log(
        larger.size / smaller.size
    )


def _tell(subject: Subject, what: str, points: Sequence[Point], arguments: dict[str, Any]) -> None:
    shown = ", ".join(
        f"{point.size:,}: {'over ' * point.late}{point.took_s * 1_000:.0f} ms"
        for point in points[-3:]
    )
    detail = f"time grows with the power {_power(points):.1f} of the size of {what} ({shown})"
    case = Case(arguments, InputMode.VALID, f"{what} grown to {points[-1].size:,}", Stage.RANDOM)
    subject.hit(verdict(Kind.SLOW, detail, f"size of {what.partition(' ')[0]}"), case)


async def _timed(
    lab: Lab, subject: Subject, station: Station, size: int, arguments: dict[str, Any]
) -> Point | None:
    """How long a call takes; None where it came to nothing."""
    await station.ready()
    case = Case(arguments, InputMode.VALID, "grown", Stage.RANDOM)
    limit_s = subject.limit_s(lab.limits.timeout_s)
    pid = station.worker.server.pid
    before = scheduled(pid)
    called, judged = await lab.shown(subject, station.worker, case, limit_s)
    if called.late:
        await station.answers()
        return Point(size, called.outcome.latency_ms / 1_000, late=True)
    if called.outcome.failure is not None or judged.environment:
        return None
    took_s = called.outcome.latency_ms / 1_000
    return Point(size, own_time_s(took_s, before, scheduled(pid)))
