"""Numbers at the ends of a range, and just outside."""

import math
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolproof.judgement.facts import Facts
from toolproof.phases.fuzz.generate.numeric import (
    is_writable,
    number_choices,
    random_number,
    wrong_numbers,
)
from toolproof.phases.fuzz.generate.values import safely
from toolproof.schemas import Validator


def facts_of(schema: dict[str, Any]) -> Facts:
    facts = Facts()
    facts.absorb(schema)
    return facts


def right(schema: dict[str, Any]) -> dict[str, Any]:
    return {choice.kind: choice.value for choice in number_choices(facts_of(schema), 10)}


def wrong(schema: dict[str, Any]) -> list[Any]:
    return [choice.value for choice in wrong_numbers(facts_of(schema))]


def test_whole_numbers_are_tried_at_both_ends_and_as_decimals() -> None:
    found = right({"type": "integer", "minimum": 1, "maximum": 50})

    assert found["base"] == 10
    assert (found["minimum"], found["maximum"]) == (1, 50)
    assert (found["minimum+1"], found["maximum-1"]) == (2, 49)
    assert repr(found["decimal"]) == "10.0"


def test_an_excluded_end_is_moved_into_the_range() -> None:
    found = right({"type": "integer", "exclusiveMinimum": 0, "exclusiveMaximum": 5})
    assert (found["minimum"], found["maximum"]) == (1, 4)

    found = right({"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1})
    assert 0 < found["minimum"] < 1
    assert 0 < found["maximum"] < 1

    assert right({"type": "number", "exclusiveMinimum": 0})["minimum"] == 1


def test_a_range_with_fractions_ends_at_whole_numbers_for_integers() -> None:
    found = right({"type": "integer", "minimum": 1.2, "maximum": 4.8})

    assert (found["minimum"], found["maximum"]) == (2, 4)


def test_ends_are_multiples_where_multiples_are_asked_for() -> None:
    found = right({"type": "integer", "multipleOf": 5, "minimum": 1, "maximum": 24})
    assert (found["minimum"], found["maximum"], found["minimum+1"]) == (5, 20, 10)

    found = right({"type": "number", "multipleOf": 0.25, "minimum": 0.1, "maximum": 0.9})
    assert (found["minimum"], found["maximum"]) == (0.25, 0.75)


def test_what_is_liked_gives_way_to_the_range() -> None:
    assert right({"type": "integer", "minimum": 1, "maximum": 5})["base"] == 1
    assert right({"type": "integer", "minimum": 100})["base"] == 100
    assert right({"type": "integer", "maximum": -3})["base"] == -3


def test_wrong_numbers_are_one_step_outside_and_far_outside() -> None:
    assert wrong({"type": "integer", "minimum": 1, "maximum": 5}) == [0, -999_999, 6, 1_000_005]
    assert wrong({"type": "number", "minimum": 0})[:2] == [-1, -0.001]


def test_an_excluded_end_itself_is_wrong() -> None:
    choices = list(wrong_numbers(facts_of({"type": "number", "exclusiveMaximum": 5})))

    assert (choices[0].value, choices[0].keyword) == (5, "exclusiveMaximum")


def test_numbers_beside_the_multiples_are_wrong() -> None:
    assert 1 in wrong({"type": "integer", "multipleOf": 5})
    assert 0.125 in wrong({"type": "number", "multipleOf": 0.25})


@pytest.mark.parametrize("number", [10**5_000, math.inf, math.nan], ids=["huge", "inf", "nan"])
def test_what_cannot_be_written_is_told(number: float) -> None:
    assert not is_writable(number)


BOUNDS = st.one_of(
    st.integers(-(10**6), 10**6),
    st.floats(-1e6, 1e6, allow_nan=False),
    st.sampled_from([10**400, -(10**400), 1e308, -1e308, 5e-324, 2**53, 0]),
)


@given(
    st.fixed_dictionaries(
        {"type": st.sampled_from(["integer", "number"])},
        optional={
            "minimum": BOUNDS,
            "maximum": BOUNDS,
            "exclusiveMinimum": BOUNDS,
            "exclusiveMaximum": BOUNDS,
            "multipleOf": st.sampled_from([1, 2, 7, 0.1, 0.5, 10**30, 1e-300]),
        },
    ),
    st.integers(0, 100),
)
def test_any_range_gives_numbers_and_never_raises(schema: dict[str, Any], seed: int) -> None:
    facts = facts_of(schema)

    for choice in (*safely(number_choices(facts, 1)), *safely(wrong_numbers(facts))):
        assert type(choice.value) in {int, float}
    try:
        number = random_number(facts, Random(seed))
    except (OverflowError, ValueError, ZeroDivisionError):
        return
    assert type(number) in {int, float}


@given(st.integers(-100, 100), st.integers(0, 50), st.integers(0, 10_000))
def test_random_numbers_of_a_plain_range_fit(low: int, width: int, seed: int) -> None:
    schema = {"type": "integer", "minimum": low, "maximum": low + width}

    assert Validator(schema).fits(random_number(facts_of(schema), Random(seed)))
