"""One run in parts: a server with faults in definitions, on the wire and in calls, and its config."""

import json
import sys
from pathlib import Path
from typing import Any

from tests.running import DEMO
from toolproof.config import Config, config_from
from toolproof.finish.merge import Read
from toolproof.phases.phase import RunOptions
from toolproof.report import AnyReport, RunReport
from toolproof.report.document import load_document, run_document
from toolproof.runner import execute

SHOP = [sys.executable, str(DEMO / "server.py")]
TIMES = frozenset(
    {"started", "duration_s", "duration_ms", "latency_ms", "timing", "start_ms", "list_ms"}
)
MODEL = """
import json, sys
question = json.load(sys.stdin)
word = question["prompt"].split()[0]
known = [tool["name"] for tool in question["tools"]]
name = word if word in known else known[0]
print(json.dumps({"calls": [{"name": name, "arguments": {}}], "cost_usd": 0.5,
                  "usage": {"input_tokens": 5, "output_tokens": 1}}))
"""
TESTS = [
    {"name": "a book", "tool": "get_book", "args": {"id": "b-1"}, "save": {"id": "$.id"}},
    {"name": "no such book", "tool": "get_book", "args": {"id": "b-9"}},
    {"name": "the same book", "tool": "get_book", "args": {"id": "${id}"}},
    {"name": "stock", "tool": "stock_level", "args": {"id": "b-1"}},
    {"name": "a quote", "tool": "quote_order", "args": {"ids": ["b-1"], "country": "NO"}},
    {"name": "twice", "tool": "search_books", "args": {"words": "the"}},
    {"name": "twice", "tool": "search_books", "args": {"words": "bach"}},
]
EVALS = [
    {"prompt": "get_book please", "expect_tool": "get_book"},
    {"prompt": "nonsense please", "expect_tool": "stock_level"},
    {"prompt": "stock_level please", "expect_tool": "stock_level"},
    {"prompt": "more nonsense", "expect_tool": "get_book", "name": "lost"},
    {"prompt": "find_isbn please", "expect_tool": "find_isbn"},
]


def shop(folder: Path, **sections: Any) -> Config:
    """The config of the demo's server, with tests and evals unless others are given."""
    (folder / "model.py").write_text(MODEL, encoding="utf-8")
    evals = {
        "provider": "command",
        "command": [sys.executable, "model.py"],
        "cases": EVALS,
        "repeat": 2,
        "cache": False,
    }
    given = {"tests": TESTS, "evals": evals, **sections}
    wanted = {key: value for key, value in given.items() if value is not None}
    return config_from({"server": {"command": SHOP}, **wanted}, base_dir=folder)


async def ran(config: Config, *phases: str, shard: tuple[int, int] | None = None) -> RunReport:
    """The report of a run, or of one part of it."""
    options = RunOptions(seed=7, shard=shard)
    return await execute(config, phases or None, options=options)


def read(*reports: RunReport) -> list[Read]:
    """The reports as `merge` reads them from files."""
    documents = [json.loads(json.dumps(run_document(report))) for report in reports]
    return [Read(f"{at}.json", load_document(one)) for at, one in enumerate(documents, start=1)]


def timeless(report: AnyReport) -> Any:
    """The document of a report less all that tells the time; notes in any order."""
    document = _without(json.loads(json.dumps(run_document(report))))
    document["notes"] = sorted(document.get("notes", ()), key=json.dumps)
    return document


def _without(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without(item) for key, item in value.items() if key not in TIMES}
    return [_without(item) for item in value] if isinstance(value, list) else value
