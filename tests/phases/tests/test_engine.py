"""Tests against real servers: retries, crashes, timeouts, steps, saves, rows, workers, selection."""

import sys
from pathlib import Path
from typing import Any

import pytest

from tests.running import DEMO, case, rules_of, run, written
from toolproof.errors import ConfigError
from toolproof.phases.phase import RunOptions
from toolproof.report import RunReport, ToolTestResult
from toolproof.runner import execute

SHOP = [sys.executable, str(DEMO / "server.py")]
GOOD = {"name": "good", "tool": "get_book", "args": {"id": "b-1"}}


async def shop(*tests: dict[str, Any], **more: Any) -> RunReport:
    return await run(SHOP, "tests", tests=list(tests), **more)


async def one(test: dict[str, Any], **more: Any) -> ToolTestResult:
    [result] = (await shop(test, **more)).tests
    return result


async def test_without_expectations_a_call_must_succeed() -> None:
    assert (await one(GOOD)).passed

    failed = await one({**GOOD, "args": {"id": "b-9"}})

    assert failed.failures == ["expected a result, got an error result: there is no book 'b-9'"]


async def test_without_expectations_the_result_must_fit_the_output_schema() -> None:
    failed = await one({"tool": "stock_level", "args": {"id": "b-1"}})

    assert failed.failures == ["structuredContent: 'copies' is required and missing"]


async def test_a_declared_output_schema_without_structured_content_fails() -> None:
    report = await run(
        case("behaviour/022"), "tests", tests=[{"tool": "info", "args": {"id": "a"}}]
    )

    assert not report.tests[0].passed
    assert "structuredContent" in report.tests[0].failures[0]


async def test_output_schema_false_lets_it_pass() -> None:
    test = {"tool": "stock_level", "args": {"id": "b-1"}, "expect": {"output_schema": False}}

    assert (await one(test)).passed


@pytest.mark.parametrize(
    "expect",
    [
        {"contains": "Darkness"},
        {"contains": ["Darkness", "Le Guin"], "not_contains": "Traceback"},
        {"regex": r"b-\d"},
        {
            "equals": {
                "id": "b-1",
                "title": "The Left Hand of Darkness",
                "author": "Le Guin",
                "stock": 3,
            }
        },
        {"jsonpath": {"$.stock": {"type": "integer", "min": 1}, "$.author": "Le Guin"}},
        {"schema": {"type": "object", "required": ["stock"]}},
        {"content": [{"type": "text"}]},
        {"is_error": False, "max_tokens": 100, "max_latency_ms": 60000},
    ],
)
async def test_expectations_that_are_met(expect: dict[str, Any]) -> None:
    assert (await one({**GOOD, "expect": expect})).failures == []


@pytest.mark.parametrize(
    ("expect", "message"),
    [
        ({"contains": "Light"}, "the result does not contain 'Light'"),
        ({"not_contains": "Guin"}, "the result contains 'Guin'"),
        ({"regex": "^x"}, "the result does not match /^x/"),
        ({"equals": {"id": "b-2"}}, "the result does not equal what is expected"),
        ({"jsonpath": {"$.stock": 4}}, "$.stock: expected 4, got 3"),
        ({"content": [{"type": "image"}]}, "content block 0: expected type 'image', got 'text'"),
        ({"content": [{"type": "text"}] * 2}, "expected 2 content blocks, got 1"),
        (
            {"max_tokens": 1},
            "the result has about 21 tokens, the limit is 1 (a quarter of its characters)",
        ),
        ({"is_error": True}, "expected an error, got a result"),
        ({"error_code": -32602}, "expected a JSON-RPC error with code -32602, got a result"),
    ],
)
async def test_expectations_that_are_not(expect: dict[str, Any], message: str) -> None:
    assert (await one({**GOOD, "expect": expect})).failures == [message]


async def test_a_difference_shows_both_sides() -> None:
    [failure] = (await one({**GOOD, "expect": {"equals": {"id": "b-2"}}})).details

    assert failure.expected == '{\n  "id": "b-2"\n}'
    assert failure.got is not None
    assert '"id": "b-1"' in failure.got


async def test_a_schema_says_where_the_result_does_not_fit() -> None:
    schema = {"properties": {"stock": {"type": "string"}}}

    [message] = (await one({**GOOD, "expect": {"schema": schema}})).failures

    assert message.startswith("the result does not fit the schema: at /stock: ")


async def test_an_error_can_be_what_is_wanted() -> None:
    unknown = {"tool": "no_such_tool", "expect": {"error_code": -32602}}

    assert (await one(unknown)).passed
    assert (await one({**unknown, "expect": {"is_error": True, "contains": "no tool"}})).passed


async def test_a_crash_is_never_the_error_that_was_wanted() -> None:
    dying = {
        "tool": "price_before_discount",
        "args": {"price": 1, "discount": 100},
        "expect": {"is_error": True},
    }

    report = await shop(dying, GOOD)

    died, after = report.tests
    assert "exit code 1" in died.failures[0]
    assert "ZeroDivisionError" in died.server_stderr
    assert after.passed
    assert rules_of(report) == {"crash"}


async def test_a_call_that_blocks_the_server_is_not_blamed_on_the_next() -> None:
    blocking = {"tool": "locate_shelf", "args": {"mark": "a b"}, "timeout_ms": 200}

    report = await shop(blocking, GOOD)

    blocked, after = report.tests
    assert "no answer to tools/call within 0.2 s" in blocked.failures[0]
    assert after.passed
    assert any("blocked the server" in note.message for note in report.notes)


async def test_a_retry_that_passes_is_flaky_and_passes() -> None:
    test = {"tool": "echo", "args": {"text": "hi"}}

    report = await run(case("behaviour/055"), "tests", retries=1, tests=[test])

    [result] = report.tests
    assert (result.passed, result.flaky, result.attempts) == (True, True, 2)
    assert len(result.earlier) == 1
    assert report.passed


async def test_retries_end_at_the_number_that_was_asked_for() -> None:
    result = await one({**GOOD, "args": {"id": "b-9"}, "retries": 2})

    assert (result.passed, result.attempts) == (False, 3)


async def test_progress_keeps_a_call_alive_beyond_its_idle_limit() -> None:
    test = {"tool": "echo", "args": {"text": "hi"}, "timeout_ms": 3000}

    report = await run(case("behaviour/039"), "tests", tests=[test])

    assert report.tests[0].passed


async def test_steps_run_in_order_and_the_first_that_fails_ends_the_test() -> None:
    steps = [
        {"tool": "get_book", "args": {"id": "b-1"}, "save": {"who": "$.author"}},
        {"tool": "search_books", "args": {"words": "${who}"}, "expect": {"contains": "b-1"}},
        {"tool": "get_book", "args": {"id": "b-9"}},
        {"tool": "price_before_discount", "args": {"price": 1, "discount": 100}},
    ]

    report = await shop({"name": "in order", "steps": steps})

    [result] = report.tests
    assert result.failures == [
        "step 3 (get_book): expected a result, got an error result: there is no book 'b-9'"
    ]
    assert rules_of(report) == set()


async def test_what_one_test_saves_later_ones_use_with_its_type() -> None:
    report = await shop(
        {**GOOD, "save": {"stock": "$.stock", "id": "$.id"}},
        {
            "tool": "get_book",
            "args": {"id": "${id}"},
            "expect": {"jsonpath": {"$.stock": "${stock}"}},
        },
    )

    assert [test.passed for test in report.tests] == [True, True]


async def test_a_variable_that_nobody_saved_fails_the_test_that_needs_it() -> None:
    result = await one({"tool": "get_book", "args": {"id": "${gone}"}})

    assert result.failures == ["needs gone, which no earlier test saved"]
    assert result.result is None


async def test_a_path_that_leads_nowhere_saves_nothing_and_fails() -> None:
    result = await one({**GOOD, "save": {"x": "$.nothing"}})

    assert result.failures == ["nothing to save as 'x': $.nothing leads to nothing"]


async def test_each_row_is_a_test_of_its_own() -> None:
    rows = [{"id": "b-1", "who": "Le Guin"}, {"id": "b-3", "who": "Brooks"}]
    test = {
        "name": "by ${each.who}",
        "tool": "get_book",
        "args": {"id": "${each.id}"},
        "each": rows,
        "expect": {"contains": "${each.who}"},
    }

    report = await shop(test, {**test, "name": "plain"})

    assert [result.name for result in report.tests] == [
        "by Le Guin",
        "by Brooks",
        "plain [id=b-1, who=Le Guin]",
        "plain [id=b-3, who=Brooks]",
    ]
    assert report.passed


async def test_twins_are_told_apart_by_a_number() -> None:
    report = await shop(GOOD, GOOD)

    assert [result.name for result in report.tests] == ["good", "good (2)"]


async def test_a_setup_that_fails_fails_every_test_and_says_why() -> None:
    setup = [{"tool": "get_book", "args": {"id": "b-9"}}]

    report = await shop(GOOD, setup=setup)

    assert report.tests[0].failures == [
        (
            "setup step 1 (get_book) failed: expected a result, got an error result: "
            "there is no book 'b-9'"
        )
    ]


async def test_setup_saves_for_tests_and_teardown_is_told_when_it_fails() -> None:
    report = await shop(
        {"tool": "get_book", "args": {"id": "${id}"}},
        setup=[{**GOOD, "save": {"id": "$.id"}}],
        teardown=[{"tool": "get_book", "args": {"id": "b-9"}}],
    )

    assert report.passed
    assert any(note.message.startswith("teardown: ") for note in report.notes)


async def test_teardown_runs_though_the_server_is_gone() -> None:
    report = await shop(
        {"tool": "price_before_discount", "args": {"price": 1, "discount": 100}},
        teardown=[GOOD],
    )

    assert not any("teardown" in note.message for note in report.notes)


async def test_resources_and_prompts_are_tested_like_tools() -> None:
    tests = [{"resource": "doc://readme"}, {"resource": "doc://logo", "expect": {"is_error": True}}]

    report = await run(case("behaviour/061"), "tests", tests=tests)

    assert report.tests[0].failures == [
        "expected a result, got JSON-RPC error -32002: Resource not found"
    ]
    assert not report.tests[1].passed


async def test_a_prompt_is_got_with_its_arguments() -> None:
    tests = [{"prompt": "review", "args": {"code": "x"}}]

    report = await run(case("behaviour/062"), "tests", tests=tests)

    assert "JSON-RPC error -32603" in report.tests[0].failures[0]


async def test_independent_tests_spread_over_servers_and_keep_their_order() -> None:
    tests = [{**GOOD, "name": f"test {i}"} for i in range(12)]
    tests += [{**GOOD, "name": "gives", "save": {"id": "$.id"}}]
    tests += [{"name": "needs", "tool": "get_book", "args": {"id": "${id}"}}]

    report = await shop(*tests, options=RunOptions(workers=3))

    assert [result.name for result in report.tests] == [test["name"] for test in tests]
    assert report.passed


@pytest.mark.parametrize(
    ("options", "names"),
    [
        (RunOptions(keyword="a book or another"), ["a book", "another book"]),
        (RunOptions(keyword="book and not another and not words"), ["a book"]),
        (RunOptions(keyword="get_book"), ["a book", "another book"]),
        (RunOptions(keyword="search_books"), ["words"]),
        (RunOptions(tags=("slow",)), ["another book"]),
        (RunOptions(only=frozenset({"words"})), ["words"]),
    ],
)
async def test_tests_are_selected_by_name_tag_and_last_failure(
    options: RunOptions, names: list[str]
) -> None:
    report = await shop(
        {**GOOD, "name": "a book"},
        {**GOOD, "name": "another book", "tags": ["slow"]},
        {"name": "words", "tool": "search_books", "args": {"words": "brooks"}},
        options=options,
    )

    assert [result.name for result in report.tests] == names


async def test_nothing_selected_is_no_pass() -> None:
    report = await shop(GOOD, options=RunOptions(keyword="nothing like it"))

    assert not report.passed
    assert report.exit_code == 2


async def test_an_expression_that_cannot_be_read_is_a_mistake_of_use() -> None:
    with pytest.raises(ConfigError):
        await shop(GOOD, options=RunOptions(keyword="a and"))


SNAPSHOT = """
server: {{command: [{python!r}, {server!r}]}}
tests:
  - name: a book
    tool: get_book
    args: {{id: {id}}}
    expect: {{snapshot: {snapshot}}}
"""


def config_with(folder: Path, book: str, snapshot: str = "true") -> Any:
    text = SNAPSHOT.format(
        python=sys.executable, server=str(DEMO / "server.py"), id=book, snapshot=snapshot
    )
    return written(folder, text)


async def test_a_snapshot_is_recorded_first_and_compared_later(tmp_path: Path) -> None:
    first = await execute(config_with(tmp_path, "b-1"), ["tests"])
    again = await execute(config_with(tmp_path, "b-1"), ["tests"])
    changed = await execute(config_with(tmp_path, "b-2"), ["tests"])

    assert first.passed
    assert "recorded in toolproof.snapshots.json" in first.notes[0].message
    assert again.passed
    assert again.notes == ()
    [failure] = changed.tests[0].details
    assert failure.message.startswith("the result differs from its snapshot")
    assert failure.expected is not None
    assert "Darkness" in failure.expected


async def test_a_snapshot_holds_no_secret_and_fits_on_the_next_run_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The file is to be committed; a server may send its token back."""
    monkeypatch.setenv("TOKEN", "The Left Hand of Darkness")
    config = SNAPSHOT.replace("server: {{", 'server: {{env: {{TOKEN: "${{TOKEN}}"}}, ').format(
        python=sys.executable, server=str(DEMO / "server.py"), id="b-1", snapshot="true"
    )

    await execute(written(tmp_path, config), ["tests"])
    again = await execute(written(tmp_path, config), ["tests"])

    kept = (tmp_path / "toolproof.snapshots.json").read_text(encoding="utf-8")
    assert "Darkness" not in kept
    assert "***" in kept
    assert again.tests[0].failures == []


async def test_a_snapshot_can_ignore_what_differs_each_time(tmp_path: Path) -> None:
    ignore = '{ignore: ["$.id", "$.title", "$.author", "$.stock"]}'
    await execute(config_with(tmp_path, "b-1", ignore), ["tests"])

    report = await execute(config_with(tmp_path, "b-2", ignore), ["tests"])

    assert report.passed


async def test_snapshots_are_recorded_anew_on_request(tmp_path: Path) -> None:
    await execute(config_with(tmp_path, "b-1"), ["tests"])

    await execute(
        config_with(tmp_path, "b-2"), ["tests"], options=RunOptions(update_snapshots=True)
    )

    assert (await execute(config_with(tmp_path, "b-2"), ["tests"])).passed


@pytest.mark.parametrize("text", ["{", "[1]"])
async def test_snapshots_that_cannot_be_read_are_a_mistake_that_is_told(
    tmp_path: Path, text: str
) -> None:
    (tmp_path / "toolproof.snapshots.json").write_text(text, encoding="utf-8")

    with pytest.raises(ConfigError, match="snapshots"):
        await execute(config_with(tmp_path, "b-1"), ["tests"])
