from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from toolproof.phases.fuzz.generate import ABSENT, Case, Stage
from toolproof.phases.fuzz.likeness import Likeness, traits_of
from toolproof.report.fuzz import InputMode


def case(arguments: Any) -> Case:
    return Case(arguments, InputMode.VALID, "", Stage.COVERAGE)


def test_what_went_well_clears_its_traits() -> None:
    likeness = Likeness()
    likeness.went_well(case({"city": "Oslo"}))
    likeness.went_wrong(case({"city": "é"}))

    assert likeness.is_like_one(case({"city": "ünïcode"}))
    assert not likeness.is_like_one(case({"city": "Rome"}))


def test_nothing_is_suspected_before_something_went_wrong() -> None:
    likeness = Likeness()
    likeness.went_well(case({}))

    assert not likeness.is_like_one(case({"a": 1}))


def test_a_later_success_acquits() -> None:
    likeness = Likeness()
    likeness.went_wrong(case({"n": 100, "text": "a'b"}))
    assert likeness.is_like_one(case({"n": 3, "text": "c'd"}))

    likeness.went_well(case({"n": 2, "text": "it's"}))

    assert not likeness.is_like_one(case({"n": 3, "text": "c'd"}))


def test_a_case_with_all_that_is_suspected_is_explained() -> None:
    likeness = Likeness()
    likeness.went_well(case({"width": 1}))
    likeness.went_wrong(case({"width": 100}))

    assert likeness.explains(case({"width": 100}), case({"width": 100, "more": "x"}))
    assert not likeness.explains(case({"width": 100}), case({"width": 99}))


def test_arguments_that_are_left_out_are_a_trait() -> None:
    assert list(traits_of(ABSENT)) == [("", "absent")]


VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@given(VALUES)
def test_equal_arguments_have_equal_traits(value: Any) -> None:
    assert set(traits_of(value)) == set(traits_of(value))
