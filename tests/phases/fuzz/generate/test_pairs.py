"""Every pair of levels meets."""

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from toolproof.phases.fuzz.generate import Plan, Stage
from toolproof.phases.fuzz.generate.pairs import covering_rows
from toolproof.report.fuzz import InputMode


@given(st.lists(st.integers(1, 5), max_size=6))
def test_each_pair_of_levels_is_in_some_row(counts: list[int]) -> None:
    rows = list(covering_rows(counts))

    for one, other in combinations(range(len(counts)), 2):
        assert {(row[one], row[other]) for row in rows} == {
            (level, second) for level in range(counts[one]) for second in range(counts[other])
        }


def test_rows_are_few() -> None:
    assert len(list(covering_rows([4] * 10))) < 45


def test_fields_are_paired_present_and_left_out() -> None:
    schema = {
        "type": "object",
        "properties": {"a": {"type": "boolean"}, "b": {"enum": ["x", "y"]}, "c": {"const": 1}},
        "required": ["a"],
    }
    found = [case.arguments for case in Plan(schema).cases(Stage.PAIRS, InputMode.VALID)]

    assert {(a["a"], a.get("b")) for a in found} == {
        (True, None), (True, "x"), (True, "y"), (False, None), (False, "x"), (False, "y"),
    }  # fmt: skip
    assert not list(Plan(schema).cases(Stage.PAIRS, InputMode.INVALID))


def test_one_field_makes_no_pair() -> None:
    schema = {"type": "object", "properties": {"a": {"type": "boolean"}}}

    assert not list(Plan(schema).cases(Stage.PAIRS, InputMode.VALID))
