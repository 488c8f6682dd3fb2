"""Quality of schemas: what no value fits, null, spelling, defaults, descriptions of fields."""

from typing import Any

import pytest

from tests.phases.checks.rules_b import AT_X, field, found, pointers
from toolproof.phases.checks.examples import CITY, NOTHING, sample, taking
from toolproof.phases.checks.rule import listing

# schema-unsatisfiable


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "integer", "enum": ["low", "high"]},
        {"type": "array", "items": {"type": "string"}, "enum": ["a"]},
        {"type": "integer", "minimum": 10, "maximum": 5},
        {"type": "number", "exclusiveMinimum": 5, "maximum": 5},
        {"type": "string", "minLength": 3, "maxLength": 2},
        {"type": "array", "items": {}, "minItems": 3, "maxItems": 2},
        {"type": "object", "minProperties": 2, "maxProperties": 1},
        {"type": ["integer", "null"], "minimum": 10, "maximum": 5},
        {"minimum": 10, "maximum": 5},
        {"type": "string", "const": 7},
    ],
)
def test_a_schema_that_no_value_fits_is_pointed_at(schema: Any) -> None:
    assert pointers("schema-unsatisfiable", field(schema)) == [AT_X]


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "integer", "enum": ["low", 1]},
        {"type": "number", "enum": [1]},
        {"type": "integer", "enum": [1.0]},
        {"type": ["string", "null"], "enum": [None]},
        {"type": "string", "minimum": 10, "maximum": 5},
        {"type": "integer", "minimum": 5, "maximum": 5},
        {"type": "boolean", "enum": [True]},
        {"$schema": "https://unknown.test/x", "type": "integer", "enum": ["a"]},
    ],
)
def test_a_schema_that_some_value_fits_is_fine(schema: Any) -> None:
    tool = sample(inputSchema=schema | {"type": "object"}) if "$schema" in schema else field(schema)

    assert pointers("schema-unsatisfiable", tool) == []


# null-unreachable


@pytest.mark.parametrize(
    "branch", [{"type": "null"}, {"const": None}, {"enum": [None]}, {"type": ["null", "integer"]}]
)
@pytest.mark.parametrize("keyword", ["anyOf", "oneOf"])
def test_a_null_branch_beside_another_type_is_pointed_at(keyword: str, branch: Any) -> None:
    choice = {"type": "string", keyword: [{"minLength": 1}, branch]}

    assert pointers("null-unreachable", field(choice)) == [AT_X]


@pytest.mark.parametrize(
    "schema",
    [
        {"anyOf": [{"type": "string"}, {"type": "null"}]},
        {"type": ["string", "null"], "anyOf": [{"minLength": 1}, {"type": "null"}]},
        {"type": "string", "anyOf": [{"minLength": 1}, True]},
        {"type": "string", "anyOf": 7},
        {"type": "null", "anyOf": [{"type": "null"}]},
    ],
)
def test_a_null_that_can_match_is_fine(schema: Any) -> None:
    assert pointers("null-unreachable", field(schema)) == []


# keyword-typo


@pytest.mark.parametrize(
    ("typo", "meant"),
    [
        ("propertes", "properties"),
        ("descripton", "description"),
        ("descirption", "description"),
        ("minlength", "minLength"),
        ("max_length", "maxLength"),
        ("additional_properties", "additionalProperties"),
        ("oneof", "oneOf"),
        ("Type", "type"),
        ("tpye", "type"),
        ("enums", "enum"),
        ("item", "items"),
        ("requried", "required"),
        ("$refs", "$ref"),
    ],
)
def test_a_misspelt_keyword_is_told_with_the_right_one(typo: str, meant: str) -> None:
    [problem] = found("keyword-typo", listing(field({"type": "string", typo: "x"})))

    assert problem.pointer == f"{AT_X}/{typo}"
    assert f"{meant!r} is meant" in problem.message


@pytest.mark.parametrize(
    "word",
    [
        "example",
        "nullable",
        "units",
        "note",
        "order",
        "x-descripton",
        "x-order",
        "markdownDescription",
        "time",
        "file",
        "tags",
        "version",
        "schema",
        "$note",
        "unrelated" * 9,
    ],
)
def test_an_unknown_word_of_its_own_is_no_typo(word: str) -> None:
    assert pointers("keyword-typo", field({"type": "string", word: "x"})) == []


def test_a_property_may_be_called_anything() -> None:
    assert pointers("keyword-typo", sample(inputSchema=taking(propertes=CITY))) == []


@pytest.mark.parametrize(
    ("member", "meant"),
    [
        ("input_schema", "inputSchema"),
        ("InputSchema", "inputSchema"),
        ("parameters", "inputSchema"),
        ("output-schema", "outputSchema"),
        ("descripton", "description"),
        ("anotations", "annotations"),
        ("meta", "_meta"),
    ],
)
def test_another_spelling_of_a_member_is_told_with_the_right_one(member: str, meant: str) -> None:
    members: dict[str, Any] = {member: {}}

    [problem] = found("keyword-typo", listing(sample(**members)))

    assert problem.pointer == f"/{member}"
    assert f"{meant!r} is meant" in problem.message


def test_other_names_of_the_schema_count_where_it_is_missing() -> None:
    bare = {"name": "a", "description": "b", "args": {}}

    assert pointers("keyword-typo", bare) == ["/args"]
    assert pointers("keyword-typo", bare | {"inputSchema": NOTHING}) == []


def test_a_second_copy_for_other_libraries_is_no_typo() -> None:
    assert pointers("keyword-typo", sample(parameters=sample()["inputSchema"])) == []


@pytest.mark.parametrize("member", ["version", "tags", "enabled", "category", "execution", "x"])
def test_a_member_of_its_own_is_no_typo(member: str) -> None:
    members: dict[str, Any] = {member: {}}

    assert pointers("keyword-typo", sample(**members)) == []


# default-invalid


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "string", "default": None},
        {"type": "integer", "default": "7"},
        {"type": ["integer", "null"], "default": "7"},
        {"type": "integer", "default": 7, "maximum": 5},
        {"enum": ["a", "b"], "default": "c"},
        {"type": "array", "items": {"type": "string"}, "default": [1]},
        {"type": "integer", "default": True},
        {"type": "integer", "default": 1.5},
    ],
)
def test_a_default_that_does_not_fit_is_pointed_at(schema: Any) -> None:
    assert pointers("default-invalid", field(schema)) == [f"{AT_X}/default"]


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "string", "default": ""},
        {"type": "integer", "default": 7.0},
        {"anyOf": [{"type": "string"}, {"type": "null"}], "default": None},
        {"type": ["string", "null"], "default": None},
        {"default": 1},
        {"type": "array", "items": {"type": "string"}, "default": []},
        {"type": "strng", "default": 7},
        {"type": "string", "format": "date", "default": "soon"},
    ],
)
def test_a_default_that_fits_or_cannot_be_judged_is_fine(schema: Any) -> None:
    assert pointers("default-invalid", field(schema)) == []


@pytest.mark.parametrize(
    ("reference", "wrong"),
    [("#/$defs/n", True), ("#/properties/city", False), ("#/definitions/n", True)],
)
def test_a_default_beside_a_reference_is_judged_where_it_leads_to_a_definition(
    reference: str, *, wrong: bool
) -> None:
    schema = taking(city=CITY, x={"allOf": [{"$ref": reference}], "default": "a"})
    schema |= {"$defs": {"n": {"type": "integer"}}, "definitions": {"n": {"type": "integer"}}}

    assert bool(pointers("default-invalid", sample(inputSchema=schema))) is wrong


def test_a_default_below_an_id_of_its_own_is_not_judged() -> None:
    schema = {"$id": "urn:x", "default": "a", "minimum": 1, "type": "integer"}

    assert pointers("default-invalid", field(schema)) == []


def test_a_place_inside_of_a_default_is_named() -> None:
    schema = {"type": "array", "items": {"type": "string"}, "default": ["a", 1]}

    [problem] = found("default-invalid", listing(field(schema)))

    assert "at /1" in problem.message


# description-contradicts-schema


def described(words: str, *, required: bool, **members: Any) -> dict[str, Any]:
    schema = taking(*(["city", "x"] if required else ["city"]), city=CITY, x={"description": words})
    return sample(inputSchema=schema | members)


@pytest.mark.parametrize(
    ("words", "required"),
    [
        ("Optional. How many.", True),
        ("optional filter", True),
        ("(Optional) How many.", True),
        ("How many (optional).", True),
        ("How many (optional, 7 by default)", True),
        ("Required. How many.", False),
        ("required: how many", False),
        ("Required", False),
        ("[Required] How many.", False),
        ("How many (required).", False),
    ],
)
def test_a_description_that_contradicts_required_is_pointed_at(
    words: str, *, required: bool
) -> None:
    assert pointers("description-contradicts-schema", described(words, required=required)) == [AT_X]


@pytest.mark.parametrize(
    ("words", "required"),
    [
        ("Optional. How many.", False),
        ("How many (optional)", False),
        ("Required. How many.", True),
        ("Optionally rounded.", True),
        ("Optional-feature flag.", True),
        ("The name of the optional field.", True),
        ("Required when the ticket is a subtask.", False),
        ("Required, if no id is given.", False),
        ("Required for subtasks.", False),
        ("(required for subtasks)", False),
        ("The required field.", False),
        ("", True),
    ],
)
def test_a_description_that_agrees_is_fine(words: str, *, required: bool) -> None:
    assert pointers("description-contradicts-schema", described(words, required=required)) == []


@pytest.mark.parametrize(
    "members",
    [
        {"anyOf": [{"required": ["x"]}, {"required": ["city"]}]},
        {"dependentRequired": {"city": ["x"]}},
        {"if": {}, "then": {"required": ["x"]}},
    ],
)
def test_a_field_that_a_condition_may_require_may_say_required(members: dict[str, Any]) -> None:
    tool = described("Required. How many.", required=False, **members)

    assert pointers("description-contradicts-schema", tool) == []


def test_nested_objects_are_looked_at_and_odd_ones_left_alone() -> None:
    inner = {"type": "object", "properties": {"y": {"description": "Optional."}}, "required": ["y"]}
    odd = {"properties": [], "required": 7}

    assert pointers("description-contradicts-schema", field(inner)) == [f"{AT_X}/properties/y"]
    assert pointers("description-contradicts-schema", field(odd), {"name": "n"}) == []
