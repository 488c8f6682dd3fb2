"""Server-sent events, however they are cut into chunks."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolproof.connection.sse import EventTooLargeError, SseEvent, SseParser


def parsed(*chunks: bytes) -> list[SseEvent]:
    parser = SseParser()
    return [event for chunk in chunks for event in parser.feed(chunk)]


def by_the_book(stream: bytes) -> tuple[list[SseEvent], str]:
    """The algorithm of the HTML standard, word by word, over the whole stream at once."""
    events, last_id = [], ""
    data, name, new_id = b"", "", ""
    *lines, _ = re.split(rb"\r\n|\n|\r", stream.removeprefix(b"\xef\xbb\xbf"))
    for line in lines:
        field, _, value = line.partition(b":")
        value = value[1:] if value.startswith(b" ") else value
        if not line:
            last_id = new_id
            if data.removesuffix(b"\n").strip():
                events.append(SseEvent(name or "message", data.removesuffix(b"\n")))
            data, name = b"", ""
        elif field == b"data":
            data += value + b"\n"
        elif field == b"event":
            name = value.decode(errors="replace")
        elif field == b"id" and b"\0" not in value:
            new_id = value.decode(errors="replace")
    return events, last_id


@pytest.mark.parametrize("end", [b"\n", b"\r", b"\r\n"], ids=["LF", "CR", "CRLF"])
def test_lines_may_end_in_any_of_the_three_ways(end: bytes) -> None:
    stream = end.join([b"event: tick", b"id: 7", b"data: one", b"data: two", b"", b""])

    assert parsed(stream) == [SseEvent("tick", b"one\ntwo")]


def test_a_cr_lf_that_is_split_between_chunks_is_one_line_end() -> None:
    assert parsed(b"data: one\r", b"\ndata: two\r", b"\n\r", b"\n") == [
        SseEvent("message", b"one\ntwo")
    ]


def test_comments_empty_data_and_unknown_fields_give_no_event() -> None:
    assert parsed(b": keep alive\n\n", b"data:\n\n", b"data: \n\n", b"colour: red\n\n", b"\n") == []


def test_only_the_first_blank_after_the_colon_is_left_out() -> None:
    assert parsed(b"data:  two blanks\n\ndata:none\n\n") == [
        SseEvent("message", b" two blanks"),
        SseEvent("message", b"none"),
    ]


def test_a_field_without_a_colon_has_an_empty_value() -> None:
    assert parsed(b"data\ndata: x\n\n") == [SseEvent("message", b"\nx")]


def test_a_byte_order_mark_is_left_out_at_the_start_alone() -> None:
    assert parsed(b"\xef", b"\xbb\xbfdata: x\n\n") == [SseEvent("message", b"x")]
    assert parsed(b"data: x\n\n\xef\xbb\xbfdata: y\n\n") == [SseEvent("message", b"x")]


def test_an_event_without_data_still_sets_the_id_and_the_time_to_retry() -> None:
    parser = SseParser()

    assert parser.feed(b"id: 41\nretry: 250\ndata:\n\n") == []
    assert (parser.last_id, parser.retry_ms) == ("41", 250)


def test_the_id_counts_only_once_its_event_is_complete() -> None:
    parser = SseParser(last_id="1")
    parser.feed(b"id: 2\ndata: x\n")

    assert (parser.last_id, parser.unfinished) == ("1", True)

    parser.feed(b"\n")

    assert (parser.last_id, parser.unfinished) == ("2", False)


@pytest.mark.parametrize("line", [b"id: a\0b", b"retry: soon", b"retry: -1", "retry: ٣".encode()])
def test_an_id_or_a_retry_of_another_kind_is_skipped(line: bytes) -> None:
    parser = SseParser(last_id="9")
    parser.feed(line + b"\n\n")

    assert (parser.last_id, parser.retry_ms) == ("9", None)


def test_a_retry_of_five_thousand_digits_is_no_crash() -> None:
    parser = SseParser()
    parser.feed(b"retry: " + b"9" * 5000 + b"\n\n")

    assert parser.retry_ms == 999_999_999


@pytest.mark.parametrize(
    "chunks", [[b"data: aaaa\n", b"data: bbbb\n"], [b"data: ", b"a", b"b"], [b":" * 9]]
)
def test_an_event_over_the_limit_is_refused(chunks: list[bytes]) -> None:
    parser = SseParser(limit=7)
    *accepted, too_much = chunks
    for chunk in accepted:
        parser.feed(chunk)

    with pytest.raises(EventTooLargeError):
        parser.feed(too_much)


def test_events_that_are_each_within_the_limit_are_not_added_up() -> None:
    parser = SseParser(limit=7)

    assert len([event for _ in range(9) for event in parser.feed(b"data: 1\r\n\r\n")]) == 9


_PIECES = [b"data", b"event", b"id", b"retry", b":", b" ", b"\n", b"\r", b"\r\n", b"\n\n"]
_STREAMS = st.lists(
    st.sampled_from([*_PIECES, b"{}", b"\xef\xbb\xbf", b"\xff", b"\0", b"7"])
    | st.binary(max_size=3)
).map(b"".join)


@given(_STREAMS, st.lists(st.integers(0, 8)))
def test_any_stream_in_any_chunks_gives_the_events_of_the_standard(
    stream: bytes, sizes: list[int]
) -> None:
    parser, events, at = SseParser(), [], 0
    for size in sizes:
        events += parser.feed(stream[at : at + size])
        at += size
    events += parser.feed(stream[at:])

    # The standard waits for a whole line; a CR at the end of all is one here already.
    expected, last_id = by_the_book(stream)
    assert (events, parser.last_id) == (expected, last_id)
