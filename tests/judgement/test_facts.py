"""What plain keywords say together, and when they clash."""

from typing import Any

import pytest

from toolproof.judgement.facts import Facts
from toolproof.judgement.json_values import is_count, is_number, is_whole, type_of


def facts_of(*schemas: dict[str, Any]) -> Facts:
    facts = Facts()
    for schema in schemas:
        facts.absorb(schema)
    return facts


@pytest.mark.parametrize(
    ("schemas", "why"),
    [
        ([{"type": "string"}, {"type": "integer"}], "the types exclude each other"),
        ([{"type": "array", "enum": ["a", "b"]}], "none of its 2 values is of type array"),
        ([{"type": "integer", "enum": ["low"]}], "none of its 1 values is of type integer"),
        ([{"type": "integer", "enum": [1.5]}], "none of its 1 values is of type integer"),
        ([{"type": "integer", "enum": [1], "minimum": 2}], "none of its 1 values is within"),
        ([{"enum": [1, 2]}, {"enum": [3]}], "no value is in all of its enums"),
        ([{"const": 1}, {"const": True}], "no value is in all of its enums"),
        ([{"enum": []}], "no value is in all of its enums"),
        ([{"type": "number", "minimum": 10, "maximum": 5}], "minimum 10 is above maximum 5"),
        (
            [{"type": "number", "exclusiveMinimum": 5, "maximum": 5}],
            "no number is between exclusiveMinimum 5 and maximum 5",
        ),
        (
            [{"type": "number", "minimum": 5, "exclusiveMinimum": True, "maximum": 5}],
            "no number is between exclusiveMinimum 5 and maximum 5",
        ),
        (
            [{"type": "integer", "minimum": 1.2, "maximum": 1.8}],
            "no whole number is between minimum 1.2 and maximum 1.8",
        ),
        (
            [{"type": "integer", "multipleOf": 5, "minimum": 1, "maximum": 4}],
            "no multiple of 5 is between minimum 1 and maximum 4",
        ),
        (
            [{"type": "integer", "exclusiveMinimum": 1, "exclusiveMaximum": 2}],
            "no whole number is between exclusiveMinimum 1 and exclusiveMaximum 2",
        ),
        ([{"type": "string", "minLength": 5, "maxLength": 3}], "minLength 5 is above maxLength 3"),
        ([{"type": "array", "minItems": 2}, {"maxItems": 1}], "minItems 2 is above maxItems 1"),
        (
            [{"type": "object", "minProperties": 2, "maxProperties": 1}],
            "minProperties 2 is above maxProperties 1",
        ),
        (
            [{"type": "object", "required": ["a", "b"], "maxProperties": 1}],
            "the count of required 2 is above maxProperties 1",
        ),
        (
            [{"type": "integer", "minimum": 10**200, "maximum": 5}],
            "minimum 2^664 and more is above maximum 5",
        ),
    ],
)
def test_a_clash_says_why(schemas: list[dict[str, Any]], why: str) -> None:
    clash = facts_of(*schemas).clash()

    assert clash is not None
    assert why in clash.why


@pytest.mark.parametrize(
    "schema",
    [
        {},
        {"type": ["integer", "string"], "minimum": 10, "maximum": 5},
        {"minimum": 10, "maximum": 5},
        {"type": "integer", "enum": [1.0]},
        {"type": "number", "minimum": 5, "maximum": 5},
        {"type": "integer", "minimum": "10", "maximum": 5, "enum": None, "required": "a"},
        {"type": 5, "minLength": -1, "maxLength": 1.5, "uniqueItems": "yes", "multipleOf": 0},
        {"type": "number", "minimum": float("nan"), "maximum": float("inf")},
        {"type": "number", "multipleOf": 0.1, "minimum": 0.05, "maximum": 0.06},
    ],
)
def test_what_is_not_proved_is_no_clash(schema: dict[str, Any]) -> None:
    assert facts_of(schema).clash() is None


def test_a_type_can_be_impossible_while_another_is_not() -> None:
    facts = facts_of({"type": ["integer", "null"], "minimum": 10, "maximum": 5})

    assert facts.clash() is None
    assert facts.clash_of("number") is not None
    assert facts.clash_of("null") is None


def test_a_copy_changes_alone() -> None:
    facts = facts_of({"required": ["a"], "minLength": 1})
    copy = facts.copy()

    copy.absorb({"required": ["b"], "minLength": 2, "uniqueItems": True})

    assert list(facts.required) == ["a"]
    assert (facts.shortest, facts.unique) == (1, False)
    assert (copy.shortest, copy.unique) == (2, True)


def test_choices_are_those_that_fit_the_bounds_beside_them() -> None:
    facts = facts_of({"enum": ["a", "abc", 1, None, [1], {"a": 1}], "maxLength": 2, "maxItems": 0})

    assert list(facts.left()) == ["a", 1, None, {"a": 1}]


def test_bounds_of_several_schemas_are_joined_to_the_tightest() -> None:
    facts = facts_of(
        {"minimum": 1, "maximum": 9},
        {"exclusiveMinimum": 1, "exclusiveMaximum": 9},
        {"minimum": 0, "maximum": 10, "maxItems": 4},
        {"maxItems": 3},
    )

    assert facts.low == (1, True)
    assert facts.high == (9, True)
    assert facts.most_items == 3


def test_types_of_values_are_those_of_json() -> None:
    values: list[Any] = [None, True, 1, 1.5, "a", [], (), {}, b""]

    assert [type_of(value) for value in values] == [
        "null", "boolean", "number", "number", "string", "array", "array", "object", "unknown",
    ]  # fmt: skip


def test_numbers_are_told_from_booleans_and_from_what_json_cannot_hold() -> None:
    assert [is_number(value) for value in (1, 1.5, True, float("nan"), "1")] == [
        True, True, False, False, False,
    ]  # fmt: skip
    assert [is_whole(value) for value in (1, 1.0, 1.5, True)] == [True, True, False, False]
    assert [is_count(value) for value in (0, 2.0, -1, 1.5, None)] == [
        True, True, False, False, False,
    ]  # fmt: skip
