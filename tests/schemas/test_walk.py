"""Subschemas, pointers, dialects, equality: the small parts."""

from typing import Any

import pytest
from hypothesis import given

from tests.schemas.schema_like import ANYTHING
from toolproof.schemas import (
    Dialect,
    dialect_of,
    escape_token,
    first_repeated,
    pointer_of,
    steps_of,
    subschemas,
    type_of,
    value_at,
    warm_up,
)
from toolproof.schemas.plain import DEEPEST, Shape, shape_of, tamed
from toolproof.schemas.walk import HOLDERS, MANY, NAMED, ONE


@pytest.mark.parametrize("keyword", sorted(ONE | {"items"}))
def test_a_keyword_of_one_schema_gives_it(keyword: str) -> None:
    assert list(subschemas({keyword: {"type": "null"}})) == [((keyword,), {"type": "null"})]
    assert list(subschemas({keyword: False})) == [((keyword,), False)]


@pytest.mark.parametrize("keyword", sorted(MANY | {"items"}))
def test_a_keyword_of_a_list_gives_each(keyword: str) -> None:
    assert list(subschemas({keyword: [{}, 5, True]})) == [((keyword, 0), {}), ((keyword, 2), True)]


@pytest.mark.parametrize("keyword", sorted(NAMED))
def test_a_keyword_of_names_gives_each(keyword: str) -> None:
    below = {"a": {}, "b": ["c"], "d": False}
    assert list(subschemas({keyword: below})) == [((keyword, "a"), {}), ((keyword, "d"), False)]


@pytest.mark.parametrize("keyword", sorted(HOLDERS))
@pytest.mark.parametrize("value", [None, 5, "x", ["a", None], [[{}]]])
def test_what_is_no_schema_is_not_given(keyword: str, value: Any) -> None:
    assert list(subschemas({keyword: value})) == []


def test_the_order_is_that_of_the_schema() -> None:
    schema = {"not": {}, "properties": {"b": {}, "a": {}}, "allOf": [{}], "enum": [{}]}

    assert [pointer_of(path) for path, _ in subschemas(schema)] == [
        "/not",
        "/properties/b",
        "/properties/a",
        "/allOf/0",
    ]


def test_pointers_escape_and_lead_back() -> None:
    path = ("a/b", "m~n", 0, "")

    assert pointer_of(path) == "/a~1b/m~0n/0/"
    assert steps_of("/a~1b/m~0n/0/") == ("a/b", "m~n", "0", "")
    assert steps_of("") == ()
    assert value_at({"a/b": {"m~n": [{"": 5}]}}, path) == 5
    assert value_at({"0": 5}, (0,)) == 5
    assert escape_token(3) == "3"
    with pytest.raises(LookupError):
        value_at("text", ("a",))


@pytest.mark.parametrize(
    ("declared", "dialect"),
    [
        ("http://json-schema.org/draft-07/schema#", Dialect.DRAFT_7),
        ("http://json-schema.org/draft-04/schema", Dialect.DRAFT_4),
        ("https://json-schema.org/draft/2019-09/schema", Dialect.DRAFT_2019_09),
        ("https://json-schema.org/draft-07/schema#", None),
        ("https://json-schema.org/draft/2020-12/schema/", None),
        ("", None),
        (5, Dialect.DRAFT_2020_12),
        (None, Dialect.DRAFT_2020_12),
    ],
)
def test_the_dialect_is_the_one_that_is_declared(declared: Any, dialect: Dialect | None) -> None:
    assert dialect_of({"$schema": declared}) is dialect


def test_2020_12_is_the_dialect_of_what_declares_none() -> None:
    assert dialect_of({}) is Dialect.DRAFT_2020_12
    assert [dialect.label for dialect in Dialect] == [
        "draft-04",
        "draft-06",
        "draft-07",
        "2019-09",
        "2020-12",
    ]


@pytest.mark.parametrize(
    ("values", "index"),
    [
        ([1, 2, 1], 2),
        ([1, 1.0], 1),
        ([1, True], None),
        ([0, False, None, "", [], {}], None),
        ([{"a": 1, "b": 2}, {"b": 2, "a": 1.0}], 1),
        ([[1], [True]], None),
        ([[1, [2]], [1, [2.0]]], 1),
        ([[[]], [[], []]], None),
        ([["a", "b"], [["a"], "b"]], None),
        ([float("nan"), float("inf")], None),
        ([{"a": ["b"]}, {"a": "b"}], None),
    ],
)
def test_values_are_equal_as_json_has_it(values: list[Any], index: int | None) -> None:
    assert first_repeated(values) == index


def test_equality_takes_any_depth() -> None:
    def nested() -> list[Any]:
        value: list[Any] = []
        for _ in range(50_000):
            value = [value]
        return value

    assert first_repeated([nested(), nested()]) == 1


@pytest.mark.parametrize(
    ("value", "name"),
    [(None, "null"), (True, "boolean"), (1, "integer"), (1.0, "number"), ("", "string"), ([], "array"), ({}, "object"), ((), "tuple")],
)  # fmt: skip
def test_types_have_the_names_of_json(value: Any, name: str) -> None:
    assert type_of(value) == name


def nested(levels: int) -> Any:
    value: Any = 1
    for _ in range(levels):
        value = [value]
    return value


SHAPES: dict[str, tuple[Any, Shape]] = {
    "scalar": (1, Shape.PLAIN),
    "object": ({"a": [1, "é", None, True, 1.5]}, Shape.PLAIN),
    "deepest": (nested(DEEPEST), Shape.PLAIN),
    "too deep": (nested(DEEPEST + 1), Shape.DEEP),
    "far too deep": (nested(100_000), Shape.DEEP),
    "lone surrogate": ("\ud800", Shape.ODD),
    "lone surrogate in a name": ({"\ud800": 1}, Shape.ODD),
    "name that is no string": ({1: 1}, Shape.ODD),
    "no number": (float("nan"), Shape.ODD),
    "endless integer": (10**400, Shape.ODD),
    "large integer": (10**300, Shape.PLAIN),
    "tuple": ((1, 2), Shape.ODD),
    "object of Python": (object(), Shape.ODD),
}


@pytest.mark.parametrize("name", SHAPES)
def test_the_shape_says_which_engine_may_have_it(name: str) -> None:
    value, shape = SHAPES[name]

    assert shape_of(value) is shape


@given(ANYTHING)
def test_taming_changes_no_usual_value(value: Any) -> None:
    assert tamed(value) == value


def test_taming_bounds_integers_alone() -> None:
    assert len(str(tamed([10**9000])[0])) < 4300
    assert tamed({"a": -(10**9000)})["a"] < -(10**3999)


def test_warming_up_may_be_done_twice() -> None:
    warm_up()
    warm_up()
