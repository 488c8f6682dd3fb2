"""Whatever a server calls a schema gives labelled inputs or a reason, and never an exception."""

import json
import re
from collections.abc import Callable
from itertools import islice
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema.validators import validator_for

from tests.schemas.schema_like import ANYTHING, schemas
from toolproof.phases.fuzz.generate import ABSENT, Case, Plan, Stage, growths, within_budget
from toolproof.report.fuzz import InputMode
from toolproof.schemas import ecma_to_python

_MOST = 6
_OTHER_READINGS = re.compile(r'"(format|contentEncoding|contentMediaType)"')
"""jsonschema alone asserts few formats and no content."""


def some_cases(plan: Plan, most: int = _MOST) -> list[Case]:
    return [
        case
        for stage in Stage
        for mode in InputMode
        for case in islice(plan.cases(stage, mode), most)
    ]


def _pattern(validator: Any, pattern: str, instance: Any, _schema: Any) -> Any:
    found = ecma_to_python(pattern)
    if isinstance(instance, str) and found is not None and not found.search(instance):
        yield jsonschema.ValidationError(f"{validator} {pattern}")


_extended: Callable[[Any, dict[str, Any]], Any] = jsonschema.validators.extend


def assert_labels_are_true(schema: Any, cases: list[Case]) -> None:
    """By another validator than the one that gave the labels."""
    kind = validator_for(schema, default=jsonschema.Draft202012Validator)
    judge = _extended(kind, {"pattern": _pattern})(schema)
    for case in cases:
        arguments = {} if case.arguments is ABSENT else case.arguments
        fits = isinstance(arguments, dict) and judge.is_valid(arguments)
        assert fits is (case.mode is InputMode.VALID), (schema, case)


def nested(schema: Any) -> dict[str, Any]:
    """A tool's schema with that of a field."""
    return {
        "type": "object",
        "properties": {"x": schema, "y": {"type": "string"}},
        "required": ["x"],
    }


@given(schemas(wrong=False) | schemas(wrong=False).map(nested), st.integers(0, 3))
def test_labels_are_true_for_any_schema(schema: Any, seed: int) -> None:
    plan = Plan(schema, seed=seed)
    cases = some_cases(plan)

    if plan.problem is None and not _OTHER_READINGS.search(json.dumps(schema)):
        assert_labels_are_true(schema, cases)


@given(
    ANYTHING | schemas(wrong=True) | schemas(wrong=True).map(nested),
    st.dictionaries(st.sampled_from(["a", "x", "y"]), st.lists(ANYTHING, max_size=2), max_size=2),
)
def test_nothing_raises_whatever_the_schema_is(schema: Any, given_values: Any) -> None:
    plan = Plan(schema, given=given_values)

    for case in some_cases(plan):
        assert plan.label(case.arguments) is case.mode
        assert isinstance(plan.keeper(case, same_breach=True)(case.arguments), bool)
    within_budget(plan, InputMode.VALID, 5)
    list(islice(growths(plan), 2))
    assert all(note.why for note in plan.notes)


def _levels(count: int, *, required: bool) -> dict[str, Any]:
    schema: dict[str, Any] = {"type": "string"}
    for _ in range(count):
        schema = {"type": "object", "properties": {"a": schema}, "required": ["a"] * required}
    return schema


def _with(**fields: Any) -> dict[str, Any]:
    return {"type": "object", "properties": fields, "required": list(fields)}


HOSTILE: dict[str, Any] = {
    "many fields": {
        "type": "object",
        "properties": {f"p{i}": {"type": "string", "description": "x" * 90} for i in range(1_000)},
    },
    "many required fields": _with(**{f"p{i}": {"type": "string"} for i in range(500)}),
    "deep and required": _levels(90, required=True),
    "deep": _levels(90, required=False),
    "too deep": _levels(300, required=True),
    "many ways into itself": {
        "type": "object",
        "properties": {f"p{i}": {"$ref": "#"} for i in range(20)},
    },
    "a tree": {
        "type": "object",
        "properties": {"n": {"$ref": "#/$defs/N"}},
        "required": ["n"],
        "$defs": {
            "N": {
                "anyOf": [
                    {"type": "null"},
                    {
                        "type": "object",
                        "properties": {"l": {"$ref": "#/$defs/N"}, "r": {"$ref": "#/$defs/N"}},
                        "required": ["l", "r"],
                    },
                ]
            }
        },
    },
    "a circle": {
        "$ref": "#/$defs/A",
        "$defs": {"A": {"$ref": "#/$defs/B"}, "B": {"$ref": "#/$defs/A"}},
    },
    "endless": _with(a={"$ref": "#"}),
    "huge enum": _with(e={"enum": [f"v{i}" for i in range(100_000)]}),
    "huge enum of another type": _with(e={"type": "array", "enum": list(range(100_000))}),
    "huge most": _with(a={"type": "array", "items": {"type": "string"}, "maxItems": 10**9}),
    "huge least": _with(a={"type": "array", "items": {"type": "string"}, "minItems": 10**9}),
    "many unique items": _with(
        a={"type": "array", "items": {"type": "integer"}, "minItems": 100, "uniqueItems": True}
    ),
    "huge text": _with(a={"type": "string", "minLength": 10**9}),
    "many keys": {"type": "object", "minProperties": 10**6},
    "catastrophic pattern": _with(
        a={"type": "string", "pattern": "^(a+)+$", "minLength": 50},
        b={"type": "string", "pattern": r"^(\w+\s?)*\1$"},
    ),
    "huge repetition": _with(a={"type": "string", "pattern": "^(a{1000}){1000}$"}),
    "many joined": {
        "type": "object",
        "allOf": [
            {"properties": {f"p{i}": {"type": "integer", "minimum": i}}, "required": [f"p{i}"]}
            for i in range(150)
        ],
    },
    "many joined and closed": {
        "type": "object",
        "allOf": [
            {"properties": {f"p{i}": {}}, "additionalProperties": {"type": "integer"}}
            for i in range(150)
        ],
    },
    "many options": _with(
        x={
            "oneOf": [
                {"type": "object", "properties": {"k": {"const": i}}, "required": ["k"]}
                for i in range(500)
            ]
        }
    ),
    "options of options": _with(
        x={
            "type": "integer",
            "allOf": [
                {"anyOf": [{"minimum": i}, {"maximum": -i}, {"multipleOf": i + 1}]}
                for i in range(30)
            ],
        }
    ),
    "conditions": {
        "type": "object",
        "properties": {"k": {"enum": list("abcdefghij")}},
        "allOf": [
            {
                "if": {"properties": {"k": {"const": c}}, "required": ["k"]},
                "then": {"required": [f"f{c}"], "properties": {f"f{c}": {"type": "integer"}}},
            }
            for c in "abcdefghij"
        ],
    },
    "numbers without measure": _with(
        x={"type": "number", "multipleOf": 1e-300, "minimum": 1e300},
        y={"type": "integer", "multipleOf": 10**300, "minimum": 1},
        z={"type": "number", "minimum": 10**400},
    ),
    "names": {
        "type": "object",
        "propertyNames": {"pattern": "^[a-z]{3,5}$"},
        "additionalProperties": {"type": "number"},
        "minProperties": 2,
        "maxProperties": 4,
    },
    "patterns of names": {
        "type": "object",
        "patternProperties": {
            f"^x{i}_[a-z]+$": {"type": "integer", "minimum": i} for i in range(50)
        },
        "additionalProperties": False,
        "minProperties": 3,
    },
    "contents": _with(
        a={
            "type": "array",
            "items": {"type": "integer"},
            "contains": {"minimum": 10},
            "minContains": 2,
            "maxContains": 3,
            "maxItems": 5,
            "uniqueItems": True,
        }
    ),
    "unevaluated": {
        "type": "object",
        "properties": {"a": {"type": "string"}},
        "anyOf": [
            {"properties": {"b": {"type": "integer"}}, "required": ["b"]},
            {"properties": {"c": {"type": "integer"}}, "required": ["c"]},
        ],
        "unevaluatedProperties": False,
    },
    "a tuple": _with(
        a={
            "type": "array",
            "prefixItems": [{"type": "string"}, {"type": "integer"}, {"enum": ["x"]}],
            "items": False,
            "minItems": 3,
        }
    ),
    "an old tuple": {
        "$schema": "http://json-schema.org/draft-07/schema#",
        **_with(
            a={
                "type": "array",
                "items": [{"type": "string"}, {"type": "integer"}],
                "additionalItems": False,
                "minItems": 2,
            }
        ),
    },
    "draft-04": {
        "$schema": "http://json-schema.org/draft-04/schema#",
        **_with(a={"type": "integer", "minimum": 0, "exclusiveMinimum": True}),
    },
    "a dynamic reference": {
        "$dynamicAnchor": "T",
        "type": "object",
        "properties": {
            "d": {"type": "integer"},
            "kids": {"type": "array", "items": {"$dynamicRef": "#T"}},
        },
        "required": ["d"],
    },
    "an anchor": {
        "type": "object",
        "properties": {"x": {"$ref": "#foo"}},
        "required": ["x"],
        "$defs": {"f": {"$anchor": "foo", "type": "integer", "minimum": 7}},
    },
    "odd names": _with(
        **{"": {"type": "string"}, "a/b~c": {"const": 1}, "%25 é": {"$ref": "#/$defs/a%25b"}}
    )
    | {"$defs": {"a%b": {"type": "boolean"}}},
}
NOTHING_FITS = {
    "too deep", "endless", "huge enum of another type", "huge least", "huge text", "many keys",
    "huge repetition", "deep and required",
}  # fmt: skip
ONLY_OURS = {
    "numbers without measure",
    "catastrophic pattern",
    "a circle",
}  # too much for the other validator


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_schema_takes_bounded_effort_and_keeps_its_labels_true(name: str) -> None:
    plan = Plan(HOSTILE[name], seed=1)
    cases = some_cases(plan, 10)

    assert bool(plan.slots) is (name not in NOTHING_FITS or plan.problem is not None)
    assert all(len(repr(case.arguments)) < 300_000 for case in cases)
    if plan.problem is None and name not in ONLY_OURS:
        assert_labels_are_true(HOSTILE[name], cases[::3])
    if not plan.slots:
        assert plan.notes[-1].why or plan.notes
