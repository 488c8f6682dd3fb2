"""What the benchmarks measured."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import ClassVar

from toolproof.records import record
from toolproof.report.section import Outcome, PhaseName, Place, Reason, Severity, Status

_HEIGHTS = "▁▂▃▄▅▆▇█"


@record(kw_only=True)
class Interval:
    """A percentile's 95 % order-statistic interval, in milliseconds; None where n is too small."""

    share: float
    value_ms: float
    low_ms: float | None = None
    high_ms: float | None = None


@record
class Bar:
    """One bar of a histogram: how many latencies are in [low_ms, high_ms)."""

    low_ms: float
    high_ms: float
    count: int


@record(kw_only=True)
class Step:
    """One step of a ramp: what came out at so many calls in flight."""

    concurrency: int
    throughput: float
    p50_ms: float
    p99_ms: float
    errors: int


@record(kw_only=True)
class Comparison:
    """The new server's latency over the old one's: 1 is equal, 1.15 is 15 % slower.

    Attributes:
        ratio: Of the medians, with the bounds of its 95 % interval.
        verdict: slower, faster, or no difference that could be told; or why there is none.
        detectable: The least relative change that could have been told.
    """

    baseline: str
    ratio: float
    low: float
    high: float
    verdict: str
    detectable: float | None = None


@record(kw_only=True)
class BenchResult:
    """The measurements of one target.

    Attributes:
        calls: How many were measured.
        concurrency: How many calls were in flight at a time; in an open loop, at most.
        errors: How many gave an error, or a wrong answer.
        throughput: Calls per second.
        p50_ms: Nearest-rank percentiles of the latency, in milliseconds; likewise p90 to p99.
        failures: The limits that were broken, a message each.
        service_p50_ms: The median with one call in flight: the server's own time.
        rate: Calls started per second (open loop); None for a closed loop.
        late: Calls that started over a millisecond after they should have (open loop).
        dropped: Calls that were not made, as too many were in flight (open loop).
        error_kinds: How often each kind of error came, by its words.
        client_ms: The median latency of this client with a server that does nothing, less the
            processor's time of that server.
        client_share: client_ms as a share of service_p50_ms.
        in_flight_share: Calls really in flight, as a share of those asked for (Little's law).
        reply_bytes: Median size of an answer.
        cpu_ms_per_call: CPU time of the server's processes for each call; None where unknown.
        peak_rss_bytes: The most memory that they had, together; None where unknown.
        known: Why the baseline lets its broken limits pass, if it does.
    """

    name: str
    tool: str
    calls: int
    concurrency: int
    errors: int
    throughput: float
    p50_ms: float
    p95_ms: float
    p99_ms: float
    mean_ms: float
    max_ms: float
    failures: tuple[str, ...] = ()
    p90_ms: float = 0.0
    service_p50_ms: float | None = None
    service_p99_ms: float | None = None
    intervals: tuple[Interval, ...] = ()
    histogram: tuple[Bar, ...] = ()
    warmup_calls: int = 0
    rate: float | None = None
    late: int = 0
    dropped: int = 0
    error_kinds: Mapping[str, int] = field(default_factory=dict)
    client_ms: float | None = None
    client_share: float | None = None
    client_limited: bool = False
    in_flight_share: float | None = None
    reply_bytes: int | None = None
    cpu_ms_per_call: float | None = None
    peak_rss_bytes: int | None = None
    ramp: tuple[Step, ...] = ()
    knee: int | None = None
    comparison: Comparison | None = None
    thresholds: Mapping[str, float] = field(default_factory=dict)
    place: Place | None = None
    duration_s: float = 0.0
    fingerprint: str = ""
    known: str | None = None

    @property
    def error_rate(self) -> float:
        """The share of the calls that gave an error, in 0 to 1."""
        return self.errors / self.calls if self.calls else 0.0

    @property
    def passed(self) -> bool:
        return not self.failures


@record(kw_only=True)
class BenchSection:
    """The targets, in the order in which they ran.

    Attributes:
        start_ms: From starting the process to the agreed revision.
        list_ms: For the whole tool list; list_bytes and list_tokens are its size.
        machine: What was measured on: processor, cores, system, Python.
        whole: In a shard: every target, which the first shard measures; else empty.
    """

    phase: ClassVar[PhaseName] = PhaseName.BENCH

    results: tuple[BenchResult, ...] = ()
    start_ms: float | None = None
    list_ms: float | None = None
    list_bytes: int | None = None
    list_tokens: int | None = None
    machine: Mapping[str, str] = field(default_factory=dict)
    whole: tuple[str, ...] = ()
    duration_s: float = 0.0

    def outcomes(self, fail_on: Severity | None) -> Sequence[Outcome]:  # noqa: ARG002 - Section
        return [_outcome(target) for target in self.results]


def _outcome(target: BenchResult) -> Outcome:
    status = Status.PASSED
    if not target.passed:
        status = Status.FAILED if target.known is None else Status.SKIPPED
    return Outcome(
        name=target.name,
        status=status,
        reasons=tuple(
            Reason(
                message=message,
                type="bench.limit",
                fingerprint=target.fingerprint,
                known=target.known,
            )
            for message in target.failures
        ),
        facts=tuple(_facts(target)),
        place=target.place,
        duration_ms=target.duration_s * 1000,
    )


def _facts(target: BenchResult) -> Sequence[tuple[str, str]]:
    facts = [
        ("calls", f"{target.calls:,}"),
        ("in flight", str(target.concurrency)),
        ("p50", milliseconds(target.p50_ms)),
        ("p95", milliseconds(target.p95_ms)),
        ("p99", milliseconds(target.p99_ms) + _too_small(target)),
        ("rate", f"{target.throughput:,.0f} calls/s"),
        ("errors", f"{target.error_rate:.1%}"),
    ]
    if len(target.histogram) > 1:
        facts.append(("spread", _plot(target.histogram)))
    if target.service_p50_ms is not None:
        facts.append(("alone p50", milliseconds(target.service_p50_ms)))
    if target.client_ms is not None and target.client_share is not None:
        facts.append(
            ("client", f"{milliseconds(target.client_ms)}, {target.client_share:.0%} of p50 alone")
        )
    if target.cpu_ms_per_call is not None:
        facts.append(("server CPU", f"{milliseconds(target.cpu_ms_per_call)} a call"))
    if target.peak_rss_bytes is not None:
        facts.append(("server memory", f"{target.peak_rss_bytes / 2**20:,.0f} MiB"))
    if target.client_limited:
        facts.append(("note", "limited by the client"))
    if target.knee is not None:
        facts.append(("knee", f"{target.knee} in flight"))
    if target.comparison is not None:
        facts.append(("against " + target.comparison.baseline, target.comparison.verdict))
    return facts


def _plot(bars: Sequence[Bar]) -> str:
    """The histogram in a line: how many latencies there are, from the least to the greatest."""
    most = max(1, *(bar.count for bar in bars))
    heights = (math.ceil(max(0, bar.count) * len(_HEIGHTS) / most) for bar in bars)
    plot = "".join(_HEIGHTS[height - 1] if height else "_" for height in heights)
    return f"{milliseconds(bars[0].low_ms)} {plot} {milliseconds(bars[-1].high_ms)}"


def milliseconds(value: float) -> str:
    """A time with three digits that say something: 0.042 ms, 1.23 ms, 456 ms, 1.20 s."""
    if value >= 1000:
        return f"{value / 1000:.2f} s"
    digits = 3 if value < 1 else 2 if value < 10 else 1 if value < 100 else 0
    return f"{value:.{digits}f} ms"


def _too_small(target: BenchResult) -> str:
    p99 = next((one for one in target.intervals if one.share == 0.99), None)
    return " (n too small)" if p99 is not None and p99.high_ms is None else ""
