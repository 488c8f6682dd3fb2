"""The file of a baseline: every mistake with its line, any text of a server, and what a run makes of it."""

from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.finish.found import (
    EVERYTHING,
    TODAY,
    cases,
    checks,
    known,
    no_rule_is_live,
    problem,
    report,
)
from tests.reports import hostile_texts
from toolproof.errors import ConfigError
from toolproof.finish.baseline import (
    Baseline,
    Entry,
    stale_entries,
)
from toolproof.finish.baseline_file import baseline_text, read_baseline, read_text
from toolproof.finish.rewrite import rewritten
from toolproof.report import (
    AnyReport,
    Collection,
    Severity,
)


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
