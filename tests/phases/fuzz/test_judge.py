import math
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolproof.connection.wire import Failure, Outcome
from toolproof.phases.fuzz.generate import ABSENT, ARGUMENTS, Case, Plan, Stage
from toolproof.phases.fuzz.judge import Judge, Judged, Strictness, mask_frame, texts_of
from toolproof.report import Severity, Tool
from toolproof.report.fuzz import InputMode

CITY = {
    "type": "object",
    "properties": {
        "city": {"type": "string", "maxLength": 20},
        "days": {"type": "integer", "minimum": 1},
        "unit": {"type": "string", "enum": ["C", "F"]},
        "mail": {"type": "string", "format": "email"},
    },
    "required": ["city"],
    "additionalProperties": False,
}
PYTHON = (
    "Traceback (most recent call last):\n  File \"/srv/a.py\", line 3, in f\n    x\nKeyError: 'x'"
)
REVISION = "2025-11-25"


def judge_of(schema: Any = None, *, output: Any = None, **strictness: bool) -> Judge:
    raw = {"name": "weather", "description": "d", "inputSchema": CITY if schema is None else schema}
    if output is not None:
        raw["outputSchema"] = output
    tool = Tool(raw)
    return Judge(tool, Plan(tool.input_schema), REVISION, Strictness(**strictness))


def case(arguments: Any, mode: InputMode | None = None, **more: Any) -> Case:
    if mode is None:
        mode = Plan(CITY).label(arguments) or InputMode.VALID
    return Case(arguments, mode, "made by hand", more.pop("stage", Stage.COVERAGE), **more)


OSLO = case({"city": "Oslo"})


def said(words: str, **more: Any) -> Outcome:
    return Outcome(1.0, {"content": [{"type": "text", "text": words}], **more}, raw=b"x")


def error(code: Any, message: str, **more: Any) -> Outcome:
    return Outcome(1.0, None, {"code": code, "message": message, **more})


def kinds(judged: Judged) -> list[str]:
    return [str(one.kind) for one in judged.verdicts]


# Results


def test_a_good_answer_to_a_valid_input_is_a_success() -> None:
    judged = judge_of().judge(OSLO, said("12 C"))

    assert judged.succeeded
    assert judged.verdicts == []


def test_a_failure_told_as_a_success_is_no_success() -> None:
    judged = judge_of().judge(OSLO, said("Error: there is no such city"))

    assert not judged.succeeded
    assert judged.told_as_success
    assert judged.verdicts == []


def test_a_failure_that_was_asked_for_is_one() -> None:
    judged = judge_of().judge(case({"city": "error"}), said("Error: Operation failed"))

    assert judged.succeeded
    assert not judged.told_as_success


def test_output_that_breaks_its_schema_is_told_with_its_place() -> None:
    output = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}
    judge = judge_of(output=output)

    [wrong] = judge.judge(OSLO, said("x", structuredContent={"n": "many"})).verdicts
    [none] = judge.judge(OSLO, said("x")).verdicts
    assert kinds(judge.judge(OSLO, said("x", structuredContent={"n": 1}))) == []

    assert (wrong.kind, wrong.rule, wrong.wide) == ("output-schema", "output-mismatch", False)
    assert "/n" in wrong.detail
    assert none.wide


def test_content_that_breaks_the_protocol_is_told_once_for_each_rule() -> None:
    blocks = [
        {"type": "image", "mimeType": "image/png", "data": "??"},
        {"type": "text"},
        {"type": "text"},
    ]

    verdicts = judge_of().judge(OSLO, Outcome(1.0, {"content": blocks})).verdicts

    assert {(one.kind, one.rule, one.severity) for one in verdicts} == {
        ("bad-content", "content-data", Severity.WARNING),
        ("bad-content", "result-invalid", Severity.ERROR),
    }


def test_a_trace_in_an_error_is_told_by_its_frame() -> None:
    [found] = judge_of().judge(OSLO, said(PYTHON, isError=True)).verdicts

    assert (found.kind, found.rule, found.severity) == (
        "unhandled-exception",
        "stack-leak",
        "warning",
    )
    assert "KeyError" in found.detail
    assert found.wide


def test_a_trace_in_a_success_counts_only_where_it_is_all_there_is() -> None:
    readme = "# How to read traces\n" + "word " * 200 + PYTHON

    assert kinds(judge_of().judge(OSLO, said(PYTHON))) == ["unhandled-exception"]
    assert kinds(judge_of().judge(OSLO, said(readme))) == []


def test_a_trace_that_was_sent_is_an_echo() -> None:
    sent = case({"city": PYTHON}, InputMode.VALID)

    assert kinds(judge_of().judge(sent, said(PYTHON, isError=True))) == []


def test_words_of_a_runtime_in_an_error_are_an_exception() -> None:
    words = "Cannot read properties of undefined (reading 'city')"

    assert kinds(judge_of().judge(OSLO, said(words, isError=True))) == ["unhandled-exception"]


def test_an_error_that_tells_nothing_is_looked_up_on_stderr() -> None:
    masked = said("Error executing tool weather", isError=True)

    [found] = judge_of().judge(OSLO, masked, lambda: PYTHON).verdicts
    assert "the cause is only on stderr" in found.detail
    assert kinds(judge_of().judge(OSLO, masked, lambda: "INFO called")) == []


def test_what_the_environment_lacks_is_no_fault() -> None:
    for outcome in (
        said("connect ECONNREFUSED 10.0.0.1:80", isError=True),
        error(-32603, "getaddrinfo ENOTFOUND api.example.com"),
        said("Error: fetch failed"),
    ):
        judged = judge_of().judge(OSLO, outcome)
        assert judged.environment == "the network"
        assert judged.verdicts == []


# Refusals


def test_a_refusal_of_what_fits_is_a_hint() -> None:
    [found] = judge_of().judge(OSLO, said("city must be one of Rome", isError=True)).verdicts

    assert (found.kind, found.severity) == ("rejected-valid", "info")


def test_a_refusal_of_a_hostile_text_is_nothing() -> None:
    hostile = case({"city": "\x00"}, stage=Stage.DICTIONARY)

    assert kinds(judge_of().judge(hostile, said("city must be printable", isError=True))) == []


def test_where_valid_must_succeed_every_error_is_a_finding() -> None:
    judge = judge_of(valid_must_succeed=True)

    [refused] = judge.judge(OSLO, said("city must be one of Rome", isError=True)).verdicts
    [failed] = judge.judge(OSLO, said("there is no such city", isError=True)).verdicts

    assert (refused.kind, refused.severity) == ("rejected-valid", "error")
    assert (failed.kind, failed.severity) == ("unexpected-error", "error")


def test_an_application_may_say_no() -> None:
    judged = judge_of().judge(OSLO, said("there is no such city", isError=True))

    assert judged.verdicts == []
    assert judged.said == "there is no such city"


# JSON-RPC errors


def test_an_internal_error_is_one() -> None:
    [found] = judge_of().judge(OSLO, error(-32603, "database is locked")).verdicts

    assert (found.kind, found.severity) == ("internal-error", "error")
    assert "-32603" in found.detail
    assert not found.wide  # so short a message may be said of anything


@pytest.mark.parametrize(
    ("code", "words"),
    [
        (-32000, "spec not found: 1"),
        (0, "invalid input: task ID is required"),
        (0, "internal error: query error: SQL logic error: incomplete input"),
        (500, "no such user"),
    ],
)
def test_an_error_of_the_application_is_no_internal_one(code: int, words: str) -> None:
    assert "internal-error" not in kinds(judge_of().judge(OSLO, error(code, words)))


@pytest.mark.parametrize(
    ("code", "words"),
    [
        (500, "Internal server error"),
        (-32000, "Internal tool error"),
        (-1, ""),
        (-32000, "something went wrong"),
        (-32602, "list index out of range"),
    ],
)
def test_an_unknown_code_with_words_for_a_fault_is_one(code: int, words: str) -> None:
    assert kinds(judge_of().judge(OSLO, error(code, words))) == ["internal-error"]


def test_an_odd_code_is_a_matter_of_its_own() -> None:
    judged = judge_of().judge(OSLO, error(0, "resource not found"))

    assert "0 is no JSON-RPC error code" in judged.odd_code


def test_a_refusal_of_a_wrong_input_is_right_whatever_its_code() -> None:
    wrong = case({"city": 7})

    assert kinds(judge_of().judge(wrong, error(-32603, "city must be a string"))) == []
    assert kinds(judge_of().judge(wrong, error(-32602, "Invalid params"))) == []
    assert kinds(judge_of().judge(wrong, error(-32603, "boom"))) == ["internal-error"]


def test_arguments_that_are_no_object_may_be_refused_by_any_code() -> None:
    """Ours: the SDK for TypeScript answers -32603 with a list of issues."""
    wrong = case([], InputMode.INVALID, keyword=ARGUMENTS)

    assert kinds(judge_of().judge(wrong, error(-32603, "boom"))) == []
    assert kinds(
        judge_of().judge(wrong, error(-32603, "'list' object has no attribute 'get'"))
    ) == ["internal-error"]


def test_a_message_that_is_no_response_is_told_as_the_wire_saw_it() -> None:
    outcome = Outcome(failure=Failure.MALFORMED, detail="a response with neither result nor error")

    [found] = judge_of().judge(OSLO, outcome).verdicts

    assert (found.kind, found.rule) == ("wire", "response-invalid")


# Wrong inputs that were accepted


def test_an_accepted_wrong_input_tells_what_is_broken_and_what_came() -> None:
    [found] = judge_of().judge(case({"city": "Oslo", "unit": "K"}), said("it is warm")).verdicts

    assert (found.kind, found.rule, found.severity) == (
        "accepted-invalid",
        "accepted-invalid",
        "error",
    )
    assert "breaks enum at /unit" in found.detail
    assert "a success: 'it is warm'" in found.detail


@pytest.mark.parametrize("words", ["Error: no such unit", "unit must be C or F"])
def test_an_error_that_is_told_as_a_success_is_said_so(words: str) -> None:
    [found] = judge_of().judge(case({"city": "Oslo", "unit": "K"}), said(words)).verdicts

    assert "an error that is told as a success" in found.detail


def test_the_final_input_is_checked_once_more() -> None:
    mislabelled = case({"city": "Oslo"}, InputMode.INVALID)

    assert kinds(judge_of().judge(mislabelled, said("12 C"))) == []


def test_a_broken_format_is_no_more_than_a_hint() -> None:
    [found] = judge_of().judge(case({"city": "Oslo", "mail": "no mail"}), said("ok")).verdicts

    assert (found.kind, found.severity) == ("accepted-invalid", "info")


def test_no_arguments_where_some_are_needed_are_wrong() -> None:
    [found] = judge_of().judge(case(ABSENT), said("ok")).verdicts

    assert "breaks required" in found.detail


@pytest.mark.parametrize("arguments", [None, []])
def test_null_and_an_empty_list_are_as_good_as_no_arguments_where_those_fit(arguments: Any) -> None:
    judge = judge_of({"type": "object", "properties": {}})

    assert kinds(judge.judge(case(arguments, InputMode.INVALID), said("ok"))) == []


def test_other_arguments_that_are_no_object_are_a_hint_there_and_a_fault_elsewhere() -> None:
    harmless = judge_of({"type": "object", "properties": {}})

    [hint] = harmless.judge(case("a", InputMode.INVALID), said("ok")).verdicts
    [fault] = judge_of().judge(case("a", InputMode.INVALID), said("ok")).verdicts

    assert (hint.severity, fault.severity) == ("info", "error")


def test_it_may_be_asked_not_to_mind() -> None:
    judge = judge_of(invalid_must_fail=False)

    assert kinds(judge.judge(case({"city": 7}), said("ok"))) == []


def test_labels_by_a_broken_schema_say_nothing() -> None:
    judge = judge_of({"type": "object", "properties": {"a": {"type": "strng"}}, "required": ["a"]})

    assert kinds(judge.judge(case({}, InputMode.INVALID), said("ok"))) == []
    assert kinds(judge.judge(case({}, InputMode.VALID), said("a must be set", isError=True))) == []


# Helpers


def test_every_text_that_a_model_reads_is_looked_at() -> None:
    result = {
        "content": [
            {"type": "text", "text": "a"},
            {"type": "resource", "resource": {"uri": "x:y", "text": "b"}},
            {"type": "resource", "resource": None},
            "odd",
        ],
        "structuredContent": {"trace": "c" * 30, "short": "d"},
    }

    assert texts_of(result) == ["a", "b", "c" * 30]


def test_a_frame_is_the_same_wherever_the_server_lies() -> None:
    one = 'File "/home/a/app/x.py", line 4, in f'

    assert mask_frame(one) == mask_frame(one.replace("/home/a", "/srv"))


ODD = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
)


@settings(max_examples=60)
@given(ODD, st.dictionaries(st.sampled_from(["content", "structuredContent", "isError"]), ODD), ODD)
def test_no_answer_makes_it_raise(anything: Any, result: dict[str, Any], code: Any) -> None:
    judge = judge_of(output={"type": "object"})
    for one in (OSLO, case(anything, InputMode.INVALID), case(ABSENT)):
        judge.judge(one, Outcome(1.0, result))
        judge.judge(one, Outcome(1.0, None, {"code": code, "message": anything, "data": anything}))


def test_numbers_that_json_does_not_know_make_nothing_raise() -> None:
    judge_of().judge(
        case({"city": math.nan}, InputMode.INVALID), said("x", structuredContent={"n": math.inf})
    )
