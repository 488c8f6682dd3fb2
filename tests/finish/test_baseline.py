"""Known problems: matched one to one, told when they are gone, and never let pass for ever."""

from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from tests.finish.found import (
    EVERYTHING,
    TODAY,
    cases,
    checks,
    held,
    known,
    problem,
    report,
    target,
)
from tests.finish.shards import ran, shop
from toolproof.cli.known import is_live
from toolproof.finish.baseline import (
    Baseline,
    Entry,
    baseline_of,
    with_strangers_told,
)
from toolproof.finish.fingerprint import named_server, skeleton
from toolproof.finish.problems import problems_of
from toolproof.report import (
    BenchSection,
    Collection,
    EvalSection,
    FuzzResult,
    FuzzSection,
    Place,
    RunReport,
    Section,
    Status,
    ToolTestResult,
    ToolTestSection,
    runs_of,
)


def test_a_problem_of_every_phase_can_be_known() -> None:
    found = held(EVERYTHING, known(EVERYTHING))

    assert EVERYTHING.exit_code == 1
    assert (found.exit_code, found.stale) == (0, ())
    reasons = [one for _, group in found.groups for outcome in group for one in outcome.reasons]
    assert {one.known for one in reasons} == {"planted"}
    assert all(one.fingerprint for one in reasons)


def test_what_is_known_is_skipped_in_the_outcomes_and_stays_a_failure_of_its_own() -> None:
    found = held(EVERYTHING, known(EVERYTHING))

    statuses = {outcome.name: outcome.status for _, group in found.groups for outcome in group}
    assert statuses["one"] is Status.SKIPPED
    assert statuses["slow"] is Status.SKIPPED
    assert statuses["accuracy"] is Status.SKIPPED
    assert found.tests[0].passed is False


def test_an_entry_lets_one_problem_pass_and_not_two() -> None:
    one = problem("a")
    twice = report(checks(one, replace(one, message="again")))
    single = Baseline(name="b", entries=known(twice).entries[:1])

    assert held(twice, single).exit_code == 1
    assert held(twice, known(twice)).exit_code == 0


def test_a_new_problem_beside_a_known_one_fails() -> None:
    before = report(checks(problem("a")))
    now = report(checks(problem("a"), problem("a", "name-empty")))

    assert held(now, known(before)).exit_code == 1


def test_an_entry_whose_problem_is_gone_fails_at_its_line() -> None:
    before, now = report(cases("one")), report(cases(passed=("one",)))
    baseline = known(before, place=Place("b.yaml", 12))

    found = held(now, baseline)

    assert found.exit_code == 1
    [(group, [outcome])] = [one for one in found.groups if one[0] == "baseline"]
    [reason] = outcome.reasons
    assert (group, outcome.name, outcome.place) == ("baseline", "one", Place("b.yaml", 12))
    assert (reason.rule, reason.fix) == ("baseline-stale", "Remove it: toolproof baseline --prune")
    assert "tests one, known as 'planted'" in reason.message


def test_an_expired_entry_fails_as_itself_from_the_next_day() -> None:
    found = report(cases("one"))

    assert held(found, known(found, expires=TODAY)).exit_code == 0
    expired = held(found, known(found, expires=date(2026, 11, 30)))
    assert expired.exit_code == 1
    assert expired.stale == ()
    assert "an entry of b.yaml expired on 2026-11-30: tests one" in expired.notes[0].message


def test_an_entry_that_counts_is_taken_before_one_that_has_expired() -> None:
    found = report(cases("one"))
    old, new = known(found, expires=date(2026, 1, 1)).entries, known(found, "still").entries

    held_now = held(found, Baseline(name="b", entries=(*old, *new)))
    assert [one.known for one in held_now.tests[0].details] == ["still", "still"]
    assert [entry.reason for entry in held_now.stale] == ["planted"]


def test_where_only_the_new_counts_stale_and_expired_entries_are_told() -> None:
    before = report(cases("one", "two"))
    baseline = Baseline(
        name="b.yaml",
        entries=tuple(
            replace(entry, expires=date(2026, 1, 1)) if entry.subject == "two" else entry
            for entry in known(before).entries
        ),
    )

    found = held(report(cases("two", passed=("one",))), baseline, only_new=True)

    assert (found.exit_code, found.only_new, found.stale) == (0, True, ())
    told = " | ".join(note.message for note in found.notes)
    assert "expired on 2026-01-01: tests two" in told
    assert "no longer occurs: tests one" in told
    assert found.tests[0].details[0].known == "planted (expired on 2026-01-01)"


def test_nothing_is_known_that_the_baseline_does_not_name_any_more() -> None:
    found = report(cases("one"))
    again = held(held(found, known(found)), Baseline(name="empty"))

    assert again.exit_code == 1


# When an entry counts as stale: "its phase and subject ran" (reports.md, section 14).
GONE = report(checks(), cases(passed=("one",)))


@pytest.mark.parametrize(
    ("changes", "missed"),
    [
        ({}, True),
        ({"filtered": ("tests",)}, True),  # it ran, though others did not
        ({"shard": "2/3"}, True),
        ({"error": "the server was lost"}, False),
        ({"interrupted": 2}, False),
        ({"alias": "billing"}, False),
    ],
)
def test_an_entry_is_missed_where_its_subject_was_judged(
    changes: dict[str, Any],
    missed: bool,
) -> None:
    baseline = known(report(cases("one")))

    assert bool(held(replace(GONE, **changes), baseline).stale) is missed


@pytest.mark.parametrize(
    ("changes", "missed"),
    [({}, True), ({"filtered": ("tests",)}, False), ({"shard": "1/3"}, False)],
)
def test_an_entry_of_a_subject_that_is_gone_is_missed_by_a_whole_run(
    changes: dict[str, Any],
    missed: bool,
) -> None:
    baseline = known(report(cases("renamed since")))

    assert bool(held(replace(GONE, **changes), baseline).stale) is missed


@pytest.mark.parametrize(
    ("section", "entry", "missed"),
    [
        (checks(tools=("b",)), ("checks", "name-dot", "a"), True),  # the tool is gone
        (checks(asked=False), ("checks", "name-dot", "a"), False),
        (checks(), ("checks", "crash", "a"), True),
        (cases(), ("checks", "name-dot", "a"), False),
        (FuzzSection(seed=1, results=(FuzzResult(tool="a"),)), ("fuzz", "crash", "a"), True),
        (FuzzSection(seed=1, results=(FuzzResult(tool="a"),)), ("fuzz", "flaky", "a"), False),
        (
            FuzzSection(seed=1, results=(FuzzResult(tool="a", skipped="destructive"),)),
            ("fuzz", "crash", "a"),
            False,
        ),
        (
            ToolTestSection(results=(ToolTestResult(name="a", tool="t", skipped="why"),)),
            ("tests", "", "a"),
            False,
        ),
        (BenchSection(results=(target("a"),)), ("bench", "limit", "a"), True),
        (
            EvalSection(provider="p", model="m", min_accuracy=0.0),
            ("evals", "gate", "accuracy"),
            True,
        ),
        (
            EvalSection(provider="p", model="m", min_accuracy=0.0, partial=True),
            ("evals", "gate", "accuracy"),
            False,
        ),
    ],
)  # fmt: skip
def test_each_phase_says_whom_it_judged(
    section: Section,
    entry: tuple[str, str, str],
    missed: bool,
) -> None:
    phase, rule, subject = entry
    baseline = Baseline(
        name="b",
        entries=(
            Entry(
                fingerprint="0" * 16, phase=phase, rule=rule, server="weather", subject=subject,
                reason="r",
            ),
        ),
    )  # fmt: skip

    assert bool(held(report(section), baseline).stale) is missed


@pytest.mark.parametrize(("shard", "missed"), [(None, True), ("1/3", True), ("2/3", False)])
def test_what_concerns_the_whole_server_is_judged_by_the_first_shard(
    shard: str | None,
    missed: bool,
) -> None:
    baseline = known(report(checks(problem("*", "tool-count"))))

    assert bool(held(report(checks(tools=()), shard=shard), baseline).stale) is missed


def test_what_calls_show_is_missed_only_where_everything_ran() -> None:
    baseline = known(report(checks(problem("a", "crash"))))

    assert held(report(checks()), baseline, live=is_live).stale != ()
    for changes in ({"filtered": ("tests",)}, {"shard": "1/3"}):
        assert held(report(checks(), **changes), baseline, live=is_live).stale == ()


def test_rules_on_calls_and_on_the_wire_are_live_and_unknown_ones_may_be() -> None:
    live = ("crash", "stdout-pollution", "ping-unsupported", "unsafe-integer", "result-size", "new")
    still = ("description-missing", "tool-count", "schema-invalid", "resource-invalid")

    assert [rule for rule in live if not is_live(rule)] == []
    assert [rule for rule in still if is_live(rule)] == []


def test_an_earlier_report_lets_its_own_problems_pass_and_misses_none() -> None:
    earlier = replace(report(cases("one", "two")), started="2026-11-30T21:00:00Z")
    baseline = baseline_of(earlier, "old.json")

    found = held(report(cases("one", passed=("two",))), baseline)
    worse = held(report(cases("one", "three", passed=("two",))), baseline)

    assert (found.exit_code, found.stale) == (0, ())
    assert found.tests[0].details[0].known == "it was there on 2026-11-30 (old.json)"
    assert worse.exit_code == 1


def test_servers_keep_to_their_own_entries() -> None:
    weather, billing = report(cases("one")), report(cases("one"), alias="billing")
    both = Collection((weather, billing))

    found = held(both, known(weather))

    assert [run.exit_code for run in found.reports] == [0, 1]
    assert [run.stale for run in found.reports] == [(), ()]


def test_entries_of_a_server_that_is_not_there_are_told() -> None:
    weather, billing = report(cases("one")), report(cases("one"), alias="billing")
    baseline = known(Collection((weather, billing)))

    for found in (weather, Collection((weather,))):
        told = with_strangers_told(found, baseline)
        [note] = runs_of(told)[0].notes
        assert note.message == "1 entry of b.yaml not judged: there is no run of server 'billing'"
    assert with_strangers_told(weather, known(weather)) is weather


def test_fingerprints_name_no_address_and_no_path() -> None:
    nameless = RunReport(duration_s=1.0, target="python /tmp/x/server.py")

    assert named_server(nameless) == ""
    assert named_server(replace(nameless, alias=nameless.target)) == ""  # as it is read back
    assert named_server(replace(nameless, alias="weather")) == "weather"


async def test_fingerprints_are_the_same_in_every_run(tmp_path: Path) -> None:
    first, second = [await ran(shop(tmp_path)) for _ in range(2)]

    marks = [one.fingerprint for one in problems_of(first)]
    assert marks == [one.fingerprint for one in problems_of(second)]
    assert len(set(marks)) == len(marks)
    assert all(len(mark) == 16 for mark in marks)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("it died at line 12", "it died at line 99"),
        ("no book 'b-1'", "no book 'zzz'"),
        ("at 0xdeadbeef", "at 0x1"),
        ("Took 1.5 s\nmore", "took 2 s"),
    ],
)
def test_a_cause_has_one_skeleton(one: str, other: str) -> None:
    assert skeleton(one) == skeleton(other)


def test_different_causes_have_two() -> None:
    assert skeleton("the index is out of range") != skeleton("the key is missing")
