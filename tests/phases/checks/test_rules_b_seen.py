"""What the wire saw, and what lists hold besides tools."""

from dataclasses import replace
from typing import Any

import pytest

from tests.phases.checks.rules_b_seen import only, problems, told
from toolproof.connection.observations import Kind, Observation
from toolproof.phases.checks.examples import called, saw
from toolproof.phases.checks.rule import Evidence, calling, seeing
from toolproof.report import (
    WHOLE_SERVER,
    ConnectionLost,
    Severity,
)

# What the wire saw


BY_RULE: list[tuple[Kind, str | None, str, str]] = [
    (Kind.STDOUT_POLLUTION, "echo", "stdout-pollution", "echo"),
    (Kind.STDOUT_BOM, "echo", "stdout-bom", "echo"),
    (Kind.INVALID_UTF8, "echo", "invalid-utf8", "echo"),
    (Kind.LONE_SURROGATE, "echo", "lone-surrogate", "echo"),
    (Kind.RESPONSE_INVALID, "echo", "response-invalid", "echo"),
    (Kind.WRONG_RESPONSE_ID, "echo", "wrong-response-id", "echo"),
    (Kind.SECOND_ANSWER, "echo", "wrong-response-id", "echo"),
    (Kind.SECRET_LEAK, "echo", "secret-leak", "echo"),
    (Kind.CRASH, "echo", "crash", "echo"),
    (Kind.CRASH, None, "crash", WHOLE_SERVER),
    (Kind.PROBE_DEFINITION_CHANGED, "echo", "definition-changed", "echo"),
    (Kind.WRONG_RESULT_UNDER_LOAD, "echo", "wrong-result-under-load", "echo"),
    (Kind.NOTIFICATION_ANSWERED, "echo", "notification-answered", WHOLE_SERVER),
    (Kind.START_CRASH, "echo", "start-crash", WHOLE_SERVER),
    (Kind.START_TIMEOUT, None, "start-timeout", WHOLE_SERVER),
    (Kind.SLOW_START, None, "slow-start", WHOLE_SERVER),
    (Kind.UNEXPECTED_EXIT, "echo", "unexpected-exit", WHOLE_SERVER),
    (Kind.NO_EXIT_ON_EOF, "echo", "no-exit-on-eof", WHOLE_SERVER),
    (Kind.PROCESS_LEAK, "echo", "process-leak", WHOLE_SERVER),
    (Kind.VERSION_REFUSED, None, "version-negotiation", WHOLE_SERVER),
    (Kind.VERSION_UNKNOWN, None, "version-negotiation", WHOLE_SERVER),
    (Kind.PROBE_VERSION_ECHOED, None, "version-negotiation", WHOLE_SERVER),
    (Kind.HANDSHAKE_INVALID, None, "handshake-invalid", WHOLE_SERVER),
    (Kind.CAPABILITY_NOT_DELIVERED, None, "capability-not-delivered", WHOLE_SERVER),
    (Kind.CAPABILITY_UNDECLARED, None, "capability-undeclared", WHOLE_SERVER),
    (Kind.LIST_RESULT_INVALID, None, "list-result-invalid", WHOLE_SERVER),
    (Kind.PAGINATION_LOOP, None, "pagination-loop", WHOLE_SERVER),
    (Kind.MODERN_RESULT_FIELDS, "echo", "modern-result-fields", WHOLE_SERVER),
    (Kind.HTTP_AUTH_REQUIRED, "echo", "http-auth-required", WHOLE_SERVER),
    (Kind.HTTP_AUTH_CHALLENGE, "echo", "http-auth-challenge", WHOLE_SERVER),
    (Kind.HTTP_REDIRECT, "echo", "http-redirect", WHOLE_SERVER),
    (Kind.HTTP_CONTENT_TYPE, "echo", "http-content-type", WHOLE_SERVER),
    (Kind.HTTP_SESSION_EXPIRED, "echo", "http-session-expired", WHOLE_SERVER),
    (Kind.HTTP_HOST_REFUSED, "echo", "http-host-refused", WHOLE_SERVER),
    (Kind.HTTP_LEGACY_SSE, "echo", "http-legacy-sse", WHOLE_SERVER),
    (Kind.PROBE_CURSOR_ACCEPTED, "echo", "invalid-cursor-accepted", WHOLE_SERVER),
    (Kind.PROBE_LIST_ORDER, "echo", "list-order", WHOLE_SERVER),
    (Kind.PROBE_LIST_CHANGED, "echo", "list-changed-silently", WHOLE_SERVER),
    (Kind.PROBE_PING, "echo", "ping-unsupported", WHOLE_SERVER),
    (Kind.PROBE_UNKNOWN_METHOD, "echo", "unknown-method-code", WHOLE_SERVER),
    (Kind.PROBE_UNKNOWN_TOOL, "echo", "unknown-tool", WHOLE_SERVER),
    (Kind.PROBE_RESOURCE_READ, "echo", "resource-read", WHOLE_SERVER),
    (Kind.PROBE_PROMPT_GET, "echo", "prompt-get", WHOLE_SERVER),
    (Kind.PROBE_SESSION_STATUS, "echo", "http-session-status", WHOLE_SERVER),
    (Kind.PROBE_ORIGIN, "echo", "http-origin-unchecked", WHOLE_SERVER),
]


@pytest.mark.parametrize(("kind", "tool", "rule", "of"), BY_RULE)
def test_each_kind_is_told_by_its_rule_on_its_tool(
    kind: Kind, tool: str | None, rule: str, of: str
) -> None:
    """Facts may be missing: the rule then says what it can."""
    assert told(seeing(saw(kind, "what was seen", tool=tool))) == [(of, rule)]


NO_FAULT = [
    Kind.LATE_ANSWER,
    Kind.DUPLICATE_KEYS,
    Kind.UNDECLARED_REQUEST,
    Kind.PROGRESS_INVALID,
    Kind.LIST_CHANGED,
    Kind.START_FAILED,
    Kind.ENDS_AT_PROBE,
    Kind.EXIT_STATUS,
    Kind.HTTP_STATUS,
]


@pytest.mark.parametrize("kind", NO_FAULT)
def test_what_is_no_fault_is_no_problem(kind: Kind) -> None:
    assert told(seeing(saw(kind, "what was seen", tool="echo"))) == []


def test_every_kind_is_looked_at_by_one_of_the_tests_above() -> None:
    assert {case[0] for case in BY_RULE} | set(NO_FAULT) == set(Kind)


def several(kind: Kind, *facts: dict[str, Any]) -> Evidence:
    return seeing(*(saw(kind, f"seen {fact}", **fact) for fact in facts))


@pytest.mark.parametrize(
    ("kind", "facts"),
    [
        (
            Kind.CAPABILITY_NOT_DELIVERED,
            [{"request": "prompts/list"}, {"request": "resources/list"}],
        ),
        (
            Kind.LIST_RESULT_INVALID,
            [
                {"request": "tools/list", "member": "tools"},
                {"request": "tools/list", "member": "nextCursor"},
            ],
        ),
        (Kind.HANDSHAKE_INVALID, [{"member": "serverInfo"}, {"member": "capabilities"}]),
        (Kind.PAGINATION_LOOP, [{"request": "tools/list"}, {"request": "prompts/list"}]),
        (Kind.MODERN_RESULT_FIELDS, [{"request": "tools/list"}, {"request": "tools/call"}]),
        (Kind.PROBE_RESOURCE_READ, [{"uri": "doc://a"}, {"uri": "doc://b"}]),
        (Kind.PROBE_PROMPT_GET, [{"prompt": "a"}, {"prompt": "b"}]),
    ],
)
def test_each_method_member_and_entry_is_a_problem_of_its_own(
    kind: Kind, facts: list[dict[str, Any]]
) -> None:
    found = problems(several(kind, *facts, facts[0]))

    assert len(found) == 2
    assert len({problem.fingerprint for problem in found}) == 2


def test_stray_lines_are_counted_and_the_first_is_quoted() -> None:
    lines = [
        saw(Kind.STDOUT_POLLUTION, "not a JSON-RPC message", line=line)
        for line in ("", "=== Acme ===", "[INFO] listening")
    ]

    assert only(seeing(*lines)).message == (
        "stdout has 3 lines that are no message, the first: '=== Acme ==='"
    )


def test_a_blank_line_and_a_pretty_printed_message_are_told_as_such() -> None:
    blank = saw(Kind.STDOUT_POLLUTION, "a blank line", line="")
    pretty = saw(Kind.STDOUT_POLLUTION, "one message, pretty-printed over 4 lines", line="{")

    assert only(seeing(blank)).message == "stdout has 1 blank line between the messages"
    assert "a message must be one line" in only(seeing(pretty)).message


def test_the_text_of_an_answer_with_a_wrong_id_is_shown() -> None:
    seen = saw(Kind.WRONG_RESPONSE_ID, "the id is null", id="null", text="text must be a string")

    assert "'text must be a string'" in only(seeing(seen)).message


def test_a_crash_is_told_with_its_smallest_input_its_code_and_last_words() -> None:
    crashes = [
        saw(
            Kind.CRASH,
            "it ended",
            tool="search",
            exit="exit code 7",
            last_line="TypeError: no query",
            arguments=arguments,
        )
        for arguments in ({"query": "long"}, {}, {"query": ""})
    ]

    message = only(seeing(*crashes)).message

    assert message == (
        "the server ended with exit code 7 (stderr: 'TypeError: no query') during a call with {} "
        "(3 crashes)"
    )


def test_a_crash_without_arguments_says_null_and_how_many_were_in_flight() -> None:
    crash = saw(Kind.CRASH, "it ended", tool="a", exit="SIGSEGV", arguments=None, in_flight=3)

    assert "with null, one of 3 calls in flight" in only(seeing(crash)).message


def test_a_lost_call_is_a_crash_only_where_no_process_end_was_seen() -> None:
    lost = calling(called(ConnectionLost("the output was closed")))
    told_already = seeing(saw(Kind.UNEXPECTED_EXIT, "it ended"))

    assert told(lost) == [("get_weather", "crash")]
    assert told(replace(lost, transport="http")) == []
    assert told(replace(told_already, calls=lost.calls)) == [(WHOLE_SERVER, "unexpected-exit")]


def test_only_an_echoed_version_is_a_mere_warning() -> None:
    refused = saw(Kind.VERSION_REFUSED, "refused", asked="2025-11-25", agreed="2024-11-05")
    echoed = saw(Kind.PROBE_VERSION_ECHOED, "agreed", asked="1999-01-01")

    found = problems(seeing(refused, echoed))

    assert [p.severity for p in found] == [Severity.ERROR, Severity.WARNING]
    assert "'2025-11-25'" in found[0].message
    assert "'2024-11-05'" in found[0].message
    assert "'1999-01-01'" in found[1].message


@pytest.mark.parametrize(
    ("outcome", "severity"), [("success", Severity.ERROR), ("is-error", Severity.INFO)]
)
def test_an_unknown_tool_that_works_is_an_error_one_that_says_so_a_hint(
    outcome: str, severity: Severity
) -> None:
    seen = saw(Kind.PROBE_UNKNOWN_TOOL, "seen", outcome=outcome, text="Node error")

    assert only(seeing(seen)).severity is severity
    assert "'Node error'" in only(seeing(seen)).message


def test_what_came_and_went_is_named() -> None:
    seen = saw(Kind.PROBE_LIST_CHANGED, "differs", came="b, c", went="a", after="log_in")

    assert only(seeing(seen)).message == (
        "the set of tools changed after calls, the last of log_in (new: b, c; gone: a)"
    )


def test_a_changed_definition_has_the_place_that_changed() -> None:
    seen = saw(Kind.PROBE_DEFINITION_CHANGED, "it changed", tool="add", pointer="/description")

    assert only(seeing(seen)).pointer == "/description"


def test_hostile_facts_are_shown_harmlessly() -> None:
    seen = Observation(Kind.START_CRASH, "x", facts={"exit": "\x1b[31m\u202e", "last_line": "a\nb"})

    assert only(seeing(seen)).message == (
        "the server ended with \\u{202E} (stderr: 'a↵b') before it answered the first request"
    )


# Resources and prompts


@pytest.mark.parametrize(
    ("entry", "words"),
    [
        ({"uri": "readme", "name": "a"}, "'readme': its uri has no scheme"),
        ({"uri": "doc://a"}, "'doc://a': it has no name"),
        ({"uri": "doc://a", "name": " "}, "it has no name"),
        ({"name": "a"}, "the resource at 0: it has no uri"),
        ({"uri": 7, "name": "a"}, "it has no uri"),
        ({"uri": "", "name": "a"}, "its uri has no scheme"),
        (7, "it is no object"),
        ({}, "it has no uri that is a string; it has no name"),
    ],
)
def test_a_resource_that_cannot_be_addressed_is_told(entry: Any, words: str) -> None:
    problem = only(Evidence(resources=[entry]))

    assert (problem.tool, problem.rule) == (WHOLE_SERVER, "resource-invalid")
    assert words in problem.message


def test_a_resource_that_comes_again_is_told_each_time() -> None:
    listed = [{"uri": "doc://a", "name": name} for name in "abc"]

    found = problems(Evidence(resources=listed))

    assert len(found) == 2
    assert all("'doc://a': its uri is that of an earlier" in problem.message for problem in found)


@pytest.mark.parametrize(
    ("entry", "words"),
    [
        ({"uriTemplate": "doc://{", "name": "a"}, "has a brace"),
        ({"name": "a"}, "it has no uriTemplate"),
        ({"uriTemplate": "doc://{a}"}, "it has no name"),
        ([], "it is no object"),
    ],
)
def test_a_template_that_cannot_be_filled_in_is_told(entry: Any, words: str) -> None:
    assert words in only(Evidence(resource_templates=[entry])).message


@pytest.mark.parametrize(
    ("entry", "words"),
    [
        ({}, "the prompt at 0: it has no name"),
        ({"name": ""}, "it has no name"),
        ({"name": "a", "arguments": {}}, "'a': its arguments are {}, a list is due"),
        ({"name": "a", "arguments": None}, "a list is due"),
        ({"name": "a", "arguments": [{"name": "x"}, {}]}, "its argument at 1 has no name"),
        ({"name": "a", "arguments": ["x"]}, "its argument at 0 has no name"),
        ("a", "it is no object"),
    ],
)
def test_a_prompt_that_cannot_be_asked_for_is_told(entry: Any, words: str) -> None:
    problem = only(Evidence(prompts=[entry]))

    assert problem.rule == "prompt-invalid"
    assert words in problem.message


def test_good_entries_and_a_prompt_that_comes_again() -> None:
    good = Evidence(
        resources=[{"uri": "doc://a", "name": "a"}],
        resource_templates=[{"uriTemplate": "doc://{x}", "name": "a"}],
        prompts=[{"name": "a"}, {"name": "b", "arguments": [{"name": "x"}]}],
    )

    assert problems(good) == []
    again = replace(good, prompts=[{"name": "a"}, {"name": "a"}])
    assert "earlier prompt" in only(again).message
