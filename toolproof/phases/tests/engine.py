"""Make each test's calls and hold the results against what the test expects."""

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from typing import Any

import anyio

from toolproof.connection import McpServer
from toolproof.connection.results import call_result
from toolproof.judgement.fitting import argument_breaches, validator_of
from toolproof.phases.phase import PhaseContext, recover
from toolproof.phases.tests.expectations import mismatches
from toolproof.phases.tests.match import values_at
from toolproof.phases.tests.plan import (
    PlannedStep,
    PlannedTest,
    names_of_selected,
    planned,
    planned_step,
)
from toolproof.phases.tests.snapshots import Snapshots
from toolproof.phases.tests.variables import substitute
from toolproof.report import (
    CallResult,
    CallSeen,
    Failure,
    Note,
    PhaseName,
    Tool,
    ToolTestResult,
    ToolTestSection,
)
from toolproof.text import listed


@dataclass(slots=True)
class _Run:
    """What the tests of a run share."""

    context: PhaseContext
    snapshots: Snapshots
    variables: dict[str, Any] = field(default_factory=dict)
    results: dict[int, ToolTestResult] = field(default_factory=dict)
    began: float = field(default_factory=time.perf_counter)
    total: int = 0
    whole: tuple[str, ...] = ()

    def section(self) -> ToolTestSection:
        """What there is by now, in the order of the file."""
        return ToolTestSection(
            results=tuple(self.results[index] for index in sorted(self.results)),
            whole=self.whole,
            duration_s=time.perf_counter() - self.began,
        )


async def run_tests(context: PhaseContext) -> ToolTestSection:
    """Run setup, the selected tests, and teardown.

    Raises:
        ServerError: The server was lost, and does not come back.
    """
    config, options = context.config, context.options
    tests = planned(config, options)
    run = _Run(context, Snapshots(config, update=options.update_snapshots), total=len(tests))
    if options.shard is not None:
        run.whole = names_of_selected(config, options)
    context.partial[PhaseName.TESTS] = run.section
    server = context.server
    try:
        failed = await _fixture(run, server, "setup", config.setup) if tests else None
        if failed is not None:
            for test in tests:
                _store(run, test, [failed], None, 0, ())
        else:
            await _all(run, tests)
    finally:
        if tests and config.teardown:
            with anyio.CancelScope(shield=True):
                broken = await _fixture(run, server, "teardown", config.teardown)
            if broken is not None:
                context.notes.append(Note(f"teardown: {broken.message}"))
    run.snapshots.write()
    for message in run.snapshots.notes:
        context.notes.append(Note(message))
    return run.section()


async def _all(run: _Run, tests: Sequence[PlannedTest]) -> None:
    """Tests that share variables keep to one server and the order of the file; others may spread."""
    workers = min(run.context.options.workers or 1, len(tests)) or 1
    if workers == 1:
        for test in tests:
            await _one(run, run.context.server, test)
        return
    linked = [test for test in tests if test.gives or test.needs]
    free = [test for test in tests if not (test.gives or test.needs)]
    queue = iter(free)

    async def work(server: McpServer, first: Sequence[PlannedTest]) -> None:
        for test in first:
            await _one(run, server, test)
        for test in queue:
            await _one(run, server, test)

    async with AsyncExitStack() as stack:
        others = [run.context.another() for _ in range(workers - 1)]
        async with anyio.create_task_group() as starting:
            for other in others:
                starting.start_soon(stack.enter_async_context, other)
        async with anyio.create_task_group() as working:
            working.start_soon(work, run.context.server, linked)
            for other in others:
                working.start_soon(work, other, ())


async def _fixture(run: _Run, server: McpServer, name: str, steps: Sequence[Any]) -> Failure | None:
    """Make the calls of setup or teardown; setup ends at the first that fails, teardown does not."""
    first: Failure | None = None
    for index, step in enumerate(steps):
        plan = planned_step(run.context.config, step, None, {})
        result, failures = await _step(run, server, plan)
        await recover(server, result)
        if failures:
            message = f"{name} step {index + 1} ({plan.subject}) failed: {failures[0].message}"
            first = first or Failure(message=message)
            if name == "setup":
                break
    return first


async def _one(run: _Run, server: McpServer, test: PlannedTest) -> None:
    """Run one test, with its retries, and leave the server fit for the next."""
    run.context.options.progress(len(run.results), run.total, test.name)
    missing = test.needs - test.gives - run.variables.keys()
    if missing:
        message = f"needs {listed(sorted(missing))}, which no earlier test saved"
        _store(run, test, [Failure(message=message)], None, 0, ())
        return
    earlier: list[str] = []
    for attempt in range(1, test.retries + 2):
        result, failures = await _attempt(run, server, test)
        stderr = server.stderr_tail() if failures else ""
        words = await recover(server, result) if result is not None else None
        if words and failures:
            run.context.notes.append(Note(f"after test {test.name!r}: {words}"))
        if not failures or attempt > test.retries:
            _store(run, test, failures, result, attempt, earlier, stderr)
            return
        earlier.append(failures[0].message)


async def _attempt(
    run: _Run, server: McpServer, test: PlannedTest
) -> tuple[CallResult | None, list[Failure]]:
    """The steps in order, on one connection; a failing step ends the test."""
    result: CallResult | None = None
    for number, step in enumerate(test.steps, start=1):
        result, failures = await _step(run, server, step)
        if "snapshot" in step.expect and not failures:
            key = test.name if len(test.steps) == 1 else f"{test.name} · step {number}"
            failures = list(run.snapshots.compare(key, result, step.expect["snapshot"]))
        if failures and len(test.steps) > 1:
            prefix = f"step {number} ({step.subject}): "
            failures = [
                Failure(message=prefix + one.message, expected=one.expected, got=one.got)
                for one in failures
            ]
        if failures:
            return result, failures
    return result, []


async def _step(
    run: _Run, server: McpServer, step: PlannedStep
) -> tuple[CallResult, list[Failure]]:
    """Make one call, keep it as evidence, save what later calls need."""
    arguments = substitute(step.args, run.variables)
    subject = str(substitute(step.subject, run.variables))
    expect = substitute(step.expect, run.variables)
    tool = run.context.tool(subject) if step.method == "tools/call" else None
    if step.method == "tools/call":
        result = await server.call(
            subject, arguments, timeout_s=step.timeout_s, total_timeout_s=step.total_s
        )
    else:
        params = {"uri": subject} if step.method == "resources/read" else {"name": subject}
        if step.method == "prompts/get" and arguments:
            params["arguments"] = arguments
        outcome = await server.outcome(
            step.method, params, idle_s=step.timeout_s, total_s=step.total_s
        )
        result = call_result(subject, arguments, outcome, step.timeout_s)
    _keep(run, step, tool, result)
    failures = list(mismatches(result, expect, tool, run.context.info.protocol))
    if not failures:
        failures = list(_save(run, step.save, result))
    return result, failures


def _keep(run: _Run, step: PlannedStep, tool: Tool | None, result: CallResult) -> None:
    """Evidence for the rules on calls."""
    what = {"resources/read": "resource", "prompts/get": "prompt"}.get(step.method)
    run.context.calls.append(
        CallSeen(
            tool=tool,
            result=result,
            valid=_valid(tool, result.arguments),
            subject=f"{what} {step.subject}" if what else None,
        )
    )


def _valid(tool: Tool | None, arguments: Mapping[str, Any] | None) -> bool | None:
    if tool is None or validator_of(tool.input_schema) is None:
        return None
    return not argument_breaches(tool, dict(arguments or {}))


def _save(run: _Run, save: Mapping[str, str], result: CallResult) -> Iterator[Failure]:
    for name, path in save.items():
        found = values_at(result.data, path) if result.data is not None else []
        if not found:
            yield Failure(message=f"nothing to save as {name!r}: {path} leads to nothing")
        else:
            run.variables[name] = found[0]


def _store(  # noqa: PLR0913, PLR0917 - the facts of one result
    run: _Run,
    test: PlannedTest,
    failures: Sequence[Failure],
    result: CallResult | None,
    attempts: int,
    earlier: Sequence[str],
    stderr: str = "",
) -> None:
    if not test.told:
        return
    last = test.steps[-1].subject if test.steps else ""
    run.results[test.index] = ToolTestResult(
        name=test.name,
        tool=result.tool if result is not None else last,
        details=tuple(failures),
        latency_ms=result.latency_ms if result is not None else 0.0,
        attempts=attempts,
        result=result,
        server_stderr=stderr,
        earlier=tuple(earlier),
        place=test.place,
        tags=test.tags,
    )
