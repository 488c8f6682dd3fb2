"""One report, rich and hostile, in each format, as it was read and found right."""

import pytest

from tests.golden_report import GOLDEN, golden_report, path_of


@pytest.mark.parametrize("name", GOLDEN)
def test_the_format_gives_what_was_read_and_found_right(name: str) -> None:
    """Where a change is wanted: `python -m tests.golden_report`, and read the difference."""
    golden = path_of(name).read_bytes().decode("utf-8")

    assert GOLDEN[name](golden_report()) == golden
