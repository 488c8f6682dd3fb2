"""Schemas held against the meta-schema of their dialect."""

from typing import Any

import pytest
from hypothesis import given

from tests.schemas.schema_like import DIALECTS, schemas
from toolproof.schemas import Dialect, breaches_of_schema
from toolproof.schemas.findings import Finding
from toolproof.schemas.metaschema import faults_of
from toolproof.schemas.pointers import Path
from toolproof.schemas.rust_engine import meta_engine

D4, D6, D7, D19, D20 = Dialect


def breaches(schema: Any, dialect: Dialect | None = None) -> list[tuple[str, str, str]]:
    found = breaches_of_schema(schema, dialect)
    return [(breach.pointer, breach.keyword, breach.message) for breach in found]


@given(schemas(wrong=True), DIALECTS)
def test_the_table_and_the_engine_agree_on_what_is_valid(schema: Any, dialect: Dialect) -> None:
    ours = [
        path
        for path, fault in faults_of(schema, dialect)
        if not (dialect is D4 and path[-1:] == ("enum",) and isinstance(fault.value, list))
    ]  # see breaches_of_schema on draft-04
    theirs = _places(list(meta_engine(dialect).findings(schema)))

    assert bool(ours) == bool(theirs), (ours, theirs)
    assert all(path in theirs or path[:-1] in theirs for path in ours)


def _places(findings: list[Finding]) -> set[Path]:
    places: set[Path] = set()
    while findings:
        finding = findings.pop()
        places.add(finding.path)
        for branch in finding.branches:
            findings += branch
    return places


@pytest.mark.parametrize(
    ("schema", "pointer", "keyword", "message"),
    [
        (
            {"properties": {"ttl": {"exclusiveMinimum": True}}},
            "/properties/ttl/exclusiveMinimum",
            "exclusiveMinimum",
            "found true, expected a number",
        ),
        ({"required": None}, "/required", "required", "found null, expected a list of names"),
        ({"required": True}, "/required", "required", "found true, expected a list of names"),
        (
            {"required": ["a", "a"]},
            "/required",
            "required",
            'found ["a", "a"], expected a list of names that all differ',
        ),
        ({"required": [1]}, "/required/0", "required", "found 1, expected a name, which is a string"),
        ({"properties": []}, "/properties", "properties", "found [], expected an object of schemas"),
        (
            {"properties": {"a": "string"}},
            "/properties/a",
            "properties",
            "found 'string', expected a schema, which is an object or a boolean",
        ),
        (
            {"items": [{"type": "string"}]},
            "/items",
            "items",
            'found [{"type": "string"}], expected a schema, which is an object or a boolean',
        ),
        ({"anyOf": []}, "/anyOf", "anyOf", "found [], expected a list of one or more schemas"),
        ({"enum": "a"}, "/enum", "enum", "found 'a', expected a list"),
        ({"minLength": -1}, "/minLength", "minLength", "found -1, expected an integer from 0"),
        ({"maxItems": 1.5}, "/maxItems", "maxItems", "found 1.5, expected an integer from 0"),
        ({"maxItems": True}, "/maxItems", "maxItems", "found true, expected an integer from 0"),
        ({"multipleOf": 0}, "/multipleOf", "multipleOf", "found 0, expected a number above 0"),
        ({"$defs": {"a": 1}}, "/$defs/a", "$defs", "found 1, expected a schema, which is an object or a boolean"),
        ({"dependentRequired": {"a": "b"}}, "/dependentRequired/a", "dependentRequired", "found 'b', expected a list of names"),
        (5, "", "", "found 5, expected a schema, which is an object or a boolean"),
    ],
)  # fmt: skip
def test_a_breach_names_keyword_place_finding_and_expectation(
    schema: Any, pointer: str, keyword: str, message: str
) -> None:
    assert breaches(schema) == [(pointer, keyword, message)]


@pytest.mark.parametrize(
    "schema",
    [
        {"maxItems": 1.0},
        {"type": ["string", "null"]},
        {"items": {}, "properties": {"type": {"type": "string"}, "items": {"enum": [1]}}},
        {"unknown": 1, "x-mcp-header": 2, "nullable": True},
        {"pattern": "("},
        {"format": "no-such"},
        {"$ref": "#/nowhere"},
        {"enum": []},
        {"enum": [1, 1]},
        {"default": {"properties": []}, "examples": [{"type": 5}]},
        True,
        {},
    ],
)
def test_what_the_meta_schema_allows_is_no_breach(schema: Any) -> None:
    assert breaches(schema) == []


@pytest.mark.parametrize(
    ("dialect", "schema", "valid"),
    [
        (D4, {"minimum": 0, "exclusiveMinimum": True}, True),
        (D4, {"exclusiveMinimum": True}, False),
        (D4, {"minimum": 0, "exclusiveMinimum": 0}, False),
        (D4, {"properties": {"a": True}}, False),
        (D4, {"additionalProperties": False}, True),
        (D4, {"required": []}, False),
        (D4, {"enum": [1, 1]}, False),
        (D4, {"enum": []}, False),
        (D4, {"maxItems": 1.0}, False),
        (D4, {"id": 5}, False),
        (D6, {"exclusiveMinimum": 0}, True),
        (D6, {"exclusiveMinimum": True}, False),
        (D6, {"if": 5}, True),
        (D7, {"if": 5}, False),
        (D7, {"items": [{"type": "string"}]}, True),
        (D7, {"items": [{"type": "strng"}]}, False),
        (D7, {"items": []}, False),
        (D7, {"$defs": 5}, True),
        (D7, {"dependencies": {"a": ["b"], "c": {"type": "object"}}}, True),
        (D7, {"dependencies": {"a": 5}}, False),
        (D19, {"items": [{}]}, True),
        (D19, {"$anchor": "_a"}, False),
        (D19, {"$recursiveAnchor": True}, True),
        (D20, {"$recursiveAnchor": True}, False),
        (D20, {"$anchor": "_a"}, True),
        (D20, {"$vocabulary": {"a": 1}}, False),
        (D20, {"$vocabulary": []}, False),
        (D20, {"$id": "a#b"}, False),
    ],
)
def test_each_dialect_is_judged_by_its_own_meta_schema(
    dialect: Dialect,
    schema: Any,
    valid: bool,
) -> None:
    assert (not breaches({**schema, "$schema": f"{dialect}#"})) is valid
    assert (not breaches(schema, dialect)) is valid


def test_nothing_is_said_of_an_unknown_dialect() -> None:
    assert breaches({"$schema": "https://example.com/mine", "type": "strng"}) == []


def test_a_schema_too_deep_for_an_engine_is_still_judged() -> None:
    schema: dict[str, Any] = {"type": "strng"}
    for _ in range(20_000):
        schema = {"items": schema}

    assert [keyword for _, keyword, _ in breaches(schema)] == ["type"]


@pytest.mark.parametrize(
    "schema",
    [
        {"minimum": 10**5000, "title": "\ud800"},
        {"const": float("inf"), "maximum": float("nan")},
        {"properties": {"\udfff": {}}},
        {"enum": [[[10**5000]]]},
        {1: 2},
    ],
)
def test_odd_values_are_judged_by_the_table_alone(schema: Any) -> None:
    assert breaches(schema) == []


def test_an_engine_that_knows_better_than_the_table_is_believed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Ours: a later jsonschema-rs may correct a meta-schema; the schema must not pass for it."""
    monkeypatch.setattr("toolproof.schemas.metaschema.faults_of", lambda *_: iter(()))

    assert breaches({"type": "strng"}) == [
        ("/type", "type", "found 'strng', expected what the meta-schema allows")
    ]


def test_without_an_engine_the_table_decides(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("toolproof.schemas.engines.rust", lambda: None)

    assert [keyword for _, keyword, _ in breaches({"type": "strng"})] == ["type"]
    assert breaches({"type": "string"}) == []
