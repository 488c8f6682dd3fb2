from typing import Any

import pytest

from toolproof.connection.observations import Kind as Seen
from toolproof.connection.observations import Observation
from toolproof.phases.fuzz.ends import (
    asked_for_much,
    asked_to_wait,
    crash,
    hang,
    holds_surrogate,
    is_our_surrogate,
    seen_on_the_wire,
)


def test_a_crash_tells_how_it_ended_and_its_last_words() -> None:
    found = crash("lost", "exit code 7", "INFO start\nTypeError: x is undefined\n")

    assert found.detail == "the server ended with exit code 7; stderr: 'TypeError: x is undefined'"
    assert found.wide


def test_a_crash_with_a_trace_is_known_by_its_frame() -> None:
    trace = 'Traceback (most recent call last):\n  File "/srv/a.py", line 3, in f\n    x\nKeyError: {}\n'

    one, other = (crash("", "exit code 1", trace.format(key)) for key in ("'a'", "'b'"))

    assert one.key == other.key
    assert "KeyError" in one.detail


def test_a_bare_exit_code_stands_for_one_tool_only() -> None:
    assert not crash("", "exit code 7", "").wide
    assert crash("the connection was reset", None, "").detail == "the connection was reset"


def test_a_hang_tells_both_limits() -> None:
    assert hang(10.0, 1.0, blocked=False).detail == (
        "no answer within 1 s, nor alone on a fresh server within 10 s, and no progress"
    )
    assert "answered nothing else" in hang(10.0, 1.0, blocked=True).detail


def test_a_stray_line_is_told_with_its_text() -> None:
    seen = Observation(Seen.STDOUT_POLLUTION, "not a JSON-RPC message", facts={"line": "INFO hi"})

    [found] = seen_on_the_wire(seen, {})

    assert (found.kind, found.rule, found.severity) == ("wire", "stdout-pollution", "error")
    assert found.detail == "not a JSON-RPC message: 'INFO hi'"


def test_a_configured_secret_is_a_leak_and_never_shown() -> None:
    [found] = seen_on_the_wire(Observation(Seen.SECRET_LEAK, "a message holds a secret value"), {})

    assert (found.kind, found.rule) == ("secret-leak", "secret-leak")
    assert "***" in found.detail


@pytest.mark.parametrize(
    "kind", [Seen.LONE_SURROGATE, Seen.WRONG_RESPONSE_ID, Seen.RESPONSE_INVALID]
)
def test_what_a_lone_surrogate_in_a_call_leads_to_is_no_fault(kind: Seen) -> None:
    seen = Observation(kind, "odd")

    assert list(seen_on_the_wire(seen, {"a": ["\ud800"]})) == []
    assert len(list(seen_on_the_wire(seen, {"a": ["é"]}))) == 1


def test_what_is_too_deep_to_be_read_may_be_refused_without_its_id() -> None:
    seen = Observation(Seen.WRONG_RESPONSE_ID, "a response whose id is null", facts={"id": "null"})
    another = Observation(Seen.WRONG_RESPONSE_ID, "a response whose id is 9", facts={"id": "9"})
    deep: Any = "x"
    for _ in range(70):
        deep = {"a": [deep]}

    assert list(seen_on_the_wire(seen, deep)) == []
    assert len(list(seen_on_the_wire(another, deep))) == 1
    assert len(list(seen_on_the_wire(seen, {"a": [["x"]]}))) == 1


def test_a_surrogate_is_found_wherever_it_stands() -> None:
    assert holds_surrogate({"a": {"\udfff": 1}})
    assert not holds_surrogate({"a": "😀"})


@pytest.mark.parametrize(
    ("field", "given", "waits"),
    [
        ({"name": "duration", "default": 10}, {}, True),
        ({"name": "duration", "default": 10}, {"duration": 0}, False),
        ({"name": "timeout_ms"}, {"timeout_ms": 500}, False),
        ({"name": "timeout_ms"}, {"timeout_ms": 5_000}, True),
        ({"name": "n", "description": "Seconds to sleep."}, {"n": 30}, True),
        ({"name": "n", "description": "How many."}, {"n": 30}, False),
        ({"name": "delay"}, {"delay": True}, False),
        ({"name": "delay"}, {"delay": "long"}, False),
    ],
)
def test_a_call_may_ask_for_the_wait(field: dict[str, Any], given: Any, *, waits: bool) -> None:
    schema = {"properties": {field["name"]: field}}

    assert asked_to_wait(schema, given, 2.0) is waits


def test_no_schema_makes_it_raise() -> None:
    assert not asked_to_wait([], {}, 1.0)
    assert not asked_to_wait({"properties": []}, {}, 1.0)
    assert not asked_to_wait({"properties": {"delay": True}}, None, 1.0)


def test_an_answer_as_long_as_was_asked_for_is_known() -> None:
    detail = "the server wrote a line of more than 64 MiB before it answered"

    assert asked_for_much(detail, {"size_kb": 70_000})
    assert asked_for_much(detail, {"a": [-5_000]})
    assert not asked_for_much(detail, {"size_kb": 7, "name": "a7000"})
    assert not asked_for_much("it ended", {"size_kb": 70_000})


def test_a_surrogate_of_ours_differs_from_half_an_emoji() -> None:
    seen = Observation(kind=Seen.LONE_SURROGATE, detail="an unpaired surrogate at /result")

    assert is_our_surrogate(seen, {"content": [{"text": "\ud800"}]})
    assert not is_our_surrogate(seen, {"content": [{"text": "\ud83d"}]})
    assert not is_our_surrogate(seen, {"content": [{"text": "\ud83d\ud800 "}]})
    assert not is_our_surrogate(seen, None)
    assert not is_our_surrogate(Observation(kind=Seen.INVALID_UTF8, detail=""), {"a": "\ud800"})
