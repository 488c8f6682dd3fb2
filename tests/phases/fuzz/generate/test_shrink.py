"""The smallest arguments that still fail."""

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolproof.phases.fuzz.generate import ABSENT, Case, Plan, Shrinker, Stage, shrink
from toolproof.phases.fuzz.generate.simpler import simpler, weight
from toolproof.report.fuzz import InputMode

NOTE: dict[str, Any] = {
    "type": "object",
    "properties": {
        "text": {"type": "string"},
        "n": {"type": "integer"},
        "kids": {"type": "array", "items": {"$ref": "#"}},
    },
    "required": ["text"],
    "additionalProperties": False,
}
OPEN: dict[str, Any] = {"type": "object"}


def anything(_arguments: Any) -> bool:
    return True


async def smallest(
    arguments: Any,
    fails: Callable[[Any], bool],
    schema: Any = NOTE,
    mode: InputMode = InputMode.VALID,
    **more: Any,
) -> Any:
    same_breach, most_calls = more.get("same_breach", False), more.get("most_calls", 200)
    plan = Plan(schema)
    case = Case(arguments, mode, "", Stage.RANDOM)
    asked: list[Any] = []

    async def still_fail(candidates: Sequence[Any]) -> Sequence[bool]:
        asked.extend(candidates)
        return [fails(candidate) for candidate in candidates]

    found = await shrink(
        arguments, still_fail, plan.keeper(case, same_breach=same_breach), most_calls=most_calls
    )
    assert found.calls == len(asked) <= most_calls
    assert all(plan.label(candidate) is mode for candidate in asked)
    assert fails(found.arguments)
    return found.arguments


async def test_a_crash_on_any_letter_outside_ascii_shrinks_to_one_letter() -> None:
    """Case B029."""
    found = await smallest(
        {"text": "日本語テキスト and more", "n": 5, "kids": [{"text": "é"}]},
        lambda a: isinstance(a, dict) and not a.get("text", "").isascii(),
    )

    assert found == {"text": "é"}


async def test_a_failure_that_needs_nothing_shrinks_to_no_fields() -> None:
    assert await smallest({"a": [1, {"b": "c"}]}, anything, OPEN) == {}


async def test_an_empty_object_is_simpler_than_no_arguments() -> None:
    """Case B016: the smallest input is {}."""
    assert await smallest({"query": "x"}, lambda a: a is ABSENT or a == {}, OPEN) == {}


async def test_a_failure_only_without_arguments_stays_without() -> None:
    """Case B015."""
    assert await smallest(ABSENT, lambda a: a is ABSENT, OPEN) is ABSENT


async def test_a_number_shrinks_to_the_first_that_fails() -> None:
    found = await smallest(
        {"text": "x" * 50, "n": 123_456}, lambda a: isinstance(a, dict) and a.get("n", 0) > 1_000
    )

    assert found == {"text": "", "n": 1_001}


async def test_a_length_shrinks_to_plain_letters() -> None:
    found = await smallest(
        {"text": "xyzzy" * 100}, lambda a: isinstance(a, dict) and len(a.get("text", "")) >= 33
    )

    assert len(found["text"]) < 66
    assert set(found["text"]) == {"a"}


async def test_letters_far_from_each_other_are_brought_together() -> None:
    found = await smallest(
        {"text": "abc<def" * 3 + "ghi>jkl"},
        lambda a: isinstance(a, dict) and {"<", ">"} <= set(a.get("text", "")),
    )

    assert found == {"text": "<>"}


async def test_a_value_deep_in_a_tree_is_lifted() -> None:
    found = await smallest(
        {"text": "a", "kids": [{"text": "b"}, {"text": "q", "kids": [{"text": "boom"}]}]},
        lambda a: "boom" in str(a),
    )

    assert found == {"text": "boom"}


async def test_an_invalid_case_stays_wrong_in_the_same_way() -> None:
    wrong = {"text": "abc", "n": "12", "kids": [{"text": "b"}]}

    assert await smallest(wrong, anything, mode=InputMode.INVALID) == {}
    assert await smallest(wrong, anything, mode=InputMode.INVALID, same_breach=True) == {
        "text": "",
        "n": "",
    }


async def test_the_number_of_calls_is_kept() -> None:
    await smallest({"text": "x" * 5_000}, lambda a: len(str(a)) > 4_000, most_calls=10)


@pytest.mark.parametrize("arguments", [None, [], "text", 5, 1.5, ABSENT, True])
def test_what_is_no_object_is_shrunk_as_well(arguments: Any) -> None:
    search = Shrinker(arguments, anything)
    candidates = search.propose()
    search.tell([True] * len(candidates))

    assert search.best == {}


def test_nothing_failing_ends_the_search_with_what_it_began_with() -> None:
    search = Shrinker({"text": "abc", "n": 7}, anything, batch=4)
    while candidates := search.propose():
        assert len(candidates) <= 4
        search.tell([False] * len(candidates))

    assert search.best == {"text": "abc", "n": 7}


def test_simpler_comes_before_less_simple() -> None:
    order = [{}, ABSENT, {"a": ""}, {"a": 0}, {"a": "a"}, {"a": "é"}, {"a": "日"}, {"a": "aa"}]

    assert sorted(order, key=weight) == order
    assert weight({"a": 5}) < weight({"a": 6}) < weight({"a": -6})
    assert weight({"a": 5}) < weight({"a": 5.0}) < weight({"a": 5.5})


JSON = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(-(2**70), 2**70),
        st.floats(allow_nan=False),
        st.text(max_size=8),
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=3), inner, max_size=3)
    ),
    max_leaves=8,
)


@given(JSON)
def test_any_value_has_candidates_and_the_search_only_gets_lighter(value: Any) -> None:
    before = repr(value)
    search = Shrinker(value, anything, most_calls=60)
    weights = [weight(value)]
    turn = 0
    while candidates := search.propose():
        turn += 1
        search.tell([(index + turn) % 3 == 0 for index in range(len(candidates))])
        weights.append(weight(search.best))

    assert weights == sorted(weights, reverse=True)
    assert repr(value) == before


def test_a_huge_value_gives_candidates_one_by_one() -> None:
    huge = {"a": ["b" * 10_000] * 50, **{f"k{index}": index for index in range(2_000)}}
    candidates = simpler(huge, anything)

    assert [next(candidates) for _ in range(50)]
