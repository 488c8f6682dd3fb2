"""Copies of a schema with less in it."""

import copy
from typing import Any

import pytest
from hypothesis import given

from tests.schemas.schema_like import ANYTHING, schemas
from toolproof.phases.fuzz.generate import Plan
from toolproof.phases.fuzz.generate.repair import repaired
from toolproof.phases.fuzz.generate.trim import holds_any, trimmed, without_keywords
from toolproof.report.fuzz import InputMode
from toolproof.schemas import Validator


def test_a_long_enum_is_cut_and_the_schema_itself_is_not() -> None:
    schema = {"properties": {"a": {"enum": list(range(1_000))}, "b": {"enum": [1, 2]}}}
    whole = copy.deepcopy(schema)

    short = trimmed(schema)

    assert schema == whole
    assert len(short.schema["properties"]["a"]["enum"]) == 200
    assert short.schema["properties"]["b"] is schema["properties"]["b"]
    assert short.cut == ((("properties", "a"), 1_000),)
    assert holds_any({"x": [500]}, short.dropped)
    assert not holds_any({"x": [5, 999, "500", True]}, short.dropped)


def test_short_enums_and_enums_of_lists_are_left_alone() -> None:
    schema = {"anyOf": [{"enum": [[index] for index in range(1_000)]}, {"enum": [1]}]}

    assert trimmed(schema).schema is schema


def test_a_value_that_was_cut_away_is_still_judged_by_the_whole_enum() -> None:
    plan = Plan({"type": "object", "properties": {"a": {"enum": list(range(1_000))}}})

    assert plan.label({"a": 500}) is InputMode.VALID
    assert plan.label({"a": 1_000}) is InputMode.INVALID
    assert plan.label({"a": 0}) is InputMode.VALID


def test_keywords_are_left_out_wherever_they_stand_and_values_are_not_touched() -> None:
    schema = {
        "dependencies": {"a": ["b"]},
        "properties": {"dependencies": {"dependencies": {}, "const": {"dependencies": 1}}},
    }

    assert without_keywords(schema, frozenset({"dependencies"})) == {
        "properties": {"dependencies": {"const": {"dependencies": 1}}}
    }
    assert without_keywords(schema, frozenset({"x"})) is schema


@pytest.mark.parametrize(
    ("schema", "left"),
    [
        ({"type": "object", "required": None}, {"type": "object"}),
        ({"properties": []}, {}),
        (
            {"properties": {"a": {"minimum": "1", "type": "integer"}}},
            {"properties": {"a": {"type": "integer"}}},
        ),
        ({"properties": {"a": {"$ref": "#/x"}}}, {"properties": {"a": {}}}),
        ({"properties": {"a": {"pattern": "("}}}, {"properties": {"a": {}}}),
        ("oops", {"type": "object"}),
        (None, {"type": "object"}),
    ],
)
def test_what_is_wrong_in_a_schema_is_left_out(schema: Any, left: Any) -> None:
    before = copy.deepcopy(schema)

    assert repaired(schema) == left
    assert schema == before


def test_a_schema_that_is_wrong_in_a_hundred_places_becomes_any_object() -> None:
    schema = {"properties": {f"p{index}": {"minimum": "x"} for index in range(100)}}

    assert repaired(schema) == {"type": "object"}


def test_a_schema_that_is_too_deep_becomes_any_object() -> None:
    schema: Any = {}
    for _ in range(900):
        schema = {"not": schema}

    assert repaired(schema) == {"type": "object"}


@given(ANYTHING | schemas(wrong=True))
def test_a_repaired_schema_judges_values(schema: Any) -> None:
    Validator(repaired(schema))
