"""The cases of one schema: labels, order, reasons, notes."""

import subprocess
import sys
from itertools import islice
from typing import Any

import pytest

from toolproof.phases.fuzz.generate import ABSENT, ARGUMENTS, Case, Plan, Stage, case_key
from toolproof.report.fuzz import InputMode

VALID, INVALID = InputMode.VALID, InputMode.INVALID
WEATHER: dict[str, Any] = {
    "type": "object",
    "properties": {
        "city": {"type": "string", "maxLength": 20},
        "days": {"type": "integer", "minimum": 1, "maximum": 14},
        "units": {"type": "string", "enum": ["metric", "imperial"]},
        "tags": {"type": "array", "items": {"type": "string"}, "maxItems": 3, "uniqueItems": True},
        "since": {
            "anyOf": [{"type": "string", "format": "date"}, {"type": "null"}],
            "default": None,
        },
        "place": {
            "type": "object",
            "properties": {"lat": {"type": "number"}, "name": {"type": "string"}},
            "required": ["lat"],
            "additionalProperties": False,
        },
    },
    "required": ["city", "days"],
    "additionalProperties": False,
}


def cases(schema: Any, stage: Stage, mode: InputMode, most: int = 500, **more: Any) -> list[Case]:
    return list(islice(Plan(schema, **more).cases(stage, mode), most))


def reasons(schema: Any, stage: Stage, mode: InputMode, **more: Any) -> list[str]:
    return [case.reason for case in cases(schema, stage, mode, **more)]


def test_every_boundary_and_branch_is_in_the_valid_cases() -> None:
    found = set(reasons(WEATHER, Stage.COVERAGE, VALID))

    assert found >= {
        "required fields only",
        "every field",
        "every field at its maximum",
        "city=empty",
        "city=letter outside ASCII",
        "city=maximum length",
        "city=maximum length less one",
        "city=blank",
        "days=maximum",
        "days=minimum and a step",
        "days=maximum less a step",
        "days=1.0",
        'units="metric"',
        'units="imperial"',
        "tags=empty",
        "tags=as many items as allowed",
        "tags[0]=empty",
        "since=null",
        "since=leap day",
        "place.lat=0",
        "place.lat=with a fraction",
        "place.name=letter outside ASCII",
        "units left out",
    }


def test_every_single_way_of_being_wrong_is_in_the_invalid_cases() -> None:
    found = set(reasons(WEATHER, Stage.COVERAGE, INVALID))

    assert found >= {
        "city missing",
        "days missing",
        "place.lat missing",
        "city is a number",
        "city null",
        "city too long",
        "days is a number as text",
        "days is true",
        "days has a fraction",
        "days below minimum",
        "days above maximum",
        "units outside enum",
        'units outside enum: "METRIC"',
        "tags has too many items",
        "tags has an item twice",
        "tags is text",
        "tags[0] null",
        "since no date: no such day",
        "place is a list",
        "extra key",
        "place: extra key",
        "arguments left out",
        "arguments null",
        "arguments is a list",
        "arguments is text",
    }


def test_an_invalid_case_is_wrong_in_one_way_and_where_it_says() -> None:
    plan = Plan(WEATHER)
    for case in plan.cases(Stage.COVERAGE, INVALID):
        if case.keyword == ARGUMENTS:
            continue
        breaches = list(plan.breaches(case.arguments))
        assert len({breach.pointer for breach in breaches}) == 1, case
        # a missing field is told of the object, and so is one too many
        assert case.pointer.startswith(breaches[0].pointer), case
        assert breaches[0].keyword in {case.keyword, "anyOf"}, case


def test_the_first_cases_are_the_plainest() -> None:
    assert reasons(WEATHER, Stage.COVERAGE, VALID)[:2] == ["required fields only", "every field"]
    optional = {"type": "object", "properties": {"q": {"type": "string"}}}
    assert [case.arguments for case in cases(optional, Stage.COVERAGE, VALID)][:3] == [
        {},
        ABSENT,
        {"q": "a"},
    ]


def test_leaving_out_arguments_is_valid_where_an_empty_object_is() -> None:
    needs = {"type": "object", "properties": {"a": {}}, "required": ["a"]}

    assert ABSENT in [case.arguments for case in cases({}, Stage.COVERAGE, VALID)]
    assert ABSENT in [case.arguments for case in cases(needs, Stage.COVERAGE, INVALID)]


def test_the_same_seed_gives_the_same_cases_in_any_process() -> None:
    code = (
        "import hashlib, itertools\n"
        "from tests.phases.fuzz.generate.test_plan import *\n"
        "print(hashlib.sha256(repr([case for stage in Stage for mode in (VALID, INVALID)"
        " for case in cases(WEATHER, stage, mode, 60, seed=7)]).encode()).hexdigest())"
    )
    seen = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": "."},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }

    assert len(seen) == 1


def test_another_seed_gives_other_random_cases_and_the_same_coverage() -> None:
    assert cases(WEATHER, Stage.RANDOM, VALID, 20, seed=1) != cases(
        WEATHER, Stage.RANDOM, VALID, 20, seed=2
    )
    assert cases(WEATHER, Stage.COVERAGE, VALID, seed=1) == cases(
        WEATHER, Stage.COVERAGE, VALID, seed=2
    )


@pytest.mark.parametrize("stage", list(Stage))
@pytest.mark.parametrize("mode", list(InputMode))
def test_no_case_comes_twice_and_each_label_is_true(stage: Stage, mode: InputMode) -> None:
    plan = Plan(WEATHER, given={"city": ["Oslo"]})
    found = list(islice(plan.cases(stage, mode), 300))

    keys = [case_key(case.arguments) for case in found]
    assert len(keys) == len(set(keys))
    assert all(plan.label(case.arguments) is mode for case in found)
    assert all(case.stage is stage and case.mode is mode for case in found)
    assert all(case.reason and len(case.reason) < 150 for case in found)


def test_random_values_are_diverse() -> None:
    cities = {
        case.arguments["city"]
        for case in cases(WEATHER, Stage.RANDOM, VALID, 200)
        if case.arguments
    }

    assert len(cities) > 150
    assert any(not city.isascii() for city in cities)


def test_values_of_the_user_come_first_and_stand_in_the_others() -> None:
    schema = {
        "type": "object",
        "properties": {"city": {"type": "string"}, "n": {"type": "integer", "examples": [7]}},
        "required": ["city"],
    }
    given = {"city": ["Toronto", "Oslo", 5]}

    assert reasons(schema, Stage.EXAMPLES, VALID, given=given) == [
        "every field that has a value given",
        'city="Toronto", as given',
        'city="Oslo", as given',
    ]
    assert cases(schema, Stage.COVERAGE, VALID, given=given)[0].arguments == {"city": "Toronto"}


def test_nothing_given_gives_no_examples() -> None:
    assert cases({"type": "object", "properties": {"a": {}}}, Stage.EXAMPLES, VALID) == []


def test_a_field_gets_what_its_name_asks_for() -> None:
    schema = {
        "type": "object",
        "properties": {
            name: {"type": "string"} for name in ("file_path", "timezone", "startDate", "sql_expr")
        },
    }
    whole = cases(schema, Stage.COVERAGE, VALID)[2].arguments
    tried = {case.reason for case in cases(schema, Stage.DICTIONARY, VALID, 2_000)}

    assert whole == {
        "file_path": "a.txt",
        "timezone": "UTC",
        "startDate": "2024-02-29",
        "sql_expr": "1 + 1",
    }
    assert tried >= {
        "file_path=path traversal",
        "timezone=no such zone",
        "startDate=no such day",
        "sql_expr=a tower of powers",
        "sql_expr=half a statement",
        "file_path=lone surrogate",
    }


def test_hostile_keys_are_tried_in_open_objects_and_in_closed_ones() -> None:
    valid = reasons({"type": "object"}, Stage.DICTIONARY, VALID)
    invalid = reasons(WEATHER, Stage.DICTIONARY, INVALID)

    assert "key __proto__" in valid
    assert "key constructor" in invalid
    assert "place: empty key" in invalid


def test_an_extra_key_in_an_open_object_is_valid() -> None:
    schema = {"type": "object", "properties": {"text": {"type": "string"}}}

    assert not [r for r in reasons(schema, Stage.COVERAGE, INVALID) if "extra" in r]
    assert any(
        set(case.arguments) - {"text"}
        for case in cases(schema, Stage.COVERAGE, VALID)
        if case.arguments is not ABSENT
    ) or any("key" in r for r in reasons(schema, Stage.DICTIONARY, VALID))


def test_every_branch_of_a_choice_at_the_root_has_its_cases() -> None:
    schema = {
        "type": "object",
        "properties": {"kind": {"enum": ["file", "url"]}},
        "required": ["kind"],
        "oneOf": [
            {
                "properties": {"kind": {"const": "file"}, "path": {"type": "string"}},
                "required": ["path"],
            },
            {
                "properties": {"kind": {"const": "url"}, "url": {"type": "string"}},
                "required": ["url"],
            },
        ],
    }
    valid = [case.arguments for case in cases(schema, Stage.COVERAGE, VALID)]

    assert {"kind": "file", "path": "a.txt"} in valid
    assert {"kind": "url", "url": "https://example.com/"} in valid
    assert {"path missing", "url missing"} <= set(reasons(schema, Stage.COVERAGE, INVALID))


def test_a_condition_is_met_and_not_met() -> None:
    schema = {
        "type": "object",
        "properties": {"mode": {"enum": ["a", "b"]}, "extra": {"type": "integer"}},
        "required": ["mode"],
        "if": {"properties": {"mode": {"const": "b"}}},
        "then": {"required": ["extra"]},
        "else": {"not": {"required": ["extra"]}},
    }
    valid = [case.arguments for case in cases(schema, Stage.COVERAGE, VALID)]

    assert {"mode": "a"} in valid
    assert {"mode": "b", "extra": 1} in valid
    assert {"extra missing", "extra not allowed here"} <= set(
        reasons(schema, Stage.COVERAGE, INVALID)
    )


def test_what_depends_on_a_field_comes_with_it_and_is_taken_away_once() -> None:
    schema = {
        "type": "object",
        "properties": {"card": {"type": "string"}, "address": {"type": "string"}},
        "dependentRequired": {"card": ["address"]},
    }
    valid = [case.arguments for case in cases(schema, Stage.COVERAGE, VALID)]

    assert all("address" in a for a in valid if a is not ABSENT and "card" in a)
    assert "address missing beside card" in reasons(schema, Stage.COVERAGE, INVALID)


def test_recursion_is_followed_for_some_levels() -> None:
    schema = {
        "type": "object",
        "properties": {"root": {"$ref": "#/$defs/Node"}},
        "required": ["root"],
        "$defs": {
            "Node": {
                "type": "object",
                "properties": {
                    "name": {"type": "string"},
                    "kids": {"type": "array", "items": {"$ref": "#/$defs/Node"}},
                },
                "required": ["name"],
            }
        },
    }
    found = reasons(schema, Stage.COVERAGE, INVALID)

    assert "root.kids[0].name missing" in found
