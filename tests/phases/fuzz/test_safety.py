from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolproof.phases.fuzz.safety import danger_of, why_skipped
from toolproof.report import Tool

ALL = SimpleNamespace(tools=(), skip=(), include_destructive=False)


def tool(name: str, description: str = "", fields: Any = None, **annotations: Any) -> Tool:
    raw: dict[str, Any] = {"name": name, "description": description}
    if annotations:
        raw["annotations"] = annotations
    if fields is not None:
        raw["inputSchema"] = {"type": "object", "properties": fields}
    return Tool(raw)


@pytest.mark.parametrize(
    "name",
    [
        *("deleteFile", "write_query", "run_task", "add_task", "enable_task", "generate_keys"),
        *("task_delete", "pods_exec", "create-note", "send.mail", "reset", "shell", "checkout"),
    ],
)
def test_a_tool_without_annotations_whose_name_acts_is_skipped(name: str) -> None:
    assert danger_of(tool(name)) is not None


@pytest.mark.parametrize(
    "name",
    [
        *("get_weather", "list_tasks", "searchFiles", "math_power", "string_replace", "echo"),
        *("query_task_result", "convert_time", "format_date", "read_deleted_items", "describe_run"),
    ],
)
def test_a_tool_whose_name_reads_is_fuzzed(name: str) -> None:
    assert danger_of(tool(name, "Deletes nothing, and will send nothing.")) is None


@pytest.mark.parametrize(
    ("description", "acts"),
    [
        ("Deletes the given file.", True),
        ("Copies a file to another place.", True),
        ("Pushes the branch.", True),
        ("Cleans up. It will permanently delete old rows.", True),
        ("The message will be sent at once.", True),
        ("Set of all primes below n.", False),
        ("Schedule of the trains.", False),
        ("Works out a route between two places.", False),
        ("", False),
    ],
)
def test_a_description_tells_where_the_name_does_not(description: str, *, acts: bool) -> None:
    assert (danger_of(tool("thing_maker", description)) is not None) is acts


def test_adding_numbers_is_no_deed_and_adding_tasks_is() -> None:
    number = {"type": "number"}

    assert danger_of(tool("add", fields={"a": number, "b": number})) is None
    assert danger_of(tool("add", fields={"a": number, "b": {"type": "string"}})) is not None
    assert danger_of(tool("add", fields={})) is not None


@pytest.mark.parametrize(
    ("annotations", "skipped"),
    [
        ({"destructiveHint": True}, True),
        ({"destructiveHint": True, "readOnlyHint": True}, True),
        ({"readOnlyHint": True}, False),
        ({"destructiveHint": False}, False),
        ({"readOnlyHint": False, "destructiveHint": False}, False),
        ({"readOnlyHint": False}, True),
        ({"readOnlyHint": "yes"}, False),
        ({"idempotentHint": True}, False),
    ],
)
def test_annotations_decide_where_they_tell(annotations: dict[str, Any], *, skipped: bool) -> None:
    assert (danger_of(tool("thing", **annotations)) is not None) is skipped


def test_a_read_only_tool_that_deletes_by_its_name_is_not_trusted() -> None:
    why = danger_of(tool("delete_file", readOnlyHint=True))

    assert why == "it says that it is read-only, but its name begins with 'delete'"


def test_a_skip_says_the_way_in() -> None:
    why = why_skipped(tool("delete_file"), ALL)

    assert why is not None
    assert why.endswith("fuzz it with --tool NAME or --include-destructive")


def test_a_named_tool_is_fuzzed_whatever_it_says_and_no_other() -> None:
    wishes = SimpleNamespace(tools=("delete_*",), skip=(), include_destructive=False)

    assert why_skipped(tool("delete_file", destructiveHint=True), wishes) is None
    assert why_skipped(tool("get_file"), wishes) == "it is none of the tools that were asked for"


def test_skip_wins_over_everything() -> None:
    wishes = SimpleNamespace(tools=("*",), skip=("get_?ile",), include_destructive=True)

    assert why_skipped(tool("get_file"), wishes) == "fuzz.skip leaves it out"


def test_destructive_tools_can_be_asked_for_all_together() -> None:
    wishes = SimpleNamespace(tools=(), skip=(), include_destructive=True)

    assert why_skipped(tool("delete_file", destructiveHint=True), wishes) is None


def test_a_tool_that_needs_the_task_extension_cannot_be_called() -> None:
    needing = Tool({"name": "research", "execution": {"taskSupport": "required"}})

    assert "task extension" in (why_skipped(needing, ALL) or "")
    assert (
        why_skipped(Tool({"name": "research", "execution": {"taskSupport": "optional"}}), ALL)
        is None
    )


def test_an_entry_without_a_name_cannot_be_called() -> None:
    assert "no name" in (why_skipped(Tool(["odd"]), ALL) or "")


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.floats() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=9), inner, max_size=3)
    ),
    max_leaves=8,
)


@given(
    st.fixed_dictionaries(
        {},
        optional=dict.fromkeys(
            ("name", "description", "annotations", "inputSchema", "execution"), ANYTHING
        ),
    )
)
def test_no_definition_makes_it_raise(raw: dict[str, Any]) -> None:
    why = why_skipped(Tool(raw), ALL)

    assert why is None or isinstance(why, str)


@pytest.mark.parametrize(
    ("name", "description", "fields", "acts"),
    [
        ("evaluate", "Executes a command in the session.", {"input": {}}, True),
        ("evaluate_script", "", {"function": {}}, True),
        ("evaluate", "", {"javaScript": {}, "code": {}}, True),
        ("evaluate", "Works out a formula.", {"expression": {}}, False),
        ("evaluate_answer", "Compares an answer with the one expected.", None, False),
    ],
)
def test_what_evaluates_code_runs_it(
    name: str, description: str, fields: Any, *, acts: bool
) -> None:
    assert (danger_of(tool(name, description, fields)) is not None) is acts
