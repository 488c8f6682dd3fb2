import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolproof.judgement.wording import (
    is_environment,
    mask_cause,
    reads_like_failure,
    reads_like_refusal,
)


@pytest.mark.parametrize(
    "text",
    [
        "Error: document not found",
        "Error searching libraries: TypeError: fetch failed",
        "Error: Only SELECT queries are allowed",
        "Error: (sqlite3.OperationalError) no such column",
        "Error: 404 Not Found",
        "Error: no such city",
        "Error: none of the cities has weather",
        "Error: null is no city",
        "Error: 404",
        "Error 404: not found",
        "Error -32602: no such tool",
        "Error code: 7",
        "Error executing tool read: it is gone",
        "Error in query: no such table",
        "error: bad flag",
        "ERROR: disk full",
        "**Error:** no such city",
        "❌ Error: no such city",
        "  \n Error: after a blank line",
        "An error occurred",
        "An unexpected error occurred while reading",
        "Failed to connect",
        "Failed: no such host",
        "Failed fetching the page",
        "Failure: no such host",
        "Exception in thread main",
        "Exception: no such city",
        "TypeError: x is not a function",
        "HTTPError: 500",
        "java.lang.NullPointerException: city",
        "Traceback (most recent call last):\n  File",
        "Unhandled exception: no such city",
        "Error",
        "failed.",
    ],
)
def test_a_text_that_begins_like_a_failure_is_one(text: str) -> None:
    assert reads_like_failure(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "ok",
        "Errors: 0",
        "Error: 0",
        "Error: none",
        "Error: null.",
        "Error: no errors were found",
        "Error:",
        "Error: 3 %",
        "Error rate is 2 %",
        "Error log (3 entries)",
        "Error handling guide",
        "Error codes of the API",
        "Error budget: 99",
        "Error 12 of 13 is mended",
        "Errors found: 3",
        "No errors",
        "The error is mended",
        "Failed logins: 3",
        "Failed tests: 0, passed 12",
        "Failed: 0, passed: 3",
        "Failed jobs\n1",
        "Exceptional results",
        "Traceback viewer",
        "{'error': null}",
        "Title: Error: a history of mistakes",
        "ERROR 12:01 disk full\nINFO 12:02 retry\nWARN 12:03 slow\nERROR 12:04 disk full",
    ],
)
def test_a_text_about_errors_is_no_failure(text: str) -> None:
    assert reads_like_failure(text) is None


def test_the_first_line_is_quoted() -> None:
    assert reads_like_failure("\n**Error: no such city**\nTry Oslo") == "Error: no such city**"


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("getaddrinfo ENOTFOUND api.acme.test", "the network"),
        ("connect ECONNREFUSED 127.0.0.1:80", "the network"),
        ("dial tcp 127.0.0.1:6443: connect: connection refused", "the network"),
        ("fetch failed", "the network"),
        ("error sending request for url (http://acme.test)", "the network"),
        ("Request failed with status code 503", "the network"),
        ("HTTP 429", "the network"),
        ("[Errno -3] Temporary failure in name resolution", "the network"),
        ("401 Unauthorized", "a login"),
        ("Request failed with status code 401", "a login"),
        ("Please log in first", "a login"),
        ("API key is missing", "a login"),
        ("Invalid API key provided", "a login"),
        ("No credentials found", "a login"),
        ("Authentication failed", "a login"),
        ("not_authed", "a login"),
    ],
)
def test_what_the_environment_lacks_is_named(text: str, what: str) -> None:
    assert is_environment(text) == what


@pytest.mark.parametrize(
    "text",
    [
        "document not found",
        "401 rows were read",
        "the token 'x' is not expected",
        "Unexpected token < in JSON",
        "disk full",
        "the login page was drawn",
        "",
    ],
)
def test_a_fault_of_the_server_is_not_the_environment(text: str) -> None:
    assert is_environment(text) is None


@pytest.mark.parametrize(
    "text",
    [
        "Invalid arguments: missing required argument city",
        "city must be a string",
        "limit must be an integer",
        "Input validation error: 7 is not of type 'string'",
        "expected string, got number",
        "unknown argument town",
        "unexpected keyword argument 'town'",
    ],
)
def test_a_refusal_speaks_of_the_arguments(text: str) -> None:
    assert reads_like_refusal(text)


@pytest.mark.parametrize("text", ["document not found", "there is no such city", "disk full", ""])
def test_an_application_error_is_no_refusal(text: str) -> None:
    assert not reads_like_refusal(text)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("no row 12 in 'a'", "no row 7,301 in 'town'"),
        ("cannot read /srv/a/b.txt", "cannot read /home/x/y/z.txt"),
        ("GET https://a.test/1?x=2 failed", "GET http://b.test failed"),
        (
            "no object 550e8400-e29b-41d4-a716-446655440000",
            "no object 123e4567-e89b-12d3-a456-426614174000",
        ),
        ("id ab12cd34ef5678 is gone", "id 99zz88yy77xx66 is gone"),
        ('took  1.5 s for "a"', 'took 20 s for "b c"'),
    ],
)
def test_messages_of_one_cause_have_one_skeleton(one: str, other: str) -> None:
    assert mask_cause(one) == mask_cause(other)


def test_an_apostrophe_is_no_quote() -> None:
    assert mask_cause("it can't be read, it's gone") == "it can't be read, it's gone"


@pytest.mark.parametrize(
    ("one", "other"), [("no city", "no town"), ("read failed", "write failed")]
)
def test_other_causes_have_other_skeletons(one: str, other: str) -> None:
    assert mask_cause(one) != mask_cause(other)


@given(st.text(st.characters(exclude_categories=()), max_size=300))
def test_any_text_can_be_read(text: str) -> None:
    said = reads_like_failure(text)

    assert said is None or said in text
    assert is_environment(text) in (None, "the network", "a login")
    assert mask_cause(mask_cause(text)) is not None
    reads_like_refusal(text)
