"""References within a schema, and out of it."""

from typing import Any

import pytest

from tests.phases.checks.rules_a import of_schema, pointers
from toolproof.report import Check

NODE = {"properties": {"kids": {"items": {"$ref": "#/$defs/Node"}}}}
TREE = {"properties": {"root": {"$ref": "#/$defs/Node"}}, "$defs": {"Node": NODE}}


@pytest.mark.parametrize(
    ("schema", "unresolvable", "external"),
    [
        ({"items": {"$ref": "#/$defs/Gone"}}, ["/items/$ref"], []),
        ({"items": {"$ref": "#gone"}}, ["/items/$ref"], []),
        ({"$dynamicRef": "#gone"}, ["/$dynamicRef"], []),
        ({"$ref": "https://example.invalid/geo.json"}, [], ["/$ref"]),
        ({"$ref": "City"}, [], ["/$ref"]),
        ({"allOf": [{"$ref": "a.json#/x"}, {"$ref": "#/y"}]}, ["/allOf/1/$ref"], ["/allOf/0/$ref"]),
        (TREE, [], []),
        ({"$ref": "#"}, [], []),
        ({"$ref": 5}, [], []),
        ({"properties": {"$ref": {"type": "string"}}}, [], []),
        ({"default": {"$ref": "#/gone"}}, [], []),
        ({"$schema": "https://example.com/mine", "$ref": "#/gone"}, [], []),
    ],
    ids=str,
)
def test_what_a_reference_does_not_lead_to(
    schema: Any, unresolvable: list[str], external: list[str]
) -> None:
    for output, member in ((False, "/inputSchema"), (True, "/outputSchema")):
        assert pointers("ref-unresolvable", schema, output=output) == [
            member + pointer for pointer in unresolvable
        ]
        assert pointers("ref-external", schema, output=output) == [
            member + pointer for pointer in external
        ]


def test_the_family_is_that_of_the_schema_with_the_fault() -> None:
    for output, check in ((False, Check.INPUT_SCHEMA), (True, Check.OUTPUT_SCHEMA)):
        for rule, ref in (("ref-unresolvable", "#/gone"), ("ref-external", "x.json")):
            assert [f.check for f in of_schema(rule, {"$ref": ref}, output=output)] == [check]


@pytest.mark.parametrize("keyword", ["$defs", "definitions"])
def test_the_name_of_a_definition_is_taken_for_what_was_meant(keyword: str) -> None:
    (flaw,) = of_schema("ref-external", {"$ref": "City", keyword: {"City": {}}})

    assert flaw.fix == f"Write '#/{keyword}/City'."


@pytest.mark.parametrize(("wrong", "right"), [("definitions", "$defs"), ("$defs", "definitions")])
def test_a_name_kept_under_the_other_keyword_is_found(wrong: str, right: str) -> None:
    meant, gone = of_schema(
        "ref-unresolvable",
        {"allOf": [{"$ref": f"#/{wrong}/A"}, {"$ref": f"#/{wrong}/B"}], right: {"A": {}}},
    )

    assert meant.fix == f"Write '#/{right}/A'."
    assert gone.fix is None


def test_local_references_are_one_hint_with_the_first() -> None:
    (flaw,) = of_schema("ref-defs", TREE)

    assert flaw.pointer == "/inputSchema/properties/root/$ref"
    assert "2 references" in flaw.message
    assert of_schema("ref-defs", {"$ref": "#/gone", "items": {"$ref": "x"}}) == []


@pytest.mark.parametrize(
    ("schema", "pointer"),
    [
        (TREE, "/inputSchema/$defs/Node/properties/kids/items/$ref"),
        ({"$ref": "#"}, "/inputSchema/$ref"),
        ({"$dynamicAnchor": "n", "items": {"$dynamicRef": "#n"}}, "/inputSchema/items/$dynamicRef"),
    ],
    ids=str,
)
def test_recursion_is_one_hint(schema: Any, pointer: str) -> None:
    (flaw,) = of_schema("ref-recursive", schema)

    assert flaw.pointer == pointer
    assert "leads back to itself" in flaw.message


def test_a_chain_that_ends_is_no_recursion() -> None:
    chain = {"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {}}}

    assert of_schema("ref-recursive", chain) == []
