"""`bench`: how fast calls must be."""

from collections.abc import Iterator, Mapping
from typing import Annotated, Any

from pydantic import Field

from toolproof.config.mistakes import Mistake
from toolproof.config.strict import Strict
from toolproof.config.values import (
    Filled,
    Flag,
    JsonObject,
    Milliseconds,
    Seconds,
    Share,
    number,
    whole,
)


class Thresholds(Strict):
    """Limits that fail a target; one that is not set is not checked.

    Attributes:
        p50_ms: The highest median, in milliseconds.
        p95_ms: The highest 95th percentile, in milliseconds.
        p99_ms: The highest 99th percentile, in milliseconds.
        max_error_rate: The largest share of calls that fail, from 0 to 1.
        min_throughput: The fewest calls per second.
        max_regression: How many times as long as the older run calls may take: 1.2 for a fifth more.
    """

    p50_ms: Milliseconds | None = None
    p95_ms: Milliseconds | None = None
    p99_ms: Milliseconds | None = None
    max_error_rate: Share | None = None
    min_throughput: Annotated[float, number("calls per second", above=0)] | None = None
    max_regression: Annotated[float, number(least=1)] | None = None


class BenchTarget(Strict):
    """A call to measure.

    Attributes:
        tool: The tool to call.
        args: Its arguments.
        name: What reports call it; the tool's name if not set.
        thresholds: Limits of its own, each in place of the bench's.
    """

    tool: Filled
    args: JsonObject = Field(default_factory=dict)
    name: Filled | None = None
    thresholds: Thresholds | None = None


class BenchConfig(Strict):
    """The latency bench.

    Attributes:
        enabled: Whether it runs.
        calls: How many are measured, per target.
        duration_s: For how many seconds to call, in place of a number of calls.
        rate: Calls started per second whether or not earlier ones have ended; null: as they end.
        concurrency: How many calls are under way at a time.
        warmup: How many calls come before, unmeasured; more until the times are steady.
        timeout_ms: After how many milliseconds a call has failed.
        thresholds: Limits of every target that has none of its own.
        targets: The calls to measure.
    """

    enabled: Flag = True
    calls: Annotated[int, whole(least=1)] = 100
    duration_s: Seconds | None = None
    rate: Annotated[float, number("calls per second", above=0)] | None = None
    concurrency: Annotated[int, whole(least=1)] = 10
    warmup: Annotated[int, whole(least=0)] = 3
    timeout_ms: Milliseconds = 10_000
    thresholds: Thresholds = Field(default_factory=Thresholds)
    targets: tuple[BenchTarget, ...] = ()

    @classmethod
    def together(cls, given: Mapping[str, Any]) -> Iterator[Mistake]:
        if given.get("duration_s") is not None and given.get("calls") is not None:
            yield Mistake(("duration_s",), "set either 'calls' or 'duration_s'")
