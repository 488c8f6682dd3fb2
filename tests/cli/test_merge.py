"""`toolproof merge` and `--shard` as a CI calls them."""

import json
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest

from tests.cli.commanding import SHOP, config
from tests.cli.commanding import inside as toolproof
from tests.finish.shards import TIMES

RED = """
tests:
  - {name: a book, tool: get_book, args: {id: b-1}}
  - {name: no such book, tool: get_book, args: {id: b-9}}
  - {name: stock, tool: stock_level, args: {id: b-1}}
  - {name: brooks, tool: search_books, args: {words: brooks}}
"""


def timeless(path: Path) -> Any:
    def without(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: without(one) for key, one in value.items() if key not in TIMES}
        return [without(one) for one in value] if isinstance(value, list) else value

    return without(json.loads(path.read_text("utf-8")))


@pytest.fixture
def legs(tmp_path: Path) -> Path:
    """A folder with the reports of three shards, and that of the whole."""
    config(tmp_path, RED)
    for number in (1, 2, 3):
        toolproof(
            "run", "--shard", f"{number}/3", "--seed", "7", "--json", f"legs/{number}.json",
            cwd=tmp_path,
        )  # fmt: skip
    toolproof("run", "--seed", "7", "--json", "whole.json", "--junit", "whole.xml", cwd=tmp_path)
    return tmp_path


def cases(path: Path) -> list[tuple[str | None, str | None, list[str]]]:
    return [
        (one.get("classname"), one.get("name"), [child.tag for child in one])
        for one in ET.parse(path).getroot().iter("testcase")
    ]


def test_the_merged_report_is_that_of_the_whole_in_every_format(legs: Path) -> None:
    done = toolproof(
        "merge", *(f"legs/{n}.json" for n in (3, 1, 2)), "--json", "m.json", "--junit", "m.xml",
        "--html", "m.html", "--sarif", "m.sarif", "--summary", "m.md", "--codequality", "m.cq",
        cwd=legs,
    )  # fmt: skip

    assert done.code == 1
    assert done.stdout.splitlines()[-1].startswith("FAILED  ")
    assert timeless(legs / "m.json") == timeless(legs / "whole.json")
    assert cases(legs / "m.xml") == cases(legs / "whole.xml")
    for name in ("m.html", "m.sarif", "m.md", "m.cq"):
        assert "no such book" in (legs / name).read_text("utf-8") or name in ("m.sarif", "m.cq")


def test_what_fails_is_said_by_merge(legs: Path) -> None:
    paths = [f"legs/{number}.json" for number in (1, 2, 3)]

    assert toolproof("merge", *paths, "--fail-on", "never", cwd=legs).code == 0
    assert toolproof("merge", *paths, "--strict", cwd=legs).code == 1


def test_a_missing_shard_exits_2_and_can_be_allowed(legs: Path) -> None:
    refused = toolproof("merge", "legs/1.json", "legs/3.json", "--junit", "m.xml", cwd=legs)
    allowed = toolproof("merge", "legs/1.json", "legs/3.json", "--allow-missing", cwd=legs)

    assert refused.code == 2
    assert "server 'demo-bookshop': shard 2 of 3 is missing" in refused.stdout
    assert "--allow-missing" in refused.stdout
    [case] = ET.parse(legs / "m.xml").getroot().iter("testcase")
    assert case.get("name") == "config"
    assert "shard 2 missing" in allowed.stdout


def test_a_baseline_is_held_against_the_whole(legs: Path) -> None:
    paths = [f"legs/{number}.json" for number in (1, 2, 3)]
    toolproof("baseline", "--from", "whole.json", "--reason", "planted", cwd=legs)

    done = toolproof("merge", *paths, "--baseline", "toolproof-baseline.yaml", cwd=legs)
    config(legs, RED.replace("b-9", "b-2"))
    for number in (1, 2, 3):
        shard = toolproof(
            "run", "--shard", f"{number}/3", "--baseline", "toolproof-baseline.yaml",
            "--json", f"legs/{number}.json", cwd=legs,
        )  # fmt: skip
        assert shard.code == ("baseline-stale" in shard.stdout)
    stale = toolproof("merge", *paths, "--baseline", "toolproof-baseline.yaml", cwd=legs)

    assert done.code == 0
    assert stale.code == 1
    assert stale.stdout.count("error baseline-stale") == 1


def test_several_servers_are_one_collection(tmp_path: Path) -> None:
    path = config(tmp_path, "")
    servers = (
        f"servers: {{a: {{command: {json.dumps(SHOP)}}}, b: {{command: {json.dumps(SHOP)}}}}}\n"
    )
    path.write_text(servers + RED, "utf-8")
    for name in ("a", "b"):
        toolproof("run", "--server", name, "--json", f"{name}.json", cwd=tmp_path)

    done = toolproof("merge", "a.json", "b.json", "--json", "-", cwd=tmp_path)

    assert done.json["kind"] == "collection"
    assert [one["server"]["name"] for one in done.json["reports"]] == ["a", "b"]
    assert done.json["exit_code"] == 1


def test_runs_of_two_configs_are_refused_with_both_names(tmp_path: Path) -> None:
    config(tmp_path, RED)
    toolproof("run", "--shard", "1/2", "--json", "1.json", cwd=tmp_path)
    config(tmp_path, RED + "timeout_ms: 500\n")
    toolproof("run", "--shard", "2/2", "--json", "2.json", cwd=tmp_path)

    done = toolproof("merge", "1.json", "2.json", cwd=tmp_path)

    assert done.code == 2
    assert "1.json and 2.json differ in the digest of what was asked for" in done.stdout


def test_how_the_server_is_reached_and_the_seed_may_differ_between_shards(tmp_path: Path) -> None:
    for number in (1, 2):
        config(tmp_path, f"{RED}\n", name=f"{number}.yaml")
        text = (tmp_path / f"{number}.yaml").read_text("utf-8")
        more = f", env: {{PORT: '{number}'}}}}"
        (tmp_path / f"{number}.yaml").write_text(text.replace("}\n", f"{more}\n", 1), "utf-8")
        toolproof(
            "run", f"{number}.yaml", "--shard", f"{number}/2", "--seed", str(number),
            "--json", f"{number}.json", cwd=tmp_path,
        )  # fmt: skip

    assert toolproof("merge", "1.json", "2.json", cwd=tmp_path).code == 1


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (None, "x.json: no such file"),
        ("{", "it is no JSON"),
        ("[]", "it is no report of toolproof"),
        ('{"schema_version": "2.0"}', "it is a report of format '2.0'"),
        ("[" * 200_000, "it is nested too deeply"),
        ("1" * 5000, "it holds a number that is too long"),
    ],
)
def test_what_is_no_report_exits_2_with_its_name(
    tmp_path: Path, text: str | None, words: str
) -> None:
    if text is not None:
        (tmp_path / "x.json").write_text(text, "utf-8")

    done = toolproof("merge", "x.json", cwd=tmp_path)

    assert done.code == 2
    assert words in done.stdout
    assert "Traceback" not in done.stdout + done.stderr


@pytest.mark.parametrize("shard", ["0/3", "4/3", "x", "1/"])
def test_a_shard_that_is_none_is_refused(tmp_path: Path, shard: str) -> None:
    done = toolproof("run", "--shard", shard, cwd=tmp_path)

    assert done.code == 2
    assert f"expected i/n with 1 <= i <= n <= 10,000, got '{shard}'" in done.stderr


def test_a_shard_can_come_from_the_environment(tmp_path: Path) -> None:
    config(tmp_path, RED)

    done = toolproof("run", "--json", "-", cwd=tmp_path, TOOLPROOF_RUN_SHARD="2/3")

    assert done.json["shard"] == "2/3"
