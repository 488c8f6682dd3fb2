"""The whole phase against a server whose tools have one fault each, and good ones between them."""

import asyncio
from pathlib import Path

import pytest
import yaml

from tests.phases.fuzz.fuzzing import config_of, findings, fuzzed
from toolproof.phases.fuzz import saving
from toolproof.report import FuzzFinding, RunReport

FAULTS = {
    "crash_at_maximum": "crash",
    "crash_beyond_ascii": "crash",
    "crash_after_answer": "crash",
    "hang_at_empty": "hang",
    "silent_at_empty": "hang",
    "internal_error": "internal-error",
    "stack_trace": "unhandled-exception",
    "masked_error": "unhandled-exception",
    "wrong_output": "output-schema",
    "wrong_content": "bad-content",
    "lax_enum": "accepted-invalid",
    "lax_all": "accepted-invalid",
    "read_document": "path-traversal",
    "leak_token": "secret-leak",
    "noisy": "wire",
    "not_a_number": "wire",
    "grows": "growth",
    "leaks_descriptors": "growth",
    "flaky": "flaky",
    "peek_state": "hint-violation",
    "read_note": "internal-error",
    "close_note": "crash",
}
GOOD = (
    "good_echo",
    "good_wide",
    "good_status",
    "list_books",
    "get_book",
    "long_wait",
    "slow_at_empty",
    "error_as_success",
    "needs_network",
    "odd_code",
    "get_state",
    "create_note",
    "delete_everything",
)


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> RunReport:
    """One run over all of them."""
    folder = tmp_path_factory.mktemp("all")
    return asyncio.run(fuzzed(*GOOD, *FAULTS, folder=folder, workers=2, max_time_s=4))


@pytest.fixture(scope="module")
def found(report: RunReport) -> dict[tuple[str, str], FuzzFinding]:
    """Its findings."""
    return findings(report)


@pytest.mark.parametrize(("tool", "kind"), FAULTS.items())
def test_each_fault_is_found(
    found: dict[tuple[str, str], FuzzFinding], tool: str, kind: str
) -> None:
    assert (tool, kind) in found


def test_nothing_else_is_told(found: dict[tuple[str, str], FuzzFinding]) -> None:
    assert {(tool, kind) for tool, kind in found if FAULTS.get(tool) != kind} == set()


def test_inputs_are_the_smallest(found: dict[tuple[str, str], FuzzFinding]) -> None:
    assert found["crash_at_maximum", "crash"].input == {"width": 100}
    assert found["hang_at_empty", "hang"].input == {"name": ""}
    assert found["internal_error", "internal-error"].input == {"q": "'"}
    assert found["stack_trace", "unhandled-exception"].input == {"items": []}


def test_a_crash_has_its_exit_code_and_the_last_line_of_stderr(
    found: dict[tuple[str, str], FuzzFinding],
) -> None:
    crash = found["crash_at_maximum", "crash"]

    assert "exit code 7" in crash.detail
    assert "division by zero" in crash.detail


def test_a_secret_is_not_quoted(found: dict[tuple[str, str], FuzzFinding]) -> None:
    assert "q8Zr2Kd9Lm4Xw7Tb1Nc5Vy3Hs6Pj0Fg2RaEx" not in repr(found["leak_token", "secret-leak"])


def test_tools_that_cannot_succeed_say_so(report: RunReport) -> None:
    notes = {result.tool: " ".join(result.notes) for result in report.fuzz}

    assert "it needs the network" in notes["needs_network"]
    assert "long wait" in notes["long_wait"]
    assert "no valid call succeeded" in notes["odd_code"]


def test_what_nobody_asked_for_is_not_called(report: RunReport) -> None:
    [skipped] = [result for result in report.fuzz if result.skipped]

    assert skipped.tool == "delete_everything"
    assert skipped.calls == 0


async def test_a_habit_of_all_tools_is_told_once_and_of_the_server(tmp_path: Path) -> None:
    report = await fuzzed("lax_keys", "lax_keys_too", folder=tmp_path)

    assert findings(report) == {}
    assert any("keys that a closed schema does not allow" in note.message for note in report.notes)


async def test_an_end_after_many_equal_calls_is_found(tmp_path: Path) -> None:
    report = await fuzzed("crash_after_many", "good_echo", folder=tmp_path)

    assert ("crash_after_many", "crash") in findings(report)


async def test_the_same_seed_finds_the_same(tmp_path: Path) -> None:
    names = ("internal_error", "lax_all", "stack_trace")
    one, other = [findings(await fuzzed(*names, folder=tmp_path)) for _ in range(2)]

    assert {key: found.input for key, found in one.items()} == {
        key: found.input for key, found in other.items()
    }


async def test_what_was_found_is_tried_first_next_time(tmp_path: Path) -> None:
    first = await fuzzed("internal_error", folder=tmp_path, corpus="kept")
    again = await fuzzed("internal_error", folder=tmp_path, corpus="kept", max_examples=1)

    assert findings(first).keys() == findings(again).keys() != set()
    assert list((tmp_path / "kept").iterdir())


async def test_a_scratch_copy_keeps_the_folder_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("a", encoding="utf-8")
    (tmp_path / "below").mkdir()
    (tmp_path / "node_modules").mkdir()

    report = await fuzzed(
        "delete_everything",
        folder=tmp_path,
        scratch=True,
        corpus=None,
        tools=["delete_everything"],
        include_destructive=True,
    )

    assert sum(result.calls for result in report.fuzz) > 0
    assert not (tmp_path / "deleted").exists()


async def test_refused_valid_input_fails_where_it_must_succeed(tmp_path: Path) -> None:
    report = await fuzzed(
        "odd_code", "needs_network", "good_echo", folder=tmp_path, valid_must_succeed=True
    )

    assert {tool for tool, _ in findings(report)} == {"odd_code", "needs_network"}
    assert report.exit_code == 1


async def test_lax_tools_may_be_allowed(tmp_path: Path) -> None:
    report = await fuzzed("lax_all", folder=tmp_path, invalid_must_fail=False)

    assert findings(report) == {}


async def test_a_tool_keeps_to_its_time(tmp_path: Path) -> None:
    report = await fuzzed("slow_at_empty", folder=tmp_path, max_time_s=0.3, max_examples=500)

    [result] = report.fuzz
    assert 0 < result.calls < 1_000
    assert "its time was over" in " ".join(result.notes)


async def test_time_that_grows_with_the_square_is_slow(tmp_path: Path) -> None:
    report = await fuzzed("quadratic", "in_line", folder=tmp_path, max_examples=5)

    assert set(findings(report)) == {("quadratic", "slow")}


async def test_a_configured_secret_is_found_wherever_it_is_said(tmp_path: Path) -> None:
    secret = "zq7RtY2mW9xLc4Vb"
    report = await fuzzed(
        "leak_configured",
        folder=tmp_path,
        max_examples=3,
        server={"env": {"SHOP_KEY": secret}},
    )

    assert set(findings(report)) == {("leak_configured", "secret-leak")}
    assert secret not in repr(report.fuzz)


async def test_a_reading_tool_that_disturbs_another_one_is_found_among_the_witnesses(
    tmp_path: Path,
) -> None:
    report = await fuzzed("items_left", "next_item", folder=tmp_path, max_examples=3)

    assert set(findings(report)) == {("next_item", "hint-violation")}


def test_findings_become_tests_and_sequences_their_steps(report: RunReport, tmp_path: Path) -> None:
    config = config_of(*FAULTS, folder=tmp_path, server={"env": {"SHOP_KEY": "a"}})

    tests = yaml.safe_load(saving.tests_of(report.fuzz, config))["tests"]

    by_name = {one["name"]: one for one in tests}
    assert by_name["internal_error: internal-error"]["args"] == {"q": "'"}
    assert by_name["lax_enum: accepted-invalid"]["expect"] == {"is_error": True}
    steps = by_name["close_note: crash"]["steps"]
    assert [step["tool"] for step in steps] == ["create_note", "close_note", "close_note"]
    assert steps[1]["args"] == {"note_id": "${note_id_1}"}
