"""`toolproof merge`: the report of the whole, out of its parts."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.finish.shards import ran, read, shop, timeless
from toolproof.errors import ConfigError
from toolproof.finish.merge import Read, merged
from toolproof.finish.order import in_place
from toolproof.report import (
    Check,
    CheckSection,
    Collection,
    ErrorKind,
    FuzzFinding,
    FuzzResult,
    FuzzSection,
    InputMode,
    Problem,
    RunReport,
    ServerInfo,
    Severity,
    Status,
    Tool,
    ToolTestResult,
    ToolTestSection,
)

NAMES = ("a", "b", "c")


def part(shard: str | None, *passed: str, **more: Any) -> RunReport:
    """One shard's report, in which these of the tests a, b, c ran and passed."""
    given: dict[str, Any] = {
        "duration_s": 1.0,
        "server": ServerInfo(name="weather", tools=(Tool({"name": "t"}),)),
        "alias": "weather",
        "target": "python server.py",
        "sections": (
            ToolTestSection(
                results=tuple(ToolTestResult(name=name, tool="t") for name in passed),
                whole=NAMES if shard else (),
            ),
        ),
        "shard": shard,
        "started": "2026-11-30T21:00:00Z",
        "config_digest": "0a1b",
        "toolproof_version": "1.0.0",
    }
    return RunReport(**{**given, **more})


def reads(*reports: RunReport) -> list[Read]:
    return [Read(f"{at}.json", one) for at, one in enumerate(reports, start=1)]


async def test_merging_the_shards_gives_the_report_of_the_run_without(tmp_path: Path) -> None:
    config = shop(tmp_path)
    whole = await ran(config)

    for n in (1, 3):
        parts = [await ran(config, shard=(i, n)) for i in range(n, 0, -1)]
        joined = merged(read(*parts))
        assert timeless(joined) == timeless(read(whole)[0].report)
    assert whole.exit_code == 1


async def test_merging_fuzzed_shards_finds_what_one_run_finds(tmp_path: Path) -> None:
    config = shop(
        tmp_path,
        tests=None,
        evals=None,
        fuzz={
            "max_examples": 4,
            "max_time_s": 20,
            "tools": ["get_book", "search_books"],
            "corpus": None,
        },
    )
    whole = await ran(config, "fuzz")
    joined = merged(read(*[await ran(config, "fuzz", shard=(i, 2)) for i in (1, 2)]))

    assert isinstance(joined, RunReport)
    assert [tool.tool for tool in joined.fuzz] == [tool.tool for tool in whole.fuzz]
    assert [tool.skipped for tool in joined.fuzz] == [tool.skipped for tool in whole.fuzz]
    assert joined.exit_code == whole.exit_code


def test_tests_come_in_the_order_of_the_file() -> None:
    joined = merged(reads(part("2/2", "c", "b"), part("1/2", "a")))

    assert isinstance(joined, RunReport)
    assert [test.name for test in joined.tests] == ["a", "b", "c"]
    assert joined.shard is None
    assert joined.duration_s == 2.0


def test_a_missing_shard_is_refused_with_its_number() -> None:
    with pytest.raises(ConfigError, match="server 'weather': shard 2 of 3 is missing"):
        merged(reads(part("1/3", "a"), part("3/3", "c")))


def test_a_missing_shard_is_told_where_it_may_be_missing() -> None:
    joined = merged(reads(part("1/3", "a")), allow_missing=True)

    assert isinstance(joined, RunReport)
    assert [note.message for note in joined.notes] == [
        "shards 2, 3 missing: what they would have judged is not here"
    ]
    assert joined.exit_code == 0


def test_a_later_run_of_a_shard_takes_the_place_of_the_older() -> None:
    old = part("1/1", "a", started="2026-11-30T20:00:00Z")
    new = part("1/1", "a", "b", started="2026-11-30T21:00:00Z")

    for order in (reads(old, new), reads(new, old)):
        joined = merged(order)
        assert isinstance(joined, RunReport)
        assert [test.name for test in joined.tests] == ["a", "b"]
        assert "is a later run" in joined.notes[0].message


@pytest.mark.parametrize(
    ("other", "words"),
    [
        ({"toolproof_version": "1.1.0"}, "1.json and 2.json differ in the version of toolproof"),
        ({"config_digest": "ffff"}, "differ in the digest of what was asked for: 0a1b and ffff"),
        ({"shard": "2/3"}, "differ in the number of shards: 2 and 3"),
        ({"shard": None}, "differ in the number of shards: 2 and 1"),
    ],
)
def test_what_is_no_part_of_one_run_is_refused_with_both_names(
    other: dict[str, Any], words: str
) -> None:
    with pytest.raises(ConfigError, match=words):
        merged(reads(part("1/2", "a"), replace(part("2/2", "b"), **other)))


def test_a_shard_that_names_none_is_refused() -> None:
    with pytest.raises(ConfigError, match=r"1\.json: 'shard' in it: expected i/n"):
        merged(reads(part("5/3", "a")))


def test_no_run_at_all_is_refused() -> None:
    with pytest.raises(ConfigError, match="there is no run"):
        merged([Read("a.json", Collection(()))])


def test_several_servers_are_a_collection_in_their_order() -> None:
    joined = merged(reads(part("1/2", "a"), part(None, "a", alias="billing"), part("2/2", "b")))

    assert isinstance(joined, Collection)
    assert [run.label for run in joined.reports] == ["weather", "billing"]


def test_a_part_of_a_collection_stays_one() -> None:
    parts = [Read(f"{i}.json", Collection((part(f"{i}/2", "a"),))) for i in (1, 2)]

    assert isinstance(merged(parts), Collection)


def test_the_worst_end_of_a_shard_is_that_of_the_whole() -> None:
    lost = part("2/2", error="it is gone", server=None, alias=None, sections=())
    joined = merged(reads(part("1/2", "a"), lost))

    assert isinstance(joined, RunReport)  # by its command it is the same server
    assert (joined.error, joined.exit_code) == ("it is gone", 3)
    assert [test.name for test in joined.tests] == ["a"]


def test_an_internal_error_outweighs_a_lost_server() -> None:
    lost = part("1/2", error="gone")
    broken = part("2/2", error="bug", error_kind=ErrorKind.INTERNAL)

    assert merged(reads(lost, broken)).exit_code == 4


def test_nothing_in_any_shard_is_nothing_tested() -> None:
    empty = [part(f"{i}/2", sections=(ToolTestSection(),)) for i in (1, 2)]

    joined = merged(reads(*empty))

    assert joined.verdict is Status.SKIPPED
    assert joined.exit_code == 2


def checked(shard: str, tool: str, *severities: Severity) -> RunReport:
    problems = tuple(
        Problem(
            tool=tool, check=Check.TEXT, severity=severity, message="m", rule=str(severity),
            fingerprint=f"{severity} {tool}",
        )
        for severity in severities
    )  # fmt: skip
    section = CheckSection(tools=(tool,), problems=problems, whole=("x", "y"))
    return part(shard, sections=(section,))


def test_a_problem_that_two_shards_saw_is_told_once_the_tools_in_their_order() -> None:
    joined = merged(
        reads(
            checked("1/2", "y", Severity.WARNING, Severity.ERROR),
            checked("2/2", "x", Severity.INFO),
            replace(checked("2/2", "y", Severity.ERROR), started="2026-11-30T20:00:00Z"),
        )
    )

    assert isinstance(joined, RunReport)
    assert [(one.tool, str(one.severity)) for one in joined.checks] == [
        ("x", "info"), ("y", "error"), ("y", "warning"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("own", "asked", "expected"),
    [
        (None, "reports", Severity.ERROR),
        (Severity.WARNING, "reports", Severity.WARNING),
        (Severity.ERROR, None, None),
        (None, Severity.INFO, Severity.INFO),
    ],
)
def test_what_fails_is_asked_anew(own: Any, asked: Any, expected: Severity | None) -> None:
    joined = merged(reads(part(None, "a", fail_on=own)), fail_on=asked)

    assert isinstance(joined, RunReport)
    assert joined.fail_on == expected


def fuzzed(shard: str, tool: str, *marks: str) -> RunReport:
    findings = tuple(
        FuzzFinding(kind="crash", mode=InputMode.VALID, input={}, detail=mark, fingerprint=mark)
        for mark in marks
    )
    section = FuzzSection(
        seed=7, results=(FuzzResult(tool=tool, calls=1, findings=findings),), whole=("x", "y")
    )
    info = ServerInfo(name="w", tools=(Tool({"name": "x"}), Tool({"name": "y"}, 1)))
    return part(shard, sections=(section,), server=info)


def test_a_fault_of_several_tools_is_told_once_by_the_first_of_them() -> None:
    joined = merged(reads(fuzzed("1/2", "y", "same", "own"), fuzzed("2/2", "x", "same")))

    assert isinstance(joined, RunReport)
    assert [(tool.tool, [one.detail for one in tool.findings]) for tool in joined.fuzz] == [
        ("x", ["same"]), ("y", ["own"]),
    ]  # fmt: skip
    assert joined.fuzz[0].findings[0].also == ("y",)


@given(st.lists(st.sampled_from("abc")), st.data())
def test_results_come_in_the_order_of_the_whole_whatever_repeats(
    order: list[str], data: st.DataObject
) -> None:
    """Equal names stay together in one part, in their order."""
    ones = list(enumerate(order))
    names = data.draw(st.permutations(sorted(set(order))))
    shuffled = [one for name in names for one in ones if one[1] == name]

    assert list(in_place(shuffled, order, lambda one: one[1])) == ones
