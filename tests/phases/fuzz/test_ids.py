import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolproof.phases.fuzz.ids import Found, asks_for, ends, fits, found_in, makes
from toolproof.report import Tool


def result(text: str = "", **more: Any) -> dict[str, Any]:
    return {"content": [{"type": "text", "text": text}], **more}


def test_values_are_found_in_structured_content_with_their_paths() -> None:
    found = found_in(result(structuredContent={"note_id": "n1", "tags": [{"id": 7}], "ok": True}))

    assert found == [
        Found(("note", "id"), "n1", ("note_id",), '$["note_id"]'),
        Found(("id",), 7, ("tags", 0, "id"), '$["tags"][0]["id"]'),
    ]


def test_values_are_found_in_json_that_is_a_text() -> None:
    [found] = found_in(result(json.dumps({"session": "abc"})))

    assert (found.words, found.value) == (("session",), "abc")


def test_values_are_found_in_plain_text_by_label_and_by_shape() -> None:
    found = found_in(result("Created. Task ID: t-77\nb-1: The Left Hand"))

    assert {one.value for one in found} >= {"t-77", "b-1"}
    assert all(one.jsonpath is None for one in found)


@pytest.mark.parametrize(
    ("field", "words", "maker", "at_least"),
    [
        ("book_id", ("book", "id"), "list_all", 3),
        ("book_id", ("id",), "list_books", 3),
        ("id", ("id",), "list_books", 3),
        ("id", (), "search", 1),
        ("book_id", ("author",), "list_books", 0),
    ],
)
def test_how_well_a_value_answers(
    field: str, words: tuple[str, ...], maker: str, at_least: int
) -> None:
    user = Tool({"name": "get_book", "inputSchema": {"properties": {field: {"type": "string"}}}})
    [asked] = asks_for(user).values()

    rank = fits(asked, user, Found(words, "x", ("x",)), Tool({"name": maker}))

    assert rank >= at_least
    assert (rank == 0) is (at_least == 0)


def test_only_fields_that_name_something_are_asked_for() -> None:
    fields = {
        "id": {"type": "string"},
        "name": {"type": "string", "enum": ["a"]},
        "text": {"type": "string"},
        "limit_no": {"type": "integer"},
        "odd": "odd",
    }

    assert list(asks_for(Tool({"name": "x", "inputSchema": {"properties": fields}}))) == [
        "id",
        "limit_no",
    ]


def test_names_say_what_makes_and_what_ends() -> None:
    assert makes(Tool({"name": "create_note"}))
    assert ends(Tool({"name": "session_close"}))
    assert not makes(Tool({"name": "get_note"}))


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=30),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=9), inner, max_size=4)
    ),
)


@given(ANYTHING, st.text(max_size=300))
def test_no_result_makes_it_raise(anything: Any, text: str) -> None:
    found_in({"content": anything, "structuredContent": anything})
    found_in(result(text))
