"""Calls of several tools in a row on one server, where what one gave is what another asks for."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from toolproof.connection.wire import JsonObject
from toolproof.phases.fuzz.calling import Called
from toolproof.phases.fuzz.generate import ABSENT, Case, Stage
from toolproof.phases.fuzz.ids import Found, Path, found_in
from toolproof.phases.fuzz.judge import Judged
from toolproof.phases.fuzz.lab import Lab, now
from toolproof.phases.fuzz.pool import Worker
from toolproof.phases.fuzz.subject import Subject
from toolproof.phases.fuzz.verdict import Kind, Verdict
from toolproof.report.fuzz import InputMode

UNTOLD = frozenset({Kind.REJECTED_VALID, Kind.UNEXPECTED_ERROR, Kind.ACCEPTED_INVALID})
"""What a sequence says nothing of: whether a state allows a call is the server's business."""


@dataclass(frozen=True, slots=True)
class Ref:
    """A value that an earlier step gave.

    Attributes:
        step: The earlier step, from 0.
        path: Where its result has the value.
        jsonpath: The same for a test; None where that cannot be said.
    """

    field: str
    step: int
    path: Path
    jsonpath: str | None


@dataclass(frozen=True, slots=True)
class Step:
    """One call of a sequence, with the values that it had when it was first made."""

    subject: Subject
    arguments: Any
    refs: tuple[Ref, ...] = ()


@dataclass(frozen=True, slots=True)
class Ended:
    """How a step went.

    Attributes:
        found: The values in its result.
        verdicts: What is wrong, of what sequences tell.
    """

    called: Called
    judged: Judged
    found: Sequence[Found]
    verdicts: Sequence[Verdict]


@dataclass(eq=False, slots=True)
class Chain:
    """A sequence under way on one server."""

    lab: Lab
    worker: Worker
    steps: list[Step] = field(default_factory=list)
    ended: list[Ended] = field(default_factory=list)

    @property
    def calls(self) -> int:
        """How many were made."""
        return len(self.steps)

    async def do(self, step: Step, limit_s: float | None = None) -> Ended:
        """Make the next call."""
        subject = step.subject
        began = now()
        case = case_of(step)
        if limit_s is None:
            limit_s = subject.limit_s(self.lab.limits.timeout_s)
        called, judged = await self.lab.shown(subject, self.worker, case, limit_s)
        subject.spent_s += now() - began
        result = called.outcome.result
        found = found_in(result) if result is not None and not result.get("isError") else ()
        verdicts = [one for one in judged.verdicts if one.kind not in UNTOLD]
        if judged.succeeded and case.mode is InputMode.VALID:
            subject.valid += 1
            subject.succeeded += 1
        made = Ended(called, judged, found, verdicts)
        self.steps.append(step)
        self.ended.append(made)
        return made

    @property
    def alive(self) -> bool:
        """Whether the next call can be made: the server neither ended nor is it stuck."""
        last = self.ended[-1].called if self.ended else None
        return last is None or not (last.lost or last.late)


def case_of(step: Step) -> Case:
    """The step as a case with a true label."""
    mode = step.subject.plan.label(step.arguments) or InputMode.VALID
    return Case(step.arguments, mode, "after other calls", Stage.RANDOM)


async def replayed(
    lab: Lab, worker: Worker, steps: Sequence[Step], last_s: float | None = None
) -> Chain:
    """The same steps on another server, each value as the steps before it give it there.

    Args:
        last_s: How long the last call may be silent, where it is not as always.
    """
    chain = Chain(lab, worker)
    for at, step in enumerate(steps):
        arguments = step.arguments
        for ref in step.refs:
            value = _value_at(chain.ended[ref.step].found, ref.path)
            if value is not None and isinstance(arguments, dict):
                arguments = {**arguments, ref.field: _like(arguments.get(ref.field), value)}
        is_last = at == len(steps) - 1
        await chain.do(Step(step.subject, arguments, step.refs), last_s if is_last else None)
        if not chain.alive:
            break
    return chain


def without(steps: Sequence[Step], index: int) -> Sequence[Step] | None:
    """The steps less one; None if another one needs what it gives."""
    if any(ref.step == index for step in steps for ref in step.refs):
        return None
    return [
        Step(
            step.subject,
            step.arguments,
            tuple(
                Ref(ref.field, ref.step - (ref.step > index), ref.path, ref.jsonpath)
                for ref in step.refs
            ),
        )
        for at, step in enumerate(steps)
        if at != index
    ]


def as_test(steps: Sequence[Step]) -> list[JsonObject]:
    """The steps as a test writes them: `save` where a later one needs a value, `${name}` there."""
    written: list[JsonObject] = []
    for step in steps:
        one: JsonObject = {"tool": step.subject.name}
        if step.arguments is not ABSENT:
            one["args"] = step.arguments
        written.append(one)
    for step, one in zip(steps, written, strict=True):
        for ref in step.refs:
            if ref.jsonpath is not None and isinstance(one.get("args"), dict):
                name = f"{ref.field}_{ref.step + 1}"
                written[ref.step].setdefault("save", {})[name] = ref.jsonpath
                one["args"] = {**one["args"], ref.field: f"${{{name}}}"}
    return written


def _value_at(found: Sequence[Found], path: Path) -> str | int | None:
    return next((one.value for one in found if one.path == path), None)


def _like(before: Any, value: str | int) -> str | int:
    """The value as the type that stood there."""
    if isinstance(before, str):
        return str(value)
    if isinstance(before, int) and isinstance(value, str) and value.isascii() and value.isdigit():
        return int(value[:15])
    return value
