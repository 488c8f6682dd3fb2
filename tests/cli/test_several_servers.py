"""What commands do with `servers`: all of them, or one that is named."""

import json
import sys

import pytest

from tests.cli.commanding import SHOP, Here

ONE = json.dumps(SHOP)
ANSWERS = json.dumps([sys.executable, "-c", 'print(\'{"calls": [{"tool": "get_book"}]}\')'])
FILE = f"""
servers:
  a: {{command: {ONE}}}
  b: {{command: {ONE}}}
bench: {{calls: 3, warmup: 0, targets: [{{tool: get_book, args: {{id: b-1}}}}]}}
evals: {{provider: command, command: {ANSWERS}, cache: false, cases: [{{prompt: find, expect_tool: get_book}}]}}
"""


@pytest.fixture
def two(here: Here) -> Here:
    (here.folder / "toolproof.yaml").write_text(FILE, encoding="utf-8")
    return here


def test_inspect_looks_at_each(two: Here) -> None:
    shown = two("inspect")
    whole = two("inspect", "--json").json
    one = two("inspect", "--json", "--server", "b").json

    assert shown.stdout.count("tool get_book(id: string)") == 2
    assert (whole["kind"], len(whole["reports"])) == ("collection", 2)
    assert all(report["tools"] for report in whole["reports"])
    assert one["kind"] == "collection"
    assert [report["server"]["name"] for report in one["reports"]] == ["b"]


@pytest.mark.parametrize("command", ["bench", "eval"])
def test_each_is_measured_and_asked(two: Here, command: str) -> None:
    done = two(command, "--fail-on", "never", "--json", "r.json")

    reports = json.loads((two.folder / "r.json").read_text("utf-8"))["reports"]
    assert done.code == 0
    assert [report["server"]["name"] for report in reports] == ["a", "b"]
    assert all(report["bench"] or report["evals"] for report in reports)


@pytest.mark.parametrize(
    "words",
    [["call", "get_book"], ["eval", "--offline"], ["eval", "--suggest"], ["init", "-o", "x"]],
)
def test_one_is_to_be_chosen_where_only_one_can_be_meant(two: Here, words: list[str]) -> None:
    done = two(*words)
    strange = two(*words, "--server", "c")

    assert (done.code, strange.code) == (2, 2)
    assert "the config has several servers: a, b" in done.stderr
    assert "there is no server 'c' in it: it has a, b" in strange.stderr
    assert "Traceback" not in done.stderr
