"""Which vectors are alike: held against any vectors, and against what a hostile API may give."""

import math
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.servers.embedding_api import vector_of
from toolproof.phases.evals.distractors import DISTRACTORS
from toolproof.phases.evals.meaning import MOST_CHARACTERS, checked, near, text_of
from toolproof.report import Tool

REFERENCES = checked(
    [vector_of(text_of(Tool(dict(entry)))) for entry in DISTRACTORS], len(DISTRACTORS)
)
NUMBERS = st.floats(allow_nan=False, allow_infinity=False)
VECTORS = st.integers(1, 6).flatmap(
    lambda size: st.lists(st.lists(NUMBERS, min_size=size, max_size=size), min_size=4, max_size=12)
)


def likeness(*texts: str) -> dict[tuple[int, int], float]:
    return near(checked([vector_of(text) for text in texts], len(texts)), REFERENCES)


def test_texts_that_say_the_same_in_other_words_are_near() -> None:
    found = likeness(
        "search files. Searches the workspace.",
        "resize image. Makes a picture smaller.",
        "find documents. Locates the folder.",
    )

    assert found.keys() == {(0, 2)}
    assert found[0, 2] > 0.5


def test_three_of_a_kind_are_three_pairs() -> None:
    found = likeness("searches files", "locates papers", "locates documents", "plays a song")

    assert found.keys() == {(0, 1), (0, 2), (1, 2)}


def test_what_all_tools_of_a_list_share_makes_no_pair() -> None:
    """Their subject: seen from the middle of the list, only the two that say the same are near."""
    subject = "alpha beta gamma delta epsilon"

    found = likeness(
        f"{subject} searches files",
        f"{subject} locates papers",
        *(f"{subject} {word} {word}s" for word in ("song", "river", "parcel", "recipe", "planet")),
    )

    assert found.keys() == {(0, 1)}


def test_what_words_tell_already_is_taken_off() -> None:
    texts = ("searches files by name", "locates papers under it", "plays a song", "draws one river")
    vectors = checked([vector_of(text) for text in texts], len(texts))

    kept = [near(vectors, REFERENCES, lambda *_, said=said: said) for said in (0.0, 0.3, 1.0)]

    assert [list(found) for found in kept] == [[(0, 1)], [(0, 1)], []]


def test_of_two_tools_none_stands_out() -> None:
    assert likeness("searches files", "locates papers") == {}


def test_the_order_of_the_tools_does_not_matter() -> None:
    texts = ["searches files", "locates papers", "plays a song", "draws one river", "a", "b c"]
    straight, turned = likeness(*texts), likeness(*reversed(texts))

    last = len(texts) - 1
    again = {(last - j, last - i): alike for (i, j), alike in turned.items()}
    assert straight.keys() == again.keys()
    assert all(math.isclose(straight[places], again[places]) for places in straight)


def test_a_text_that_the_model_does_not_know_is_like_no_other() -> None:
    nothing = [0.0] * 64

    assert not near([nothing, nothing], REFERENCES)
    assert not near([], REFERENCES)


def test_a_model_that_tells_nothing_apart_is_refused() -> None:
    with pytest.raises(ValueError, match="the same vector"):
        near([[1.0, 0.0]], [[1.0, 0.0]] * 5)


@given(VECTORS)
def test_any_numbers_make_likenesses_from_0_to_1(raw: list[list[float]]) -> None:
    vectors = checked(raw, len(raw))
    lengths = [math.hypot(*vector) for vector in vectors]
    assert all(length == 0 or abs(length - 1) < 1e-9 for length in lengths)

    with suppress(ValueError):
        found = near(vectors[:-3], vectors[-3:])
        assert all(0 < alike <= 1 and i < j for (i, j), alike in found.items())


@given(st.integers(0, len(REFERENCES) - 1), st.floats(1e-300, 1e300))
def test_the_same_text_twice_is_always_a_pair(which: int, factor: float) -> None:
    scaled = checked([[value * factor for value in REFERENCES[which]]], 1)
    others = [vector for at, vector in enumerate(REFERENCES) if at != which]

    found = near([*scaled, REFERENCES[which], *others[:4]], REFERENCES)

    assert found[0, 1] > 0.99


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4),
    max_leaves=8,
)


@given(JSON, st.integers(0, 3))
def test_whatever_an_endpoint_gives_is_numbers_or_a_sentence(raw: Any, wanted: int) -> None:
    with suppress(ValueError):
        vectors = checked(raw, wanted)
        assert len(vectors) == wanted
        assert all(math.isfinite(number) for vector in vectors for number in vector)


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        (None, "no list of vectors for 2 texts"),
        ([[1.0]], "1 vectors for 2 texts"),
        ([[1.0], "x"], "vector 2 is no list of numbers"),
        ([[1.0], []], "vector 2 is no list of numbers"),
        ([[True], [1.0]], "vector 1 holds what is no finite number"),
        ([[1.0], [10**400]], "vector 2 holds what is no finite number"),
        ([[math.inf], [1.0]], "vector 1 holds what is no finite number"),
        ([[1.0], [1.0, 2.0]], "vectors have 1 and 2 numbers"),
    ],
)
def test_what_is_wrong_with_vectors_is_said(raw: Any, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        checked(raw, 2)


def test_a_tool_is_its_name_and_its_first_sentence() -> None:
    assert text_of(Tool({"name": "getUser_byID", "description": "Finds one.\n  Slow."})) == (
        "get user by id. Finds one."
    )
    assert text_of(Tool({"name": "___"})) == "___"


@given(st.text(), st.text())
def test_any_tool_has_a_text_that_can_be_sent(name: str, description: str) -> None:
    text = text_of(Tool({"name": name + "x", "description": description * 3}))

    assert 0 < len(text) <= MOST_CHARACTERS
    text.encode("utf-8")
