"""Proofs that no value can match."""

from typing import Any

import pytest
from hypothesis import given

from tests.schemas.schema_like import ANYTHING, schemas
from toolproof.judgement.satisfiable import contradictions, unsatisfiable
from toolproof.schemas import SchemaError, Validator

VALUES = [
    None,
    True,
    0,
    1,
    2.5,
    3,
    -2,
    10,
    "",
    "a",
    "ab",
    [],
    ["a"],
    [1, 2],
    {},
    {"a": 1},
    {"b": ""},
]


def places(schema: Any) -> list[str]:
    return [found.pointer for found in contradictions(schema)]


def test_each_place_is_told_once_with_its_reason() -> None:
    """Case S095: an enum without a value of the type, and a bound above its counterpart."""
    found = list(
        contradictions(
            {
                "type": "object",
                "properties": {
                    "level": {"type": "integer", "enum": ["low", "high"]},
                    "size": {"type": "integer", "minimum": 10, "maximum": 5},
                    "fine": {"type": "integer", "minimum": 5, "maximum": 10},
                },
            }
        )
    )

    assert [(f.pointer, f.keyword, f.why) for f in found] == [
        ("/properties/level", "enum", "none of its 2 values is of type integer"),
        ("/properties/size", "minimum", "minimum 10 is above maximum 5"),
    ]


@pytest.mark.parametrize("kind", ["str", "any", "STRING", "Object", [], ["string", "none"], None])
def test_what_is_no_type_excludes_nothing(kind: Any) -> None:
    """That the schema is invalid is said elsewhere."""
    assert places({"properties": {"a": {"type": kind, "maxLength": 9}}}) == []


@pytest.mark.parametrize(
    ("schema", "where"),
    [
        ({"allOf": [{"type": "string"}, {"type": "integer"}]}, [""]),
        ({"type": "string", "$ref": "#/$defs/N", "$defs": {"N": {"type": "integer"}}}, [""]),
        ({"properties": {"a": False}, "required": ["a"]}, [""]),
        ({"items": {"minLength": 3, "maxLength": 2, "type": ["string", "null"]}}, ["/items"]),
        ({"anyOf": [{"type": "string", "enum": [1]}, {}]}, ["/anyOf/0"]),
        (
            {"properties": {"b": {"enum": []}, "a": {"enum": []}}},
            ["/properties/a", "/properties/b"],
        ),
        ({"properties": {"a/b": {"enum": []}}}, ["/properties/a~1b"]),
    ],
)
def test_contradictions_are_found(schema: dict[str, Any], where: list[str]) -> None:
    assert places(schema) == where


@pytest.mark.parametrize(
    "schema",
    [
        True,
        False,
        None,
        [],
        {},
        {"properties": {"a": False}},
        {"not": {"enum": []}},
        {"if": {"type": "string", "enum": [1]}},
        {
            "$schema": "http://json-schema.org/draft-07/schema#",
            "type": "string",
            "$ref": "#/definitions/N",
            "definitions": {"N": {"type": "integer"}},
        },
        {"$ref": "#/$defs/A", "$defs": {"A": {"$ref": "#/$defs/A"}}},
        {"type": "integer", "$ref": "#/$defs/missing"},
    ],
)
def test_what_may_be_meant_is_no_contradiction(schema: Any) -> None:
    assert places(schema) == []


def test_a_clash_inside_allof_is_told_there_and_not_again_above() -> None:
    assert places({"allOf": [{"type": "string", "enum": [1]}, {"type": "string"}]}) == ["/allOf/0"]


@pytest.mark.parametrize(
    ("schema", "pointer", "why"),
    [
        (False, "", "the schema is false"),
        ({"allOf": [True, False]}, "/allOf/1", "the schema is false"),
        ({"not": {}}, "", "nothing is left by its not"),
        ({"anyOf": [False, {"enum": []}]}, "", "none of its 2 options can match"),
        (
            {"type": "object", "properties": {"a": {"$ref": "#"}}, "required": ["a"]},
            "/properties/a",
            "it needs itself without an end",
        ),
        (
            {"type": "object", "required": ["a"], "additionalProperties": False},
            "",
            "'a' is required and not declared",
        ),
        (
            {"type": "array", "minItems": 1, "items": {"type": "string", "enum": [1]}},
            "/items",
            "none of its 1 values is of type string",
        ),
    ],
)
def test_the_whole_schema_is_proved_unsatisfiable(schema: Any, pointer: str, why: str) -> None:
    found = unsatisfiable(schema)

    assert found is not None
    assert (found.pointer, found.why) == (pointer, why)


@pytest.mark.parametrize(
    "schema",
    [
        True,
        {"type": "object", "properties": {"a": {"enum": []}}},
        {"required": ["a"], "additionalProperties": False},
        {
            "type": "object",
            "properties": {"a": {"anyOf": [{"$ref": "#"}, {"type": "null"}]}},
            "required": ["a"],
        },
        {"type": "array", "minItems": 1, "prefixItems": [True], "items": False},
        {
            "type": "object",
            "required": ["x1"],
            "patternProperties": {"^x": {}},
            "additionalProperties": False,
        },
    ],
)
def test_what_a_value_may_match_is_not_called_unsatisfiable(schema: Any) -> None:
    assert unsatisfiable(schema) is None


def test_arguments_are_objects_whatever_the_schema_says() -> None:
    assert unsatisfiable({"type": "string"}) is None
    assert unsatisfiable({"type": "string"}, of_type="object") is not None


def test_a_deep_chain_ends_without_a_verdict() -> None:
    schema: Any = {"enum": []}
    for _ in range(900):
        schema = {"type": "object", "properties": {"a": schema}, "required": ["a"]}

    assert unsatisfiable(schema) is None
    assert len(places(schema)) == 1


def test_many_references_to_one_another_end() -> None:
    names = [f"N{index}" for index in range(60)]
    schema = {
        "$ref": "#/$defs/N0",
        "$defs": {
            name: {"anyOf": [{"$ref": f"#/$defs/{other}"} for other in names]} for name in names
        },
    }

    assert unsatisfiable(schema) is None


@given(schemas(wrong=False))
def test_nothing_matches_what_is_proved_unsatisfiable(schema: Any) -> None:
    try:
        validator = Validator(schema)
    except SchemaError:
        return
    if unsatisfiable(schema) is not None:
        assert not [value for value in VALUES if validator.fits(value)]


@given(ANYTHING | schemas(wrong=True))
def test_it_never_raises(schema: Any) -> None:
    list(contradictions(schema))
    unsatisfiable(schema)
    unsatisfiable(schema, of_type="object")
