"""Parts of a run: each subject in exactly one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolproof.report.shard import in_shard, parse_shard


@pytest.mark.parametrize(("text", "shard"), [("1/1", (1, 1)), (" 2 / 3 ", (2, 3))])
def test_a_shard_is_a_number_and_a_count(text: str, shard: tuple[int, int]) -> None:
    assert parse_shard(text) == shard


@pytest.mark.parametrize(
    "text", ["", "0/3", "4/3", "1", "1/0", "1/10001", "-1/2", "a/b", "1/2/3", "٣/٣"]
)
def test_what_names_no_shard_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="expected i/n"):
        parse_shard(text)


@given(st.text(), st.text(), st.integers(1, 50))
def test_every_subject_is_in_exactly_one_shard(phase: str, subject: str, count: int) -> None:
    assert sum(in_shard((number, count), phase, subject) for number in range(1, count + 1)) == 1
    assert in_shard(None, phase, subject)
