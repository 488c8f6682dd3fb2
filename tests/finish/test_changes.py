"""How a server's surface changed, and the file that it is kept in."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from tests.reports import servers
from toolproof.errors import ConfigError
from toolproof.finish.changes import Change, Kind, changes
from toolproof.finish.compared import Compared, changes_since
from toolproof.finish.surface import lock_text, read_lock, surface_of
from toolproof.report import Listed, ServerInfo, Tool

ECHO = {
    "name": "echo",
    "description": "Returns the text.",
    "inputSchema": {
        "type": "object",
        "properties": {"text": {"type": "string", "maxLength": 100}},
        "required": ["text"],
    },
}
PROMPT = {"name": "sum", "description": "Sums up.", "arguments": [{"name": "style"}]}
RESOURCE = {"uri": "doc://a", "name": "a", "mimeType": "text/plain"}


def server(
    *tools: Any,
    resources: Sequence[Any] = (),
    resource_templates: Sequence[Any] = (),
    prompts: Sequence[Any] = (),
    capabilities: Any = None,
    instructions: str | None = None,
) -> ServerInfo:
    return ServerInfo(
        tools=tuple(Tool(raw, index) for index, raw in enumerate(tools)),
        resources=listed(resources),
        resource_templates=listed(resource_templates),
        prompts=listed(prompts),
        capabilities=capabilities or {},
        instructions=instructions,
    )


def listed(raws: Sequence[Any]) -> tuple[Listed, ...]:
    return tuple(Listed(raw, index) for index, raw in enumerate(raws))


def told(old: ServerInfo, new: ServerInfo) -> list[tuple[str, str, str]]:
    found = changes(surface_of(old), surface_of(new))
    return [(str(one.kind), one.pointer, f"{one.subject}: {one.message}") for one in found]


def tool(**changed: Any) -> dict[str, Any]:
    return {key: value for key, value in {**ECHO, **changed}.items() if value is not None}


def test_nothing_changed_is_nothing_told() -> None:
    info = server(ECHO, prompts=[PROMPT], resources=[RESOURCE], instructions="Be kind.")

    assert told(info, info) == []


def test_tools_that_come_and_go() -> None:
    assert told(server(ECHO), server({**ECHO, "name": "a/b"})) == [
        ("breaking", "/tools/echo", "echo: the tool is gone"),
        ("additive", "/tools/a~1b", "a/b: the tool is new"),
    ]


def test_the_order_of_tools_says_nothing() -> None:
    other = {**ECHO, "name": "other"}

    assert told(server(ECHO, other), server(other, ECHO)) == []


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ({"description": "Gives the text."}, ("routing", "/tools/echo/description")),
        ({"title": "Echo"}, ("cosmetic", "/tools/echo/title")),
        ({"icons": []}, ("cosmetic", "/tools/echo/icons")),
        ({"outputSchema": {"type": "object"}}, ("additive", "/tools/echo/outputSchema")),
        ({"annotations": {"readOnlyHint": True}}, ("additive", "/tools/echo/annotations/readOnlyHint")),
        ({"annotations": {"destructiveHint": False}}, ("additive", "/tools/echo/annotations/destructiveHint")),
        ({"annotations": {"destructiveHint": True}}, None),
        ({"annotations": {"title": "E"}}, ("cosmetic", "/tools/echo/annotations/title")),
        ({"execution": {"taskSupport": "required"}}, ("breaking", "/tools/echo/execution/taskSupport")),
        ({"execution": {"taskSupport": "optional"}}, ("additive", "/tools/echo/execution/taskSupport")),
        ({"execution": {"more": 1}}, ("cosmetic", "/tools/echo/execution/more")),
    ],
)  # fmt: skip
def test_parts_of_a_tool(changed: dict[str, Any], expected: tuple[str, str] | None) -> None:
    found = told(server(ECHO), server(tool(**changed)))

    assert [one[:2] for one in found] == ([expected] if expected else [])


def test_what_is_undone_breaks() -> None:
    safe = tool(
        annotations={"readOnlyHint": True, "openWorldHint": False},
        outputSchema={"type": "object"},
        execution={"taskSupport": "optional"},
    )

    assert {one[0] for one in told(server(safe), server(ECHO))} == {"breaking"}


def test_an_input_may_only_get_wider_and_an_output_only_narrower() -> None:
    def both(most: int) -> ServerInfo:
        schema = {"type": "object", "properties": {"n": {"type": "integer", "maximum": most}}}
        return server(tool(inputSchema=schema, outputSchema=schema))

    kinds = {one[1].split("/")[3]: one[0] for one in told(both(9), both(5))}
    reverse = {one[1].split("/")[3]: one[0] for one in told(both(5), both(9))}

    assert kinds == {"inputSchema": "breaking", "outputSchema": "additive"}
    assert reverse == {"inputSchema": "additive", "outputSchema": "breaking"}


def test_a_parameter_by_its_name_with_what_became_of_it() -> None:
    schema = {
        "type": "object",
        "properties": {
            "text": {"type": "string", "maxLength": 100, "description": "New words."},
            "loud": {"type": "boolean", "default": False},
        },
        "required": ["text"],
    }

    assert told(server(ECHO), server(tool(inputSchema=schema))) == [
        (
            "routing",
            "/tools/echo/inputSchema/properties/text/description",
            "echo: text: its description changed",
        ),
        ("additive", "/tools/echo/inputSchema/properties/loud", "echo: loud: it is new"),
    ]


def test_what_no_longer_fits_is_shown_where_it_is_known() -> None:
    old, new = surface_of(server(ECHO)), surface_of(server(tool(inputSchema={"type": "array"})))

    found = changes(old, new, witness=lambda _old, _new: {"text": "a"})

    assert 'accepted before, and not now: {"text": "a"}' in found[0].message
    assert sum("accepted before" in one.message for one in found) == 1


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ({"arguments": []}, [("breaking", "/prompts/sum/arguments/0")]),
        ({"arguments": [{"name": "style", "required": True}]}, [("breaking", "/prompts/sum/arguments/0/required")]),
        ({"arguments": [{"name": "style", "description": "x"}]}, [("routing", "/prompts/sum/arguments/0/description")]),
        ({"arguments": [{"name": "style"}, {"name": "n"}]}, [("additive", "/prompts/sum/arguments/1")]),
        ({"arguments": [{"name": "style"}, {"name": "n", "required": True}]}, [("breaking", "/prompts/sum/arguments/1")]),
        ({"description": "x"}, [("routing", "/prompts/sum/description")]),
        ({"arguments": "odd"}, [("breaking", "/prompts/sum/arguments/0")]),
        ({"_meta": {}}, [("cosmetic", "/prompts/sum/_meta")]),
    ],
)  # fmt: skip
def test_parts_of_a_prompt(changed: dict[str, Any], expected: list[tuple[str, str]]) -> None:
    old, new = server(prompts=[PROMPT]), server(prompts=[{**PROMPT, **changed}])

    assert [one[:2] for one in told(old, new)] == expected


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ({"mimeType": "text/html"}, ("breaking", "/resources/doc:~1~1a/mimeType")),
        ({"description": "A."}, ("routing", "/resources/doc:~1~1a/description")),
        ({"name": "b"}, ("cosmetic", "/resources/doc:~1~1a/name")),
        ({"size": 7}, ("cosmetic", "/resources/doc:~1~1a/size")),
    ],
)
def test_parts_of_a_resource(changed: dict[str, Any], expected: tuple[str, str]) -> None:
    old, new = server(resources=[RESOURCE]), server(resources=[{**RESOURCE, **changed}])

    assert [one[:2] for one in told(old, new)] == [expected]


def test_templates_are_known_by_their_uri() -> None:
    template = {"uriTemplate": "doc://{id}", "name": "doc"}

    [[kind, pointer, _]] = told(server(resource_templates=[template]), server())
    assert (kind, pointer) == ("breaking", "/resource_templates/doc:~1~1{id}")


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ({}, {"tools": {}}, ("additive", "/capabilities/tools")),
        ({"tools": {}}, {}, ("breaking", "/capabilities/tools")),
        ({"tools": {}}, {"tools": {"listChanged": True}}, ("additive", "/capabilities/tools/listChanged")),
        ({"tools": {"listChanged": True}}, {"tools": {}}, ("breaking", "/capabilities/tools/listChanged")),
    ],
)  # fmt: skip
def test_capabilities(old: Any, new: Any, expected: tuple[str, str]) -> None:
    found = told(server(capabilities=old), server(capabilities=new))

    assert [one[:2] for one in found] == [expected]


@pytest.mark.parametrize(
    ("old", "new", "words"), [("a", "b", "changed"), (None, "b", "new"), ("a", None, "gone")]
)
def test_instructions_are_what_a_model_reads(old: Any, new: Any, words: str) -> None:
    [[kind, pointer, message]] = told(server(instructions=old), server(instructions=new))

    assert (kind, pointer) == ("routing", "/instructions")
    assert words in message


def test_definitions_that_are_none_are_kept_and_compared() -> None:
    old = server(7, ECHO, ECHO, {"name": ""}, None)
    new = server(8, ECHO, tool(title="t"), {"name": ""}, None)

    assert list(surface_of(old)["tools"]) == [
        "<index 0>",
        "echo",
        "echo (2)",
        "<index 3>",
        "<index 4>",
    ]
    assert [one[:2] for one in told(old, new)] == [
        ("breaking", "/tools/<index 0>"),
        ("cosmetic", "/tools/echo (2)/title"),
    ]


def test_the_worst_comes_first() -> None:
    assert [kind.rank for kind in (Kind.BREAKING, Kind.ROUTING, Kind.ADDITIVE, Kind.COSMETIC)] == [
        0, 1, 2, 3,
    ]  # fmt: skip


# The file


@given(servers)
def test_any_surface_is_read_back_as_it_was_written(info: ServerInfo) -> None:
    surface = surface_of(info)
    text = lock_text({"": surface})

    assert lock_text({"": json.loads(text)}) == text
    assert text == lock_text({"": surface_of(info)})
    text.encode("utf-8")


def test_the_file_is_sorted_and_ends_with_a_line(tmp_path: Path) -> None:
    text = lock_text({"": surface_of(server(ECHO))})
    path = tmp_path / "toolproof.lock"
    path.write_text(text, encoding="utf-8")

    lock = read_lock(path)

    assert list(json.loads(text)) == sorted(json.loads(text))
    assert text.endswith("}\n")
    assert lock_text(lock.lock) == text
    steps = ("tools", "echo", "inputSchema", "properties", "text", "maxLength")
    assert "maxLength" in text.splitlines()[lock.line_of(steps) - 1]
    assert lock.line_of(("nowhere",)) == 1


def test_several_servers_stand_by_their_names(tmp_path: Path) -> None:
    path = tmp_path / "toolproof.lock"
    path.write_text(lock_text({"a": surface_of(server(ECHO)), "b": surface_of(server())}), "utf-8")
    lock = read_lock(path)

    [one] = changes_since(lock, {"a": surface_of(server())}, lambda _old, _new: None)

    assert one.pointer == "/servers/a/tools/echo"
    with pytest.raises(ConfigError, match="it has nothing of server 'c'"):
        changes_since(lock, {"c": surface_of(server())}, lambda _old, _new: None)
    with pytest.raises(ConfigError, match="it is of several servers"):
        changes_since(lock, {"": surface_of(server())}, lambda _old, _new: None)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "it is no JSON"),
        ("{\n  x\n}", "toolproof.lock:2: it is no JSON"),
        ("[]", "expected a lock of version 1, got null"),
        ('{"version": 2}', "expected a lock of version 1, got 2"),
        ("1" * 5000, "it is no lock of toolproof"),
        ("[" * 100_000, "it is no lock of toolproof"),
    ],
)
def test_what_is_no_lock_is_refused(tmp_path: Path, text: str, words: str) -> None:
    path = tmp_path / "toolproof.lock"
    path.write_text(text, encoding="utf-8")

    with pytest.raises(ConfigError, match=words):
        read_lock(path)


def test_a_lock_with_odd_parts_counts_as_without_them(tmp_path: Path) -> None:
    path = tmp_path / "toolproof.lock"
    path.write_text('{"version": 1, "tools": [], "instructions": 7}', encoding="utf-8")

    assert changes_since(read_lock(path), {"": surface_of(server())}, lambda _o, _n: None) == []


def compared(least: Kind | None, *kinds: Kind) -> Compared:
    found = [Change(kind, ("tools", "a"), "a\n", "it\x1b changed") for kind in kinds]
    return Compared(name="toolproof.lock", old=None, found=found, least=least)


@pytest.mark.parametrize(
    ("least", "code"),
    [(Kind.BREAKING, 0), (Kind.ROUTING, 1), (Kind.ADDITIVE, 1), (Kind.COSMETIC, 1), (None, 0)],
)
def test_what_fails_is_what_was_asked_for_and_worse(least: Kind | None, code: int) -> None:
    assert compared(least, Kind.ROUTING, Kind.COSMETIC).code == code


def test_each_change_is_one_line_whatever_it_quotes() -> None:
    [line] = compared(None, Kind.BREAKING).lines(color=False)
    [colored] = compared(None, Kind.BREAKING).lines(color=True)

    assert line == "toolproof.lock:1: breaking a↵: it\\u{1B} changed, at /tools/a"
    assert "\x1b[31;1mbreaking\x1b[0m" in colored
