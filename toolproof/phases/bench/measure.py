"""One target from warm-up to figures."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from toolproof.connection.session import Session
from toolproof.connection.wire import JsonObject
from toolproof.phases.bench.load import Batch, Call, closed_loop, convict, note, open_loop
from toolproof.phases.bench.stats import (
    Percentile,
    Summary,
    histogram,
    is_steady,
    littles_law_ratio,
    median,
    summary,
)
from toolproof.phases.bench.usage import Usage
from toolproof.records import record
from toolproof.report import Bar, BenchResult, Interval, Place, Step

MOST_WARMUP = 400
"""Calls after which a target that is not steady yet is measured all the same."""
CLIENT_LIMIT = 0.5
"""Over this share of its own ceiling the client may be what limits the rate (phases.md, bench)."""
LEAST_ALONE, MOST_ALONE = 20, 500
"""Calls with one in flight."""
STEP_S = 1.0
"""Of a ramp, at most."""


@record(kw_only=True)
class Plan:
    """What to do with one target.

    Attributes:
        calls: How many are measured; None with `duration_s`.
    """

    name: str
    tool: str
    arguments: dict[str, Any]
    calls: int | None
    duration_s: float | None
    rate: float | None
    concurrency: int
    warmup: int
    idle_s: float
    place: Place | None = None


@record(kw_only=True)
class Ceiling:
    """What this client can do with a server that does nothing.

    Attributes:
        p50_ms: Its latency with one call in flight, less what that server itself had of the processor.
        throughput: Calls per second at the asked concurrency.
    """

    p50_ms: float
    throughput: float


async def warm_up(session: Session, plan: Plan) -> tuple[Batch, JsonObject | None]:
    """Call until the median is steady; give what every call should answer, if that is certain."""
    call = Call.of(plan.tool, plan.arguments, plan.idle_s)
    batch = Batch()
    answers: list[JsonObject] = []
    while True:
        outcome = await session.request("tools/call", call.params, idle_s=call.idle_s)
        note(batch, outcome, None)
        if outcome.result is not None and len(answers) < 3:
            answers.append(outcome.result)
        enough = batch.calls >= plan.warmup and (plan.warmup == 0 or batch.calls >= 3)
        slow = sum(batch.latencies_ms) > 2000  # a slow tool has no start-up effects worth the wait
        if batch.lost or batch.calls >= MOST_WARMUP:
            break
        if enough and (slow or is_steady(batch.latencies_ms)):
            break
    alike = len(answers) >= 2 and all(answer == answers[0] for answer in answers)
    return batch, answers[0] if alike else None


async def measured(
    session: Session,
    plan: Plan,
    *,
    ceiling: Ceiling | None,
    usage: Callable[[], Usage | None],
) -> BenchResult:
    """Warm up, measure with one call in flight, then as the plan says."""
    warm, expected = await warm_up(session, plan)
    call = replace(Call.of(plan.tool, plan.arguments, plan.idle_s), expected=expected)
    alone = Batch()
    if not warm.lost:
        wanted = plan.calls or MOST_ALONE
        budget_s = None if plan.duration_s is None else plan.duration_s / 4
        alone = await closed_loop(
            session,
            [call],
            concurrency=1,
            count=max(LEAST_ALONE, min(wanted, MOST_ALONE)) if budget_s is None else None,
            duration_s=budget_s,
        )
    before = usage()
    if alone.lost or warm.lost:
        batch = alone if alone.calls else warm
    elif plan.rate is not None:
        batch = await open_loop(
            session,
            call,
            rate=plan.rate,
            most=max(plan.concurrency, round(plan.rate)),
            count=plan.calls,
            duration_s=plan.duration_s,
        )
    else:
        batch = await closed_loop(
            session,
            [call],
            concurrency=plan.concurrency,
            count=plan.calls,
            duration_s=plan.duration_s,
        )
    after = usage()
    if (alone.differing or batch.differing) and not batch.lost:
        # A clock's answer differs with every second: only one that is right again when it is
        # asked alone was wrong under load.
        again = await session.request("tools/call", call.params, idle_s=call.idle_s)
        if again.result == expected and not alone.differing:
            convict(batch)
    return _result(plan, warm, alone, batch, ceiling, before, after)


def _result(  # noqa: PLR0917 - the facts of one target
    plan: Plan,
    warm: Batch,
    alone: Batch,
    batch: Batch,
    ceiling: Ceiling | None,
    before: Usage | None,
    after: Usage | None,
) -> BenchResult:
    figures = summary(batch.latencies_ms or [0.0])
    single = summary(alone.latencies_ms) if alone.calls else None
    cpu = None
    if before is not None and after is not None and batch.calls:
        cpu = max(0.0, after.cpu_s - before.cpu_s) * 1000 / batch.calls
    return BenchResult(
        name=plan.name,
        tool=plan.tool,
        calls=batch.calls,
        concurrency=plan.concurrency,
        errors=batch.errors,
        throughput=batch.throughput,
        p50_ms=figures.p50.value,
        p90_ms=figures.p90.value,
        p95_ms=figures.p95.value,
        p99_ms=figures.p99.value,
        mean_ms=figures.mean,
        max_ms=figures.greatest,
        service_p50_ms=single.p50.value if single else None,
        service_p99_ms=single.p99.value if single else None,
        intervals=_intervals(figures),
        histogram=tuple(
            Bar(bucket.low, bucket.high, bucket.count) for bucket in histogram(batch.latencies_ms)
        ),
        warmup_calls=warm.calls,
        rate=plan.rate,
        late=batch.late,
        dropped=batch.dropped,
        error_kinds=dict(batch.kinds),
        client_ms=ceiling.p50_ms if ceiling else None,
        client_share=_share(ceiling, single),
        client_limited=ceiling is not None
        and plan.rate is None
        and batch.throughput > CLIENT_LIMIT * ceiling.throughput,
        in_flight_share=littles_law_ratio(batch.throughput, figures.mean, plan.concurrency)
        if plan.rate is None and batch.calls
        else None,
        reply_bytes=round(median(batch.sizes)) if batch.sizes else None,
        cpu_ms_per_call=cpu,
        peak_rss_bytes=after.rss_bytes if after else None,
        place=plan.place,
    )


def _share(ceiling: Ceiling | None, single: Summary | None) -> float | None:
    if ceiling is None or single is None or single.p50.value <= 0:
        return None
    return min(1.0, ceiling.p50_ms / single.p50.value)


def _intervals(figures: Summary) -> tuple[Interval, ...]:
    shown: Sequence[Percentile] = (figures.p50, figures.p90, figures.p95, figures.p99)
    return tuple(
        Interval(share=one.share, value_ms=one.value, low_ms=one.low, high_ms=one.high)
        for one in shown
    )


async def ramp(session: Session, plan: Plan, *, most: int = 64) -> tuple[list[Step], int]:
    """Double the calls in flight until the rate no longer grows; the knee is where it stopped.

    Returns:
        The steps, and the concurrency after which 10 % more was not to be had.
    """
    call = Call.of(plan.tool, plan.arguments, plan.idle_s)
    steps: list[Step] = []
    concurrency, knee, best = 1, 1, 0.0
    while concurrency <= most:
        batch = await closed_loop(
            session,
            [call],
            concurrency=concurrency,
            duration_s=min(STEP_S, plan.duration_s or STEP_S),
        )
        figures = summary(batch.latencies_ms or [0.0])
        steps.append(
            Step(
                concurrency=concurrency,
                throughput=batch.throughput,
                p50_ms=figures.p50.value,
                p99_ms=figures.p99.value,
                errors=batch.errors,
            )
        )
        if batch.lost:
            break
        if batch.throughput > 1.1 * best:
            best, knee = batch.throughput, concurrency
        elif concurrency >= 4 * knee:
            break
        concurrency *= 2
    return steps, knee
