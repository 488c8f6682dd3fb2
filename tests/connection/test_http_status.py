"""Verdicts on HTTP answers, and what stands in their headers: pure functions."""

from datetime import UTC, datetime
from email.utils import format_datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolproof.connection.http_status import (
    Answered,
    Asked,
    challenge,
    media_type,
    refusal,
    retry_after_s,
    wrong_type,
)
from toolproof.connection.observations import Kind

NOW = datetime(2026, 7, 28, 12, 0, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("header", "found"),
    [
        ("", {}),
        ("Bearer", {}),
        ('Bearer realm="a b", error=invalid_token', {"realm": "a b", "error": "invalid_token"}),
        (
            'Basic realm="x", Bearer resource_metadata = "https://x/m"',
            {"resource_metadata": "https://x/m"},
        ),
        (
            r'Bearer realm="say \"resource_metadata=1\"", Scope=a',
            {"realm": 'say "resource_metadata=1"', "scope": "a"},
        ),
        ('Bearer scope="one", scope="two"', {"scope": "one"}),
        ('Bearer realm="never closed', {}),
    ],
)
def test_a_challenge_is_taken_apart(header: str, found: dict[str, str]) -> None:
    got = challenge({"www-authenticate": header})

    assert {**got, **found} == got


def test_a_challenge_is_read_in_linear_time() -> None:
    """Ours: a quadratic reading of these would take minutes."""
    for hostile in ("a" * 200_000, "a " * 100_000, 'a="' + "\\" * 200_000, "a=" * 100_000):
        challenge({"www-authenticate": hostile})


@given(st.text(max_size=80))
def test_no_header_is_too_odd_for_a_verdict(text: str) -> None:
    headers = {"www-authenticate": text, "retry-after": text, "content-type": text}
    for status in (200, 299, 400, 401, 403, 418, 421, 429, 500, 599, 999):
        got = Answered(status, headers, text.encode(errors="replace"))
        for asked in (Asked("server/discover", "x"), Asked("tools/call", "x:1", credentials=True)):
            for verdict in (refusal(got, asked), wrong_type(got, asked)):
                assert str(status) in verdict.words
                assert "\n" not in verdict.words
                assert verdict.error("http://x/").hint
    assert retry_after_s(headers, NOW.timestamp()) >= 0


@pytest.mark.parametrize(
    ("given_", "seconds"),
    [
        ("3", 3),
        ("0", 0),
        ("", 1),
        ("soon", 1),
        ("-5", 1),
        ("9" * 5000, 999_999_999),
        (format_datetime(NOW.replace(second=7), usegmt=True), 7),
        (format_datetime(NOW.replace(hour=1), usegmt=True), 0),
        ("Tue, 99 Foo 2026 99:99:99 GMT", 1),
    ],
    ids=range(9),
)
def test_the_time_to_wait_comes_in_seconds_or_as_a_date(given_: str, seconds: float) -> None:
    assert retry_after_s({"retry-after": given_}, NOW.timestamp()) == seconds


def test_a_content_type_is_compared_without_case_and_parameters() -> None:
    assert media_type({"content-type": " Application/JSON ; charset=utf-8"}) == "application/json"
    assert media_type({}) == ""


@pytest.mark.parametrize(
    ("metadata", "kind"),
    [
        ("https://x/.well-known/oauth-protected-resource", Kind.HTTP_AUTH_REQUIRED),
        ("/.well-known/oauth-protected-resource", Kind.HTTP_AUTH_CHALLENGE),
        ("javascript:alert(1)", Kind.HTTP_AUTH_CHALLENGE),
        ("http://[", Kind.HTTP_AUTH_CHALLENGE),
    ],
)
def test_metadata_must_be_at_an_absolute_address(metadata: str, kind: Kind) -> None:
    headers = {"www-authenticate": f'Bearer resource_metadata="{metadata}"'}

    assert refusal(Answered(401, headers), Asked("initialize", "x")).kind is kind


def test_a_403_without_a_word_may_want_a_token() -> None:
    verdict = refusal(Answered(403, {}), Asked("initialize", "x"))

    assert verdict.words == "initialize is refused: HTTP 403 (Forbidden)"
    assert "--header" in verdict.hint


def test_a_lacking_scope_may_have_no_name() -> None:
    headers = {"www-authenticate": "Bearer error=insufficient_scope"}

    assert "the token lacks a scope" in refusal(Answered(403, headers), Asked("x", "y")).words


def test_an_unknown_status_is_shown_as_it_is() -> None:
    assert Answered(799, {}).words == "799"
    assert Answered(404, {}).words == "404 (Not Found)"
