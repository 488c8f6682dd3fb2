from typing import Any

import pytest

from toolproof.judgement.fitting import argument_breaches, output_mismatch, validator_of
from toolproof.report import Tool

LEGACY = "2025-11-25"
NEWEST = "2026-07-28"
OUTPUT = {
    "type": "object",
    "properties": {"ok": {"type": "boolean"}, "rows": {"items": {"$ref": "#/$defs/row"}}},
    "required": ["ok"],
    "additionalProperties": False,
    "$defs": {"row": {"type": "string"}},
}


def tool(output: Any = OUTPUT, taken: Any = None) -> Tool:
    return Tool({"name": "read", "inputSchema": taken, "outputSchema": output})


def messages(result: Any, revision: str = LEGACY, output: Any = OUTPUT) -> list[str]:
    return [found.message for found in output_mismatch(tool(output), result, revision)]


def structured(value: Any) -> dict[str, Any]:
    return {"content": [], "structuredContent": value}


def test_a_result_that_fits_has_no_mismatch() -> None:
    assert messages(structured({"ok": True, "rows": ["a"]})) == []


def test_a_key_too_many_is_named_with_what_is_allowed() -> None:
    [message] = messages(structured({"ok": True, "versions": []}))

    assert "'versions'" in message
    assert "only 'ok', 'rows'" in message


def test_each_mismatch_has_its_place_in_value_and_schema() -> None:
    found = output_mismatch(tool(), structured({"ok": 1, "rows": ["a", 2]}), LEGACY)

    assert [(one.pointer, one.schema_pointer) for one in found] == [
        ("/ok", "/properties/ok/type"),
        ("/rows/1", "/$defs/row/type"),
    ]


@pytest.mark.parametrize("result", [{"content": []}, structured(None)])
def test_no_structured_content_is_a_mismatch(result: dict[str, Any]) -> None:
    [message] = messages(result)

    assert "no structuredContent" in message


def test_null_is_a_value_in_the_newest_revision() -> None:
    assert messages(structured(None), NEWEST, {"type": "null"}) == []
    assert messages(structured(None), NEWEST) != []
    assert messages({"content": [], "resultType": "complete"}, NEWEST) != []


@pytest.mark.parametrize(
    ("result", "revision", "output"),
    [
        ({"content": [], "isError": True}, LEGACY, OUTPUT),
        ({"resultType": "input_required"}, NEWEST, OUTPUT),
        ({"content": []}, "2025-03-26", OUTPUT),
        ({"content": []}, LEGACY, {"type": "strng"}),
        ({"content": []}, LEGACY, {"$ref": "#/$defs/none"}),
        ({"content": []}, LEGACY, "oops"),
        ({"content": []}, LEGACY, None),
        (None, LEGACY, OUTPUT),
    ],
)
def test_what_cannot_be_judged_is_no_mismatch(result: Any, revision: str, output: Any) -> None:
    assert messages(result, revision, output) == []


def test_an_unlisted_tool_promises_nothing() -> None:
    assert output_mismatch(None, {"content": []}, LEGACY) == ()
    assert argument_breaches(None, {}) == ()


@pytest.mark.parametrize(
    ("arguments", "keyword"),
    [
        (None, "required"),
        ({}, "required"),
        ({"ok": "yes"}, "type"),
        ({"ok": True, "x": 1}, "additionalProperties"),
    ],
)
def test_arguments_that_break_the_schema_name_the_keyword(arguments: Any, keyword: str) -> None:
    assert [b.keyword for b in argument_breaches(tool(taken=OUTPUT), arguments)] == [keyword]


def test_arguments_of_a_broken_schema_are_not_judged() -> None:
    assert argument_breaches(tool(taken={"type": "strng"}), {}) == ()


def test_a_schema_is_compiled_once() -> None:
    schema = {"type": "object", "properties": {"a": {"type": "integer"}}}

    assert validator_of(schema) is validator_of(schema)
    assert validator_of(schema) is not validator_of(dict(schema))


def test_a_closed_schema_without_properties_allows_no_key() -> None:
    output = {"type": "object", "additionalProperties": False}

    [message] = messages(structured({"a": 1}), output=output)

    assert "'a'" in message
