"""What a schema accepts before and after: each keyword, and that nothing lost goes unseen."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolproof.finish.difference import Effect
from toolproof.finish.subtyping import differences
from toolproof.schemas import Validator

NARROWS, WIDENS, TEXT = Effect.NARROWS, Effect.WIDENS, Effect.TEXT
BOTH = Effect.BOTH
STRING = {"type": "string"}
NUMBER = {"type": "number"}


def obj(*required: str, closed: bool = False, **properties: Any) -> dict[str, Any]:
    schema: dict[str, Any] = {"type": "object", "properties": properties}
    if required:
        schema["required"] = list(required)
    return {**schema, "additionalProperties": False} if closed else schema


def told(old: Any, new: Any) -> list[tuple[str, Effect]]:
    return [(one.place, one.effect) for one in differences(old, new)]


SAME = [
    ({"type": ["string", "null"]}, {"anyOf": [{"type": "string"}, {"type": "null"}]}),
    ({"type": "string", "enum": ["a"]}, {"type": "string", "const": "a"}),
    ({"enum": ["a", "b"]}, {"enum": ["b", "a"], "type": "string"}),
    (obj("a", "b", a=STRING, b=STRING), obj("b", "a", b=STRING, a=STRING)),
    ({"$ref": "#/$defs/s", "$defs": {"s": STRING}}, STRING),
    ({"allOf": [{"$ref": "#/$defs/s"}], "$defs": {"s": STRING}}, {"allOf": [STRING]}),
    ({"allOf": [{"minLength": 3}], "type": "string"}, {"type": "string", "minLength": 3}),
    ({"type": "array"}, {"type": "array", "items": True, "minItems": 0, "uniqueItems": False}),
    (obj(a=STRING), {**obj(a=STRING), "required": [], "additionalProperties": True}),
    ({"minimum": 3}, {"minimum": 3.0}),
    ({"enum": [1]}, {"enum": [1.0]}),
    (True, {}),
    (False, {"not": {}}),
    ({"anyOf": [STRING, NUMBER]}, {"anyOf": [NUMBER, STRING]}),
    ({"anyOf": [STRING, NUMBER]}, {"oneOf": [STRING, NUMBER]}),
]


@pytest.mark.parametrize(("old", "new"), SAME)
def test_two_ways_to_write_the_same_do_not_differ(old: Any, new: Any) -> None:
    assert told(old, new) == []
    assert told(new, old) == []


ONE_WAY = [
    (STRING, {"type": ["string", "null"]}, ""),
    ({"type": "integer"}, NUMBER, ""),
    (STRING, {"anyOf": [STRING, {"type": "array", "items": STRING}]}, ""),
    (STRING, {}, ""),
    (False, STRING, ""),
    ({"enum": ["a"]}, {"enum": ["a", "b"]}, ""),
    ({"type": "string", "enum": ["a"]}, STRING, ""),
    ({"type": "number", "minimum": 2}, {"type": "number", "minimum": 1}, ""),
    ({"type": "number", "minimum": 2}, NUMBER, ""),
    ({"type": "number", "exclusiveMinimum": 2}, {"type": "number", "minimum": 2}, ""),
    ({"type": "number", "maximum": 2}, {"type": "number", "maximum": 3}, ""),
    ({"type": "number", "maximum": 2}, {"type": "number", "exclusiveMaximum": 3}, ""),
    ({"type": "integer", "multipleOf": 4}, {"type": "integer", "multipleOf": 2}, ""),
    ({"type": "integer", "multipleOf": 4}, {"type": "integer"}, ""),
    ({"type": "string", "minLength": 2}, {"type": "string", "minLength": 1}, ""),
    ({"type": "string", "maxLength": 2}, {"type": "string", "maxLength": 3}, ""),
    ({"type": "string", "maxLength": 2}, STRING, ""),
    ({"type": "string", "pattern": "^a"}, STRING, ""),
    ({"type": "string", "format": "email"}, STRING, ""),
    ({"type": "array", "uniqueItems": True}, {"type": "array"}, ""),
    ({"type": "array", "items": STRING}, {"type": "array", "items": {}}, "[]"),
    ({"type": "array", "contains": STRING}, {"type": "array", "contains": {}}, "[]"),
    ({"type": "array", "prefixItems": [STRING]}, {"type": "array", "prefixItems": [{}]}, "[0]"),
    (obj("a", a=STRING), obj(a=STRING), "a"),
    (obj(a=obj("b", b=STRING)), obj(a=obj(b=STRING)), "a.b"),
    (obj(closed=True), obj(), ".*"),
    ({"type": "object", "propertyNames": {"maxLength": 3}}, {"type": "object"}, ".*"),
    ({"type": "object", "patternProperties": {"^a": STRING}}, {"type": "object"}, ""),
    ({"type": "object", "dependentRequired": {"a": ["b"]}}, {"type": "object"}, ""),
    ({"type": "object", "dependentSchemas": {"a": {"minProperties": 2}}}, {"type": "object"}, ""),
    ({"anyOf": [STRING]}, {"anyOf": [STRING, {"type": "array", "items": {}}]}, ""),
    ({"type": "string", "not": {"enum": ["a", "b"]}}, {"type": "string", "not": {"enum": ["a"]}}, ""),
    ({"allOf": [{"minLength": 1}, {"maxLength": 3}]}, {"allOf": [{"minLength": 1}]}, ""),
    (
        {"anyOf": [obj("a", a={"const": 1}), obj("b", b={"const": 1})]},
        {"anyOf": [obj("a", a={"const": 1}), obj(b={"const": 1})]},
        "b",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("narrow", "wide", "place"), ONE_WAY)
def test_what_lets_more_in_widens_and_the_reverse_narrows(
    narrow: Any, wide: Any, place: str
) -> None:
    assert told(narrow, wide) == [(place, WIDENS)]
    assert told(wide, narrow) == [(place, NARROWS)]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ({"type": "string", "pattern": "^a"}, {"type": "string", "pattern": "^b"}),
        ({"type": "string", "format": "email"}, {"type": "string", "format": "uri"}),
        ({"type": "integer", "multipleOf": 2}, {"type": "integer", "multipleOf": 3}),
        ({"if": STRING, "then": {"minLength": 1}}, {"if": STRING, "then": {"minLength": 2}}),
        ({"items": [STRING]}, {"items": [NUMBER]}),
    ],
)
def test_what_cannot_be_told_counts_as_both(old: Any, new: Any) -> None:
    assert [effect for _, effect in told(old, new)] == [BOTH]


def test_members_that_come_and_go_are_told_by_name() -> None:
    old = {"properties": {"a": STRING, "odd name/x": STRING}, "required": ["a"]}
    new = {"properties": {"b": STRING, "c": STRING}, "required": ["b"]}

    found = [(one.place, one.message, one.effect) for one in differences(old, new)]

    assert found == [
        ("a", "it is gone", Effect.DROPS_PROPERTY),
        ("'odd name/x'", "it is gone", Effect.DROPS_PROPERTY),
        ("c", "it is new", Effect.ADDS_PROPERTY),
        ("b", "it is new, and required", NARROWS),
    ]


def test_in_a_closed_object_a_new_member_lets_more_in() -> None:
    old, new = obj(closed=True), obj("b", a=STRING, b=STRING, closed=True)

    assert told(old, new) == [("a", Effect.ADDS_PROPERTY | WIDENS), ("b", BOTH)]
    assert told(new, old)[0] == ("a", Effect.DROPS_PROPERTY | NARROWS)


@pytest.mark.parametrize("key", ["description", "title", "examples", "default", "deprecated"])
def test_what_only_a_model_reads_is_text(key: str) -> None:
    assert told(obj(a=STRING), obj(a={**STRING, key: True})) == [("a", TEXT)]


def test_a_comment_and_unused_definitions_are_nothing() -> None:
    assert told(STRING, {**STRING, "$comment": "x", "$defs": {"a": NUMBER}, "$id": "urn:x"}) == []
    assert told(STRING, {**STRING, "x-order": 1}) == [("", Effect.NONE)]


def test_a_change_is_found_through_references_and_once() -> None:
    def schema(most: int) -> dict[str, Any]:
        item = {"type": "string", "maxLength": most}
        node = {"type": "object", "properties": {"next": {"$ref": "#/$defs/node"}, "name": item}}
        return {"$ref": "#/$defs/node", "$defs": {"node": node}}

    [one] = differences(schema(9), schema(5))

    assert (one.place, one.effect) == ("name", NARROWS)
    assert one.steps == ("properties", "name", "maxLength")
    assert one.message == "it must have at most 5 characters, before 9"


def test_nothing_in_common_is_told_as_such() -> None:
    assert told(STRING, NUMBER) == [("", NARROWS), ("", WIDENS)]


@pytest.mark.parametrize(
    "broken", [None, 7, "x", [], {"type": 7}, {"$ref": "#/nowhere"}, {"enum": 3}]
)
def test_what_is_no_schema_is_compared_all_the_same(broken: Any) -> None:
    assert differences(broken, broken) == []
    assert isinstance(differences(broken, STRING), list)
    assert isinstance(differences(STRING, broken), list)


def test_deep_and_endless_schemas_come_to_an_end() -> None:
    deep: dict[str, Any] = {"type": "string"}
    other: dict[str, Any] = {"type": "number"}
    for _ in range(500):
        deep, other = obj(a=deep), obj(a=other)
    loop = {"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}}

    assert differences(deep, other)[0].effect == BOTH
    assert differences(loop, loop) == []


def test_many_alternatives_take_no_endless_time() -> None:
    old = {"anyOf": [obj("k", k={"const": n}, v=STRING) for n in range(300)]}
    new = {"anyOf": [obj("k", k={"const": n}, v=NUMBER) for n in range(300)]}

    [lost, gained] = differences(old, new)
    assert (lost.message, gained.message) == (
        "300 alternatives are no longer accepted",
        "300 alternatives are new",
    )


# Nothing that is lost goes unseen

_scalars = st.sampled_from([None, True, 0, 1, 2.5, -3, "", "a", "bb", "ccc"])
_values = st.recursive(
    _scalars,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("ab"), inner),
    max_leaves=6,
)
_names = st.sampled_from(["string", "number", "integer", "null", "boolean", "array", "object"])
_small = st.integers(0, 3)
_leaves = st.one_of(
    st.booleans(),
    st.fixed_dictionaries({"type": _names | st.lists(_names, min_size=1, unique=True)}),
    st.fixed_dictionaries({"enum": st.lists(_scalars, min_size=1, max_size=3)}),
    st.fixed_dictionaries(
        {},
        optional={
            "minimum": _small, "maximum": _small, "exclusiveMinimum": _small, "multipleOf": st.integers(1, 3),
            "minLength": _small, "maxLength": _small, "minItems": _small, "maxItems": _small,
            "uniqueItems": st.booleans(), "minProperties": _small, "const": _scalars,
            "required": st.lists(st.sampled_from("ab"), unique=True),
        },
    ),
)  # fmt: skip
_schemas = st.recursive(
    _leaves,
    lambda inner: st.one_of(
        st.fixed_dictionaries(
            {"properties": st.dictionaries(st.sampled_from("ab"), inner, max_size=2)},
            optional={
                "additionalProperties": inner,
                "required": st.lists(st.sampled_from("ab"), unique=True),
            },
        ),
        st.fixed_dictionaries({"items": inner}),
        st.fixed_dictionaries({"prefixItems": st.lists(inner, min_size=1, max_size=2)}),
        st.fixed_dictionaries({"not": inner}),
        st.fixed_dictionaries({"anyOf": st.lists(inner, min_size=1, max_size=3)}),
        st.fixed_dictionaries({"allOf": st.lists(inner, min_size=1, max_size=2)}),
    ),
    max_leaves=5,
)  # fmt: skip


_documents = _schemas | st.builds(
    lambda inner, beside: {**beside, "$ref": "#/$defs/x", "$defs": {"x": inner}},
    _schemas,
    _leaves.filter(lambda leaf: isinstance(leaf, dict)),
)


@given(_documents, _documents, st.lists(_values, min_size=1, max_size=20))
def test_a_value_that_no_longer_fits_is_always_told(old: Any, new: Any, values: list[Any]) -> None:
    """Of members that come and go there is more to say than of values: they count as told."""
    before, after = Validator(old), Validator(new)
    found = [one.effect for one in differences(old, new)]
    anything = Effect.ADDS_PROPERTY | Effect.DROPS_PROPERTY

    for value in values:
        if before.fits(value) and not after.fits(value):
            assert any(effect & (NARROWS | anything) for effect in found), value
        if after.fits(value) and not before.fits(value):
            assert any(effect & (WIDENS | anything) for effect in found), value
