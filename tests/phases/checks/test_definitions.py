"""What rules read: entries of any type, and schemas walked once."""

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.schemas.schema_like import ANYTHING, schemas
from toolproof.phases.checks.definitions import (
    DEEPEST,
    Definition,
    SchemaView,
    place_of,
    types_of,
)
from toolproof.report import Check
from toolproof.schemas import escape_token, pointer_of, steps_of, subschemas, value_at


def view(schema: Any, member: str = "inputSchema") -> SchemaView:
    return SchemaView(member, schema, "2025-11-25")


def every(schema: Any, pointer: str) -> Iterator[tuple[str, Any]]:
    """Each subschema with its pointer, by the plain definition of what one is."""
    yield pointer, schema
    if isinstance(schema, dict):
        for path, below in subschemas(schema):
            yield from every(below, pointer + pointer_of(path))


@given(schemas(wrong=True, boolean=False).filter(lambda schema: isinstance(schema, dict)))
def test_the_walk_gives_every_subschema_once_in_the_order_of_the_schema(schema: Any) -> None:
    nodes = view(schema).nodes

    assert [(node.pointer, node.schema) for node in nodes] == list(every(schema, "/inputSchema"))
    for node in nodes:
        assert value_at({"inputSchema": schema}, steps_of(node.pointer)) is node.schema
        assert node.depth == (0 if node.parent is None else node.parent.depth + 1)


@given(schemas(wrong=True, boolean=False).filter(lambda schema: isinstance(schema, dict)))
def test_the_index_has_each_keyword_of_each_subschema(schema: Any) -> None:
    seen = view(schema)

    for keyword, having in seen.by_keyword.items():
        assert list(having) == [
            node for node in seen.nodes if isinstance(node.schema, dict) and keyword in node.schema
        ]
    assert seen.having("no-such") == ()


def test_a_node_knows_what_leads_to_it() -> None:
    seen = view({"properties": {"a/b": {"items": {}}}, "allOf": [{}, {"not": True}]})

    assert [(node.pointer, node.keyword, node.key) for node in seen.nodes] == [
        ("/inputSchema", "", ""),
        ("/inputSchema/properties/a~1b", "properties", "a/b"),
        ("/inputSchema/properties/a~1b/items", "items", "items"),
        ("/inputSchema/allOf/0", "allOf", 0),
        ("/inputSchema/allOf/1", "allOf", 1),
        ("/inputSchema/allOf/1/not", "not", "not"),
    ]
    assert [node.is_of_same_value for node in seen.nodes] == [False, False, False, True, True, True]
    assert seen.root.value("allOf") == [{}, {"not": True}]
    assert seen.nodes[-1].value("type") is None
    assert seen.at(("allOf", 1, "not")) is True


def test_a_property_may_be_called_like_its_keyword() -> None:
    seen = view({"properties": {"properties": {}, "items": {}}})

    assert [node.pointer for node in seen.nodes[1:]] == [
        "/inputSchema/properties/properties",
        "/inputSchema/properties/items",
    ]


def test_what_is_too_deep_is_not_looked_at() -> None:
    schema: Any = {}
    for _ in range(50_000):
        schema = {"items": schema}

    assert len(view(schema).nodes) == DEEPEST + 1
    assert view(schema).nodes[-1].pointer.count("/items") == DEEPEST


@pytest.mark.parametrize(
    ("schema", "types"),
    [
        ({"type": "string"}, ("string",)),
        ({"type": ["string", 5, "null"]}, ("string", "null")),
        ({"type": 5}, ()),
        ({}, ()),
        (True, ()),
    ],
)
def test_the_types_of_a_schema(schema: Any, types: tuple[str, ...]) -> None:
    assert types_of(schema) == types


def test_a_place_in_a_message_is_short_and_hides_nothing() -> None:
    shown = place_of("/inputSchema/properties/" + escape_token("\u202e\n") * 90)

    assert shown.isprintable()
    assert len(shown) < 150


def test_a_view_knows_its_dialect_and_whether_it_is_sound() -> None:
    assert view({}).is_sound
    assert not view({"type": "strng"}).is_sound
    assert not view({"$schema": "https://example.com/mine"}).is_sound
    assert view({"$schema": "https://example.com/mine", "type": "strng"}).breaches == []
    assert view({"$schema": "https://example.com/mine", "$ref": "#"}).references == ()
    assert view({"items": {}}).references == ()
    assert [r.pointer for r in view({"items": {"$ref": "#"}}).references] == ["/items/$ref"]
    assert (view({}).check, view({}, "outputSchema").check) == (
        Check.INPUT_SCHEMA,
        Check.OUTPUT_SCHEMA,
    )


@given(ANYTHING)
def test_any_entry_is_a_definition(raw: Any) -> None:
    definition = Definition(raw, 3, "")

    assert definition.label
    assert isinstance(definition.name, str)
    assert isinstance(definition.description, str)
    assert definition.schemas == []


@given(
    st.fixed_dictionaries(
        {},
        optional={
            "name": ANYTHING,
            "description": ANYTHING,
            "inputSchema": schemas(wrong=True),
            "outputSchema": schemas(wrong=True),
        },
    )
)
def test_only_schemas_of_a_known_dialect_can_be_looked_into(raw: Any) -> None:
    definition = Definition(raw, 0, "")

    for seen in definition.schemas:
        assert seen.dialect is not None
        assert seen.schema is raw[seen.member]


@pytest.mark.parametrize(
    "schema",
    [
        {"description": "\ud800"},
        {"properties": {"\udfff": {"title": "\ud800"}}},
        {"minimum": float("inf"), "maximum": 10**5000},
        {"const": [[[10**5000]]], "enum": [float("nan")]},
    ],
    ids=["text", "name", "bounds", "values"],
)
def test_what_no_engine_can_take_is_sound_where_the_dialect_allows_it(schema: Any) -> None:
    assert view(schema).breaches == []
    wrong = view({**schema, "items": {"type": "strng"}})
    assert [breach.pointer for breach in wrong.breaches] == ["/items/type"]


def test_a_schema_of_any_depth_has_its_breaches() -> None:
    schema: Any = {"type": "strng"}
    for _ in range(400):
        schema = {"items": schema}

    assert [breach.pointer for breach in view(schema).breaches] == ["/items" * 400 + "/type"]
