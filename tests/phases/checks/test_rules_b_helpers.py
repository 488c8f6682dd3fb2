"""What several rules share: pointers, defaults, sightings, spelling."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolproof.connection.observations import Kind, Seen
from toolproof.phases.checks.defaults import default_breach
from toolproof.phases.checks.definitions import SchemaView
from toolproof.phases.checks.examples import saw
from toolproof.phases.checks.near_twins import aligned, near_twins
from toolproof.phases.checks.pointing import pointer_in
from toolproof.phases.checks.sightings import detail, fact, last_words, seconds, times
from toolproof.phases.checks.spelling import distance, meant
from toolproof.report import Tool
from toolproof.text import one_line, quoted

TOOL = Tool({"name": "a", "outputSchema": {"properties": {"x": {"type": "string"}}}})


@pytest.mark.parametrize(
    ("pointer", "found"),
    [
        ("/outputSchema/properties/x/type", "/outputSchema/properties/x/type"),
        ("/outputSchema/properties/x/$ref/type", "/outputSchema/properties/x"),
        ("/outputSchema/none/at/all", "/outputSchema"),
        ("/none", None),
    ],
)
def test_a_pointer_is_cut_to_what_exists(pointer: str, found: str | None) -> None:
    assert pointer_in(TOOL, pointer) == found
    assert pointer_in(None, pointer) is None


def breach(field: dict[str, Any], **root: Any) -> str | None:
    schema = {"type": "object", "properties": {"x": field}, **root}
    view = SchemaView("inputSchema", schema, "2025-11-25")
    [node] = view.having("default")
    return default_breach(view, node)


def test_a_default_is_judged_with_the_definitions_at_the_root() -> None:
    numbers = {"n": {"type": "integer", "allOf": [True]}}

    assert breach({"$ref": "#/$defs/n", "default": "a"}, **{"$defs": numbers}) is not None
    assert breach({"$ref": "#/$defs/n", "default": 1}, **{"$defs": numbers}) is None


@pytest.mark.parametrize(
    ("schema", "root"),
    [
        ({"$ref": "#/properties/y", "default": "a"}, {}),
        ({"$ref": "#/$defs/none", "default": "a"}, {}),
        ({"$ref": "#/$defs/a", "default": "a"}, {"$defs": {"a": {"$ref": "#/properties/y"}}}),
        ({"$ref": "#/$defs/a", "default": "a"}, {"$defs": {"a": {"$id": "urn:x"}}}),
        ({"minimum": 1, "default": 0}, {"$defs": {str(n): {} for n in range(3_000)}}),
    ],
)
def test_a_default_that_cannot_be_judged_alone_is_let_pass(
    schema: dict[str, Any], root: dict[str, Any]
) -> None:
    assert breach(schema, **root) is None


def test_facts_are_text_on_one_line_whatever_they_are() -> None:
    seen = Seen(Kind.SLOW_START, None, 1, [saw(Kind.SLOW_START, "a\nb", seconds="x", last_line=7)])

    assert fact(seen, "none") == ""
    assert fact(seen, "last_line") == "7"
    assert last_words(seen) == " (stderr: '7')"
    assert seconds(seen) == "some time"
    assert detail(seen.first) == "a↵b"
    assert times(seen) == ""


@pytest.mark.parametrize(
    ("one", "other", "edits"),
    [("", "", 0), ("abc", "abc", 0), ("abc", "acb", 1), ("abc", "ab", 1), ("abc", "xyz", 3)],
)
def test_swapped_letters_count_as_one(one: str, other: str, edits: int) -> None:
    assert distance(one, other) == distance(other, one) == edits


def test_the_nearest_known_word_is_meant() -> None:
    assert meant("descripton", {"description", "title"}) == "description"
    assert meant("tit", {"title"}) is None
    assert meant("unrelated", {"title"}) is None


words = st.lists(st.sampled_from("abcd"), max_size=12)


@given(words, words)
def test_an_alignment_shares_no_more_than_both_have(one: list[str], other: list[str]) -> None:
    found = aligned(one, other)

    assert 0 <= found.same <= min(len(one), len(other))
    assert found.same == aligned(other, one).same or len(one) != len(other) or found.same > 0
    assert (found.same == max(len(one), len(other))) == (one == other)
    assert found.differing <= set(one) | set(other)
    assert bool(found.differing) == (one != other)


@given(st.lists(words.map(" ".join), max_size=8))
def test_each_text_has_one_earlier_twin_at_most(texts: list[str]) -> None:
    twins = list(near_twins(texts, lambda _: True))

    assert len({twin.index for twin in twins}) == len(twins)
    assert all(twin.other < twin.index and twin.share >= 0.9 for twin in twins)


@given(st.text(st.characters(exclude_categories=()), max_size=60))
def test_text_on_one_line_hides_nothing_and_stays_as_it_is(text: str) -> None:
    shown = one_line(text)

    assert shown.isprintable()
    assert one_line(shown) == shown
    assert quoted(text).isprintable()
    assert len(quoted(text, 20)) < 60
