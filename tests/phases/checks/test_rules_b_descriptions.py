"""Quality of descriptions and titles, of parameters and their sizes."""

from typing import Any

import pytest

from tests.phases.checks.rules_b import found, pointers
from toolproof.phases.checks.examples import CITY, sample, taking
from toolproof.phases.checks.rule import listing
from toolproof.report import Problem, Severity

# description-near-duplicate


def twins(first: str, second: str, *names: str) -> list[Problem]:
    one, other = names or ("find_person", "seek_human")
    evidence = listing(sample(one, description=first), sample(other, description=second))
    return found("description-near-duplicate", evidence)


LOOK = "Look people up in the staff directory by name and return every match."


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (LOOK, LOOK),
        (LOOK, f"{LOOK[:-1]} found."),
        (LOOK, LOOK.upper()),
        (LOOK, LOOK.replace(" ", "  ").replace(".", "")),
        ("Get data.", "Get data."),
        (f"{LOOK} Now.", f"Now, {LOOK}"),
        (" ".join(f"w{n} x" for n in range(300)), " ".join(f"w{n} x" for n in range(1, 302))),
        (f"{LOOK} " * 40, f"Now {LOOK} " * 39 + LOOK + " then"),
    ],
    ids=range(8),
)
def test_descriptions_that_say_the_same_are_told_on_the_later_tool(first: str, second: str) -> None:
    [problem] = twins(first, second)

    assert problem.tool == "seek_human"
    assert "'find_person'" in problem.message


@pytest.mark.parametrize(
    ("first", "second", "names"),
    [
        ("Read a pod of this namespace by its name.", "Stop a pod of this namespace by its name.", ("pod_read", "pod_stop")),
        ("Reads one pod of this namespace by its name.", "Stops one pod of this namespace by its name.", ("pod_read", "pod_stop")),
        (f"Builds report 0. {LOOK}", f"Builds report 1. {LOOK}", ("report_00", "report_01")),
        ("Fetch one order.", "List the orders of a customer.", ("order_get", "order_list")),
        ("Convert degrees from Celsius to Fahrenheit.", "Convert degrees from Fahrenheit to Celsius.", ("c_to_f", "f_to_c")),
        (f"{LOOK} It turns Celsius to Fahrenheit.", f"{LOOK} It turns Fahrenheit to Celsius.", ("celsius_to_fahrenheit", "fahrenheit_to_celsius")),
        ("Get some data.", "Get more data.", ("one", "other")),
        ("", "", ("one", "other")),
        ("!!!", "!!!", ("one", "other")),
        (LOOK, LOOK, ("same", "same")),
    ],
)  # fmt: skip
def test_descriptions_that_can_be_told_apart_are_fine(
    first: str, second: str, names: tuple[str, str]
) -> None:
    assert twins(first, second, *names) == []


def test_each_later_twin_is_told_once() -> None:
    evidence = listing(*(sample(name, description=LOOK) for name in ("a", "b", "c")))

    assert [p.tool for p in found("description-near-duplicate", evidence)] == ["b", "c"]


def test_hundreds_of_alike_descriptions_are_each_told_once() -> None:
    """Ours: comparing all with all would take minutes."""
    words = " ".join(f"word{number}" for number in range(60))
    evidence = listing(*(sample(f"t{n}", description=f"{words} a{n + 5_000}") for n in range(600)))

    assert len(found("description-near-duplicate", evidence)) == 599


# title-duplicate


@pytest.mark.parametrize(
    ("first", "second", "pointer"),
    [
        ({"title": "Rooms"}, {"title": " rooms "}, "/title"),
        ({"title": "Rooms"}, {"annotations": {"title": "ROOMS"}}, "/annotations/title"),
        ({"annotations": {"title": "Rooms"}}, {"title": "Rooms"}, "/title"),
    ],
)
def test_a_title_that_comes_twice_is_told_on_the_later_tool(
    first: dict[str, Any], second: dict[str, Any], pointer: str
) -> None:
    [problem] = found("title-duplicate", listing(sample("a", **first), sample("b", **second)))

    assert (problem.tool, problem.pointer) == ("b", pointer)


@pytest.mark.parametrize("title", ["", " ", 7, None])
def test_a_title_that_is_none_does_not_come_twice(title: Any) -> None:
    assert pointers("title-duplicate", sample("a", title=title), sample("b", title=title)) == []


def test_the_title_that_clients_show_counts() -> None:
    both = sample("b", title="Other", annotations={"title": "Rooms"})

    assert pointers("title-duplicate", sample("a", title="Rooms"), both) == []


# description-repeats-name, param-description-missing, unbounded-size


@pytest.mark.parametrize(
    "words", ["Gets the weather.", "get weather", "Weather: get it", "WEATHER"]
)
def test_a_description_without_a_word_of_its_own_is_a_hint(words: str) -> None:
    [problem] = found("description-repeats-name", listing(sample(description=words)))

    assert problem.severity is Severity.INFO


@pytest.mark.parametrize("words", ["Gets the weather of a city.", "", "word " * 200, "..."])
def test_a_description_that_says_more_is_fine(words: str) -> None:
    assert pointers("description-repeats-name", sample(description=words)) == []


def test_a_tool_without_a_name_repeats_none() -> None:
    assert pointers("description-repeats-name", {"description": "Gets it."}) == []


def test_parameters_without_words_are_listed_in_one_hint() -> None:
    schema = taking(
        kind={"type": "string"},
        trust={"description": " "},
        told=CITY,
        odd=True,
        behind={"$ref": "#/$defs/x"},
    )

    [problem] = found("param-description-missing", listing(sample(inputSchema=schema)))

    assert problem.message == "3 parameters without a description: 'kind', 'trust', 'odd'"


def test_values_without_a_limit_are_listed_in_one_hint() -> None:
    schema = taking(
        note={"type": "string"},
        tags={"type": ["array", "null"], "items": {"type": "string", "maxLength": 20}},
        kind={"type": "string", "enum": ["a"]},
        day={"type": "string", "format": "date"},
        code={"type": "string", "pattern": "^a$"},
        few={"type": "array", "items": {"type": "string"}, "maxItems": 3},
    )

    [problem] = found("unbounded-size", listing(sample(inputSchema=schema)))

    assert problem.message == "no limit on the size of 3 values: 'note', 'tags', 'few/items'"
    assert pointers("unbounded-size", {"name": "n"}) == []
