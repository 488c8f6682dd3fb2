"""How much a report says was judged."""

import sys
from pathlib import Path

from tests.running import DEMO, run
from toolproof.report import PhaseName
from toolproof.report.totals import amounts

SHOP = [sys.executable, str(DEMO / "server.py")]


async def test_what_the_wire_saw_does_not_make_checks_of_no_tools(tmp_path: Path) -> None:
    fuzz = {"tools": ["find_isbn"], "max_examples": 20, "seed": 1}

    report = await run(SHOP, "fuzz", folder=tmp_path, fuzz=fuzz)

    assert [section.phase for section in report.sections] == [PhaseName.CHECKS, PhaseName.FUZZ]
    assert [words.partition(" ")[2] for words in amounts(report)] == ["fuzz calls"]


async def test_checks_that_were_asked_for_say_how_many_tools_there_were() -> None:
    assert amounts(await run(SHOP, "checks")) == ["9 tools"]
