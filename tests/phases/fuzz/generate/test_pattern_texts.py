"""Texts written from the parts of an expression."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolproof.phases.fuzz.generate.pattern_texts import matching, near_misses, random_match
from toolproof.schemas import SchemaError, Validator

PATTERNS = [
    "^[a-z]+$",
    "^(foo|bar|bazz){1,3}$",
    r"^\d{4}-\d{2}-\d{2}$",
    r"^(?=.*[A-Z])(?=.*\d).{8,}$",
    "^(?!admin)[a-z]{3,10}$",
    "^(a+)+$",
    r"^[^\s@]+@[^\s@]+\.[^\s@]+$",
    r"\S",
    r"^\p{L}+$",
    r"^\p{Lu}\P{L}$",
    r"^(\w)\1$",
    r"^(?<q>['\"])x\k<q>$",
    "^[A-Za-z0-9_-]{1,64}$",
    "(?<=a)b",
    r"^#(?:[0-9a-fA-F]{3}){1,2}$",
    "^https?://",
    "^$",
    "a|b|c|d|e|f|g|h",
    r"^[\u4e00-\u9fff]+$",
    "^[^a-z]$",
    r"^\W\D\S$",
    "^.{3}$",
    r"^\x41\u0042\u{43}$",
]


def fits(pattern: str, text: str) -> bool:
    return Validator({"pattern": pattern}).fits(text)


@pytest.mark.parametrize("pattern", PATTERNS)
def test_every_planned_text_matches(pattern: str) -> None:
    samples = list(matching(pattern))

    assert samples
    assert [sample for sample in samples if not fits(pattern, sample.text)] == []


@pytest.mark.parametrize("pattern", PATTERNS)
def test_nearly_every_random_text_matches(pattern: str) -> None:
    rng = Random(1)
    texts = [random_match(pattern, rng) for _ in range(50)]

    assert sum(text is not None and fits(pattern, text) for text in texts) >= 45


@pytest.mark.parametrize("pattern", [p for p in PATTERNS if p != r"\S"])
def test_some_near_miss_does_not_match(pattern: str) -> None:
    text = next(matching(pattern)).text

    assert any(not fits(pattern, miss.text) for miss in near_misses(text))


def test_each_alternative_is_taken_once() -> None:
    texts = {sample.text for sample in matching("^(red|green|blue)$")}

    assert texts == {"red", "green", "blue"}


def test_a_length_is_met_exactly_where_the_pattern_allows_it() -> None:
    lengths = {sample.word: len(sample.text) for sample in matching("^[a-z]+$", 5, 40)}

    assert lengths["shortest"] == 5
    assert lengths["maximum length"] == 40


def test_random_texts_differ() -> None:
    rng = Random(3)

    assert len({random_match("^[a-z]+[0-9]*$", rng) for _ in range(50)}) > 25


@pytest.mark.parametrize(
    "pattern",
    [
        "^(a{1000}){1000}$",
        "^(((a{100}){100}){100}){100}$",
        "^((((a?){100}){100}){100}){100}$",
        "(" * 60 + "a" + ")" * 60,
        "(" * 45 + "a?" + ")*" * 45,
        "[",
        "a" * 200_000,
        "(?P<x>a)",
    ],
)
def test_what_is_too_large_or_no_expression_gives_nothing_or_ends(pattern: str) -> None:
    rng = Random(0)

    assert all(len(sample.text) <= 20_000 for sample in matching(pattern))
    assert len(random_match(pattern, rng) or "") <= 20_000


@given(
    st.recursive(
        st.sampled_from(["a", ".", r"\d", "[a-c]", "[^x]", r"\b", "^", "$", r"\p{L}", "é", r"\."]),
        lambda inner: st.one_of(
            st.lists(inner, min_size=1, max_size=3).map("".join),
            st.lists(inner, min_size=1, max_size=3).map(lambda parts: f"({'|'.join(parts)})"),
            inner.map(lambda part: f"(?:{part})*"),
            inner.map(lambda part: f"(?:{part}){{2,3}}"),
            inner.map(lambda part: f"(?={part})"),
            inner.map(lambda part: f"(?<!{part})"),
        ),
        max_leaves=8,
    ),
    st.integers(0, 50),
)
def test_any_expression_gives_texts_and_never_raises(pattern: str, seed: int) -> None:
    try:
        Validator({"pattern": pattern})
    except SchemaError:
        return
    for sample in matching(pattern, 0, 30):
        assert isinstance(sample.text, str)
    random_match(pattern, Random(seed))
