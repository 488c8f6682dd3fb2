import time

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from toolproof.phases.evals.offline import ALL_COMPARED, confusable, suggestions, words_of
from toolproof.report import Tool
from toolproof.reporters import advice


def tool(name: str, description: str, **properties: str) -> Tool:
    schema = {
        "type": "object",
        "properties": {key: {"type": "string", "description": d} for key, d in properties.items()},
    }
    return Tool({"name": name, "description": description, "inputSchema": schema})


PEOPLE = [
    tool("find_person", "Finds a person by name and returns their contact details.", who="Name."),
    tool("seek_person", "Finds a person by name and returns contact details.", who="Name."),
    tool("get_forecast", "Returns the weather of the next five days for a city.", city="City."),
    tool("delete_invoice", "Removes an unpaid invoice for good.", id="Invoice number."),
]


def test_tools_that_say_the_same_are_found_and_others_are_not() -> None:
    [pair] = confusable(PEOPLE)

    assert (pair.first, pair.second) == ("find_person", "seek_person")
    assert pair.likeness > 0.7
    assert "seek" in pair.only[1]


def test_likeness_does_not_depend_on_the_order() -> None:
    [pair] = confusable(PEOPLE)
    [back] = confusable(PEOPLE[::-1])

    assert {pair.first, pair.second} == {back.first, back.second}
    assert abs(pair.likeness - back.likeness) < 1e-9


def test_names_are_read_as_words() -> None:
    assert words_of(tool("getUserByID", "")) == ["get", "user", "id"] * 2
    assert "forecast" in words_of(tool("list_forecasts", ""))


def test_plurals_are_their_singulars() -> None:
    many = "branches queries indexes classes sizes caches ties news bus"

    assert words_of(tool("", many)) == [
        *("branch", "query", "index", "class", "size", "cache", "tie", "new", "bus")
    ]


def test_suggestions_are_a_section_that_a_person_edits() -> None:
    text = suggestions(confusable(PEOPLE), PEOPLE)

    cases = yaml.safe_load(text)["evals"]["cases"]
    assert [case["expect_tool"] for case in cases] == ["find_person", "seek_person"]
    assert all(case["prompt"].startswith("EDIT: ") for case in cases)


def test_nothing_to_confuse_is_said_so() -> None:
    assert yaml.safe_load(suggestions([], PEOPLE))["evals"]["cases"] == []
    assert "No two of 4 tools" in advice.render([], tools=4)
    assert confusable(PEOPLE[:1]) == []


def test_the_advice_names_the_pair_and_what_tells_them_apart() -> None:
    shown = advice.render(confusable(PEOPLE), tools=4)

    assert "find_person and seek_person" in shown
    assert "only seek_person: seek" in shown


@given(st.lists(st.tuples(st.text(), st.text()), max_size=8))
def test_any_tools_can_be_compared(entries: list[tuple[str, str]]) -> None:
    tools = [Tool({"name": name, "description": text}) for name, text in entries]

    pairs = confusable(tools)
    yaml.safe_load(suggestions(pairs, tools))

    assert all(0 <= pair.likeness <= 1 for pair in pairs)


@pytest.mark.parametrize(("others", "found"), [(60, True), (ALL_COMPARED, False)])
def test_few_tools_are_all_compared_whatever_words_they_share(others: int, found: bool) -> None:
    """Issue #7: what many say, said alike, makes two alike, though each has rare words of its own."""
    common = "Reads one resource of the cluster by its kind, name and namespace."
    rare = [[f"{letter}{end}x" for letter in "bcdfghjklmnpq"] for end in "ae"]
    tools = [tool(words[0], f"{common} {common} {' '.join(words)}") for words in rare]
    crowd = [tool(f"{chr(97 + at % 26)}{chr(97 + at // 26)}yy", common) for at in range(others)]

    pairs = confusable([*tools, *crowd], least=0.0, most=10**6)

    assert ((rare[0][0], rare[1][0]) in {(pair.first, pair.second) for pair in pairs}) is found


def test_a_thousand_tools_are_compared_without_comparing_all_with_all() -> None:
    tools = [
        tool(f"tool_{i}", f"Handles item {i} of the kind {i % 97} in store.") for i in range(1000)
    ]
    began = time.process_time()

    confusable(tools)

    assert time.process_time() - began < 60  # a bound against hanging, no measurement
