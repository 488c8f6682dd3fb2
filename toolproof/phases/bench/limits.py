"""Figures held against thresholds: pure."""

from collections.abc import Iterator, Mapping

from toolproof.config import Thresholds
from toolproof.report import BenchResult
from toolproof.report.bench import milliseconds


def broken_limits(measured: BenchResult, limits: Thresholds) -> Iterator[str]:
    """What is beyond its limit, with value and limit; a limit that is just met is kept."""
    for name, value in (
        ("p50", measured.p50_ms),
        ("p95", measured.p95_ms),
        ("p99", measured.p99_ms),
    ):
        limit = getattr(limits, f"{name}_ms")
        if limit is not None and value > limit:
            yield f"{name} is {milliseconds(value)}, the limit is {limit:g} ms"
    most = limits.max_error_rate
    if most is not None and measured.error_rate > most:
        yield (
            f"{measured.error_rate:.1%} of the calls failed, the limit is {most:.1%}"
            f" ({_kinds(measured.error_kinds)})"
        )
    if limits.min_throughput is not None and measured.throughput < limits.min_throughput:
        yield f"{measured.throughput:,.1f} calls/s, the least is {limits.min_throughput:g} calls/s"


def always_broken(measured: BenchResult) -> Iterator[str]:
    """What fails a target whatever its thresholds are: then nothing was measured."""
    if measured.calls == 0:
        yield "no call came back, so nothing was measured"
    elif measured.errors == measured.calls:
        yield f"every call failed, so nothing was measured ({_kinds(measured.error_kinds)})"


def merged(own: Thresholds | None, shared: Thresholds) -> Thresholds:
    """A target's thresholds: its own where it sets them, else those of all."""
    if own is None:
        return shared
    said = {name: getattr(own, name) for name in own.model_fields_set}
    return shared.model_copy(update=said)


def as_mapping(limits: Thresholds) -> Mapping[str, float]:
    """The limits that are set, by name."""
    return {name: value for name, value in limits.model_dump().items() if value is not None}


def _kinds(kinds: Mapping[str, int]) -> str:
    return ", ".join(f"{number:,} {kind}" for kind, number in kinds.items())
