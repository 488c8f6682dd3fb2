"""Measure every target on a server of its own, beside a server that does nothing."""

import json
import sys
import time
from collections.abc import Mapping
from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

from toolproof.config import BenchConfig, ServerConfig
from toolproof.connection import McpServer
from toolproof.connection.observations import Kind
from toolproof.demo import FOLDER
from toolproof.errors import ConfigError
from toolproof.judgement.tokens import tokens_of_json
from toolproof.phases.bench.compare import against_report, broken, interleaved
from toolproof.phases.bench.limits import always_broken, as_mapping, broken_limits, merged
from toolproof.phases.bench.load import Call, closed_loop
from toolproof.phases.bench.measure import Ceiling, Plan, measured, ramp, warm_up
from toolproof.phases.bench.stats import percentile
from toolproof.phases.bench.swaps import swapped_answers, told
from toolproof.phases.bench.usage import machine, usage_of
from toolproof.phases.phase import PhaseContext
from toolproof.report import BenchResult, BenchSection, Note, PhaseName, Place

LEAST_CALIBRATION, MOST_CALIBRATION = 400, 2000
"""Calls to the server that does nothing: as many as a target gets, within these bounds."""
SAVED = "compare_report"
OLD = "compare_server"
RAMP = "ramp"


async def run_bench(context: PhaseContext) -> BenchSection:
    """Measure the targets in the order of the file.

    Raises:
        ServerError: The server was lost, and does not come back.
        ConfigError: The report to compare with cannot be read.
    """
    config = context.config.bench or BenchConfig()
    began = time.perf_counter()
    results: list[BenchResult] = []
    timing = context.info.timing

    def section() -> BenchSection:
        return BenchSection(
            results=tuple(results),
            start_ms=timing.start_ms,
            list_ms=timing.list_ms,
            list_bytes=timing.list_bytes,
            list_tokens=tokens_of_json([tool.raw for tool in context.tools]),
            machine=machine(),
            duration_s=time.perf_counter() - began,
        )

    context.partial[PhaseName.BENCH] = section
    plans = plans_of(context, config)
    if not plans:
        context.notes.append(
            Note(
                "nothing was benchmarked: no target, and no tool that takes no arguments and is read-only"
            )
        )
        return section()
    saved = _saved(context)
    async with AsyncExitStack() as stack:
        ceilings: dict[int, Ceiling] = {}
        old = await _old(context, stack)
        for number, plan in enumerate(plans):
            context.options.progress(number, len(plans), f"bench {plan.name}")
            if plan.concurrency not in ceilings:
                ceilings[plan.concurrency] = await calibrated(plan)
            results.append(
                await _target(context, config, plan, ceilings[plan.concurrency], old, saved)
            )
    return section()


async def _target(  # noqa: PLR0917 - what one target needs
    context: PhaseContext,
    config: BenchConfig,
    plan: Plan,
    ceiling: Ceiling,
    old: McpServer | None,
    saved: Mapping[str, Any] | None,
) -> BenchResult:
    server = context.server
    began = time.perf_counter()
    if server.ended is not None:
        await server.reconnect()
    result = await measured(
        server.session,
        plan,
        ceiling=ceiling if server.pid is not None else None,
        usage=lambda: usage_of(server.pid),
    )
    swapped = 0
    if server.ended is None:
        tool = context.tool(plan.tool)
        swapped = await swapped_answers(
            server.session, tool, plan.arguments, plan.idle_s, plan.concurrency
        )
    if swapped:
        [words] = told(plan.tool, swapped)
        context.log.add(Kind.WRONG_RESULT_UNDER_LOAD, words, tool=plan.tool, calls=swapped)
    if context.options.phase_options.get(RAMP) and server.ended is None:
        steps, knee = await ramp(server.session, plan)
        result = replace(result, ramp=tuple(steps), knee=knee)
    call = Call.of(plan.tool, plan.arguments, plan.idle_s)
    if old is not None and server.ended is None:
        name = str(context.options.phase_options.get("compare_name", "the old server"))
        comparison = await interleaved(
            old,
            server,
            call,
            warm_up=lambda session: warm_up(session, plan),
            calls=plan.calls or 500,
            baseline=name,
            seed=context.options.seed or 0,
        )
        result = replace(result, comparison=comparison)
    elif saved is not None:
        result = replace(result, comparison=_against(result, saved, context))
    limits = merged(_own_limits(config, plan), config.thresholds)
    failures = list(always_broken(result)) or list(broken_limits(result, limits))
    failures += told(plan.tool, swapped)
    if result.comparison is not None:
        slower = broken(result.comparison, limits.max_regression)
        failures += [slower] if slower is not None else []
    return replace(
        result,
        failures=tuple(failures),
        thresholds=as_mapping(limits),
        duration_s=time.perf_counter() - began,
    )


def plans_of(context: PhaseContext, config: BenchConfig) -> list[Plan]:
    """The targets; where the file names none, tools that take no arguments and change nothing."""
    targets = [
        (
            target.name or target.tool,
            target.tool,
            dict(target.args),
            context.config.place("bench", "targets", i),
        )
        for i, target in enumerate(config.targets)
    ]
    if not targets:
        targets = [
            (tool.name, tool.name, {}, context.config.place("bench"))
            for tool in context.tools
            if tool.name
            and not tool.input_schema.get("required")
            and tool.annotations.get("readOnlyHint") is True
        ]
    return [
        Plan(
            name=name,
            tool=tool,
            arguments=arguments,
            calls=None if config.duration_s is not None else config.calls,
            duration_s=config.duration_s,
            rate=config.rate,
            concurrency=config.concurrency,
            warmup=config.warmup,
            idle_s=config.timeout_ms / 1000,
            place=Place(file=found[0], line=found[1]) if found else None,
        )
        for name, tool, arguments, found in targets
    ]


def _own_limits(config: BenchConfig, plan: Plan) -> Any:
    return next(
        (
            target.thresholds
            for target in config.targets
            if (target.name or target.tool) == plan.name and target.tool == plan.tool
        ),
        None,
    )


async def calibrated(plan: Plan) -> Ceiling:
    """This client's own cost, on a server that does nothing."""
    settings = ServerConfig(command=(sys.executable, "-S", str(FOLDER / "noop.py")))
    count = min(max(plan.calls or MOST_CALIBRATION, LEAST_CALIBRATION), MOST_CALIBRATION)
    async with McpServer(settings, protocol="2025-11-25") as server:
        call = Call.of("noop", {}, 10.0)
        await closed_loop(server.session, [call], concurrency=1, count=200)
        before_s = await _cpu_s(server)
        alone = await closed_loop(server.session, [call], concurrency=1, count=count)
        served_ms = (await _cpu_s(server) - before_s) * 1000 / count
        busy = alone
        if plan.concurrency > 1:
            busy = await closed_loop(
                server.session, [call], concurrency=plan.concurrency, count=count
            )
    p50_ms = percentile(sorted(alone.latencies_ms), 0.5)
    return Ceiling(p50_ms=max(0.0, p50_ms - served_ms), throughput=busy.throughput)


async def _cpu_s(server: McpServer) -> float:
    """The processor's time that the server which does nothing has had, in seconds."""
    outcome = await server.session.request("toolproof/cpu", {}, idle_s=10.0)
    return float((outcome.result or {}).get("cpuSeconds", 0.0))


async def _old(context: PhaseContext, stack: AsyncExitStack) -> McpServer | None:
    """The server of `--compare-command`, open; None where there is none."""
    command = context.options.phase_options.get(OLD)
    if not isinstance(command, tuple):
        return None
    settings = context.config.server.model_copy(update={"command": command, "url": None})
    return await stack.enter_async_context(McpServer(settings, context.config.base_dir))


def _saved(context: PhaseContext) -> Mapping[str, Any] | None:
    """The report of `--compare`.

    Raises:
        ConfigError: It cannot be read, or has no benchmarks.
    """
    path = context.options.phase_options.get(SAVED)
    if not isinstance(path, Path):
        return None
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as exc:
        raise ConfigError(
            f"--compare: the report cannot be read: {exc}",
            where=str(path),
            hint="Give a file that --json wrote.",
        ) from exc
    if not isinstance(found, dict) or not isinstance(found.get("bench"), list):
        raise ConfigError("--compare: this is no report with benchmarks", where=str(path))
    return found


def _against(result: BenchResult, saved: Mapping[str, Any], context: PhaseContext) -> Any:
    before = next(
        (one for one in saved["bench"] if isinstance(one, dict) and one.get("name") == result.name),
        {},
    )
    there = saved.get("machine")
    same = there == dict(machine()) or bool(context.options.phase_options.get("any_machine"))
    middle = next((one for one in result.intervals if one.share == 0.5), None)
    spread = []
    if middle is not None and middle.low_ms is not None and middle.high_ms is not None:
        spread = [middle.low_ms] * 40 + [middle.value_ms] * 20 + [middle.high_ms] * 40
    return against_report(
        result,
        before,
        baseline=str(saved.get("started") or "the saved report"),
        same_machine=same,
        latencies_ms=spread,
    )
