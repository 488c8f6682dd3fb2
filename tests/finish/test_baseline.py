"""Known problems: matched one to one, told when they are gone, and never let pass for ever."""

from collections.abc import Callable
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.finish.shards import ran, shop
from tests.reports import hostile_texts
from toolproof.cli.known import is_live
from toolproof.errors import ConfigError
from toolproof.finish.baseline import (
    Baseline,
    Entry,
    baseline_of,
    entry_of,
    held_against,
    stale_entries,
    with_strangers_told,
)
from toolproof.finish.baseline_file import baseline_text, read_baseline, read_text
from toolproof.finish.fingerprint import named_server, skeleton, with_fingerprints
from toolproof.finish.problems import problems_of
from toolproof.finish.rewrite import rewritten
from toolproof.report import (
    AnyReport,
    BenchResult,
    BenchSection,
    Check,
    CheckSection,
    Collection,
    EvalSection,
    Failure,
    FuzzFinding,
    FuzzResult,
    FuzzSection,
    InputMode,
    Place,
    Problem,
    ProtocolSection,
    RunReport,
    Section,
    Severity,
    Status,
    ToolTestResult,
    ToolTestSection,
    runs_of,
)
from toolproof.report.fingerprint import fingerprint

TODAY = date(2026, 12, 1)


def no_rule_is_live(_rule: str) -> bool:
    return False


def report(*sections: Section, **more: Any) -> RunReport:
    return with_fingerprints(
        RunReport(**{"duration_s": 1.0, "alias": "weather", "sections": sections, **more})
    )


def cases(*failed: str, passed: tuple[str, ...] = (), **more: Any) -> ToolTestSection:
    results = [
        ToolTestResult(name=name, tool="t", details=(Failure(message="no"), Failure(message="nor")))
        for name in failed
    ]
    results += [ToolTestResult(name=name, tool="t") for name in passed]
    return ToolTestSection(results=tuple(results), **more)


def problem(tool: str, rule: str = "name-dot", severity: Severity = Severity.ERROR) -> Problem:
    return Problem(
        tool=tool, check=Check.NAME, severity=severity, message="m", rule=rule,
        fingerprint=fingerprint("checks", rule, "weather", tool),
    )  # fmt: skip


def checks(*problems: Problem, tools: tuple[str, ...] = ("a", "b"), **more: Any) -> CheckSection:
    return CheckSection(tools=tools, problems=problems, **more)


def target(name: str, *failures: str) -> BenchResult:
    return BenchResult(
        name=name, tool="t", calls=1, concurrency=1, errors=0, throughput=1, p50_ms=1, p95_ms=1,
        p99_ms=1, mean_ms=1, max_ms=1, failures=failures,
    )  # fmt: skip


def finding(kind: str, detail: str = "it ended") -> FuzzFinding:
    return FuzzFinding(kind=kind, mode=InputMode.VALID, input={}, detail=detail)


def known(found: AnyReport, reason: str = "planted", **more: Any) -> Baseline:
    """A baseline of everything that a report has."""
    entries = [
        replace(entry_of(one, named_server(run)), reason=reason, **more)
        for run in runs_of(found)
        for one in problems_of(run)
    ]
    return Baseline(name="b.yaml", entries=tuple(entries))


def held(
    found: AnyReport,
    baseline: Baseline,
    *,
    only_new: bool = False,
    live: Callable[[str], bool] = no_rule_is_live,
) -> Any:
    return held_against(found, baseline, today=TODAY, live=live, only_new=only_new)


EVERYTHING = report(
    checks(problem("a"), problem("*", "tool-count", Severity.WARNING)),
    cases("one", passed=("two",)),
    EvalSection(provider="command", model="m", min_accuracy=1.0, min_accuracy_lower=0.5, answers=4),
    BenchSection(results=(target("fast"), target("slow", "p50 is 2 ms, the limit is 1 ms"))),
    FuzzSection(seed=1, results=(FuzzResult(tool="a", findings=(finding("crash"),)),)),
    ProtocolSection(),
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


# The file


def test_a_written_file_is_read_as_it_was(tmp_path: Path) -> None:
    baseline = known(EVERYTHING, reason='waits for "SDK 3": # soon', expires=date(2027, 1, 31))
    path = tmp_path / "b.yaml"
    path.write_text(baseline_text(baseline.entries), encoding="utf-8")

    again = read_baseline(path)

    assert [replace(entry, place=None) for entry in again.entries] == sorted(
        baseline.entries, key=lambda entry: entry.order
    )
    assert baseline_text(again.entries) == path.read_text("utf-8")


def test_an_empty_file_says_so(tmp_path: Path) -> None:
    path = tmp_path / "b.yaml"
    path.write_text(baseline_text(()), encoding="utf-8")

    assert path.read_text("utf-8").endswith("version: 1\nknown: []\n")
    assert read_baseline(path).entries == ()


@given(st.integers(0, 2**32))
def test_any_text_of_a_server_comes_back_from_the_file(seed: int) -> None:
    subject, pointer, reason = hostile_texts(seed, 3)
    entry = Entry(
        fingerprint="0" * 16, phase="checks", rule="r", subject=subject, pointer=pointer or None,
        reason=reason.strip() or "why",
    )  # fmt: skip

    text = baseline_text([entry])
    [again] = read_text(text, Path("b.yaml")).entries

    assert replace(again, place=None) == entry
    assert len(text.splitlines()) == text.count("\n")


def test_the_form_of_the_specification_is_read(tmp_path: Path) -> None:
    text = """\
version: 1
known:
  - { fingerprint: 9f3c0a1b2c3d4e5f, phase: checks, rule: schema-invalid, server: weather, subject: get_forecast, pointer: /inputSchema/properties/when, reason: "waits for SDK 3", expires: 2027-01-31 }
"""
    [entry] = read_text(text, tmp_path / "b.yaml").entries

    assert (entry.subject, entry.expires) == ("get_forecast", date(2027, 1, 31))


def test_a_fingerprint_of_digits_alone_is_one(tmp_path: Path) -> None:
    text = "version: 1\nknown: [{fingerprint: 1234567890123456, reason: r}]\n"

    assert read_text(text, tmp_path / "b").entries[0].fingerprint == "1234567890123456"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "b.yaml:1: expected the keys 'version' and 'known'"),
        ("[1]", "b.yaml:1: expected the keys 'version' and 'known'"),
        ("version: 2\nknown: []", "b.yaml:1: version: expected 1, got 2"),
        ("known: []", "b.yaml:1: version: expected 1, got nothing"),
        ("version: 1", "b.yaml:1: known: expected a list of known problems"),
        ("version: 1\nknown: {}", "b.yaml:2: known: expected a list"),
        ("version: 1\nknown: [7]", "b.yaml:2: known[0]: expected an entry with a 'fingerprint'"),
        ("version: 1\nknow: []\nknown: []", "b.yaml:2: know: there is no such key"),
        ("version: 1\nknown:\n  - {fingerprint: xyz, reason: r}", "expected 16 hex digits, got 'xyz'"),
        ("version: 1\nknown:\n  - {fingerprint: 0123456789abcdef}", "b.yaml:3: known[0]: a 'reason' is required"),
        ("version: 1\nknown:\n  - {fingerprint: 0123456789abcdef, reason: r, expires: soon}", "expected a day such as 2027-01-31, got 'soon'"),
        ("version: 1\nknown:\n  - {fingerprint: 0123456789abcdef, reason: r, subject: [1]}", "known[0].subject: expected text, got [1]"),
        ("version: 1\nknown:\n  - {fingerprint: 0123456789abcdef, reason: r, expire: x}", "did you mean 'expires'?"),
        ("version: 1\nknown: [", "b.yaml:3: it is not valid YAML"),
        ('{"version": 1', "it is not valid YAML"),
    ],
)  # fmt: skip
def test_a_mistake_in_the_file_is_told_with_its_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, words: str
) -> None:
    monkeypatch.chdir(tmp_path)
    path = Path("b.yaml")
    path.write_text(text, encoding="utf-8")

    with pytest.raises(ConfigError) as caught:
        read_baseline(path)

    assert words in str(caught.value)
    assert caught.value.file == "b.yaml"


def test_a_file_that_is_not_there_says_how_to_write_one(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="no such file") as caught:
        read_baseline(tmp_path / "none.yaml")
    assert caught.value.hint == "Write it with `toolproof baseline`."


def test_a_folder_and_a_file_that_is_no_text_are_refused(tmp_path: Path) -> None:
    (tmp_path / "b").write_bytes(b"version: 1\n\xff")
    with pytest.raises(ConfigError, match="this is a folder"):
        read_baseline(tmp_path)
    with pytest.raises(ConfigError, match="it is not UTF-8"):
        read_baseline(tmp_path / "b")


# A baseline after another run


def renew(now: AnyReport, old: Baseline, **more: Any) -> Any:
    given: dict[str, Any] = {
        "reason": "",
        "expires": None,
        "today": TODAY,
        "least": Severity.WARNING,
        "prune": False,
        "live": no_rule_is_live,
        **more,
    }
    return rewritten(now, old, **given)


def test_old_entries_keep_their_reasons_and_new_ones_get_the_given_one() -> None:
    old = known(report(cases("one")), "old", expires=date(2027, 1, 1))

    made = renew(report(cases("one", "two")), old, reason="new", expires=date(2028, 1, 1))

    assert [(one.subject, one.reason, one.expires) for one in made.entries] == [
        ("one", "old", date(2027, 1, 1)),
        ("two", "new", date(2028, 1, 1)),
    ]
    assert made.told == "2 known problems (1 new)"


def test_without_a_reason_nothing_new_comes_in() -> None:
    made = renew(report(cases("one", "two")), known(report(cases("one"))))

    assert [one.subject for one in made.entries] == ["one"]
    assert made.told == "1 known problem; 1 problem has no entry, as there is no --reason"


def test_an_expired_entry_is_renewed_by_a_new_reason_alone() -> None:
    old = known(report(cases("one")), "old", expires=date(2026, 1, 1))

    kept, renewed = (renew(report(cases("one")), old, reason=reason) for reason in ("", "new"))

    assert [one.reason for one in kept.entries] == ["old"]
    assert [(one.reason, one.expires) for one in renewed.entries] == [("new", None)]
    assert renewed.told == "1 known problem (1 renewed)"


def test_entries_without_their_problem_stay_until_they_are_taken_out() -> None:
    old = known(report(cases("one")))
    now = report(cases(passed=("one",)))

    assert renew(now, old).told == "1 known problem (1 without their problem)"
    pruned = renew(now, old, prune=True)
    assert (pruned.entries, pruned.told) == ([], "0 known problems (1 taken out)")


def test_what_was_not_looked_for_is_never_taken_out() -> None:
    old = known(Collection((report(cases("one")), report(cases("one"), alias="billing"))))

    pruned = renew(report(checks()), old, prune=True)

    assert len(pruned.entries) == 2
    assert stale_entries(report(checks()), old, no_rule_is_live) == []


def test_small_problems_get_no_entry_unless_asked_for() -> None:
    found = report(checks(problem("a", severity=Severity.INFO)))

    assert renew(found, Baseline(name="b"), reason="r").entries == []
    assert len(renew(found, Baseline(name="b"), reason="r", least=Severity.INFO).entries) == 1
