"""The bytes of an HTTP answer: heads, lengths, chunks; whole, in pieces, and hostile."""

import gzip
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.connection.recording import wire
from tests.servers.http_scripted import END, Asked, Part, head, reply, response, result, serving
from toolproof.connection.http_faults import HttpFault
from toolproof.connection.http_framing import AnswerReader
from toolproof.connection.wire import Failure

OK = b"HTTP/1.1 200 OK\r\n"


def read(*pieces: bytes) -> tuple[AnswerReader, bytes]:
    reader = AnswerReader()
    return reader, b"".join(part for piece in pieces for part in reader.feed(piece))


def chunked(body: bytes, sizes: list[int]) -> bytes:
    """The body in chunks of these sizes, with extensions and a trailer."""
    out, at = b"", 0
    for size in [*sizes, len(body)]:
        piece = body[at : at + size]
        at += len(piece)
        if piece:
            out += b"%X;name=value\r\n%b\r\n" % (len(piece), piece)
    return out + b"0\r\nX-Sum: 1\r\n\r\n"


@given(
    st.binary(max_size=60),
    st.lists(st.integers(1, 9), max_size=8),
    st.lists(st.integers(1, 40), max_size=12),
    st.sampled_from(["length", "chunked", "close"]),
    st.booleans(),
)
def test_a_body_is_the_same_however_it_is_framed_and_cut(
    body: bytes,
    chunks: list[int],
    cuts: list[int],
    framing: str,
    interim: bool,
) -> None:
    start = b"HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n" * interim + OK
    if framing == "length":
        stream = start + b"Content-Length: %d\r\n\r\n" % len(body) + body
    elif framing == "chunked":
        stream = start + b"Transfer-Encoding: chunked\r\n\r\n" + chunked(body, chunks)
    else:
        stream = start + b"\r\n" + body
    reader, found, at = AnswerReader(), b"", 0
    for cut in [*cuts, len(stream)]:
        found += b"".join(reader.feed(stream[at : at + cut]))
        at += cut
    assert reader.complete is (framing != "close")
    assert reader.end()
    assert found == body
    assert reader.head is not None
    assert (reader.head.status, reader.head.keep, reader.surplus) == (
        200,
        framing != "close",
        False,
    )


@given(st.binary(max_size=200), st.lists(st.integers(1, 50), max_size=5))
def test_no_bytes_do_more_than_raise_a_fault(noise: bytes, cuts: list[int]) -> None:
    for start in (b"", b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", b"HTTP/1.1 20"):
        reader, stream, at = AnswerReader(), start + noise, 0
        try:
            for cut in [*cuts, len(stream)]:
                reader.feed(stream[at : at + cut])
                at += cut
        except HttpFault as fault:
            assert fault.words  # noqa: PT017


def test_lines_may_end_in_lf_alone_and_names_in_any_case() -> None:
    reader, body = read(b"HTTP/1.1 200\nCONTENT-length:  2 \nX-A: 1\nx-a: 2\n\nok")

    assert body == b"ok"
    assert reader.complete
    assert reader.head is not None
    assert reader.head.headers == {"content-length": "2", "x-a": "1, 2"}


@pytest.mark.parametrize("status", [204, 304])
def test_some_statuses_have_no_body_whatever_they_say(status: int) -> None:
    reader, body = read(b"HTTP/1.1 %d No\r\nContent-Length: 5\r\n\r\n" % status)

    assert (reader.complete, body) == (True, b"")


@pytest.mark.parametrize(
    ("version", "connection", "keep"),
    [
        (b"1.1", b"", True),
        (b"1.1", b"Connection: Close\r\n", False),
        (b"1.0", b"", False),
        (b"1.0", b"Connection: keep-alive\r\n", True),
    ],
)
def test_a_connection_is_kept_as_version_and_header_say(
    version: bytes, connection: bytes, *, keep: bool
) -> None:
    reader, _ = read(
        b"HTTP/" + version + b" 200 OK\r\nContent-Length: 0\r\n" + connection + b"\r\n"
    )

    assert reader.head is not None
    assert reader.head.keep is keep


@pytest.mark.parametrize("framing", [b"Content-Length: 1\r\n\r\na", b"Content-Length: 0\r\n\r\n"])
def test_bytes_after_the_end_are_noticed(framing: bytes) -> None:
    reader, body = read(OK + framing, b"more")

    assert reader.surplus
    assert len(body) < 2


def test_bytes_after_the_last_chunk_are_noticed() -> None:
    reader, body = read(OK + b"Transfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\nmore")

    assert (reader.surplus, body) == (True, b"a")


@pytest.mark.parametrize(
    ("stream", "words"),
    [
        (b"SSH-2.0-x\r\n", "is not HTTP/1.1: b'SSH-2.0-x"),
        (b"HTTP/2 200\r\n\r\n", "is not HTTP/1.1"),
        (b"HTTP/1.1 abc\r\n\r\n", "is not HTTP/1.1: b'HTTP/1.1 abc'"),
        (b"HTTP/1.1 101 Switching\r\n\r\n", "is not HTTP/1.1"),
        (OK + b"no colon\r\n\r\n", "a header line without a name: b'no colon"),
        (OK + b"A: 1\r\n folded\r\n\r\n", "a header line without a name"),
        (OK + b": 1\r\n\r\n", "a header line without a name"),
        (OK + b"A: " + b"x" * 70_000, "more than 65,536 bytes"),
        (OK + b"Content-Length: -1\r\n\r\n", "the Content-Length '-1'"),
        (OK + b"Content-Length: 1\r\nContent-Length: 2\r\n\r\n", "the Content-Length '1, 2'"),
        (OK + b"Content-Length: " + b"9" * 5000 + b"\r\n\r\n", "the Content-Length '999"),
        (OK + b"Transfer-Encoding: chunked\r\n\r\nxyz\r\n", "a chunk of the answer has the size"),
        (OK + b"Transfer-Encoding: chunked\r\n\r\n1\r\nab\r\n", "is longer than it says"),
        (OK + b"Transfer-Encoding: chunked\r\n\r\n" + b"1" * 5000, "has no end"),
    ],
    ids=range(14),
)
def test_what_is_no_http_is_said_in_words(stream: bytes, words: str) -> None:
    with pytest.raises(HttpFault) as raised:
        read(stream)

    assert words in raised.value.words


# The connection


@pytest.mark.parametrize(
    ("name", "pack"),
    [("gzip", gzip.compress), ("deflate", zlib.compress), ("x-gzip", gzip.compress)],
)
async def test_a_body_that_is_compressed_unasked_is_read(name: str, pack: object) -> None:
    assert callable(pack)
    script = lambda asked: reply(200, pack(response(asked)), Content_Encoding=name)  # noqa: E731
    async with serving(script) as server, wire(server.url) as open_wire:
        got = await open_wire.ask("ping")

    assert got.value["result"] == {}
    assert server.seen[0].headers["accept-encoding"] == "identity"


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (b"no gzip at all", "the body cannot be decompressed"),
        (gzip.compress(bytes(65 << 20)), "more than 67,108,864 bytes"),
    ],
    ids=["not gzip", "a bomb"],
)
async def test_a_body_that_cannot_be_decompressed_loses_the_request(
    body: bytes, words: str
) -> None:
    script = lambda _: reply(200, body, Content_Encoding="gzip")  # noqa: E731
    async with serving(script) as server, wire(server.url) as open_wire:
        got = await open_wire.ask("ping")

    assert got.failure is Failure.LOST
    assert words in got.detail


async def test_a_body_over_the_limit_loses_the_request() -> None:
    piece = b"x" * (1 << 20)

    def script(_: Asked) -> list[Part]:
        made = {"Content-Type": "application/json", "Content-Length": str(1 << 40)}
        return [head(200, made), *[piece] * 70]

    async with serving(script) as server, wire(server.url) as open_wire:
        got = await open_wire.ask("ping")

    assert got.failure is Failure.LOST
    assert "more than 67,108,864 bytes" in got.detail


async def test_a_connection_that_is_closed_without_a_word_is_replaced() -> None:
    """Ours: many small servers close after each answer and do not say so."""
    async with (
        serving(lambda asked: [*result(asked), END]) as server,
        wire(server.url) as open_wire,
    ):
        got = [await open_wire.ask("ping") for _ in range(5)]

    assert [one.failure for one in got] == [None] * 5
    assert len(server.seen) == 5


async def test_a_connection_with_surplus_bytes_is_not_used_again() -> None:
    async with (
        serving(lambda asked: [*result(asked), b"HTTP/1.1 200 OK\r\n\r\n"]) as server,
        wire(server.url) as open_wire,
    ):
        got = [await open_wire.ask("ping") for _ in range(3)]

    assert [one.failure for one in got] == [None] * 3
    assert server.connections == 3
