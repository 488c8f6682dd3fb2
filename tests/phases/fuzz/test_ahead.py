"""Calls in flight together: quicker, and no finding rests on them alone."""

import sys
from collections import Counter
from pathlib import Path

import pytest

from tests.phases.fuzz.fuzzing import command, config_of, findings
from toolproof.report import RunReport
from toolproof.runner import execute

pytestmark = pytest.mark.skipif(
    sys.platform == "win32", reason="the server waits for its input by select"
)


async def crowded(*tools: str, folder: Path) -> tuple[RunReport, Counter[str]]:
    """The report, and how many calls of each tool had company."""
    words = [part.replace("tests.servers.fuzzed", "tests.servers.crowded") for part in command()]
    config = config_of(folder=folder, server={"command": [*words, *tools]}, max_examples=50)
    report = await execute(config, ["fuzz"])
    file = folder / "company"
    return report, Counter(file.read_text(encoding="utf-8").split() if file.exists() else ())


async def test_calls_that_go_well_are_not_waited_for_one_by_one(tmp_path: Path) -> None:
    report, company = await crowded("good", folder=tmp_path)

    [result] = report.fuzz
    assert company["good"] > 10
    assert findings(report) == {}
    assert 50 < result.calls <= 100  # each input counts once


async def test_what_fails_only_in_company_is_not_told(tmp_path: Path) -> None:
    report, company = await crowded("fails_in_company", folder=tmp_path)

    assert company["fails_in_company"] > 0
    assert findings(report) == {}


async def test_a_server_that_dies_only_in_company_is_told_of(tmp_path: Path) -> None:
    report, company = await crowded("dies_in_company", folder=tmp_path)

    assert company["dies_in_company"] > 0
    [(told, found)] = findings(report).items()
    assert told == ("dies_in_company", "crash")
    assert "while several calls were in flight" in found.detail
    assert found.severity == "warning"


async def test_the_one_that_hangs_is_found_among_those_that_wait_behind_it(tmp_path: Path) -> None:
    report, _ = await crowded("stuck_at_quotes", folder=tmp_path)

    found = findings(report)
    assert set(found) == {("stuck_at_quotes", "hang")}
    assert found["stuck_at_quotes", "hang"].input == {"text": "'"}


async def test_calls_that_change_something_keep_their_order(tmp_path: Path) -> None:
    report, company = await crowded("changes_in_company", folder=tmp_path)

    assert company == {}
    assert findings(report) == {}
