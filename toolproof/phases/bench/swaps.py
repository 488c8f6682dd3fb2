"""Does every call get its own answer when several are in flight? Different arguments tell."""

import random
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from toolproof.connection.session import Session
from toolproof.phases.bench.load import Call, closed_loop
from toolproof.report import Tool
from toolproof.schemas import SchemaError, Validator

VARIANTS = 8
"""Different arguments that are in flight at a time."""
ROUNDS = 200
"""Calls in all: a server that mixes up one answer in fifty is found with 98 %."""


async def swapped_answers(
    session: Session,
    tool: Tool | None,
    arguments: Mapping[str, Any],
    idle_s: float,
    concurrency: int,
) -> int:
    """How many of `ROUNDS` calls got an answer other than the one that their arguments give alone.

    Only for tools that say they change nothing, and that answer the same twice; else 0.
    """
    if tool is None or concurrency < 2 or tool.annotations.get("readOnlyHint") is not True:
        return 0
    calls: list[Call] = []
    answers: list[Any] = []
    for variant in variants(tool, arguments):
        params = {"name": tool.name, "arguments": variant}
        first = await session.request("tools/call", params, idle_s=idle_s)
        second = await session.request("tools/call", params, idle_s=idle_s)
        if first.result is None or first.result != second.result:
            return 0
        if first.result not in answers:
            answers.append(first.result)
            calls.append(Call(params=params, idle_s=idle_s, expected=first.result))
    if len(calls) < 2:
        return 0
    order = [calls[i % len(calls)] for i in range(ROUNDS)]
    random.Random(1).shuffle(order)  # noqa: S311 - an order
    batch = await closed_loop(session, order, concurrency=max(concurrency, 4), count=ROUNDS)
    for call in calls if batch.differing else ():
        again = await session.request("tools/call", call.params, idle_s=idle_s)
        if again.result != call.expected:
            return 0  # it changes by itself: a clock, a counter
    return batch.differing


def variants(tool: Tool, arguments: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """The arguments, and others that are like them and fit the schema too."""
    yield dict(arguments)
    try:
        validator = Validator(tool.input_schema)
    except SchemaError:
        return
    found = 0
    for changed in _changed(arguments):
        if validator.fits(changed):
            found += 1
            yield changed
        if found >= VARIANTS - 1:
            return


def _changed(arguments: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    for step in range(1, VARIANTS + 1):
        for name, value in arguments.items():
            other = _other(value, step)
            if other is not None:
                yield {**arguments, name: other}


def _other(value: Any, step: int) -> Any:
    """Another value of the same kind; None where there is none at hand."""
    match value:
        case bool():
            return (not value) if step == 1 else None
        case int() | float():
            return value + step
        case str():
            return f"{value} {step}"
        case _:
            return None


def told(tool: str, swapped: int) -> Sequence[str]:
    """What to say of swapped answers."""
    if not swapped:
        return ()
    return (
        f"{swapped} of {ROUNDS} calls of {tool!r} got the answer of another one that was in flight",
    )
