"""Tools that ask for what others give: called again with ids that stood in results."""

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any

from toolproof.phases.fuzz.generate import Plan, Stage, case_key, within_budget
from toolproof.phases.fuzz.ids import Found, asks_for, fits, found_in
from toolproof.phases.fuzz.lab import Lab, Station
from toolproof.phases.fuzz.subject import Subject
from toolproof.phases.fuzz.sweep import Sweep
from toolproof.report import Tool
from toolproof.report.fuzz import InputMode

_MOST_VALUES = 6
_SHARE = 0.1
"""Of a tool's time."""
_LEAST = 10


def harvest(subjects: Sequence[Subject]) -> Sequence[tuple[Found, Tool]]:
    """Every value in the results of calls that succeeded, with the tool that gave it."""
    return [
        (found, subject.tool)
        for subject in subjects
        for good in subject.good[:4]
        for found in found_in(good.result)
    ]


async def feed(
    lab: Lab,
    subject: Subject,
    station: Station,
    values: Mapping[str, Sequence[Any]],
    most: int,
) -> None:
    """Call a tool that mostly failed with values that other tools gave.

    Args:
        values: The user's, which stay in use.
        most: Examples of a mode.

    Raises:
        ServerError: The server does not come back.
    """
    if subject.succeeded * 2 >= subject.valid or subject.timeouts or subject.lacking:
        return
    given = values_for(subject, lab.harvest)
    if not given:
        return
    plan = Plan(subject.tool.input_schema, seed=subject.plan.seed, given={**given, **values})
    called = {case_key(case.arguments) for case in subject.cases}
    fresh = [
        case
        for case in within_budget(plan, InputMode.VALID, max(most // 2, _LEAST))
        if case_key(case.arguments) not in called
    ]
    first = [case for case in fresh if case.stage is Stage.EXAMPLES]
    sweep = Sweep(lab, subject, station, extra=True)
    before = subject.succeeded
    await sweep.run(first, _SHARE * lab.limits.max_time_s)
    if subject.succeeded > before:
        others = [case for case in fresh if case.stage is not Stage.EXAMPLES]
        await sweep.run(others, _SHARE * lab.limits.max_time_s)


def values_for(
    subject: Subject, harvested: Sequence[tuple[Found, Tool]]
) -> dict[str, Sequence[Any]]:
    """By field, the values that fit it best."""
    given: dict[str, Sequence[Any]] = {}
    for field, words in asks_for(subject.tool).items():
        ranked = sorted(
            ((fits(words, subject.tool, found, maker), found) for found, maker in harvested),
            key=lambda pair: -pair[0],
        )
        kind = subject.tool.input_schema["properties"][field].get("type")
        values = dict.fromkeys(
            value
            for rank, found in ranked
            if rank and (value := shaped(found.value, kind)) is not None
        )
        if values:
            given[field] = list(islice(values, _MOST_VALUES))
    return given


def shaped(value: str | int, kind: Any) -> str | int | None:
    """The value as the type that a field wants; None where it cannot be."""
    match kind:
        case "integer" | "number":
            if isinstance(value, int):
                return value
            return int(value) if value.isascii() and value.isdigit() and len(value) < 16 else None
        case "string":
            return value if isinstance(value, str) else str(value)
        case _:
            return value
