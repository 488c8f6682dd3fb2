"""Bytes become messages however they are cut, and nothing in them raises."""

import itertools
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolproof.connection import framing
from toolproof.connection.framing import Framer
from toolproof.connection.observations import Kind, ObservationLog
from toolproof.connection.recorder import Recorder
from toolproof.connection.wire import Ending, Failure
from toolproof.connection.witness import Witness


class Heard:
    """A receiver that keeps what it gets."""

    def __init__(self) -> None:
        self.messages: list[Any] = []
        self.failed: list[int] = []
        self.raw: list[bytes] = []

    def on_message(self, message: Any, raw: bytes, *, reply_to: int | None = None) -> None:
        del reply_to
        self.messages.append(message)
        self.raw.append(raw)

    def on_failure(
        self,
        request_id: int,
        failure: Failure,
        detail: str,
        *,
        http_status: int | None = None,
        raw: bytes = b"",
    ) -> None:
        del http_status, raw
        assert failure is Failure.MALFORMED
        assert detail
        self.failed.append(request_id)

    def on_lost(self, reason: str, *, ending: Ending | None = None) -> None:
        pytest.fail(f"a framer loses nothing, but said: {reason} {ending}")


def framed(*chunks: bytes) -> tuple[Heard, ObservationLog]:
    """What these chunks of stdout give."""
    heard, log = Heard(), ObservationLog()
    framer = Framer(heard, Witness(log), Recorder().tape(), lambda size: heard.failed.append(-size))
    for chunk in chunks:
        framer.feed(chunk)
    framer.finish()
    return heard, log


def told(log: ObservationLog) -> dict[Kind, int]:
    return {seen.kind: seen.count for seen in log}


json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)
messages = st.builds(
    lambda ident, value: {"jsonrpc": "2.0", "id": ident, "result": value},
    st.integers(0, 99),
    st.dictionaries(st.text(), json_values, max_size=3),
)
junk = st.sampled_from(
    [
        b"",
        b" ",
        b"listening on 8080",
        b"[INFO] started",
        b"[",
        b"{",
        b"}",
        b'{"level": "info"}',
        b"42",
        b"\xff\xfe",
        b'"text"',
        b"\xef\xbb\xbf",
        b"null",
        b'{"jsonrpc": "2.0", "id": 7, "result": NaN}',
        b'{"id": 8, "result": ' + b"[" * 100_000,
        b"\x00",
        b'{"a": "',
    ]
)


def cut(data: bytes, places: list[int]) -> list[bytes]:
    """The data in pieces."""
    ends = sorted({place % (len(data) + 1) for place in places} | {0, len(data)})
    return [data[start:end] for start, end in itertools.pairwise(ends)]


@given(
    sent=st.lists(messages, max_size=6),
    escaped=st.booleans(),
    places=st.lists(st.integers(0, 10_000), max_size=30),
    end=st.sampled_from([b"\n", b"\r\n"]),
)
def test_messages_arrive_whole_and_in_order_however_they_are_cut(
    sent: list[Any], places: list[int], end: bytes, *, escaped: bool
) -> None:
    lines = [json.dumps(one, ensure_ascii=escaped).encode(errors="replace") for one in sent]
    heard, _ = framed(*cut(b"".join(line + end for line in lines), places))

    assert [raw.rstrip(b"\r") for raw in heard.raw] == lines
    assert heard.messages == [json.loads(line) for line in lines]


@given(
    pieces=st.lists(messages | junk, max_size=12),
    places=st.lists(st.integers(0, 10_000), max_size=9),
)
def test_no_message_is_lost_among_other_lines(pieces: list[Any], places: list[int]) -> None:
    lines = [one if isinstance(one, bytes) else json.dumps(one).encode() for one in pieces]
    heard, _ = framed(*cut(b"".join(line + b"\n" for line in lines), places))

    assert heard.messages == [one for one in pieces if isinstance(one, dict)]


@given(sent=st.lists(messages, min_size=1, max_size=3), indent=st.integers(1, 4))
def test_pretty_printed_messages_are_put_together(sent: list[Any], indent: int) -> None:
    text = "".join(json.dumps(one, indent=indent) + "\n" for one in sent)
    heard, log = framed(text.encode())

    assert heard.messages == sent
    assert told(log)[Kind.STDOUT_POLLUTION] == len(sent)


@given(st.lists(st.binary() | junk))
def test_nothing_on_stdout_raises(chunks: list[bytes]) -> None:
    framed(*chunks)


def test_every_line_of_what_looked_like_a_message_is_pollution() -> None:
    _, log = framed(b"{\n", b'  "starting": \n', b'{"jsonrpc":"2.0","method":"x"}\n', b"[\n")

    assert told(log) == {Kind.STDOUT_POLLUTION: 3}


def test_brackets_that_close_around_no_message_are_pollution() -> None:
    heard, log = framed(b"{\n", b' "a": 1\n', b"}\n", b"[\n", b"1,\n", b"2\n", b"]\n")

    assert heard.messages == []
    assert told(log) == {Kind.STDOUT_POLLUTION: 7}


def test_a_message_whose_last_line_has_no_end_is_delivered_at_the_end() -> None:
    heard, _ = framed(b'{"jsonrpc":"2.0","id":1,"result":{}}')

    assert [message["id"] for message in heard.messages] == [1]


def test_a_line_over_the_limit_ends_the_reading(monkeypatch: Any) -> None:
    monkeypatch.setattr(framing, "MAX_LINE", 100)
    heard, log = framed(b"x" * 60, b"x" * 60, b"\n", b'{"jsonrpc":"2.0","id":1,"result":{}}\n')

    assert heard.failed == [-120]
    assert heard.messages == []
    assert told(log) == {}


def test_held_lines_over_the_limit_are_let_go(monkeypatch: Any) -> None:
    monkeypatch.setattr(framing, "MAX_LINE", 100)
    _, log = framed(b"{\n", *[b'"a": "b",\n'] * 12)

    assert told(log)[Kind.STDOUT_POLLUTION] == 13


def test_the_id_is_found_in_what_cannot_be_parsed_if_it_stands_outside() -> None:
    deep = b"[" * 100_000 + b"]" * 100_000
    heard, log = framed(
        b'{"jsonrpc":"2.0","id":5,"result":' + deep + b"}\n",
        b'{"jsonrpc":"2.0","result":{"id":9,"a":' + deep + b'},"id":6}\n',
        b'{"jsonrpc":"2.0","id":"a","result":' + deep + b"}\n",
    )

    assert heard.failed == [5, 6]
    assert told(log) == {Kind.RESPONSE_INVALID: 3}


def test_a_log_object_with_nan_is_pollution() -> None:
    heard, log = framed(b'{"level": NaN}\n')

    assert heard.failed == []
    assert told(log) == {Kind.STDOUT_POLLUTION: 1}
