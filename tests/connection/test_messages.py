"""Messages as values: what is one, how it is written, and where its faults are."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolproof.connection.messages import (
    decode,
    decode_oddly,
    encode,
    id_within,
    is_message,
    lone_surrogate,
    repeated_members,
)


@pytest.mark.parametrize(
    ("value", "meant"),
    [
        ({"jsonrpc": "2.0"}, True),
        ({"id": 1, "result": None}, True),
        ({"id": 1, "error": {}}, True),
        ({"id": 1, "error": "a log line"}, False),
        ({"level": "info", "msg": "x"}, False),
        ({"method": "GET", "path": "/"}, False),
        ({"method": "notifications/message"}, True),
        ({"id": 1, "method": "ping"}, True),
        ([{"jsonrpc": "2.0"}], True),
        ([], False),
        ([1], False),
        ([[{"jsonrpc": "2.0"}]], False),
        (5, False),
        (None, False),
    ],
)
def test_a_log_line_is_no_message_though_it_is_json(value: Any, *, meant: bool) -> None:
    assert is_message(value) is meant


@given(st.text() | st.text(alphabet="a\ud800\udc00\ud83d\ude00\\"))
def test_any_text_can_be_sent_and_comes_back(text: str) -> None:
    back = json.loads(encode({"text": text}))["text"]

    # Two halves of one character, side by side, are that character.
    assert back.encode("utf-16", "surrogatepass") == text.encode("utf-16", "surrogatepass")


@given(st.lists(st.text(alphabet='a\\u"d\ud83d\ude00\udc00\ud800'), max_size=4), st.booleans())
def test_a_lone_surrogate_is_found_wherever_it_is(texts: list[str], escaped: bool) -> None:
    raw = json.dumps(texts, ensure_ascii=escaped).encode(errors="backslashreplace")
    value = decode(raw.decode())
    lone = [n for n, text in enumerate(value) if any(0xD800 <= ord(c) < 0xE000 for c in text)]

    found = lone_surrogate(value, raw)

    assert (found is not None) == bool(lone)
    assert found is None or int(found[1:]) in lone


def test_the_place_of_a_lone_surrogate_is_a_pointer() -> None:
    raw = rb'{"a/b": [{"c~": "\ud83d"}], "d": "\ud83d\ude00"}'

    assert lone_surrogate(json.loads(raw), raw) == "/a~1b/0/c~0"


def test_a_member_name_with_a_lone_surrogate_is_found_too() -> None:
    raw = rb'{"\ud83d": 1}'

    assert lone_surrogate(json.loads(raw), raw) == "/\\ud83d"


@pytest.mark.parametrize("constant", ["NaN", "Infinity", "-Infinity"])
def test_constants_that_are_no_json_are_refused_but_can_be_read(constant: str) -> None:
    with pytest.raises(ValueError, match=constant):
        decode(f'{{"a": {constant}}}')
    assert "a" in decode_oddly(f'{{"a": {constant}}}')


def test_what_no_parser_reads_is_none() -> None:
    assert decode_oddly("{") is None
    assert decode_oddly("[" * 100_000) is None
    assert decode_oddly("9" * 5000) is None


@pytest.mark.parametrize(
    ("raw", "ident"),
    [
        (b'{"jsonrpc":"2.0","id":5,"result":{', 5),
        (b'{"id": 6 }', 6),
        (b'{"result":{"id":7},"id":8}', 8),
        (b'{"result":{"id":7}}', None),
        (b'{"id":"x","result":{}}', None),
        (b"", None),
    ],
)
def test_an_id_is_found_at_the_ends_of_a_message(raw: bytes, ident: int | None) -> None:
    assert id_within(raw) == ident


def test_members_that_stand_twice_are_named_once() -> None:
    assert repeated_members(b'{"a": 1, "a": 2, "b": {"c": 1, "c": 1, "c": 2}, "a": 3}') == [
        "c",
        "a",
    ]
    assert repeated_members(b'{"a": 1, "b": {"a": 1}}') == []
    assert repeated_members(b"{") == []
    assert repeated_members(b'{"a":' * 50_000) == []
