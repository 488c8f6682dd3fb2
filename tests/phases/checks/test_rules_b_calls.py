"""What calls gave."""

import base64
from dataclasses import replace

import pytest

from tests.phases.checks.rules_b_seen import JS_STACK, NEWEST, only, told
from toolproof.phases.checks.examples import answer, called, sample
from toolproof.phases.checks.rule import CallSeen, calling
from toolproof.report import (
    WHOLE_SERVER,
    Malformed,
    RpcError,
    TimedOut,
    Tool,
)

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
