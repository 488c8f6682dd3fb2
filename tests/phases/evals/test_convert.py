from typing import Any

import pytest

from toolproof.phases.evals.convert import converted
from toolproof.report import Tool

SCHEMA = {"type": "object", "properties": {"a": {"type": "string"}}}


def tool(name: Any, **more: Any) -> Tool:
    return Tool({"name": name, "description": "Says hi.", "inputSchema": SCHEMA, **more})


def test_each_provider_gets_its_own_format() -> None:
    sent = {p: converted([tool("hi")], p).tools[0] for p in ("anthropic", "openai", "command")}

    assert sent["anthropic"] == {"name": "hi", "description": "Says hi.", "input_schema": SCHEMA}
    assert sent["openai"] == {
        "type": "function",
        "function": {"name": "hi", "description": "Says hi.", "parameters": SCHEMA},
    }
    assert sent["command"] == {"name": "hi", "description": "Says hi.", "inputSchema": SCHEMA}


@pytest.mark.parametrize(
    ("name", "rule"), [("a.b", "name-dot"), ("a/b", "name-charset"), ("x" * 70, "name-length")]
)
def test_a_name_that_the_api_refuses_is_sent_in_another_form_and_told(name: str, rule: str) -> None:
    found = converted([tool(name)], "openai")

    [(sent, original)] = found.names.items()
    assert original == name
    assert sent == found.tools[0]["function"]["name"]
    assert rule in found.notes[0].message
    assert found.notes[0].subject == name


def test_two_names_that_become_one_stay_two() -> None:
    found = converted([tool("a.b"), tool("a_b"), tool("a/b")], "anthropic")

    assert sorted(found.names.values()) == ["a.b", "a/b", "a_b"]


def test_what_cannot_be_sent_is_told_and_costs_nothing_else() -> None:
    entries = [tool(""), tool("x", inputSchema=None), tool("y"), tool("y")]

    found = converted(entries, "anthropic")

    assert list(found.names.values()) == ["y"]
    rules = [note.message for note in found.notes]
    for rule in ("name-empty", "input-schema-root", "duplicate-name"):
        assert any(rule in message for message in rules)


def test_a_choice_at_the_root_is_left_out_for_the_api_that_refuses_it() -> None:
    schema = {**SCHEMA, "anyOf": [{"required": ["a"]}]}

    left = converted([tool("x", inputSchema=schema)], "anthropic")
    kept = converted([tool("x", inputSchema=schema)], "openai")

    assert "anyOf" not in left.tools[0]["input_schema"]
    assert "schema-root-composition" in left.notes[0].message
    assert "anyOf" in kept.tools[0]["function"]["parameters"]
