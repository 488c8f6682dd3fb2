from typing import Any

import pytest

from toolproof.config import EvalCase
from toolproof.phases.evals.providers.provider import Pick
from toolproof.phases.evals.score import chosen, failures, wrong_arguments


def case(**given: Any) -> EvalCase:
    return EvalCase.model_validate({"prompt": "p", **given})


def pick(tool: str, **arguments: Any) -> Pick:
    return Pick(tool=tool, arguments=arguments)


@pytest.mark.parametrize(
    ("wanted", "picks"),
    [
        ({"expect_tool": "a"}, [pick("a")]),
        ({"expect_tool": "a", "expect_args": {"n": 1}}, [pick("a", n=1.0, more=True)]),
        ({"expect_tool": "a", "acceptable_tools": ["b"]}, [pick("b")]),
        ({"expect_tool": "a", "acceptable_tools": ["b"]}, [pick("b"), pick("a")]),
        ({"expect_tool": "a", "expect_args": {"n": 1}}, [pick("a", n=2), pick("a", n=1)]),
        ({"expect_tool": None}, []),
        ({"forbid_tools": ["c"]}, [pick("b")]),
        ({"forbid_tools": ["c"]}, []),
    ],
)
def test_what_is_wanted_or_acceptable_passes(wanted: dict[str, Any], picks: list[Pick]) -> None:
    assert list(failures(case(**wanted), picks)) == []


@pytest.mark.parametrize(
    ("wanted", "picks", "message"),
    [
        ({"expect_tool": "a"}, [pick("b")], "expected 'a', went to 'b' instead"),
        ({"expect_tool": "a"}, [], "expected 'a', picked no tool"),
        (
            {"expect_tool": "a", "acceptable_tools": ["b"]},
            [pick("c")],
            "expected 'a' or 'b', went to 'c' instead",
        ),
        ({"expect_tool": "a"}, [pick("a"), pick("b")], "expected 'a', went to 'b' instead"),
        ({"expect_tool": None}, [pick("b")], "expected no tool, picked 'b'"),
        ({"forbid_tools": ["c"]}, [pick("c")], "called 'c', which is forbidden here"),
        (
            {"expect_tool": "a", "expect_args": {"n": 1}},
            [pick("a")],
            "argument 'n' is missing",
        ),
    ],
)
def test_what_is_not_is_told_with_what_came(
    wanted: dict[str, Any], picks: list[Pick], message: str
) -> None:
    assert list(failures(case(**wanted), picks)) == [message]


@pytest.mark.parametrize(
    ("matcher", "value", "fits"),
    [
        ("Toronto", " toronto", True),
        ("Toronto", "Oslo", False),
        (True, 1, False),
        ({"one_of": ["C", "F"]}, "c", True),
        ({"one_of": ["C", "F"]}, "K", False),
        ({"regex": "^T"}, "Toronto", True),
        ({"regex": "^T"}, 7, False),
        ({"approx": 3.1415, "tolerance": 0.01}, 3.14, True),
        ({"approx": 3}, 3.5, False),
        ({"approx": 3}, True, False),
        ({"schema": {"type": "integer"}}, 3, True),
        ({"schema": {"type": "integer"}}, "3", False),
        ({"equals": {"a": [1]}}, {"a": [1]}, True),
        ({"equals": [1, 2]}, [2, 1], False),
    ],
)
def test_matchers_of_arguments(matcher: Any, value: Any, fits: bool) -> None:
    wanted = case(expect_tool="a", expect_args={"x": matcher}).expect_args

    assert (list(wrong_arguments(wanted or {}, {"x": value})) == []) is fits


def test_an_optional_argument_may_be_left_out_but_not_be_wrong() -> None:
    wanted = case(expect_tool="a", expect_args={"x": {"equals": 1, "optional": True}}).expect_args

    assert list(wrong_arguments(wanted or {}, {})) == []
    assert list(wrong_arguments(wanted or {}, {"x": 2})) == ["argument 'x': expected 1, got 2"]


def test_the_wanted_call_stands_for_the_answer() -> None:
    picks = [pick("b"), pick("a")]

    assert chosen(case(expect_tool="a"), picks) == pick("a")
    assert chosen(case(expect_tool="c"), picks) == pick("b")
    assert chosen(case(expect_tool="c"), []) is None
