"""A few cases, spread over the stages."""

from collections import Counter
from typing import Any

import pytest

from toolproof.phases.fuzz.generate import ABSENT, Plan, Stage, case_key, within_budget
from toolproof.report.fuzz import InputMode

TEXT = {"type": "string", "maxLength": 200}


def closed(fields: dict[str, Any], *required: str) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": fields,
        "required": list(required),
        "additionalProperties": False,
    }


@pytest.mark.parametrize("mode", list(InputMode))
def test_the_budget_is_used_up_and_not_passed(mode: InputMode) -> None:
    for most in (1, 20, 50):
        found = within_budget(Plan(closed({"text": TEXT}, "text")), mode, most)

        assert len(found) == most
        assert len({case_key(case.arguments) for case in found}) == most


def test_a_small_budget_meets_every_stage_that_has_something() -> None:
    schema = closed(
        {"text": TEXT, "n": {"type": "integer", "default": 3}, "b": {"type": "boolean"}}
    )
    stages = Counter(case.stage for case in within_budget(Plan(schema), InputMode.VALID, 40))

    assert set(stages) == set(Stage)
    assert stages[Stage.COVERAGE] == max(stages.values())


def test_the_order_is_that_of_the_stages() -> None:
    found = within_budget(Plan(closed({"text": TEXT})), InputMode.VALID, 30)
    stages = [list(Stage).index(case.stage) for case in found]

    assert stages == sorted(stages)


def test_twenty_cases_hold_what_breaks_most_servers() -> None:
    """Cases B015, B016, B018, B029, B042, B046: found with --examples 20."""
    plain = within_budget(Plan(closed({"text": TEXT}, "text")), InputMode.VALID, 20)
    texts = [case.arguments["text"] for case in plain]
    optional = within_budget(Plan(closed({"query": TEXT})), InputMode.VALID, 20)
    number = within_budget(
        Plan(closed({"limit": {"type": "integer", "minimum": 1, "maximum": 50}})),
        InputMode.VALID,
        20,
    )
    choice = within_budget(
        Plan(closed({"mode": {"enum": ["a", "b"]}}, "mode")), InputMode.INVALID, 20
    )

    assert "" in texts
    assert "é" in texts
    assert {} in [case.arguments for case in optional]
    assert ABSENT in [case.arguments for case in optional]
    assert any(
        isinstance(case.arguments.get("limit"), float)
        for case in number
        if case.arguments is not ABSENT
    )
    assert {"mode": "ax"} in [case.arguments for case in choice]


def test_a_tool_without_arguments_has_few_cases_and_that_is_all() -> None:
    found = within_budget(Plan(closed({})), InputMode.VALID, 50)

    assert [case.arguments for case in found] == [{}, ABSENT]


def test_no_more_are_made_once_their_time_is_over() -> None:
    made = iter(range(10))

    found = within_budget(
        Plan(closed({"text": TEXT}, "text")),
        InputMode.VALID,
        50,
        lambda: next(made, None) is None,
    )

    assert 0 < len(found) <= 10
