"""Numbers, tokens, codes, names and addresses."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolproof.judgement.naming import changing_word, name_words, stem, text_words
from toolproof.judgement.numbers import SAFE_INTEGER, unsafe_integers
from toolproof.judgement.rpc import error_code_flaw, error_text, internal_error
from toolproof.judgement.strings import strings_in
from toolproof.judgement.tokens import json_size, tokens_of, tokens_of_json
from toolproof.judgement.uris import absolute_uri_flaw, uri_template_flaw

ENDLESS = 10**5000
ODD = [ENDLESS, [ENDLESS, "a", None, True, 0.5, {"k": [1]}], {"a": ENDLESS}]
NEWEST = "2026-07-28"
LEGACY = "2025-11-25"


def nested(depth: int, inside: Any = 1) -> Any:
    for _ in range(depth):
        inside = [inside]
    return inside


# numbers


def test_integers_that_javascript_rounds_are_found_with_their_place() -> None:
    value = {
        "id": 2**53,
        "ok": [SAFE_INTEGER, -SAFE_INTEGER, {"a/b": -(2**53)}],
        "x": 1e300,
        "y": True,
    }

    assert list(unsafe_integers(value)) == [("/id", 2**53), ("/ok/2/a~1b", -(2**53))]
    assert list(unsafe_integers(ENDLESS)) == [("", ENDLESS)]
    assert list(unsafe_integers("x")) == []


def test_deep_nesting_is_no_trouble() -> None:
    assert len(list(unsafe_integers(nested(5_000, 2**60)))) == 1
    assert list(strings_in(nested(5_000, "a"))) == ["a"]
    assert json_size(nested(5_000)) > 10_000


# strings


def test_every_string_is_given_keys_too() -> None:
    assert sorted(strings_in({"a": ["b", ("c", 1)], "d": None})) == ["a", "b", "c", "d"]
    assert len(list(strings_in(["a"] * 200_000))) < 200_000


# tokens


def test_a_token_is_a_quarter_of_the_characters_rounded_up() -> None:
    assert [tokens_of(text) for text in ("", "a", "abcd", "abcde")] == [0, 1, 1, 2]
    assert tokens_of(b"abcdefgh") == 2
    assert tokens_of_json({"a": "é"}) == 3


@pytest.mark.parametrize("value", ODD, ids=["number", "list", "object"])
def test_the_size_of_what_json_cannot_write_is_estimated(value: Any) -> None:
    assert 5_000 <= json_size(value) < 5_100


# codes


def test_an_internal_error_is_quoted_and_the_environment_is_none() -> None:
    assert internal_error({"code": -32603, "message": "Internal error"}) == "Internal error"
    assert internal_error({"code": -32603, "message": "getaddrinfo ENOTFOUND a.test"}) is None
    assert internal_error({"code": -32000, "message": "spec not found"}) is None
    assert internal_error({"code": 0, "message": "task ID is required"}) is None
    assert internal_error({"code": -32000, "message": "'NoneType' object is not iterable"})
    assert internal_error(None) is None
    assert internal_error({}) is None


@pytest.mark.parametrize(
    ("error", "text"),
    [
        ({"message": "a", "data": "b"}, "a\nb"),
        ({"message": "a", "data": {"x": "b", "y": 1}}, "a\nb"),
        ({"message": "a", "data": ["b", None]}, "a\nb"),
        ({"message": 7, "data": 8}, ""),
    ],
)
def test_the_text_of_an_error_is_its_message_and_the_strings_beside(
    error: dict[str, Any], text: str
) -> None:
    assert error_text(error) == text


@pytest.mark.parametrize(
    ("code", "revision", "flawed"),
    [
        (-32602, NEWEST, False),
        (-32000, NEWEST, False),
        (-32002, LEGACY, False),
        (-32002, NEWEST, True),
        (-32042, NEWEST, True),
        (-32022, NEWEST, False),
        (-32050, NEWEST, True),
        (-32050, LEGACY, False),
        (0, LEGACY, True),
        (404, NEWEST, True),
        (True, LEGACY, True),
        ("x", LEGACY, True),
        (None, LEGACY, True),
    ],
)
def test_a_code_that_does_not_exist_is_told(code: Any, revision: str, *, flawed: bool) -> None:
    assert (error_code_flaw(code, revision) is not None) is flawed


# names


@pytest.mark.parametrize(
    "name", ["getUserInfo", "get_user-info", "get.user.info", "GetUserInfo", "get user info"]
)
def test_a_name_has_the_same_words_however_it_is_written(name: str) -> None:
    assert name_words(name) == ["get", "user", "info"]


@pytest.mark.parametrize(
    ("name", "word"),
    [
        ("delete_file", "delete"),
        ("DeleteFile", "delete"),
        ("sendMail", "send"),
        ("list_deleted_files", None),
        ("dropdown_list", None),
        ("created_at", None),
        ("", None),
        ("___", None),
    ],
)
def test_only_the_first_word_says_that_a_tool_changes_something(
    name: str, word: str | None
) -> None:
    assert changing_word(name) == word


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("reads", "read"),
        ("deleting", "delete"),
        ("users", "user"),
        ("queries", "query"),
        ("007", "7"),
    ],
)
def test_words_that_differ_in_their_ending_have_one_stem(one: str, other: str) -> None:
    assert stem(one)[:4] == stem(other)[:4]


def test_the_words_of_a_text_have_no_case_and_no_leading_zeros() -> None:
    assert text_words("Report 007: Überschrift, 0.") == ["report", "7", "überschrift", "0"]


# addresses


@pytest.mark.parametrize(
    "uri", ["doc://a", "file:///b", "urn:x:1", "https://é.test/漢", "a+b.c-d:x"]
)
def test_an_absolute_uri_is_fine(uri: str) -> None:
    assert absolute_uri_flaw(uri) is None


@pytest.mark.parametrize(
    "uri", ["", "readme", "/a/b", "1a:b", "doc:", "C:\\a", "c:/a", "doc://a b", "x:\n"]
)
def test_what_is_no_absolute_uri_is_told(uri: str) -> None:
    assert absolute_uri_flaw(uri)


@pytest.mark.parametrize(
    "template",
    [
        "doc://{id}",
        "{+path}",
        "a{?x,y*,z:3}",
        "{a.b,%20c}",
        "plain",
        "{#x}{/y}{;z}{&w}",
        "it's/{a}",
    ],
)
def test_a_template_of_rfc_6570_is_fine(template: str) -> None:
    assert uri_template_flaw(template) is None


@pytest.mark.parametrize(
    "template",
    ["{", "}", "{}", "{a", "{{a}}", "{=a}", "{a:0}", "{a b}", "a b", "%zz", "{a,}", "{*a}"],
)
def test_what_is_no_template_is_told(template: str) -> None:
    assert uri_template_flaw(template)


@given(st.text(st.characters(exclude_categories=()), max_size=40))
def test_any_text_can_be_an_address_or_a_name(text: str) -> None:
    absolute_uri_flaw(text)
    uri_template_flaw(text)
    changing_word(text)
    [stem(word) for word in text_words(text)]
