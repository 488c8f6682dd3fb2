import pytest

from toolproof.phases.tests.match import MATCHERS, mismatches_of_path, same

DATA = {"temp": 21.5, "city": "Toronto", "days": [1, 2, 3], "ok": True, "none": None, "n": 3.0}


def says(path: str, **wanted: object) -> list[str]:
    return list(mismatches_of_path(DATA, path, wanted))


@pytest.mark.parametrize(
    ("path", "wanted"),
    [
        ("$.temp", {"type": "number", "min": -60, "max": 60}),
        ("$.city", {"equals": "Toronto", "regex": "^T", "contains": "ron", "min_length": 2}),
        ("$.days", {"length": 3, "contains": 2, "max_length": 3, "type": ["array", "null"]}),
        ("$.n", {"type": "integer", "equals": 3}),
        ("$.ok", {"type": "boolean", "one_of": [True]}),
        ("$.none", {"type": "null", "exists": True}),
        ("$.missing", {"exists": False}),
        ("$.days[*]", {"type": "integer", "min": 1}),
    ],
)
def test_what_fits_says_nothing(path: str, wanted: dict[str, object]) -> None:
    assert says(path, **wanted) == []


@pytest.mark.parametrize(
    ("path", "wanted", "message"),
    [
        ("$.temp", {"type": "string"}, "expected string, got number 21.5"),
        ("$.temp", {"min": 30}, "expected at least 30, got 21.5"),
        ("$.temp", {"max": 20}, "expected at most 20, got 21.5"),
        ("$.city", {"min": 1}, "expected at least 1, got 'Toronto'"),
        ("$.ok", {"max": 5}, "expected at most 5, got True"),
        ("$.days", {"length": 2}, "expected length 2, got 3"),
        ("$.temp", {"length": 2}, "expected length 2, got 21.5"),
        ("$.days", {"min_length": 4}, "expected a length of at least 4, got 3"),
        ("$.days", {"max_length": 2}, "expected a length of at most 2, got 3"),
        ("$.days", {"contains": 9}, "expected something that contains 9, got [1, 2, 3]"),
        ("$.city", {"contains": 9}, "expected something that contains 9, got 'Toronto'"),
        ("$.city", {"regex": "^X"}, "expected a string that matches /^X/, got 'Toronto'"),
        ("$.temp", {"regex": "2"}, "expected a string that matches /2/, got 21.5"),
        ("$.ok", {"one_of": [1, "yes"]}, "expected one of [1, 'yes'], got True"),
        ("$.city", {"equals": "Oslo"}, "expected 'Oslo', got 'Toronto'"),
        ("$.missing", {"type": "string"}, "nothing is there"),
        ("$.city", {"exists": False}, "expected nothing there, got 'Toronto'"),
    ],
)
def test_what_does_not_fit_says_expected_and_got(
    path: str, wanted: dict[str, object], message: str
) -> None:
    assert says(path, **wanted) == [message]


def test_every_value_that_a_path_leads_to_is_judged() -> None:
    assert len(says("$.days[*]", max=1)) == 2


@pytest.mark.parametrize(
    ("left", "right", "equal"),
    [
        (1, 1.0, True),
        (1, True, False),
        (0, False, False),
        ({"a": 1, "b": [2]}, {"b": [2.0], "a": 1}, True),
        ({"a": 1}, {"a": 1, "b": 2}, False),
        ([1, 2], [2, 1], False),
        ("1", 1, False),
        (None, False, False),
    ],
)
def test_equal_is_as_in_json(left: object, right: object, equal: bool) -> None:
    assert same(left, right) is equal


def test_each_matcher_has_a_test_here() -> None:
    assert set(MATCHERS) == {
        "type", "min", "max", "length", "min_length", "max_length", "contains", "regex", "one_of",
        "equals",
    }  # fmt: skip
