"""Each keyword: a value is found that fits, and one that breaks it alone."""

from itertools import islice
from typing import Any

import pytest

from toolproof.judgement.document import Document
from toolproof.phases.fuzz.generate import ABSENT, Plan, Stage
from toolproof.phases.fuzz.generate.checker import Checker
from toolproof.phases.fuzz.generate.fold import shapes_of
from toolproof.phases.fuzz.generate.letters import first, last
from toolproof.phases.fuzz.generate.shape import Claim
from toolproof.report.fuzz import InputMode
from toolproof.schemas.pattern_tree import Char, Class, Range

OLD = "http://json-schema.org/draft-07/schema#"


def field(schema: Any, **more: Any) -> dict[str, Any]:
    return {"type": "object", "properties": {"x": schema}, "required": ["x"], **more}


def values(schema: Any, stage: Stage = Stage.COVERAGE, **more: Any) -> list[Any]:
    cases = Plan(field(schema, **more)).cases(stage, InputMode.VALID)
    return [case.arguments["x"] for case in islice(cases, 400) if case.arguments is not ABSENT]


def broken(schema: Any, **more: Any) -> set[str]:
    cases = Plan(field(schema, **more)).cases(Stage.COVERAGE, InputMode.INVALID)
    return {case.keyword for case in islice(cases, 600)}


@pytest.mark.parametrize(
    "schema",
    [
        {"not": {"type": "string"}},
        {"not": {"type": ["integer", "string"]}},
        {"not": {"const": "a"}, "type": "string"},
        {"not": {"enum": ["a", ""]}, "type": "string"},
        {"not": {"required": ["a"]}, "type": "object"},
        {"not": {"properties": {"a": {"const": 1}}}, "type": "object"},
        {"not": {"minimum": 3}, "type": "integer"},
        {"not": {"maximum": 3}, "type": "integer"},
        {"not": {"exclusiveMinimum": 3}, "type": "integer"},
        {"not": {"exclusiveMaximum": 3}, "type": "integer"},
        {"not": {"minLength": 3}, "type": "string"},
        {"not": {"maxLength": 3}, "type": "string"},
        {"not": {"minItems": 3}, "type": "array"},
        {"not": {"maxItems": 3}, "type": "array"},
        {"not": {"minProperties": 3}, "type": "object"},
        {"not": {"maxProperties": 2}, "type": "object"},
        {"not": {"allOf": [{"type": "string"}, {"minLength": 1}]}},
        {"not": {"anyOf": [{"type": "string"}, {"type": "number"}]}},
        {"not": {"oneOf": [{"type": "string"}, {"type": "number"}]}},
        {"not": {"not": {"type": "boolean"}}},
        {"not": {"$ref": "#/$defs/N"}},
        {"not": {"pattern": "^a"}, "type": "string"},
        {"oneOf": [{"type": "integer"}, {"type": "number"}]},
        {"oneOf": [{"type": "number", "multipleOf": 5}, {"type": "number", "multipleOf": 3}]},
        {"anyOf": [{"type": "string", "maxLength": 2}, {"type": "array", "maxItems": 2}]},
        {"oneOf": [{"const": "a", "title": "A"}, {"const": "b"}, {"enum": ["c", "d"]}]},
        {
            "if": {"type": "string"},
            "then": {"minLength": 3},
            "else": {"minimum": 5, "type": "number"},
        },
        {"type": "array", "contains": {"const": 5}, "minItems": 2},
        {"type": "array", "contains": {"type": "string"}, "minContains": 0, "maxContains": 1},
        {"type": "array", "prefixItems": [{"type": "string"}], "unevaluatedItems": False},
        {
            "type": "array",
            "prefixItems": [{"const": 1}],
            "items": {"type": "string"},
            "minItems": 3,
        },
        {"type": "array", "items": {"type": "boolean"}, "uniqueItems": True, "minItems": 2},
        {"type": "array", "items": {"type": "string"}, "uniqueItems": True, "minItems": 14},
        {"type": "array", "items": {"type": "object"}, "uniqueItems": True, "minItems": 3},
        {"type": "object", "dependentRequired": {"a": ["b", "c"]}, "required": ["a"]},
        {"type": "object", "dependentSchemas": {"a": {"required": ["b"]}}, "properties": {"a": {}}},
        {"type": "object", "minProperties": 3, "properties": {"a": {"type": "integer"}}},
        {"type": "object", "minProperties": 2, "propertyNames": {"pattern": "^k[0-9]$"}},
        {"type": "object", "minProperties": 2, "propertyNames": {"enum": ["p", "q", "r"]}},
        {
            "type": "object",
            "patternProperties": {"^n_": {"type": "integer"}},
            "additionalProperties": False,
            "minProperties": 1,
        },
        {"type": "object", "properties": {"a": {}, "b": {}, "c": {}}, "maxProperties": 2},
        {"type": "object", "maxProperties": 3, "additionalProperties": {"type": "integer"}},
        {"type": "string", "format": "uint32"},
        {"type": "string", "contentEncoding": "base64"},
        {"type": "string", "format": "ipv4", "maxLength": 8},
        {"type": "string", "pattern": r"^(?:(?:25[0-5]|1?\d?\d)(?:\.(?!$)|$)){4}$"},
        {"type": "string", "allOf": [{"pattern": "^a"}, {"pattern": "z$"}, {"minLength": 2}]},
        {"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1},
        {"const": {"a": [1, None]}},
        {"enum": [None, True, 1.5, "x", [], {}]},
        {},
        True,
    ],
)
def test_some_value_fits(schema: Any) -> None:
    more: dict[str, Any] = {"$defs": {"N": {"type": "string"}}}

    assert values(schema, **more)


@pytest.mark.parametrize(
    ("schema", "keyword"),
    [
        ({"type": "string", "pattern": "^[a-z]+$"}, "pattern"),
        ({"type": "string", "format": "uuid"}, "format"),
        ({"type": "string", "minLength": 2}, "minLength"),
        ({"type": "string", "maxLength": 2}, "maxLength"),
        ({"type": "integer", "multipleOf": 5}, "multipleOf"),
        ({"type": "number", "exclusiveMinimum": 5}, "exclusiveMinimum"),
        ({"type": "array", "minItems": 2, "items": {}}, "minItems"),
        ({"type": "array", "maxItems": 2, "items": {}}, "maxItems"),
        ({"type": "array", "uniqueItems": True, "items": {"type": "integer"}}, "uniqueItems"),
        ({"type": "array", "contains": {"const": 5}}, "contains"),
        ({"type": "object", "minProperties": 1, "required": ["a"]}, "required"),
        ({"type": "object", "minProperties": 2}, "minProperties"),
        ({"type": "object", "maxProperties": 1}, "maxProperties"),
        ({"type": "object", "propertyNames": {"pattern": "^a"}}, "propertyNames"),
        ({"type": "object", "additionalProperties": False}, "additionalProperties"),
        ({"type": "object", "dependentRequired": {"a": ["b"]}}, "dependentRequired"),
        ({"type": "string", "not": {"const": "a"}}, "not"),
        ({"type": "number", "oneOf": [{"minimum": 1}, {"maximum": 5}]}, "oneOf"),
        ({"enum": [1, 2]}, "enum"),
        ({"enum": ["Ab", "c"]}, "enum"),
    ],
)
def test_the_keyword_is_broken(schema: Any, keyword: str) -> None:
    assert keyword in broken(schema)


def test_every_option_is_in_some_shape_although_not_every_choice_is() -> None:
    schema = {"allOf": [{"anyOf": [{"minimum": n}, {"maximum": n}]} for n in range(8)]}
    document = Document(schema)
    shapes = shapes_of((Claim(document.root),), document)

    assert len(shapes) <= 64
    assert {option for shape in shapes for option in shape.word.split(", ")} == {
        "option 1",
        "option 2",
    }


def test_options_that_exclude_each_other_are_dropped() -> None:
    document = Document(
        {"allOf": [{"anyOf": [{"const": 1}, {"const": 2}, {"minimum": 5}]}, {"type": "string"}]}
    )

    assert [shape.word for shape in shapes_of((Claim(document.root),), document)] == ["option 3"]


def test_a_subschema_is_judged_with_all_that_it_refers_to() -> None:
    schema = field(
        {"allOf": [{"$ref": "#/$defs/a b"}], "not": {"const": 5}},
        **{"$defs": {"a b": {"type": "integer", "maximum": 9}}},
    )
    checker = Checker(schema)
    node = (Claim(checker.document.root.below("properties", "x")),)

    assert checker.fits_node(node, 4)
    assert not checker.fits_node(node, 5)
    assert not checker.fits_node(node, 10)
    assert not checker.fits_node((Claim(node[0].spot, holds=False),), 4)


def test_a_subschema_of_a_document_with_an_id_is_judged_as_well() -> None:
    schema = field(
        {"oneOf": [{"$ref": "#/definitions/n"}, {"type": "null"}]},
        **{"$schema": OLD, "$id": "https://example.com/a", "definitions": {"n": {"minimum": 3}}},
    )

    checker = Checker(schema)
    node = (Claim(checker.document.root.below("properties", "x")),)

    assert [checker.fits_node(node, value) for value in (3, 2, None)] == [True, False, False]


def test_references_in_a_circle_judge_nothing_and_end() -> None:
    schema = field(
        {"$ref": "#/$defs/A"}, **{"$defs": {"A": {"$ref": "#/$defs/B"}, "B": {"$ref": "#/$defs/A"}}}
    )
    checker = Checker(schema)

    assert checker.fits_node((Claim(checker.document.root.below("properties", "x")),), 1)


def test_a_pattern_that_cannot_be_read_matches_nothing() -> None:
    assert not Checker({}).matches("(", "a")


def test_letters_of_a_class_are_those_that_it_lists() -> None:
    part = Class((Range(0x4E00, 0x4E05),), negated=False)

    assert first(part, "a") == "一"
    assert last(part, "a") == "\u4e05"
    assert first(Char(0x40), "@") == "@"
    assert last(Class((Range(97, 97),), negated=True), "ab") == "b"
