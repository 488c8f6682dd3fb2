"""The command without a process of its own."""

from pathlib import Path

import pytest

from tests.cli.commanding import Here


@pytest.fixture
def here(tmp_path: Path) -> Here:
    """Runs `toolproof WORDS` in `tmp_path`."""
    return Here(tmp_path)
