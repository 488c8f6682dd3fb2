from typing import Any

import pytest

from toolproof.phases.fuzz import traits
from toolproof.phases.fuzz.generate import Plan
from toolproof.phases.fuzz.invalid import breaches_of
from toolproof.phases.fuzz.traits import Traits, speaks_for_an_sdk, trait_of

SCHEMA = {
    "type": "object",
    "properties": {
        "n": {"type": "integer"},
        "b": {"type": "boolean"},
        "s": {"type": "string"},
        "list": {"type": "array"},
        "maybe": {"anyOf": [{"type": "number"}, {"type": "null"}]},
        "inner": {
            "type": "object",
            "properties": {"x": {"type": "string"}, "y": {"type": "string"}},
            "required": ["x"],
        },
    },
    "required": ["n"],
    "additionalProperties": False,
}


@pytest.mark.parametrize(
    ("arguments", "trait"),
    [
        ({"n": True}, traits.TRUE_FOR_NUMBER),
        ({"n": "1"}, traits.TEXT_FOR_NUMBER),
        ({"n": 1, "maybe": "1.5"}, traits.TEXT_FOR_NUMBER),
        ({"n": 1, "b": "yes"}, traits.WORD_FOR_BOOLEAN),
        ({"n": 1, "b": 1}, traits.WORD_FOR_BOOLEAN),
        ({"n": 1, "s": 7}, traits.NUMBER_FOR_TEXT),
        ({"n": 1, "list": "[]"}, traits.JSON_FOR_STRUCTURE),
        ({"n": 1, "extra": 1}, traits.EXTRA_KEYS),
        ({"n": 1, "s": None}, traits.NULL_FOR_OPTIONAL),
        ({"n": 1, "inner": {"x": "a", "y": None}}, traits.NULL_FOR_OPTIONAL),
        ({"n": None}, ""),
        ({"n": 1, "inner": {"x": None}}, ""),
        ({"n": "many"}, ""),
        ({"n": []}, ""),
        ({"n": 1, "s": []}, ""),
        ({"n": 1, "b": "maybe"}, ""),
        ({}, ""),
        ({"n": True, "s": None}, ""),
    ],
)
def test_what_an_accepted_input_shows_of_an_sdk(arguments: Any, trait: str) -> None:
    assert trait_of(breaches_of(Plan(SCHEMA), arguments), SCHEMA) == trait


def told(*takers: str, refusers: tuple[str, ...] = (), words: str = "") -> Traits:
    made = Traits()
    for name in takers:
        made.tell("a", name, taken=True)
    for name in refusers:
        made.tell("a", name, taken=False)
    made.refused(words)
    return made


def test_a_habit_needs_two_tools_and_half_of_those_it_was_tried_on() -> None:
    assert "a" in told("x", "y").habits
    assert "a" in told("x", "y", refusers=("z",)).habits
    assert "a" not in told("x", "y", refusers=("p", "q", "r")).habits
    assert "a" not in told("x").habits


def test_where_an_sdk_refuses_one_tool_is_enough() -> None:
    words = "MCP error -32602: Input validation error: Invalid arguments for tool echo: Required"

    assert "a" in told("x", refusers=("y", "z", "w"), words=words).habits
    assert speaks_for_an_sdk("1 validation error for get_timeArguments\ntimezone")
    assert not speaks_for_an_sdk("city must be a string")


def test_all_habits_are_one_note() -> None:
    made = told("x", "y")
    made.tell("b", "x", taken=True)
    made.tell("b", "z", taken=True)

    assert made.note() == "habits of the whole server, often of its SDK: a (2 tools); b (2 tools)"
    assert Traits().note() == ""
