"""What the wire saw, what lists hold besides tools, and what calls gave."""

import base64
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from toolproof.connection.observations import Kind, Observation
from toolproof.phases.checks.engine import check, raise_broken
from toolproof.phases.checks.examples import answer, called, sample, saw
from toolproof.phases.checks.rule import CallSeen, Evidence, calling, seeing
from toolproof.report import (
    WHOLE_SERVER,
    ConnectionLost,
    Malformed,
    Problem,
    RpcError,
    Severity,
    TimedOut,
    Tool,
)

CONFIG = SimpleNamespace(max_description_length=1024, max_tokens=None, clients=(), ignore=())
NEWEST = "2026-07-28"
JS_STACK = (
    "TypeError: x is not a function\n"
    "    at Object.run (/srv/app/dist/echo.js:41:17)\n"
    "    at processTicksAndRejections (node:internal/process/task_queues:105:5)"
)


def problems(evidence: Evidence) -> list[Problem]:
    checked = check(evidence, CONFIG)
    raise_broken(checked.notes)
    return checked.problems


def told(evidence: Evidence) -> list[tuple[str, str]]:
    """Tool and rule of each problem."""
    return [(problem.tool, problem.rule) for problem in problems(evidence)]


def only(evidence: Evidence) -> Problem:
    [problem] = problems(evidence)
    return problem


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
        "after a call of log_in the list of tools differs (new: b, c; gone: a)"
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


# What calls gave


@pytest.mark.parametrize(
    ("call", "rule"),
    [
        (called(TimedOut(3, "no answer within 3 s")), "hang"),
        (called(RpcError(-32603, "Internal error")), "internal-error"),
        (called(RpcError(-32000, "'NoneType' object is not iterable")), "internal-error"),
        (called(RpcError(-32602, "city must be a string")), "rejected-valid"),
        (called(answer("limit must be an integer", isError=True)), "rejected-valid"),
        (called(answer("weather"), {"city": 7}, valid=False), "accepted-invalid"),
        (called(answer("Error: no such city")), "error-as-success"),
        (called(answer(JS_STACK, isError=True)), "stack-leak"),
        (called({"content": [{"type": "image"}]}), "result-invalid"),
        (called({}), "result-invalid"),
        (
            called({"content": [{"type": "image", "mimeType": "image/png", "data": "%"}]}),
            "content-data",
        ),
        (called(answer("x" * 100_001)), "result-size"),
        (called(answer("12 C"), raw=sample(outputSchema={"type": "object"})), "output-mismatch"),
    ],
)
def test_each_fault_of_a_call_is_told_by_its_rule(call: CallSeen, rule: str) -> None:
    assert told(calling(call)) == [("get_weather", rule)]


@pytest.mark.parametrize(
    "call",
    [
        called(answer("12 C")),
        called(answer("Errors: 0")),
        called(answer("x" * 100_000)),
        called(answer(f"The log:\n{JS_STACK}")),
        called(answer("there is no such city", isError=True)),
        called(RpcError(-32603, "getaddrinfo ENOTFOUND api.acme.test")),
        called(RpcError(-32603, "401 Unauthorized")),
        called(RpcError(-32000, "spec not found")),
        called(RpcError(0, "task ID is required")),
        called(RpcError(-32602, "city must be a string"), {"city": 7}, valid=False),
        called(answer("city must be a string", isError=True), {"city": 7}, valid=False),
        called(answer("Error: no such city"), valid=None),
        called(answer("weather"), {"city": 7}, valid=None),
        called(answer("weather"), {"city": "Oslo"}, valid=False),
        called(Malformed("neither result nor error")),
        called(answer(f"bad value {JS_STACK}", isError=True), {"city": JS_STACK}),
        called({"resultType": "input_required"}),
    ],
)
def test_what_is_no_fault_of_a_call_is_left_alone(call: CallSeen) -> None:
    """Ours: false alarms seen on published servers among them."""
    assert told(calling(call, revision=NEWEST)) == []


def test_invalid_input_that_gives_an_error_as_a_success_is_told_once() -> None:
    call = called(answer("Error: city must be a string"), {"city": 7}, valid=False)

    problem = only(calling(call))

    assert problem.rule == "accepted-invalid"
    assert "breaks type at /city" in problem.message
    assert "(an error that is told as a success)" in problem.message
    assert problem.pointer == "/inputSchema/properties/city/type"


def test_a_missing_field_names_the_keyword_and_the_place_in_the_schema() -> None:
    problem = only(calling(called(answer("weather"), {}, valid=False)))

    assert "{} breaks required, but gave a result: 'weather'" in problem.message
    assert problem.pointer == "/inputSchema/required"


def test_a_mismatch_points_at_the_schema_that_promises() -> None:
    output = {"type": "object", "properties": {"c": {"type": "number"}}}
    call = called(answer("12", structuredContent={"c": "12"}), raw=sample(outputSchema=output))

    problem = only(calling(call))

    assert problem.pointer == "/outputSchema/properties/c/type"
    assert "at /c" in problem.message
    assert "number" in problem.message


def test_a_trace_is_told_with_its_language_cause_and_frame() -> None:
    message = only(calling(called(answer(JS_STACK, isError=True)))).message

    assert "JavaScript stack trace of 'TypeError: x is not a function'" in message
    assert "echo.js:41:17" in message


def test_a_trace_in_the_data_of_an_error_is_found() -> None:
    call = called(RpcError(-32000, "the call failed", {"stack": JS_STACK}))

    assert ("get_weather", "stack-leak") in told(calling(call))


def test_the_same_fault_of_many_calls_is_one_problem() -> None:
    calls = [called(answer(f"Error: no city {number}")) for number in range(50)]

    assert told(calling(*calls)) == [("get_weather", "error-as-success")]


def test_calls_of_prompts_and_resources_are_about_the_server() -> None:
    hung = replace(called(TimedOut(1)), subject="prompt review", tool=None)
    internal = replace(
        called(RpcError(-32603, "Internal error")), subject="prompt review", tool=None
    )
    odd = replace(called({}), subject="resource doc://a", tool=None)

    assert told(calling(hung, internal, odd)) == [(WHOLE_SERVER, "hang")]


def test_a_call_of_a_tool_that_is_not_listed_is_judged_by_its_result_alone() -> None:
    call = replace(called(answer("Error: unknown tool"), valid=None), tool=None)

    assert told(calling(call)) == []
    assert told(calling(replace(called({}), tool=None))) == [("get_weather", "result-invalid")]


def test_audio_and_blobs_are_judged_by_what_they_declare() -> None:
    wav = base64.b64encode(b"RIFF0000WAVE" + bytes(20)).decode()
    good = {"content": [{"type": "audio", "data": wav, "mimeType": "audio/wav"}]}
    resource = {"uri": "doc://a", "blob": wav, "mimeType": "application/pdf"}
    bad = {"content": [{"type": "resource", "resource": resource}]}

    assert told(calling(called(good))) == []
    assert "application/pdf" in only(calling(called(bad))).message


def test_a_tool_of_an_odd_definition_can_be_judged() -> None:
    call = replace(called(answer("x"), {"a": 1}, valid=False), tool=Tool("oops"))

    assert told(calling(call)) == []
