"""Stamps and headers of the stateless revision, as the protocol's pages have them."""

import base64
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolproof.connection.stamps import header_value, marked_parameters, request_headers


@pytest.mark.parametrize(
    ("value", "sent"),
    [
        ("Oslo", "Oslo"),
        ("", ""),
        ("two words", "two words"),
        (" outer", "=?base64?IG91dGVy?="),
        ("\u00e6", "=?base64?w6Y=?="),
        ("=?base64?QQ==?=", "=?base64?PT9iYXNlNjQ/UVE9PT89?="),
        ("line\nbreak", "=?base64?bGluZQpicmVhaw==?="),
    ],
)
def test_a_value_that_http_cannot_carry_goes_in_base64(value: str, sent: str) -> None:
    assert header_value(value) == sent


@given(st.text())
def test_any_value_fits_a_header_and_can_be_read_back(value: str) -> None:
    sent = header_value(value)

    assert sent.isascii()
    assert sent == sent.strip()
    assert sent.isprintable()
    if sent != value:
        encoded = sent.removeprefix("=?base64?").removesuffix("?=")
        assert base64.b64decode(encoded) == value.encode(errors="replace")


@pytest.mark.parametrize(
    ("revision", "headers"),
    [
        ("", {}),
        ("2024-11-05", {}),
        ("2025-03-26", {}),
        ("2025-06-18", {"MCP-Protocol-Version": "2025-06-18"}),
        ("2025-11-25", {"MCP-Protocol-Version": "2025-11-25"}),
        ("2026-07-28", {"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "ping"}),
    ],
)
def test_each_revision_has_its_headers(revision: str, headers: dict[str, str]) -> None:
    assert request_headers(revision, "ping", {"name": "x"}, {}) == headers


def test_marks_are_found_through_properties_alone() -> None:
    schema = {
        "x-mcp-header": "Root",
        "properties": {
            "city": {"type": "string", "x-mcp-header": "City"},
            "deep": {"properties": {"n": {"x-mcp-header": "N"}, "bad": {"x-mcp-header": "a b"}}},
            "list": {"items": {"x-mcp-header": "Item"}},
            "odd": True,
        },
        "anyOf": [{"properties": {"x": {"x-mcp-header": "X"}}}],
    }

    assert set(marked_parameters(schema)) == {(("city",), "City"), (("deep", "n"), "N")}


@pytest.mark.parametrize(
    ("arguments", "sent"),
    [
        ({"a": {"b": True}}, "true"),
        ({"a": {"b": False}}, "false"),
        ({"a": {"b": 5}}, "5"),
        ({"a": {"b": "x"}}, "x"),
        ({"a": {"b": None}}, None),
        ({"a": {"b": [1]}}, None),
        ({"a": 5}, None),
        ({}, None),
        (None, None),
    ],
)
def test_an_argument_goes_into_its_header_if_it_is_a_scalar(
    arguments: Any, sent: str | None
) -> None:
    marked = {"t": ((("a", "b"), "B"),)}

    headers = request_headers(
        "2026-07-28", "tools/call", {"name": "t", "arguments": arguments}, marked
    )

    assert headers.get("Mcp-Param-B") == sent


@given(
    st.recursive(
        st.none() | st.booleans() | st.text(max_size=5),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from(["properties", "x-mcp-header", "a", "items"]), inner, max_size=4
            )
        ),
        max_leaves=12,
    )
)
def test_any_schema_can_be_searched(schema: Any) -> None:
    for path, header in marked_parameters(schema):
        assert path
        assert header
