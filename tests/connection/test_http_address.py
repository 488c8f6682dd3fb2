"""Addresses, where redirects may lead, proxies, and faults in words."""

import socket
import ssl

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolproof.connection.http_address import (
    AddressError,
    needs_proxy,
    parse_address,
    redirect_from,
)
from toolproof.connection.http_client import LibraryClient
from toolproof.connection.http_faults import fault_from
from toolproof.connection.http_link import client_for
from toolproof.connection.http_raw import RawClient


@pytest.mark.parametrize(
    ("url", "normal", "host"),
    [
        ("http://Example.COM", "http://example.com/", "example.com"),
        ("https://example.com:443/mcp#x", "https://example.com/mcp", "example.com"),
        (
            "http://example.com:8080/a b/é?q=ü&x={}",
            "http://example.com:8080/a%20b/%C3%A9?q=%C3%BC&x=%7B%7D",
            "example.com:8080",
        ),
        ("http://[::1]:80/x%20y", "http://[::1]/x%20y", "[::1]"),
        ("http://bücher.example/", "http://xn--bcher-kva.example/", "xn--bcher-kva.example"),
        ("http://user:pa%3Ass@h./", "http://h/", "h"),
    ],
)
def test_an_address_is_normalised(url: str, normal: str, host: str) -> None:
    address = parse_address(url)

    assert (address.url, address.host_header) == (normal, host)


def test_the_user_part_becomes_a_header() -> None:
    assert parse_address("http://u:p%C3%A9@h/").basic == "Basic dTpww6k="


@given(st.text(max_size=30) | st.text(alphabet="htps:/.[]@%#?0", max_size=20))
def test_any_text_is_an_address_or_says_why_not(text: str) -> None:
    for url in (text, f"http://{text}", f"http://h/{text}", f"http://h:{text}/"):
        try:
            address = parse_address(url)
        except AddressError as exc:
            assert str(exc)  # noqa: PT017
        else:
            assert address.url.isascii()
            assert parse_address(address.url).url == address.url


@pytest.mark.parametrize(
    ("url", "is_loopback"),
    [
        ("http://localhost/", True),
        ("http://app.localhost/", True),
        ("http://127.8.8.8/", True),
        ("http://[::1]/", True),
        ("http://0.0.0.0/", True),
        ("http://10.0.0.1/", False),
        ("http://localhost.example/", False),
    ],
)
def test_this_machine_is_known_by_its_names(url: str, is_loopback: bool) -> None:
    assert parse_address(url).is_loopback is is_loopback


@pytest.mark.parametrize(
    ("origin", "location", "credentials", "target", "why_not"),
    [
        ("http://h/mcp", "/mcp/", True, "http://h/mcp/", ""),
        ("http://h/mcp", "mcp/", True, "http://h/mcp/", ""),
        ("http://h/mcp", "https://h/mcp", True, "https://h/mcp", ""),
        ("http://h:8000/mcp", "https://h/mcp", True, "https://h/mcp", "another origin"),
        ("http://h:8000/mcp", "http://h:9000/mcp", False, "http://h:9000/mcp", ""),
        ("http://h:8000/mcp", "http://h:9000/mcp", True, "http://h:9000/mcp", "another origin"),
        ("https://h/mcp", "http://h/mcp", False, "http://h/mcp", "leaves the origin"),
        ("https://h/mcp", "https://h:444/mcp", False, "https://h:444/mcp", "leaves the origin"),
        ("http://h/mcp", "//evil.example/mcp", False, "http://evil.example/mcp", "another host"),
        ("http://h/mcp", "http://u:p@h/mcp", False, "http://h/mcp", "a user and a password"),
        ("http://h/mcp", "http://[/", False, "http://[/", "Invalid IPv6"),
        ("http://h/mcp", "ftp://h/", False, "ftp://h/", "begins with http"),
    ],
    ids=range(12),
)
def test_a_redirect_leads_nowhere_that_it_must_not(
    origin: str,
    location: str,
    credentials: bool,
    target: str,
    why_not: str,
) -> None:
    step = redirect_from(parse_address(origin), location, credentials=credentials)

    assert step.target == target
    assert (step.address is not None) is (not why_not)
    assert why_not in step.why_not


def test_the_user_part_goes_along_within_the_origin() -> None:
    step = redirect_from(parse_address("http://u:p@h/mcp"), "/mcp/", credentials=True)

    assert step.address is not None
    assert step.address.basic == "Basic dTpw"


def test_a_proxy_is_for_other_machines_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    far, near = parse_address("http://tools.example/"), parse_address("http://127.0.0.1/")
    for name in (
        "http_proxy",
        "HTTP_PROXY",
        "https_proxy",
        "HTTPS_PROXY",
        "all_proxy",
        "ALL_PROXY",
    ):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("no_proxy", "intern.example")
    assert not needs_proxy(far)
    monkeypatch.setenv("http_proxy", "http://proxy.example:3128")

    assert needs_proxy(far)
    assert not needs_proxy(near)
    assert not needs_proxy(parse_address("http://intern.example/"))
    assert not needs_proxy(parse_address("https://tools.example/"))
    assert isinstance(client_for(far), LibraryClient)
    assert isinstance(client_for(near), RawClient)


@pytest.mark.parametrize(
    ("exc", "words", "reached"),
    [
        (ConnectionRefusedError(111, "x"), "connection refused: nothing listens on h:80", False),
        (OSError("Multiple exceptions: [Errno 111] a, [Errno 111] b"), "connection refused", False),
        (socket.gaierror(-2, "Name or service not known"), "the host name 'h' is not known", False),
        (ConnectionResetError(104, "x"), "the server reset the connection", True),
        (OSError(113, "No route to host"), "h:80: no route to host", False),
        (ssl.SSLError(1, "[SSL: WRONG_VERSION_NUMBER] x"), "TLS: ", True),
        (ValueError("odd"), "odd", False),
        (KeyError(), "KeyError", False),
    ],
    ids=range(8),
)
def test_a_fault_has_words(exc: Exception, words: str, reached: bool) -> None:
    outer = RuntimeError("outer")
    outer.__cause__ = ExceptionGroup("inner", [exc])
    fault = fault_from(outer if isinstance(exc, OSError) else exc, parse_address("http://h/"))

    assert words in fault.words
    assert fault.reached is reached


def test_a_certificate_that_is_not_trusted_says_why() -> None:
    exc = ssl.SSLCertVerificationError(1, "x")
    exc.verify_message = "self-signed certificate"
    fault = fault_from(exc, parse_address("https://h/"))

    assert fault.words == "TLS: the certificate of h is not trusted: self-signed certificate"
    assert "SSL_CERT_FILE" in fault.hint
