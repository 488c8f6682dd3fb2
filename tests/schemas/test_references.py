"""Where references lead, without ever fetching anything."""

from typing import Any

import pytest

from toolproof.schemas import (
    Dialect,
    References,
    RefKind,
    breaches_of_schema,
    ref_kind,
    resolve,
)

LOCAL, DANGLING, EXTERNAL, RECURSIVE = RefKind


def kinds(schema: Any, dialect: Dialect | None = None) -> dict[str, RefKind]:
    return {reference.pointer: reference.kind for reference in References(schema, dialect)}


@pytest.mark.parametrize(
    ("ref", "pointer"),
    [
        ("#", ""),
        ("", ""),
        ("#/$defs/a", "/$defs/a"),
        ("#/$defs/x~1y~0", "/$defs/x~1y~0"),
        ("#/$defs/x~1y%7E0", "/$defs/x~1y~0"),
        ("#/$defs/a%20b", "/$defs/a b"),
        ("#/prefixItems/1", "/prefixItems/1"),
        ("#named", "/$defs/a"),
        ("urn:root", ""),
        ("urn:root#/$defs/a", "/$defs/a"),
        ("http://h/deep/inner", "/$defs/inner"),
        ("http://h/deep/inner#here", "/$defs/inner/$defs/b"),
        ("http://h/deep/inner#/$defs/b", "/$defs/inner/$defs/b"),
        ("#/x-parts/c", "/x-parts/c"),
        ("#/$defs/yes", "/$defs/yes"),
    ],
)
def test_a_reference_of_this_document_leads_to_its_schema(ref: str, pointer: str) -> None:
    root = {
        "$id": "urn:root",
        "prefixItems": [{}, {"type": "null"}],
        "x-parts": {"c": {"type": "null"}},
        "$defs": {
            "a": {"$anchor": "named"},
            "x/y~": {},
            "a b": {},
            "yes": True,
            "inner": {"$id": "http://h/deep/inner", "$defs": {"b": {"$anchor": "here"}}},
        },
    }

    found = resolve(root, ref)

    assert found is not None
    assert found[1] == pointer
    assert ref_kind(root, ref) is LOCAL


@pytest.mark.parametrize(
    ("ref", "kind"),
    [
        ("#/$defs/b", DANGLING),
        ("#/$defs/a/type", DANGLING),
        ("#/allOf/01", DANGLING),
        ("#/allOf/-1", DANGLING),
        ("#/allOf/9", DANGLING),
        ("#/allOf/99999999999999999999999", DANGLING),
        ("#/allOf/x", DANGLING),
        ("#nowhere", DANGLING),
        ("#/$defs/a/", DANGLING),
        ("http://127.0.0.1:9/x", EXTERNAL),
        ("other.json", EXTERNAL),
        ("other.json#/a", EXTERNAL),
        ("urn:other", EXTERNAL),
        ("http://[", EXTERNAL),
        ("https://json-schema.org/draft/2020-12/schema", EXTERNAL),
        ("file:///etc/hosts", EXTERNAL),
    ],
)
def test_what_is_not_in_the_document_is_dangling_or_external(ref: str, kind: RefKind) -> None:
    root = {"$defs": {"a": {"type": "string"}}, "allOf": [{}, {}]}

    assert resolve(root, ref) is None
    assert ref_kind(root, ref) is kind


def test_a_relative_reference_is_read_against_the_nearest_id() -> None:
    root = {
        "$id": "http://h/a/root",
        "properties": {
            "b": {"$id": "sub/b", "properties": {"c": {"$ref": "c"}, "up": {"$ref": "../root"}}},
            "c": {"$id": "sub/c", "type": "string"},
            "own": {"$id": "urn:x", "$ref": "y", "items": {"$ref": "#/properties/b"}},
        },
    }

    assert kinds(root) == {
        "/properties/b/properties/c/$ref": LOCAL,
        "/properties/b/properties/up/$ref": RECURSIVE,
        "/properties/own/$ref": EXTERNAL,
        "/properties/own/items/$ref": DANGLING,
    }


@pytest.mark.parametrize(
    "dialect", [Dialect.DRAFT_4, Dialect.DRAFT_6, Dialect.DRAFT_7], ids=lambda d: d.label
)
def test_old_dialects_write_anchors_as_ids_and_hide_what_stands_beside_a_reference(
    dialect: Dialect,
) -> None:
    word = "id" if dialect is Dialect.DRAFT_4 else "$id"
    root = {
        "properties": {"a": {"$ref": "#x"}, "b": {"$ref": "#y"}, "c": {"$dynamicRef": "#z"}},
        "definitions": {"x": {word: "#x"}, "y": {word: "#y", "$ref": "#x"}},
    }

    assert kinds(root, dialect) == {
        "/properties/a/$ref": LOCAL,
        "/properties/b/$ref": DANGLING,
        "/definitions/y/$ref": LOCAL,
    }


def test_names_of_properties_and_values_are_no_references() -> None:
    root = {
        "properties": {"$ref": {"type": "string"}},
        "enum": [{"$ref": "#/nowhere"}],
        "default": {"$ref": "#/nowhere"},
        "items": {"$ref": 5},
    }

    assert kinds(root) == {}


@pytest.mark.parametrize(
    ("root", "recursive"),
    [
        ({"$ref": "#"}, {"/$ref"}),
        ({"items": {"$ref": "#"}}, {"/items/$ref"}),
        (
            {
                "properties": {"root": {"$ref": "#/$defs/N"}},
                "$defs": {"N": {"properties": {"kids": {"items": {"$ref": "#/$defs/N"}}}}},
            },
            {"/$defs/N/properties/kids/items/$ref"},
        ),
        (
            {"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}},
            {"/$defs/a/$ref", "/$defs/b/$ref"},
        ),
        ({"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {}}}, set()),
        # what only keeps a schema does not apply it
        (
            {"$defs": {"A": {"$defs": {"B": {"$ref": "#/$defs/A"}}}}, "$ref": "#/$defs/A"},
            set(),
        ),
        ({"allOf": [{"$ref": "#/allOf/1"}, {"not": {"$ref": "#/allOf/0"}}]}, {"/allOf/0/$ref", "/allOf/1/not/$ref"}),
        ({"x-a": {"items": {"$ref": "#/x-a"}}, "$ref": "#/x-a"}, set()),
        ({"$dynamicAnchor": "n", "items": {"$dynamicRef": "#n"}}, {"/items/$dynamicRef"}),
        (
            {
                "$dynamicAnchor": "n",
                "items": {"$ref": "urn:base"},
                "$defs": {"b": {"$id": "urn:base", "$dynamicAnchor": "n", "properties": {"a": {"$dynamicRef": "#n"}}}},
            },
            {"/items/$ref", "/$defs/b/properties/a/$dynamicRef"},
        ),
    ],
)  # fmt: skip
def test_recursion_is_told_where_a_reference_is_reached_again(
    root: Any, recursive: set[str]
) -> None:
    assert {pointer for pointer, kind in kinds(root).items() if kind is RECURSIVE} == recursive
    for pointer in recursive:
        assert (
            ref_kind(root, next(r.ref for r in References(root) if r.pointer == pointer))
            is RECURSIVE
        )


def test_many_references_take_time_linear_in_their_number() -> None:
    """Ours: hostile lists; a quadratic search would not end within the suite's patience."""
    names = [f"n{number}" for number in range(20_000)]
    defs: dict[str, Any] = {
        name: {"properties": {"a": {"$ref": f"#/$defs/{after}"}}}
        for name, after in zip(names, names[1:] + names[:1], strict=True)
    }

    found = kinds({"$defs": defs})

    assert set(found.values()) == {RECURSIVE}
    assert len(found) == 20_000


@pytest.mark.parametrize("root", [True, 5, None, [], {"$id": 5, "$anchor": [], "$ref": {}}])
def test_anything_may_be_asked(root: Any) -> None:
    assert kinds(root) == {}
    assert resolve(root, "#/a") is None
    assert list(breaches_of_schema(root)) or root is True
