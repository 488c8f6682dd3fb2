"""What the benchmarks measured."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from toolproof.report.section import Outcome, PhaseName, Place, Reason, Severity, Status


@dataclass(frozen=True, slots=True, kw_only=True)
class BenchResult:
    """The measurements of one target.

    Attributes:
        calls: How many were measured.
        concurrency: How many calls were in flight at a time.
        errors: How many gave an error, or a wrong answer.
        throughput: Calls per second.
        p50_ms: Nearest-rank percentiles of the latency, in milliseconds; likewise p90 to p99.
        failures: The limits that were broken, a message each.
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
    place: Place | None = None

    @property
    def error_rate(self) -> float:
        """The share of the calls that gave an error, in 0 to 1."""
        return self.errors / self.calls if self.calls else 0.0

    @property
    def passed(self) -> bool:
        return not self.failures


@dataclass(frozen=True, slots=True, kw_only=True)
class BenchSection:
    """The targets, in the order in which they ran."""

    phase: ClassVar[PhaseName] = PhaseName.BENCH

    results: tuple[BenchResult, ...] = ()
    duration_s: float = 0.0

    def outcomes(self, fail_on: Severity | None) -> Sequence[Outcome]:  # noqa: ARG002 - Section
        return [
            Outcome(
                name=target.name,
                status=Status.PASSED if target.passed else Status.FAILED,
                reasons=tuple(
                    Reason(message=message, type="bench.limit") for message in target.failures
                ),
                facts=(
                    ("calls", f"{target.calls:,}"),
                    ("p50", f"{target.p50_ms:.2f} ms"),
                    ("p95", f"{target.p95_ms:.2f} ms"),
                    ("p99", f"{target.p99_ms:.2f} ms"),
                    ("rate", f"{target.throughput:,.0f} calls/s"),
                    ("errors", f"{target.error_rate:.1%}"),
                ),
                place=target.place,
            )
            for target in self.results
        ]
