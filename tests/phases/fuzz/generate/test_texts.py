"""Texts that fit lengths, formats and encodings, and texts that just do not."""

from random import Random
from typing import Any

import pytest

from toolproof.judgement.facts import Facts
from toolproof.phases.fuzz.generate.formats import ENCODED, FORMATS
from toolproof.phases.fuzz.generate.plausible import liked_number, liked_text, words_of
from toolproof.phases.fuzz.generate.texts import (
    TextRules,
    desperate_texts,
    random_text,
    text_choices,
    wrong_texts,
)
from toolproof.schemas import Validator

REGISTERED = [name for name, samples in FORMATS.items() if samples.wrong]


def rules(schema: dict[str, Any], **more: Any) -> TextRules:
    facts = Facts()
    facts.absorb(schema)
    return TextRules(facts, **more)


def texts(found: Any) -> dict[str, str]:
    return {choice.word: choice.value for choice in found}


@pytest.mark.parametrize("name", REGISTERED)
def test_right_and_wrong_samples_of_a_format_are_what_they_say(name: str) -> None:
    validator = Validator({"format": name}, formats=True)
    samples = FORMATS[name]

    assert [text for text, _ in samples.right if not validator.fits(text)] == []
    assert [text for text, _ in samples.wrong if validator.fits(text)] == []


@pytest.mark.parametrize("name", ENCODED)
def test_right_samples_of_an_encoding_fit(name: str) -> None:
    schema = {"$schema": "http://json-schema.org/draft-07/schema#", "contentEncoding": name}
    validator = Validator(schema)

    assert [text for text, _ in ENCODED[name].right if not validator.fits(text)] == []


def test_all_formats_that_json_schema_registers_are_known() -> None:
    """Spec: JSON Schema 2020-12 validation, 7.3."""
    assert set(REGISTERED) == {
        "date-time", "date", "time", "duration", "email", "idn-email", "hostname", "idn-hostname",
        "ipv4", "ipv6", "uri", "uri-reference", "iri", "iri-reference", "uuid", "uri-template",
        "json-pointer", "relative-json-pointer", "regex",
    }  # fmt: skip


def test_free_texts_are_tried_at_their_lengths() -> None:
    found = texts(text_choices(rules({"minLength": 2, "maxLength": 5}), "Toronto"))

    assert found == {
        "plain": "Toron",
        "letter outside ASCII": "éa",
        "blank": "  ",
        "maximum length": "aaaaa",
        "minimum length": "aa",
        "minimum length and one": "aaa",
        "maximum length less one": "aaaa",
    }


def test_a_text_without_letters_has_no_letter() -> None:
    assert texts(text_choices(rules({"maxLength": 0}), "a")) == {
        "plain": "",
        "empty": "",
        "maximum length": "",
    }


def test_lengths_beyond_what_is_made_are_left_out() -> None:
    assert "maximum length" not in texts(text_choices(rules({"maxLength": 10**9}), "a"))
    assert texts(text_choices(rules({"minLength": 10**9}), "a")) == {}
    assert "too long" not in texts(wrong_texts(rules({"maxLength": 10**9}), ["a"]))


def test_a_format_that_nobody_registers_does_not_keep_other_texts_out() -> None:
    found = texts(text_choices(rules({}, formats=["byte"]), "a"))

    assert found["base64"] == "YQ=="
    assert "letter outside ASCII" in found


def test_wrong_texts_are_one_letter_too_short_or_too_long() -> None:
    found = texts(wrong_texts(rules({"minLength": 3, "maxLength": 5}), ["abcd"]))

    assert (found["too short"], found["empty"], found["too long"]) == ("ab", "", "abcdaa")


def test_wrong_encodings_are_proposed() -> None:
    assert "%%%" in texts(wrong_texts(rules({}, encodings=["base64", "x"]), [])).values()


def test_random_texts_keep_to_lengths_and_samples() -> None:
    rng = Random(5)

    assert all(
        2 <= len(random_text(rules({"minLength": 2, "maxLength": 4}), rng)) <= 4 for _ in range(99)
    )
    assert random_text(rules({}, formats=["ipv4"]), rng) in dict(FORMATS["ipv4"].right)
    assert random_text(rules({}, encodings=["x"]), rng) is not None
    assert random_text(rules({}, patterns=["^a{3}$"]), rng) == "aaa"


def test_desperate_texts_are_the_same_each_time() -> None:
    pattern = rules({}, patterns=["^[a-z]{3}$"])

    assert texts(desperate_texts(pattern)) == texts(desperate_texts(pattern))


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("startDate", "2024-02-29"),
        ("file_paths", "a.txt"),
        ("imageURL", "https://example.com/"),
        ("userId", "1"),
        ("anything", "a"),
        ("", "a"),
    ],
)
def test_a_name_tells_what_is_wanted(name: str, text: str) -> None:
    assert liked_text(name) == text


def test_words_of_a_name_are_read_from_its_end() -> None:
    assert words_of("startDate_UTC") == ["utc", "date", "start"]
    assert liked_number("page_limit") == 10
    assert liked_number("x") == 1
