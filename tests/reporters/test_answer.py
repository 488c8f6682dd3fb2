"""What a single call gave: whole, and no command to a CI whatever it says."""

from typing import Any

import pytest
from hypothesis import given

from tests.reports import calls, hostile_texts
from tests.workflow_commands import LogReader
from toolproof.report import Answer, CallResult, ConnectionLost, RpcError, TimedOut
from toolproof.reporters import answer


def said(reply: Any, **options: Any) -> str:
    return answer.render(
        CallResult(tool="a", arguments={}, latency_ms=1.25, reply=reply), **options
    )


def test_blocks_and_structured_content_are_told() -> None:
    content = [
        {"type": "text", "text": "fine\nday"},
        {"type": "image", "mimeType": "image/png", "data": "QUJD"},
        {"type": "resource_link", "uri": "file:///a"},
        7,
    ]

    text = said(Answer(raw={"content": content, "structuredContent": {"t": 3}}))

    assert text.startswith("fine\nday\n[image image/png, 4 characters of base64]\n{\n")
    assert '"uri": "file:///a"' in text
    assert "a content block that is no object: 7\n" in text
    assert text.endswith('structured content:\n{\n  "t": 3\n}\n(1.2 ms)\n')


@pytest.mark.parametrize(
    ("reply", "words"),
    [
        (Answer(raw={"content": [], "isError": True}), "error result (isError)\n"),
        (Answer(raw={}), "(an empty result)\n"),
        (Answer(raw={"content": "odd"}), "(an empty result)\n"),
        (
            RpcError(-32602, "no such city", {"near": "Oslo"}),
            "JSON-RPC error -32602: no such city\n{",
        ),
        (RpcError(1, "m", None), "JSON-RPC error 1: m\n(1.2 ms)"),
        (TimedOut(2.0), "no result: "),
        (ConnectionLost("the server ended"), "no result: the server ended\n"),
    ],
)
def test_how_a_call_ended_is_told(reply: Any, words: str) -> None:
    assert words in said(reply)


def test_colors_mark_what_failed() -> None:
    assert "\x1b[31merror result\x1b[0m" in said(Answer(raw={"isError": True}), color=True)


@pytest.mark.parametrize("value", [10**5000, float("nan")], ids=["endless", "nan"])
def test_what_json_cannot_hold_is_told_all_the_same(value: Any) -> None:
    assert "structured content:" in said(Answer(raw={"structuredContent": {"n": value}}))


@given(calls)
def test_any_call_can_be_told(result: CallResult) -> None:
    assert answer.render(result).endswith(" ms)\n")


def test_no_text_of_a_server_is_a_command() -> None:
    """`toolproof call` may run in a job."""
    reader = LogReader("")
    for text in hostile_texts(5, 2000):
        content = [{"type": "text", "text": text}, {"type": text, "data": text, "mimeType": text}]
        reader.read(said(Answer(raw={"content": content, "structuredContent": {text: text}})))
        reader.read(said(RpcError(1, text, text)))

    assert reader.commands == []
