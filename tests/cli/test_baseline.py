"""`toolproof baseline`, and `--baseline` where runs take it."""

import json
import xml.etree.ElementTree as ET
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.cli.commanding import SHOP, config
from tests.cli.commanding import inside as toolproof

RED = """
tests:
  - {name: a book, tool: get_book, args: {id: b-1}}
  - {name: no such book, tool: get_book, args: {id: b-9}}
"""
MENDED = RED.replace("b-9", "b-2")
FILE = "toolproof-baseline.yaml"


def day(delta: int) -> str:
    return (datetime.now(UTC) + timedelta(days=delta)).date().isoformat()


@pytest.fixture
def known(tmp_path: Path) -> Path:
    """A folder whose config is red, and whose baseline knows all of it."""
    config(tmp_path, RED)
    done = toolproof("baseline", "--reason", "planted", cwd=tmp_path)
    assert (done.code, done.stdout) == (0, f"{FILE}: 4 known problems (4 new)\n")
    return tmp_path


def test_known_problems_pass_and_are_told(known: Path) -> None:
    done = toolproof(
        "-v", "run", "--baseline", FILE, "--junit", "j.xml", "--sarif", "s.json", "--json", "r.json",
        cwd=known,
    )  # fmt: skip

    assert done.code == 0
    assert "known test" in done.stdout
    assert "(planted)" in done.stdout
    cases = ET.parse(known / "j.xml").getroot().iter("testcase")
    skips = {
        case.get("name"): skip.get("message") for case in cases for skip in case.iter("skipped")
    }
    assert skips["no such book"] == "known: planted"
    results = json.loads((known / "s.json").read_text("utf-8"))["runs"][0]["results"]
    assert all(one["suppressions"][0]["justification"] == "planted" for one in results)
    report = json.loads((known / "r.json").read_text("utf-8"))
    assert {one["known"] for one in report["checks"]} == {"planted"}


def test_strict_runs_know_warnings_too(known: Path) -> None:
    assert toolproof("run", "--strict", cwd=known).code == 1
    assert toolproof("run", "--strict", "--baseline", FILE, cwd=known).code == 0


def test_a_new_problem_fails(known: Path) -> None:
    config(known, RED + "  - {name: nor this, tool: get_book, args: {id: b-8}}\n")

    done = toolproof("run", "--baseline", FILE, cwd=known)

    assert done.code == 1
    assert 'error test "nor this"' in done.stdout
    assert 'error test "no such book"' not in done.stdout


def test_a_problem_that_is_gone_fails_until_it_is_taken_out(known: Path) -> None:
    config(known, MENDED)

    stale = toolproof("run", "--baseline", FILE, "--junit", "j.xml", cwd=known)
    told = toolproof("run", "--baseline", FILE, "--only-new", cwd=known)
    pruned = toolproof("baseline", "--prune", cwd=known)
    after = toolproof("run", "--baseline", FILE, cwd=known)

    assert stale.code == 1
    line = next(
        n
        for n, text in enumerate((known / FILE).read_text("utf-8").splitlines(), 1)
        if "checks" in text
    )
    assert f"{FILE}:" in stale.stdout
    assert line > 0
    assert "error baseline-stale no such book" in stale.stdout
    suites = [suite.get("name") for suite in ET.parse(known / "j.xml").getroot()]
    assert suites[-1] == "baseline"
    assert told.code == 0
    assert "no longer occurs" in told.stdout
    assert pruned.stdout == f"{FILE}: 3 known problems (1 taken out)\n"
    assert after.code == 0


def test_an_annotation_points_at_the_line_of_a_stale_entry(known: Path) -> None:
    config(known, MENDED)
    lines = (known / FILE).read_text("utf-8").splitlines()
    at = next(n for n, text in enumerate(lines, start=1) if "phase: tests" in text) - 1

    done = toolproof("run", "--baseline", FILE, cwd=known, GITHUB_ACTIONS="true")

    assert f"::error file={FILE},line={at},title=no such book · baseline-stale::" in done.stdout


def test_a_day_that_is_over_ends_it(known: Path) -> None:
    text = (known / FILE).read_text("utf-8")
    (known / FILE).write_text(
        text.replace("reason: planted", f"reason: planted\n    expires: {day(-1)}"), "utf-8"
    )

    done = toolproof("run", "--baseline", FILE, cwd=known)
    renewed = toolproof("baseline", "--reason", "still", "--expires", day(1), cwd=known)

    assert done.code == 1
    assert "expired on" in done.stdout
    assert "4 renewed" in renewed.stdout
    assert toolproof("run", "--baseline", FILE, cwd=known).code == 0


def test_an_earlier_report_is_a_baseline_too(tmp_path: Path) -> None:
    config(tmp_path, RED)
    toolproof("run", "--json", "old.json", cwd=tmp_path)

    same = toolproof(
        "run", "--baseline", "old.json", "--only-new", "--summary", "s.md", cwd=tmp_path
    )
    config(tmp_path, MENDED)
    better = toolproof("run", "--baseline", "old.json", cwd=tmp_path)
    config(tmp_path, RED.replace("b-1", "b-7"))
    worse = toolproof("run", "--baseline", "old.json", cwd=tmp_path)

    assert (same.code, better.code, worse.code) == (0, 0, 1)
    assert "known problem" not in (tmp_path / "s.md").read_text("utf-8")


def test_a_new_entry_needs_a_reason(tmp_path: Path) -> None:
    config(tmp_path, RED)

    done = toolproof("baseline", cwd=tmp_path)

    assert done.code == 2
    assert "4 problems have no entry yet, and there is no reason why they may pass" in done.stderr
    assert not (tmp_path / FILE).exists()


def test_reports_are_taken_in_place_of_a_run(tmp_path: Path) -> None:
    config(tmp_path, RED)
    for shard in ("1/2", "2/2"):
        toolproof("run", "--shard", shard, "--json", f"{shard[0]}.json", cwd=tmp_path)

    done = toolproof(
        "baseline", "--from", "1.json", "--from", "2.json", "--reason", "old", "-o", "b/known.yaml",
        cwd=tmp_path,
    )  # fmt: skip

    assert done.stdout == "b/known.yaml: 4 known problems (4 new)\n"
    assert toolproof("run", "--baseline", "b/known.yaml", cwd=tmp_path).code == 0


def test_a_run_that_came_to_nothing_writes_nothing(tmp_path: Path) -> None:
    gone = toolproof("baseline", "--reason", "r", "--", "no-such-program", cwd=tmp_path)
    (tmp_path / "r.json").write_text("{}", "utf-8")
    none = toolproof("baseline", "--reason", "r", "--from", "r.json", cwd=tmp_path)

    assert gone.code == 3
    assert none.code == 2
    assert "there is no 'schema_version'" in none.stderr
    assert not (tmp_path / FILE).exists()


def test_the_report_of_a_run_that_did_not_end_is_no_source(tmp_path: Path) -> None:
    toolproof("run", "--json", "r.json", "--", "no-such-program", cwd=tmp_path)

    done = toolproof("baseline", "--reason", "r", "--from", "r.json", cwd=tmp_path)

    assert done.code == 2
    assert "the run in it ended with exit code 3" in done.stderr


def test_a_report_is_never_written_over(tmp_path: Path) -> None:
    config(tmp_path, RED)
    toolproof("run", "--json", "r.json", cwd=tmp_path)

    done = toolproof("baseline", "--reason", "r", "-o", "r.json", cwd=tmp_path)

    assert done.code == 2
    assert "this is a JSON report, and would be written over" in done.stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["run", "--only-new"], "--only-new goes with --baseline FILE"),
        (["run", "--baseline", "none.yaml"], "none.yaml: no such file"),
        (["run", "--baseline", "bad.yaml"], "known[0]: a 'reason' is required"),
        (["baseline", "--expires", "soon"], "expected a day such as 2027-01-31, got 'soon'"),
        (["baseline", "x.yaml", "-c", "y.yaml"], "CONFIG and -c name a file each"),
    ],
)
def test_what_is_wrong_is_told_before_anything_starts(
    tmp_path: Path, words: list[str], said: str
) -> None:
    config(tmp_path, RED)
    (tmp_path / "bad.yaml").write_text(
        "version: 1\nknown: [{fingerprint: 0123456789abcdef}]\n", "utf-8"
    )

    done = toolproof(*words, cwd=tmp_path)

    assert done.code == 2
    assert said in done.stdout + done.stderr
    assert "Traceback" not in done.stderr


def test_other_commands_take_a_baseline_too(known: Path) -> None:
    inspected = toolproof("inspect", "--baseline", FILE, cwd=known)
    benched = toolproof(
        "bench", "--tool", "get_book", "--args", '{"id": "b-1"}', "--calls", "5", "--baseline", FILE,
        cwd=known,
    )  # fmt: skip

    assert (inspected.code, benched.code) == (0, 0)


def test_a_server_that_is_not_run_is_told(tmp_path: Path) -> None:
    path = config(tmp_path, RED)
    servers = (
        f"servers: {{a: {{command: {json.dumps(SHOP)}}}, b: {{command: {json.dumps(SHOP)}}}}}\n"
    )
    path.write_text(servers + RED, "utf-8")
    toolproof("baseline", "--reason", "r", cwd=tmp_path)

    both = toolproof("run", "--baseline", FILE, cwd=tmp_path)
    one = toolproof("run", "--server", "a", "--baseline", FILE, cwd=tmp_path)
    path.write_text(servers.replace("b: {", "c: {") + RED, "utf-8")
    other = toolproof("run", "--baseline", FILE, cwd=tmp_path)

    assert (both.code, one.code, other.code) == (0, 0, 1)
    assert "no run of server" not in one.stdout
    assert (
        "4 entries of toolproof-baseline.yaml not judged: there is no run of server 'b'"
        in other.stdout
    )
