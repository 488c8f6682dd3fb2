"""`toolproof bench`, `eval` and `fuzz`: their options, and what they say where those make no sense."""

import json
import sys
from pathlib import Path

import pytest

from tests.cli.commanding import SHOP, Here, config

TARGET = ["--tool", "get_book", "--args", '{"id": "b-1"}', "--calls", "5", "--warmup", "0"]


def test_bench_measures_and_holds_limits(here: Here) -> None:
    good = here("bench", *TARGET, "--p95-ms", "60000", "--json", "old.json", "--", *SHOP)
    bad = here("bench", *TARGET, "--p50-ms", "0.000001", "--", *SHOP)
    forgiven = here("bench", *TARGET, "--p50-ms", "0.000001", "--fail-on", "never", "--", *SHOP)

    assert (good.code, bad.code, forgiven.code) == (0, 1, 0)
    assert "p50 is" in bad.stdout
    assert 'repeat   toolproof bench --tool get_book --args \'{"id": "b-1"}\'' in bad.stdout
    assert here("bench", *TARGET, "--compare", "old.json", "--", *SHOP).code == 0


def test_bench_belongs_to_the_first_shard(here: Here) -> None:
    for number in (1, 2):
        done = here(
            "bench", *TARGET, "--shard", f"{number}/2", "--json", f"{number}.json", "--", *SHOP
        )
        assert done.code == 0
    measured = [
        len(json.loads((here.folder / f"{n}.json").read_text("utf-8"))["bench"]) for n in (1, 2)
    ]

    assert measured == [1, 0]
    assert here("merge", "1.json", "2.json").code == 0


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--calls", "5", "--duration-s", "1"], "--calls and --duration-s exclude each other"),
        (["--compare", "a", "--compare-command", "b"], "--compare and --compare-command exclude"),
        (["--args", "{}"], "--args goes with --tool"),
        (["--tool", "x", "--args", "[1]"], "--args: expected a JSON object, got '[1]'"),
        (["--tool", "x", "--args", "{"], "--args: expected a JSON object, got '{': "),
        (["--tool", "x", "--compare-command", '"'], "--compare-command: no closing quotation"),
        (["--tool", "x", "--compare-command", " "], "--compare-command: the command is empty"),
        (["--strict", "--fail-on", "error"], "--strict means --fail-on warning"),
    ],
)
def test_options_of_bench_that_make_no_sense_leave_a_report(
    here: Here, words: list[str], said: str
) -> None:
    done = here("bench", *words, "--junit", "j.xml", "--", *SHOP)

    assert done.code == 2
    assert said.lower() in done.stdout.lower()
    assert "<error" in (here.folder / "j.xml").read_text("utf-8")


def answers(folder: Path, tool: str) -> None:
    program = f'print(\'{{"calls": [{{"name": "{tool}", "arguments": {{}}}}]}}\')'
    command = json.dumps([sys.executable, "-c", program])
    config(
        folder,
        f"evals: {{enabled: false, provider: command, command: {command}, cache: false,"
        " cases: [{prompt: find, expect_tool: get_book}]}\n",
    )


def test_evals_are_asked_whether_or_not_a_plain_run_would(here: Here) -> None:
    answers(here.folder, "get_book")
    right = here("eval")
    answers(here.folder, "find_isbn")
    wrong = here("eval", "--repeat", "2")

    assert (right.code, wrong.code) == (0, 1)
    assert "repeat   toolproof eval --repeat 2 --seed" in wrong.stdout


def test_without_asking_anybody_a_section_may_be_unfinished(here: Here) -> None:
    config(here.folder, "evals: {cases: []}\n")

    refused = here("eval")
    offline = here("eval", "--offline", "--debug", "wire.jsonl")
    suggested = here("eval", "--suggest")
    report = here("eval", "--offline", "--json", "r.json")

    assert (refused.code, offline.code, suggested.code, report.code) == (2, 0, 0, 2)
    assert "evals.provider: it is needed" in refused.stdout
    assert "No two of 9 tools are so alike" in offline.stdout
    assert (here.folder / "wire.jsonl").stat().st_size > 0
    assert suggested.stdout.startswith("# Prompts for tools that are easily confused.")
    assert "there is no report of it" in report.stderr


def test_fuzz_writes_its_findings_as_tests(here: Here) -> None:
    words = ["--tool", "stock_level", "--tool", "quote_order", "--examples", "5", "--seed", "1"]
    found = here(
        "fuzz", *words, "--valid-must-succeed", "--save-tests", "f/found.yaml", "--", *SHOP
    )
    again = here("fuzz", *words, "--save-tests", "f/found.yaml", "--", *SHOP)
    tests = here("run", "f/found.yaml", "--no-checks")

    assert found.code == 1
    assert again.code in (0, 1)
    assert tests.code == 1


def test_fuzz_takes_the_seed_and_the_sections_of_a_file(here: Here) -> None:
    config(here.folder, "fuzz: {seed: 7, max_examples: 2, tools: [get_book]}\n")

    done = here("fuzz")
    with_tests = here("fuzz", "--save-tests", "toolproof.yaml")

    assert "seed 7 ·" in done.stdout
    assert with_tests.code == 2
    assert "--save-tests: toolproof.yaml was not written by this command" in with_tests.stdout


def test_fuzz_cannot_write_tests_of_several_servers(here: Here) -> None:
    one = json.dumps(SHOP)
    (here.folder / "toolproof.yaml").write_text(
        f"servers: {{a: {{command: {one}}}, b: {{command: {one}}}}}\n", encoding="utf-8"
    )

    done = here("fuzz", "--save-tests", "x.yaml")

    assert done.code == 2
    assert "--save-tests goes with one server: give --server NAME" in done.stdout
