"""`--shard i/n` over real runs: nothing twice, nothing lost, and no shard that fails for nothing."""

import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.finish.shards import EVALS, TESTS, ran, shop
from toolproof.config import config_from
from toolproof.report import RunReport, Status
from toolproof.report.shard import in_shard, parse_shard

ROOT = Path(__file__).parents[2]
PARTS = [(1, 3), (2, 3), (3, 3)]


@pytest.fixture(scope="module")
async def parts(tmp_path_factory: pytest.TempPathFactory) -> list[RunReport]:
    config = shop(tmp_path_factory.mktemp("shop"))
    return [await ran(config, shard=part) for part in PARTS]


async def test_every_test_runs_in_one_shard(parts: list[RunReport]) -> None:
    names = [test.name for part in parts for test in part.tests]

    assert sorted(names) == sorted({*(str(test["name"]) for test in TESTS), "twice (2)"})


async def test_a_value_that_another_shards_test_saves_is_there(parts: list[RunReport]) -> None:
    failed = [test.name for part in parts for test in part.tests if test.details]

    assert sorted(failed) == ["no such book", "stock"]


async def test_every_tool_is_judged_in_one_shard_and_listed_in_all(parts: list[RunReport]) -> None:
    judged = [
        outcome.name for part in parts for group, found in part.groups if group == "checks"
        for outcome in found if not outcome.reasons
    ]  # fmt: skip
    static = [
        (problem.tool, problem.rule)
        for part in parts
        for problem in part.checks
        if problem.rule in ("description-missing", "required-undeclared", "array-items-missing")
    ]

    assert len(judged) == len(set(judged))
    assert sorted(static) == [
        ("book_price", "description-missing"),
        ("list_orders", "required-undeclared"),
        ("quote_order", "array-items-missing"),
    ]
    assert len({tuple(part.tool_names) for part in parts}) == 1


async def test_what_only_one_shards_calls_show_is_told_by_it(parts: list[RunReport]) -> None:
    for rule, test in (("output-mismatch", "stock"), ("stdout-pollution", "a quote")):
        [teller] = [part for part in parts if any(one.rule == rule for one in part.checks)]
        assert test in [one.name for one in teller.tests]


async def test_the_gates_of_evals_are_left_open(parts: list[RunReport]) -> None:
    for part in parts:
        assert part.evals is not None
        assert part.evals.partial
        [gate] = [one for one in part.evals.outcomes(None) if one.name == "accuracy"]
        assert gate.status is Status.SKIPPED
    assert sum(len(part.evals.cases) for part in parts if part.evals) == len(EVALS)


async def test_what_the_whole_server_does_is_told_by_the_first_shard(tmp_path: Path) -> None:
    tools = [f"tool_{number}" for number in range(160)]
    program = tmp_path / "server.py"
    entries = [
        {"name": name, "description": f"{name} does it.", "inputSchema": {"type": "object"}}
        for name in tools
    ]
    program.write_text(
        f"import sys\nsys.path.insert(0, {str(ROOT)!r})\n"
        f"from tests.servers.mini import serve\nserve(tools={entries!r})\n",
        encoding="utf-8",
    )
    command = [sys.executable, str(program)]
    config = config_from({"server": {"command": command}}, base_dir=tmp_path)

    first, second = [await ran(config, "checks", shard=part) for part in ((1, 2), (2, 2))]

    assert "tool-count" in {problem.rule for problem in first.checks if problem.tool == "*"}
    assert [problem for problem in second.checks if problem.tool == "*"] == []


async def test_an_empty_shard_is_fine(tmp_path: Path) -> None:
    config = shop(tmp_path, tests=TESTS[:1], evals=None)
    reports = [await ran(config, "tests", shard=(i, 9)) for i in range(1, 10)]

    assert [report.exit_code for report in reports] == [0] * 9
    assert sum(len(report.tests) for report in reports) == 1


async def test_nothing_to_test_at_all_is_no_pass_in_any_shard(tmp_path: Path) -> None:
    config = shop(tmp_path, tests=None, evals=None)

    for shard in ((1, 2), (2, 2)):
        report = await ran(config, "tests", shard=shard)
        assert report.exit_code == 2


async def test_bench_and_probes_run_in_the_first_shard(tmp_path: Path) -> None:
    target = {"tool": "get_book", "args": {"id": "b-1"}}
    config = shop(
        tmp_path, evals=None, bench={"calls": 5, "warmup": 0, "targets": [target]}, protocol={}
    )

    first, second = [
        await ran(config, "protocol", "bench", shard=part) for part in ((1, 2), (2, 2))
    ]

    assert [len(report.bench) for report in (first, second)] == [1, 0]
    assert [len(section.outcomes(None)) > 0 for section in first.sections[:2]] == [True, True]
    assert second.exit_code == 0
    assert second.phases == ["protocol", "bench"]


@given(st.text(), st.integers(1, 50))
def test_a_subject_belongs_to_exactly_one_shard(subject: str, n: int) -> None:
    assert sum(in_shard((i, n), "tests", subject) for i in range(1, n + 1)) == 1


@pytest.mark.parametrize(
    "text", ["", "1", "0/3", "4/3", "1/0", "-1/2", "a/b", "1/2/3", "1/99999", "¹/2"]
)
def test_what_names_no_shard_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="expected i/n"):
        parse_shard(text)


def test_a_shard_may_be_written_with_blanks() -> None:
    assert parse_shard(" 2 / 3 ") == (2, 3)
