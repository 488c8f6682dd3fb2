"""Values held against schemas, by both engines."""

import json
from typing import Any

import pytest
from hypothesis import given

from tests.schemas.schema_like import ANYTHING, DIALECTS, schemas
from toolproof.schemas import Dialect, SchemaError, Validator

D4, D6, D7, D19, D20 = Dialect


class InPython(Validator):
    """The same, as if jsonschema-rs were missing."""

    def _in_rust(self) -> None:
        return None


def found(validator: Validator, value: Any) -> set[tuple[str, str, str]]:
    breaches = validator.breaches(value)
    return {(breach.pointer, breach.keyword, breach.schema_pointer) for breach in breaches}


def messages(schema: Any, value: Any, dialect: Dialect | None = None) -> list[str]:
    both = [kind(schema, dialect) for kind in (Validator, InPython)]
    assert {validator.fits(value) for validator in both} == {False}
    said = [sorted(breach.message for breach in validator.breaches(value)) for validator in both]
    assert said[0] == said[1]
    return said[0]


CORPUS: list[tuple[Dialect, Any, list[Any]]] = [
    (D20, {"type": "integer"}, [1, 1.0, 1.5, True, "1", None, 1e300, -0.0]),
    (D4, {"type": "integer"}, [1, 1.0, True]),
    (D7, {"type": "integer"}, [1, 1.0, True]),
    (D20, {"type": ["string", "null"]}, ["a", None, 1, [], False]),
    (D20, {"type": "number"}, [1, 1.5, True, "1"]),
    (D20, {"enum": [1, "a", None, [1], {"a": 1}]}, [1, 1.0, True, "a", None, [1], [True], {"a": 1}]),
    (D20, {"const": False}, [False, 0, 0.0, None]),
    (D20, {"const": {"a": [1]}}, [{"a": [1]}, {"a": [1.0]}, {"a": [True]}, {}]),
    (D20, {"minimum": 1, "maximum": 3}, [0, 1, 3, 4, "x", 0.999, 2**53 + 1]),
    (D20, {"exclusiveMinimum": 1, "exclusiveMaximum": 3}, [1, 1.0001, 3, 2]),
    (D4, {"minimum": 1, "exclusiveMinimum": True}, [1, 2]),
    (D4, {"maximum": 1, "exclusiveMaximum": False}, [1, 2]),
    (D20, {"multipleOf": 0.01}, [19.99, 0.015, 3, "x"]),
    (D20, {"multipleOf": 2}, [4, 3, 4.0, 1.5, 10**30]),
    (D20, {"minLength": 2, "maxLength": 3}, ["a", "ab", "abcd", "\U0001f600", "éé", 5]),
    (D20, {"pattern": r"^\d+$"}, ["1", "12\n", "٣", "", 5]),
    (D20, {"pattern": r"\bfoo\b"}, ["foo", "a foo", "foobar", "éfoo"]),
    (D20, {"pattern": "(?<=a)b"}, ["ab", "b"]),
    (D20, {"pattern": r"(a)\1"}, ["aa", "ab"]),
    (D20, {"pattern": r"^\w+$"}, ["abc", "é", ""]),
    (D20, {"pattern": "^.$"}, ["a", "\n", "\r", "\u2028", "\U0001f600"]),
    (D20, {"pattern": r"^\p{L}+$"}, ["é", "1"]),
    (D20, {"pattern": r"^[\s\S]$"}, ["a", "\n", ""]),
    (D20, {"minItems": 1, "maxItems": 2}, [[], [1], [1, 2, 3], "x"]),
    (D20, {"uniqueItems": True}, [[1, 1.0], [1, True], [{}, {}], [[1], [True]], ["a", "b"], [None]]),
    (D20, {"items": {"type": "string"}}, [["a"], [1, "a", 2], []]),
    (D20, {"prefixItems": [{"type": "string"}], "items": False}, [["a"], ["a", 1, 2], [1]]),
    (D20, {"prefixItems": [True, False]}, [[1], [1, 2]]),
    (D7, {"items": [{"type": "string"}], "additionalItems": False}, [["a"], ["a", 1]]),
    (D7, {"items": [{"type": "string"}], "additionalItems": {"type": "null"}}, [["a", 1], ["a", None]]),
    (D20, {"contains": {"type": "string"}}, [[], [1], ["a"]]),
    (D20, {"contains": {"type": "string"}, "minContains": 2}, [["a"], ["a", "b"], []]),
    (D20, {"contains": {"type": "string"}, "maxContains": 1}, [["a"], ["a", "b"]]),
    (D20, {"contains": {"type": "string"}, "minContains": 0}, [[], ["a"]]),
    (D20, {"minProperties": 1, "maxProperties": 1}, [{}, {"a": 1}, {"a": 1, "b": 2}]),
    (D20, {"required": ["a", "b"]}, [{}, {"a": 1}, {"a": 1, "b": 2}, []]),
    (D20, {"properties": {"a": {"type": "string"}, "b": False}}, [{"a": 1}, {"b": 1}, {"a": "x"}]),
    (D20, {"properties": {"a": True}, "additionalProperties": False}, [{"a": 1}, {"b": 1, "c": 2}]),
    (D20, {"additionalProperties": False}, [{}, {"b": 1}]),
    (D20, {"additionalProperties": {"type": "string"}}, [{"b": 1}, {"b": "x"}]),
    (
        D20,
        {"patternProperties": {r"^\d": {"type": "string"}, "^[0-9]": {"maxLength": 1}}, "additionalProperties": False},
        [{"1": 5}, {"1": "xx"}, {"a": 1}, {"1": "x"}],
    ),
    (D20, {"propertyNames": {"maxLength": 1}}, [{"ab": 1}, {"a": 1}, {}]),
    (D20, {"propertyNames": False}, [{"ab": 1}, {}]),
    (D20, {"dependentRequired": {"a": ["b", "c"]}}, [{"a": 1}, {"a": 1, "b": 1}, {"b": 1}]),
    (D20, {"dependentSchemas": {"a": {"required": ["b"]}}}, [{"a": 1}, {"a": 1, "b": 1}]),
    (D7, {"dependencies": {"a": ["b"], "c": {"required": ["d"]}}}, [{"a": 1}, {"c": 1}, {}]),
    (D20, {"unevaluatedProperties": False, "allOf": [{"properties": {"a": True}}]}, [{"a": 1}, {"b": 1}]),
    (D20, {"unevaluatedItems": False, "prefixItems": [True]}, [[1], [1, 2]]),
    (D20, {"not": {"type": "string"}}, ["a", 1]),
    (D20, {"allOf": [{"type": "string"}, {"minLength": 2}]}, [1, "a", "ab"]),
    (D20, {"anyOf": [{"type": "string"}, {"type": "null"}]}, [1, "a", None]),
    (D20, {"oneOf": [{"type": "string"}, {"minLength": 2}]}, ["a", "ab", 1]),
    (D20, {"oneOf": [{"type": "string"}, {"type": "null"}]}, [1, "a"]),
    (D20, {"if": {"type": "string"}, "then": {"minLength": 2}, "else": {"minimum": 2}}, ["a", 1, 2, "ab"]),
    (
        D20,
        {"properties": {"a": {"$ref": "#/$defs/x"}}, "$defs": {"x": {"type": "string"}}},
        [{"a": 1}, {"a": "x"}],
    ),
    (
        D20,
        {"properties": {"a": {"$ref": "#x"}}, "$defs": {"x": {"$anchor": "x", "type": "string"}}},
        [{"a": 1}],
    ),
    (
        D7,
        {"$ref": "#/definitions/x", "type": "null", "definitions": {"x": {"type": "string"}}},
        [1, "a", None],
    ),
    (
        D20,
        {"$id": "urn:r", "$defs": {"n": {"$id": "http://h/n", "properties": {"k": {"$ref": "n"}, "v": {"type": "string"}}}}, "$ref": "http://h/n"},
        [{"v": 1}, {"k": {"v": 1}}],
    ),
    (D20, {"$ref": "#"}, [1]),
    (D20, {"items": {"$ref": "#"}, "type": "array"}, [[], [[], [1]]]),
    (D19, {"$recursiveAnchor": True, "properties": {"a": {"$recursiveRef": "#"}}, "type": "object"}, [{"a": 1}]),
    (D20, {"$dynamicAnchor": "n", "properties": {"a": {"$dynamicRef": "#n"}}, "type": "object"}, [{"a": 1}]),
    (D20, False, [1, None]),
    (D20, True, [1, None]),
    (D20, {"format": "date", "contentEncoding": "base64"}, ["x"]),
    (D20, {"properties": {"$ref": {"type": "string"}, "items": {"type": "null"}}}, [{"$ref": 1, "items": 2}]),
]  # fmt: skip


@pytest.mark.parametrize(
    ("dialect", "schema", "values"), CORPUS, ids=lambda given: json.dumps(given)[:60]
)
def test_both_engines_find_the_same_keywords_at_the_same_places(
    dialect: Dialect, schema: Any, values: list[Any]
) -> None:
    rust, python = Validator(schema, dialect), InPython(schema, dialect)

    assert rust.is_compiled
    assert not python.is_compiled
    for value in values:
        assert rust.fits(value) is python.fits(value), value
        assert found(rust, value) == found(python, value), value
        assert rust.fits(value) is (not found(rust, value))


@given(schemas(wrong=False), ANYTHING, DIALECTS)
def test_both_engines_agree_on_any_schema_and_value(
    schema: Any, value: Any, dialect: Dialect
) -> None:
    try:
        rust = Validator(schema, dialect)
    except SchemaError:
        return
    python = InPython(schema, dialect)

    assert rust.fits(value) is python.fits(value)
    assert found(rust, value) == found(python, value)


@pytest.mark.parametrize(
    ("schema", "value", "message"),
    [
        ({"type": "string"}, 3, "found 3, expected a string"),
        ({"type": ["string", "null"]}, [], "found [], expected a string or null"),
        ({"type": ["object", "array", "null"]}, 1.5, "found 1.5, expected an object, an array or null"),
        ({"enum": ["a", "b"]}, "c", "found 'c', expected one of 'a', 'b'"),
        ({"enum": list(range(9))}, 10, "found 10, expected one of 0, 1, 2 and 6 more"),
        ({"const": "a"}, "b", "found 'b', expected 'a'"),
        ({"minimum": 5}, 3, "found 3, expected at least 5"),
        ({"maximum": 5}, 7, "found 7, expected at most 5"),
        ({"exclusiveMinimum": 5}, 5, "found 5, expected more than 5"),
        ({"exclusiveMaximum": 5}, 5, "found 5, expected less than 5"),
        ({"multipleOf": 2}, 3, "found 3, expected a multiple of 2"),
        ({"minLength": 2}, "a", "found 1 character, expected at least 2"),
        ({"maxLength": 1}, "ab", "found 2 characters, expected at most 1"),
        ({"minItems": 1}, [], "found 0 items, expected at least 1"),
        ({"maxItems": 1}, [1, 2], "found 2 items, expected at most 1"),
        ({"minProperties": 1}, {}, "found 0 properties, expected at least 1"),
        ({"maxProperties": 0}, {"a": 1}, "found 1 property, expected at most 0"),
        ({"pattern": r"^\d+$"}, "x", "found 'x', expected a match of '^\\d+$'"),
        ({"required": ["a"]}, {}, "'a' is required and missing"),
        ({"required": ["a", "b"]}, {}, "'a', 'b' are required and missing"),
        ({"additionalProperties": False, "properties": {"a": {}}}, {"b": 1}, "'b' is not allowed here"),
        (
            {"additionalProperties": False, "patternProperties": {"^x": {}}},
            {"x1": 1, "b": 1, "c": 1},
            "'b', 'c' are not allowed here",
        ),
        ({"dependentRequired": {"a": ["b"]}}, {"a": 1}, "'b' must come with 'a'"),
        ({"uniqueItems": True}, [1, 1], "found equal items in [1, 1], expected all to differ"),
        ({"contains": {"const": 1}}, [2], "found no item in [2] that fits 'contains'"),
        ({"contains": {"const": 1}, "minContains": 2}, [1], "found fewer items that fit 'contains' than 2"),
        ({"contains": {"const": 1}, "maxContains": 1}, [1, 1], "found more items that fit 'contains' than 1"),
        ({"unevaluatedProperties": False}, {"a": 1}, 'found properties in {"a": 1} that no part of the schema allows'),
        ({"unevaluatedItems": False}, [1], "found items in [1] that no part of the schema allows"),
        ({"not": {}}, 1, "found 1, which 'not' rules out"),
        (False, 1, "found 1, expected nothing here: its schema is false"),
        ({"propertyNames": {"maxLength": 1}}, {"ab": 1}, "the name 'ab' is not one that 'propertyNames' allows"),
        ({"anyOf": [{"type": "string"}, {"type": "null"}]}, 1, "found 1, expected a string or null"),
        ({"anyOf": [{"type": ["string", "null"]}, {"type": "array"}]}, 1, "found 1, expected a string, null or an array"),
        (
            {
                "anyOf": [
                    {"properties": {"kind": {"const": "a"}, "n": {"type": "integer"}}},
                    {"properties": {"kind": {"const": "b"}}},
                ]
            },
            {"kind": "a", "n": "x"},
            "fits none of the 2 branches of 'anyOf'; the closest: at /n found 'x', expected an integer",
        ),
        (
            {"oneOf": [{"minimum": 5}, {"type": "string"}]},
            3,
            "fits none of the 2 branches of 'oneOf'; the closest: found 3, expected at least 5",
        ),
        (
            {"anyOf": [{"anyOf": [{"minimum": 5}, {"minimum": 6}]}]},
            3,
            "fits none of the 1 branch of 'anyOf'; the closest: found 3, expected at least 5",
        ),
        ({"oneOf": [{}, {"minimum": 1}, False]}, 3, "found 3, which fits branches 0, 1 of 'oneOf', expected one"),
        ({"type": "string"}, [1, 2, 3, 4], "found [1, 2, 3, 4], expected a string"),
        ({"type": "string"}, [1] * 40, "found an array of 40 items, expected a string"),
        ({"type": "string"}, [[[1] * 40]], "found an array of 1 item, expected a string"),
        ({"type": "string"}, {"a": "x" * 90}, "found an object of 1 property, expected a string"),
        ({"type": "string"}, dict.fromkeys("abcdefghijklm", 1), "found an object of 13 properties, expected a string"),
        ({"type": "null"}, "x" * 90, f"found '{'x' * 60}'… (90 characters), expected null"),
    ],
    ids=str,
)  # fmt: skip
def test_the_message_says_what_was_found_and_what_is_expected(
    schema: Any, value: Any, message: str
) -> None:
    assert messages(schema, value) == [message]


def test_messages_of_older_dialects_speak_of_their_keywords() -> None:
    strict = {"minimum": 1, "exclusiveMinimum": True}
    assert messages(strict, 1, D4) == ["found 1, expected more than 1"]
    assert messages({"minimum": 1}, 0, D4) == ["found 0, expected at least 1"]
    assert messages({"dependencies": {"a": ["b"]}}, {"a": 1}, D7) == ["'b' must come with 'a'"]
    closed = {"items": [{}], "additionalItems": False}
    assert messages(closed, [1, 2], D7) == ["found more items in [1, 2] than are allowed"]


def test_a_message_is_short_and_hides_nothing_whatever_the_value() -> None:
    schema = {"enum": ["\u202e" * 500] * 3, "pattern": "x{1}" * 200, "type": "string"}
    for value in ("\x1b[31m" * 900, "\u200b" * 900, {"\n" * 900: 1}):
        for breach in Validator(schema).breaches(value):
            assert breach.message.isprintable()
            assert len(breach.message) < 500


@pytest.mark.parametrize(
    ("schema", "reason", "pointer"),
    [
        ({"$schema": "https://example.com/mine"}, "$schema names no known dialect", "/$schema"),
        ({"type": "strng"}, "found 'strng', expected one of", "/type"),
        ({"properties": {"a": {"pattern": "("}}}, "the group opened at 0 is not closed", "/properties/a/pattern"),
        ({"patternProperties": {"(?i)a": {}}}, "'(?...)' at 0: JavaScript has no flags", "/patternProperties/(?i)a"),
        ({"$ref": "#/$defs/x"}, "the reference is dangling", "/$ref"),
        ({"items": {"$ref": "http://127.0.0.1:9/x"}}, "the reference is external", "/items/$ref"),
        ("x", "found 'x', expected a schema", ""),
    ],
)  # fmt: skip
def test_a_schema_that_cannot_judge_is_refused_with_reason_and_place(
    schema: Any, reason: str, pointer: str
) -> None:
    with pytest.raises(SchemaError) as caught:
        Validator(schema)

    assert caught.value.reason.startswith(reason)
    assert caught.value.pointer == pointer
    assert reason in str(caught.value)


def test_formats_are_asserted_only_where_that_is_asked_for() -> None:
    schema = {"type": "string", "format": "ipv4"}

    assert Validator(schema).fits("x")
    assert InPython(schema).fits("x")
    for kind in (Validator, InPython):
        validator = kind(schema, formats=True)
        assert validator.fits("127.0.0.1")
        assert [b.message for b in validator.breaches("x")] == [
            "found 'x', expected the format 'ipv4'"
        ]
    assert Validator({"format": "no-such"}, formats=True).fits("x")


def test_two_schemas_with_one_id_are_not_mixed_up() -> None:
    first = Validator({"$id": "urn:args", "type": "string"})
    second = Validator({"$id": "urn:args", "type": "integer"})

    assert first.fits("a")
    assert not first.fits(1)
    assert second.fits(1)
    assert not second.fits("a")
