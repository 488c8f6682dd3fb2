from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolproof.errors import ConfigError
from toolproof.phases.tests.select import in_shard, keyword, unique


@pytest.mark.parametrize(
    ("expression", "name", "expected"),
    [
        ("weather", "Toronto Weather", True),
        ("weather and not slow", "slow weather", False),
        ("weather and not slow", "weather", True),
        ("rejects bad date", "it rejects bad dates", True),
        ("rejects date", "it rejects bad dates", False),
        ("oslo or (toronto and snow)", "toronto in snow", True),
        ("oslo or (toronto and snow)", "toronto", False),
        ('"oslo and bergen"', "from oslo and bergen", True),
        ("'and'", "land", True),
        ("NOT x", "y", True),
        (r'"say \"hi\""', 'we say "hi"', True),
    ],
)
def test_a_keyword_expression_picks_names(expression: str, name: str, expected: bool) -> None:
    assert keyword(expression)([name]) is expected


@pytest.mark.parametrize(
    "expression", ["", "  ", "and", "a and", "(a", "a)", "not", "a or or b", '"a', "()"]
)
def test_what_is_no_expression_is_a_mistake_of_use(expression: str) -> None:
    with pytest.raises(ConfigError):
        keyword(expression)


@given(st.text(max_size=30))
def test_any_text_is_an_expression_or_a_mistake(text: str) -> None:
    with suppress(ConfigError):
        keyword(text)(["a test"])


@given(st.text(min_size=1).filter(str.strip))
def test_a_name_in_quotes_finds_itself(name: str) -> None:
    quoted = name.replace("\\", "\\\\").replace('"', '\\"')

    assert keyword(f'"{quoted}"')([name])


@given(st.lists(st.text(), unique=True, max_size=20), st.integers(1, 7))
def test_the_shards_together_are_the_whole_and_nothing_twice(names: list[str], n: int) -> None:
    parts = [[name for name in names if in_shard((i, n), "tests", name)] for i in range(1, n + 1)]

    assert sorted(name for part in parts for name in part) == sorted(names)


def test_without_a_shard_everything_runs() -> None:
    assert in_shard(None, "tests", "any")


def test_later_twins_get_a_number() -> None:
    assert list(unique(["a", "b", "a", "a"])) == ["a", "b", "a (2)", "a (3)"]
