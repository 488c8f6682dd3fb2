"""Values of any origin become JSON that every reader takes."""

import json
from typing import Any

import pytest
from hypothesis import given

from tests.reports import values
from toolproof.report.values import MOST_BYTES, json_of, plain, short


@given(values)
def test_any_value_becomes_json(value: Any) -> None:
    tidy, exact = plain(value)

    again = json.loads(json.dumps(tidy, allow_nan=False))
    assert again == tidy
    assert not exact or again == value


@pytest.mark.parametrize(
    ("value", "tidy"),
    [
        (float("nan"), "NaN"),
        (-float("inf"), "-Infinity"),
        ({1: (2, 3)}, {"1": [2, 3]}),
        (object, "<class 'object'>"),
        (True, True),
        (2**53, 2**53),
    ],
)
def test_what_no_reader_holds_becomes_text(value: Any, tidy: Any) -> None:
    assert plain(value)[0] == tidy


def test_an_endless_integer_is_told_by_its_size() -> None:
    assert plain(10**5000) == ("an integer of 16610 bits", False)


def test_a_cycle_of_a_thousand_levels_is_text_at_the_hundredth() -> None:
    deep: Any = "end"
    for _ in range(500):
        deep = [deep]

    found, exact = plain(deep)
    levels = 0
    while isinstance(found, list):
        found, levels = found[0], levels + 1

    assert not exact
    assert levels == 100
    assert found.startswith("[[[")


def test_what_cannot_be_written_has_a_text_all_the_same() -> None:
    deep: Any = []
    for _ in range(200_000):
        deep = [deep]

    assert "nested too deeply" in json_of(deep)
    assert json_of({(1, 2): 10**5000}) == '{"(1, 2)": "an integer of 16610 bits"}'


@pytest.mark.parametrize("letter", ["a", "é", "漢", "😀", "\ud800"])
def test_a_long_string_keeps_both_ends_in_64_kib(letter: str) -> None:
    text = "<" + letter * 100_000 + ">"

    shown = short(text)

    assert len(shown.encode("utf-8", "surrogatepass")) <= MOST_BYTES
    assert (shown[0], shown[-1]) == ("<", ">")
    assert short(shown) == shown
    assert short(letter * 10) == letter * 10
