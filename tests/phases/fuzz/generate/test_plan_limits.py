"""What a plan says of a schema, and how it holds smaller candidates to a label."""

from typing import Any

import pytest

from tests.phases.fuzz.generate.test_plan import INVALID, VALID, WEATHER, reasons
from toolproof.phases.fuzz.generate import ARGUMENTS, Case, Plan, Stage
from toolproof.report.fuzz import InputMode


@pytest.mark.parametrize(
    ("schema", "why"),
    [
        (False, "no arguments can fit: the schema is false"),
        ({"type": "string"}, "no arguments can fit: the types exclude each other"),
        (
            {"type": "object", "properties": {"a": {"$ref": "#"}}, "required": ["a"]},
            "no arguments can fit: it needs itself without an end",
        ),
        (
            {"type": "object", "properties": {"a": {"type": "array", "enum": ["x"]}}},
            "nothing can match: none of its 1 values is of type array",
        ),
        (
            {"type": "object", "properties": {"a": {"enum": list(range(1_000))}}},
            "only 200 of its 1,000 values are tried",
        ),
        (
            {"type": "object", "properties": {"a": {"type": "string", "minLength": 10**9}}},
            "texts of more than 20,000 characters are not made",
        ),
        (
            {"type": "object", "properties": {"a": {"type": "array", "maxItems": 10**9}}},
            "arrays of more than 1,000 items are not tried",
        ),
    ],
)
def test_what_cannot_be_made_is_said(schema: Any, why: str) -> None:
    plan = Plan(schema)
    list(plan.cases(Stage.COVERAGE, VALID))

    assert why in [note.why for note in plan.notes]


def test_a_field_that_nothing_fits_does_not_keep_the_others_from_being_tried() -> None:
    """Case S024: the enum stands beside an array in place of its items."""
    schema = {
        "type": "object",
        "properties": {"tags": {"type": "array", "enum": ["a"]}, "q": {"type": "string"}},
    }

    assert "q=empty" in reasons(schema, Stage.COVERAGE, VALID)


def test_an_invalid_schema_is_fuzzed_without_what_is_wrong_in_it() -> None:
    plan = Plan({"type": "object", "properties": {"a": {"type": "string"}}, "required": None})

    assert plan.problem is not None
    assert "required" not in plan.schema
    assert "a=empty" in [case.reason for case in plan.cases(Stage.COVERAGE, VALID)]


def test_an_unknown_dialect_is_left_alone() -> None:
    plan = Plan({"$schema": "http://example.com/mine", "type": "object"})

    assert plan.problem is not None
    assert not [case for stage in Stage for mode in InputMode for case in plan.cases(stage, mode)]


def test_what_only_one_reading_forbids_is_in_no_case() -> None:
    """Ours: draft-07 leaves it open whether contentEncoding binds, 2020-12 has no dependencies."""
    plan = Plan({"type": "object", "dependencies": {"a": ["b"]}})

    assert plan.label({"a": 1}) is None
    assert plan.label({"a": 1, "b": 1}) is VALID
    assert not any(
        "b" not in case.arguments
        for mode in InputMode
        for case in plan.cases(Stage.COVERAGE, mode)
        if isinstance(case.arguments, dict) and "a" in case.arguments
    )


def test_a_keeper_holds_a_valid_case_to_its_label() -> None:
    plan = Plan(WEATHER)
    keeps = plan.keeper(Case({"city": "a", "days": 1}, VALID, "", Stage.RANDOM))

    assert keeps({"city": "", "days": 1})
    assert not keeps({"city": ""})


def test_a_keeper_holds_an_invalid_case_to_the_way_in_which_it_is_wrong() -> None:
    plan = Plan(WEATHER)
    case = Case({"city": "a", "days": 99}, INVALID, "", Stage.COVERAGE, "/days", "maximum")
    loose, strict = plan.keeper(case), plan.keeper(case, same_breach=True)

    assert loose({})
    assert not strict({})
    assert strict({"city": "", "days": 15})
    assert not strict({"city": "", "days": 0})


def test_a_case_about_the_arguments_themselves_is_kept_as_it_is() -> None:
    plan = Plan(WEATHER)
    case = Case(None, INVALID, "arguments null", Stage.COVERAGE, "", ARGUMENTS)
    keeps = plan.keeper(case, same_breach=True)

    assert keeps(None)
    assert not keeps({})
