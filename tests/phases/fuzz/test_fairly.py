"""Neither valid nor invalid inputs go without, however short the time."""

import math

from toolproof.phases.fuzz.engine import inputs_of
from toolproof.phases.fuzz.generate import Case, Plan
from toolproof.phases.fuzz.lab import now
from toolproof.phases.fuzz.sweep import fairly
from toolproof.report.fuzz import InputMode

PLAN = Plan(
    {
        "type": "object",
        "properties": {"city": {"type": "string"}, "days": {"type": "integer", "minimum": 1}},
        "required": ["city"],
    }
)


def modes(cases: list[Case]) -> list[InputMode]:
    return [case.mode for case in cases]


def test_with_time_enough_all_valid_inputs_come_first() -> None:
    cases = list(inputs_of(PLAN, (), 10))

    assert modes(list(fairly(cases, math.inf))) == [InputMode.VALID] * 10 + [InputMode.INVALID] * 10


def test_when_the_valid_ones_have_had_their_share_the_invalid_ones_have_their_turn() -> None:
    cases = list(inputs_of(PLAN, (), 10))

    order = list(fairly(cases, now() - 1))

    valid, invalid = [InputMode.VALID], [InputMode.INVALID]
    assert modes(order) == valid + invalid * 10 + valid * 9
    assert sorted(map(id, order)) == sorted(map(id, cases))


def test_no_time_to_make_inputs_still_leaves_some_of_each_mode() -> None:
    made = modes(list(inputs_of(PLAN, (), 5_000, most_s=0.0)))

    assert 10 <= made.count(InputMode.VALID) < 200
    assert 10 <= made.count(InputMode.INVALID) < 200
