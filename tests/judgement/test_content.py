import base64
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolproof.judgement.content import (
    CONTENT_DATA,
    RESULT_INVALID,
    content_flaws,
    message_flaws,
    resource_flaws,
)
from toolproof.judgement.payloads import payload_flaw

NEWEST = "2026-07-28"
LEGACY = "2025-11-25"


def encoded(start: bytes) -> str:
    return base64.b64encode(start + bytes(20)).decode()


PNG = encoded(b"\x89PNG\r\n\x1a\n")
JPEG = encoded(b"\xff\xd8\xff\xe0")


def flaws(result: Any, revision: str = LEGACY) -> list[tuple[str, str]]:
    return [(flaw.rule, flaw.pointer) for flaw in content_flaws(result, revision)]


def block(**members: Any) -> dict[str, Any]:
    return {"content": [members]}


@pytest.mark.parametrize(
    "members",
    [
        {"type": "text", "text": ""},
        {"type": "image", "data": PNG, "mimeType": "image/png"},
        {"type": "image", "data": JPEG, "mimeType": "IMAGE/JPEG; q=1"},
        {"type": "audio", "data": encoded(b"ID3"), "mimeType": "audio/mpeg"},
        {"type": "resource_link", "uri": "doc://a", "name": "a"},
        {"type": "resource", "resource": {"uri": "doc://a", "text": "a"}},
        {"type": "resource", "resource": {"uri": "doc://a", "blob": PNG, "mimeType": None}},
        {"type": "text", "text": "a", "annotations": {"audience": ["user"], "priority": 0.5}},
        {"type": "text", "text": "a", "annotations": None},
        {"type": "text", "text": "a", "made up": 1},
    ],
)
def test_a_good_block_has_no_flaw(members: dict[str, Any]) -> None:
    assert flaws(block(**members)) == []


@pytest.mark.parametrize(
    ("members", "pointer"),
    [
        ({}, "/content/0/type"),
        ({"type": 7}, "/content/0/type"),
        ({"type": "video"}, "/content/0/type"),
        ({"type": "text"}, "/content/0/text"),
        ({"type": "text", "text": None}, "/content/0/text"),
        ({"type": "image", "data": PNG}, "/content/0/mimeType"),
        ({"type": "audio", "mimeType": "audio/wav"}, "/content/0/data"),
        ({"type": "resource"}, "/content/0/resource"),
        ({"type": "resource", "resource": []}, "/content/0/resource"),
        ({"type": "resource", "resource": {"uri": "a:b"}}, "/content/0/resource"),
        ({"type": "resource", "resource": {"text": "a"}}, "/content/0/resource/uri"),
        (
            {"type": "resource", "resource": {"uri": "a:b", "text": "", "mimeType": 1}},
            "/content/0/resource/mimeType",
        ),
        ({"type": "resource_link", "uri": "a:b"}, "/content/0/name"),
        ({"type": "text", "text": "a", "annotations": []}, "/content/0/annotations"),
        (
            {"type": "text", "text": "a", "annotations": {"audience": ["cat"]}},
            "/content/0/annotations/audience",
        ),
        (
            {"type": "text", "text": "a", "annotations": {"audience": "user"}},
            "/content/0/annotations/audience",
        ),
        (
            {"type": "text", "text": "a", "annotations": {"priority": 2}},
            "/content/0/annotations/priority",
        ),
        (
            {"type": "text", "text": "a", "annotations": {"priority": True}},
            "/content/0/annotations/priority",
        ),
    ],
)
def test_a_block_without_what_its_type_needs_is_pointed_at(
    members: dict[str, Any], pointer: str
) -> None:
    assert flaws(block(**members)) == [(RESULT_INVALID, pointer)]


@pytest.mark.parametrize(
    ("result", "pointer"),
    [
        (None, ""),
        ([], ""),
        ({}, ""),
        ({"content": None}, "/content"),
        ({"content": {}}, "/content"),
        ({"content": "text"}, "/content"),
        ({"content": [1]}, "/content/0"),
        ({"content": [], "isError": "no"}, "/isError"),
        ({"content": [], "structuredContent": [1]}, "/structuredContent"),
    ],
)
def test_a_result_of_the_wrong_shape_is_pointed_at(result: Any, pointer: str) -> None:
    assert flaws(result) == [(RESULT_INVALID, pointer)]


def test_structured_content_of_any_type_is_fine_where_the_revision_allows_it() -> None:
    result = {"content": [], "structuredContent": [1]}

    assert flaws(result, NEWEST) == []
    assert flaws(result, "2024-11-05") == []  # nobody knows the member there
    assert flaws({"content": [], "structuredContent": None}) == []


@pytest.mark.parametrize(
    ("kind", "revision", "known"),
    [
        ("audio", "2024-11-05", False),
        ("audio", "2025-03-26", True),
        ("resource_link", "2025-03-26", False),
        ("resource_link", "2025-06-18", True),
        ("resource_link", "unheard of", True),
    ],
)
def test_a_block_exists_only_from_its_revision_on(kind: str, revision: str, *, known: bool) -> None:
    members = {"data": encoded(b"fLaC"), "mimeType": "audio/flac", "uri": "a:b", "name": "a"}

    assert (flaws(block(type=kind, **members), revision) == []) is known


def test_a_result_that_asks_for_input_has_no_content() -> None:
    assert flaws({"resultType": "input_required", "inputRequests": {}}, NEWEST) == []
    assert flaws({"resultType": "complete"}, NEWEST) == [(RESULT_INVALID, "")]


def test_missing_type_and_broken_data_are_told_apart() -> None:
    assert flaws(block(type="image", data="%%%not base64%%%")) == [
        (RESULT_INVALID, "/content/0/mimeType"),
        (CONTENT_DATA, "/content/0/data"),
    ]


@pytest.mark.parametrize(
    ("data", "declared", "words"),
    [
        ("%%%", "image/png", "not base64"),
        ("data:image/png;base64," + PNG, "image/png", "data URL"),
        ("-_-_", None, "base64url"),
        ("abcde", None, "padding"),
        ("", "image/png", "empty"),
        (JPEG, "image/png", "begins like JPEG, though its type is image/png"),
        (encoded(b"\x01\x02\x03\x04"), "image/gif", "bytes 01 02 03 04"),
        (encoded(b"RIFF0000WAVE"), "image/webp", "begins like WAV"),
        (PNG, "application/pdf", "begins like PNG"),
    ],
)
def test_data_that_is_not_what_it_is_said_to_be(
    data: str, declared: str | None, words: str
) -> None:
    assert words in (payload_flaw(data, declared) or "")


@pytest.mark.parametrize(
    ("start", "declared"),
    [
        (b"\x89PNG\r\n\x1a\n", "image/png"),
        (b"\xff\xd8\xff\xe1", "image/jpg"),
        (b"GIF89a", "image/gif"),
        (b"RIFF0000WEBP", "image/webp"),
        (b"RIFF0000WAVE", "audio/x-wav"),
        (b"\xff\xfb\x90", "audio/mpeg"),
        (b"OggS", "audio/ogg"),
        (b"<svg xmlns=''>", "image/svg+xml"),
        (b"\xef\xbb\xbf<svg>", "image/svg+xml"),
        (b"0000ftypavif", "image/avif"),
        (b"%PDF-1.7", "application/pdf"),
        (b"\n" * 500 + b"%PDF-1.7", "application/pdf"),
        (b"PK\x03\x04", "application/zip"),
        (b"anything", "application/x-own"),
        (b"anything", None),
    ],
)
def test_data_that_begins_like_its_type_is_fine(start: bytes, declared: str | None) -> None:
    assert payload_flaw(encoded(start), declared) is None


def test_lines_of_base64_are_fine() -> None:
    assert payload_flaw(f"{PNG[:20]}\r\n{PNG[20:]}\n", "image/png") is None


@given(st.binary(max_size=2_000), st.none() | st.sampled_from(["image/png", "audio/wav", "x"]))
def test_whatever_base64_holds_is_never_refused_as_base64(
    data: bytes, declared: str | None
) -> None:
    flaw = payload_flaw(base64.b64encode(data).decode(), declared)

    assert flaw is None or "base64" not in flaw


@given(st.text(st.characters(exclude_categories=()), max_size=60))
def test_any_text_can_be_taken_for_data(data: str) -> None:
    payload_flaw(data, "image/png")


def test_contents_of_a_resource_are_judged_by_themselves() -> None:
    assert [f.pointer for f in resource_flaws({"uri": "doc://logo"}, "/contents/0")] == [
        "/contents/0"
    ]


HELLO = {"type": "text", "text": "hello"}


@pytest.mark.parametrize(
    ("messages", "pointers"),
    [
        ([{"role": "user", "content": HELLO}, {"role": "assistant", "content": HELLO}], []),
        ([{"role": "user", "content": {"type": "image", "data": "?", "mimeType": "a/b"}}], []),
        ([], [""]),
        (None, [""]),
        ({"role": "user", "content": HELLO}, [""]),
        (["hello"], ["/messages/0"]),
        ([{"role": "system", "content": HELLO}], ["/messages/0/role"]),
        ([{"content": HELLO}], ["/messages/0/role"]),
        ([{"role": [], "content": HELLO}], ["/messages/0/role"]),
        ([{"role": "user", "content": "hello"}], ["/messages/0/content"]),
        ([{"role": "user", "content": [HELLO]}], ["/messages/0/content"]),
        ([{"role": "user"}], ["/messages/0/content"]),
        ([{"role": "user", "content": {"type": "text"}}], ["/messages/0/content/text"]),
    ],
    ids=str,
)
def test_messages_of_a_prompt_have_a_role_and_one_block(messages: Any, pointers: list[str]) -> None:
    assert [flaw.pointer for flaw in message_flaws(messages, NEWEST)] == pointers
