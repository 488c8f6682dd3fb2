"""Values far down along a schema that refers to itself."""

from typing import Any

import pytest

from toolproof.phases.fuzz.generate import Plan, Stage
from toolproof.report.fuzz import InputMode

NODE = {"type": "object", "properties": {"next": {"$ref": "#/$defs/node"}}}


def depth_of(value: Any) -> int:
    deepest, level = 0, [value]
    while level:
        deepest += 1
        level = [
            inner
            for one in level
            if isinstance(one, dict | list)
            for inner in (one.values() if isinstance(one, dict) else one)
        ]
    return deepest


@pytest.mark.parametrize(
    "schema",
    [
        {
            "type": "object",
            "properties": {"name": {"type": "string"}, "children": {"items": {"$ref": "#"}}},
            "required": ["name", "children"],
        },
        {
            "type": "object",
            "properties": {"first": {"$ref": "#/$defs/node"}},
            "required": ["first"],
            "$defs": {"node": NODE},
        },
    ],
)
def test_a_recursive_place_is_filled_far_down_and_the_label_is_true(schema: Any) -> None:
    plan = Plan(schema, seed=1)
    cases = [
        case for case in plan.cases(Stage.DICTIONARY, InputMode.VALID) if "levels" in case.reason
    ]

    assert max(depth_of(case.arguments) for case in cases) > 50
    assert all(plan.label(case.arguments) is InputMode.VALID for case in cases)


def test_a_schema_without_recursion_has_none() -> None:
    plan = Plan({"type": "object", "properties": {"a": {"type": "object"}}}, seed=1)

    assert not any(
        "50 levels" in case.reason for case in plan.cases(Stage.DICTIONARY, InputMode.VALID)
    )


def test_both_of_two_options_that_exclude_each_other_are_sent() -> None:
    schema = {
        "type": "object",
        "properties": {"a": {"type": "string"}, "b": {"type": "string"}},
        "oneOf": [{"required": ["a"]}, {"required": ["b"]}],
    }
    cases = Plan(schema).cases(Stage.COVERAGE, InputMode.INVALID)

    assert any(isinstance(case.arguments, dict) and len(case.arguments) == 2 for case in cases)
