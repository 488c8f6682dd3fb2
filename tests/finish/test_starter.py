"""A first config: expectations that hold tomorrow, no harmful call, and a file that reads as it was meant."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from tests.reports import hostile_texts
from tests.running import case
from toolproof.cli.init import _inputs
from toolproof.config import config_from, load_config, load_mcp_json
from toolproof.connection import McpServer
from toolproof.finish.probing import Probed, probed
from toolproof.finish.server_section import server_section
from toolproof.finish.shapes import expectations, values_by_name
from toolproof.finish.starter import SCHEMA_URL, Starter, name_of
from toolproof.finish.yaml_text import flow, in_quotes, scalar
from toolproof.phases.fuzz.safety import danger_of
from toolproof.report import Answer, CallResult, Check, Problem, Severity


def result(text: str = "", **more: Any) -> CallResult:
    raw = {"content": [{"type": "text", "text": text}] if text else [], **more}
    return CallResult(tool="t", arguments={}, latency_ms=1, reply=Answer(raw))


@pytest.mark.parametrize(
    ("results", "expected"),
    [
        ([result("some words")], {"regex": r"\S"}),
        ([result("42")], {"jsonpath": {"$": {"type": "number"}}}),
        ([result("[1]"), result('["a"]')], {"jsonpath": {"$": {"type": "array"}}}),
        ([result("[1]"), result('"a"')], {"regex": r"\S"}),
        ([result('{"a": 1, "b": "x"}')], {"jsonpath": {"$.a": {"type": "number"}, "$.b": {"type": "string"}}}),
        ([result('{"a": 1}'), result('{"a": 1.5, "b": 2}')], {"jsonpath": {"$.a": {"type": "number"}}}),
        ([result('{"a": 1}'), result('{"a": "x"}')], {"jsonpath": {"$": {"type": "object"}}}),
        ([result('{"a": null}')], {"jsonpath": {"$": {"type": "object"}}}),
        ([result('{"a b\'": true}')], {"jsonpath": {r"$['a b\'']": {"type": "boolean"}}}),
        ([result('{"\\u0000": 1, "ok": []}')], {"jsonpath": {"$.ok": {"type": "array"}}}),
        ([result(structuredContent={"a": {}})], {"jsonpath": {"$.a": {"type": "object"}}}),
        ([result(content=[{"type": "image", "mimeType": "image/png"}])], {"content": [{"type": "image", "mime_type": "image/png"}]}),
        ([result(content=[{"type": "image"}]), result(content=[{"type": "audio"}])], {"is_error": False}),
        ([result(content="odd")], {"is_error": False}),
    ],
)  # fmt: skip
def test_only_what_results_have_in_common_is_expected(
    results: list[CallResult], expected: dict[str, Any]
) -> None:
    assert expectations(results) == expected


def test_at_most_eight_members_are_expected() -> None:
    data = {f"k{number}": number for number in range(50)}

    assert len(expectations([result(structuredContent=data)])["jsonpath"]) == 8


def test_scalars_are_found_with_their_names() -> None:
    found = values_by_name(
        result(structuredContent={"items": [{"id": "a"}, {"id": 7}], "ok": True})
    )

    assert sorted(found, key=str) == [("id", "a"), ("id", 7)]


# What is called


async def tried(*command: str) -> dict[str, Probed]:
    config = config_from({"server": {"command": list(command)}})
    async with McpServer(config.server, config.base_dir) as server:
        found = await probed(server, await server.server_info(), inputs=_inputs, danger=danger_of)
    return {one.name: one for one in found}


async def test_calls_of_harmless_tools_that_succeed_are_kept(demo: list[str]) -> None:
    found = await tried(*demo)

    assert found["get_book"].arguments == {"id": "b-1"}  # as another tool's result names it
    assert found["get_book"].expect is not None
    assert found["find_isbn"].why_not.startswith("it fails: Error: no book is called")
    assert found["list_orders"].why_not == "no arguments that fit its schema were found"


@pytest.fixture
def demo() -> list[str]:
    from tests.finish.shards import SHOP  # noqa: PLC0415

    return SHOP


SERVER = """
import sys
sys.path.insert(0, {root!r})
from tests.servers.mini import serve, text
log = open({log!r}, "a")
def call(message):
    log.write(message["params"]["name"] + "\\n"); log.flush()
    if message["params"]["name"] == "hang": import time; time.sleep(60)
    if message["params"]["name"] == "die": import os; os._exit(3)
    return text("ok")
def tool(name, **more):
    return dict(name=name, description="Does " + name + ".", inputSchema={{"type": "object"}}, **more)
serve({{"tools/call": call}}, tools=[tool("delete_all"), tool("run_it"), tool("wipe", annotations={{"destructiveHint": True}}),
      tool("get_it"), tool("die", annotations={{"readOnlyHint": True}}), tool("get_more"), tool("get_it")])
"""


async def test_no_tool_that_may_do_harm_is_called_and_one_that_dies_is_left_out(
    tmp_path: Path,
) -> None:
    import sys  # noqa: PLC0415

    log = tmp_path / "calls"
    program = tmp_path / "server.py"
    root = str(Path(__file__).parents[2])
    program.write_text(SERVER.format(root=root, log=str(log)), encoding="utf-8")

    found = await tried(sys.executable, str(program))

    assert set(log.read_text("utf-8").split()) == {"get_it", "get_more", "die"}
    assert [name for name, one in found.items() if one.expect is not None] == ["get_it", "get_more"]
    assert found["delete_all"].why_not.startswith("not called: ")
    assert "exit code 3" in found["die"].why_not


async def test_resources_and_prompts_are_tried_too() -> None:
    resources = await tried(*case("behaviour/061"))
    prompts = await tried(*case("behaviour/074"))

    assert {one.what for one in resources.values()} == {"tool", "resource"}
    assert any(one.what == "prompt" for one in prompts.values())


# The file


def starter(*probes: Probed, **more: Any) -> Starter:
    return Starter(
        **{"name": "demo", "server": {"command": ["python", "s.py"]}, "probes": probes, **more}
    )


def probe(name: str = "t", what: str = "tool", **more: Any) -> Probed:
    return Probed(
        **{"what": what, "name": name, "arguments": {}, "expect": {"regex": r"\S"}, **more}
    )


def read(folder: Path, made: Starter) -> Any:
    path = folder / "toolproof.yaml"
    path.write_text(made.text(), encoding="utf-8")
    return load_config(path)


def test_the_file_says_what_it_is_to_editors_and_people(tmp_path: Path) -> None:
    made = starter(probe("a"), probe("b", expect=None, why_not="not called: it may do harm"))
    text = made.text()

    assert text.startswith(f"# yaml-language-server: $schema={SCHEMA_URL}\n")
    assert "# Tests of demo, begun by `toolproof init`." in text
    assert (
        "  # - name: b answers\n  #   tool: b\n  #   args: {}\n  #   # not called: it may do harm\n"
        in text
    )
    assert [test.name for test in read(tmp_path, made).tests] == ["a answers"]


def test_commented_tests_are_tests_once_the_signs_are_gone(tmp_path: Path) -> None:
    made = starter(probe("a"), probe("b", expect=None, arguments={"x": [1, "y, z"]}, why_not="w"))
    text = made.text().replace("\n  # - name", "\n  - name").replace("\n  #   ", "\n    ")
    path = tmp_path / "toolproof.yaml"
    path.write_text(text, encoding="utf-8")

    assert [(test.tool, dict(test.args)) for test in load_config(path).tests] == [
        ("a", {}),
        ("b", {"x": [1, "y, z"]}),
    ]


def test_without_any_test_the_file_shows_how_one_looks(tmp_path: Path) -> None:
    made = starter(probe(expect=None, why_not="it fails"))

    assert "#   - name: adds two numbers" in made.text()
    assert read(tmp_path, made).tests == ()


def test_problems_are_let_pass_one_by_one(tmp_path: Path) -> None:
    problems = [
        Problem(tool=tool, check=Check.NAME, severity=Severity.ERROR, message="m", rule="name-dot")
        for tool in ("a*b", "a*b", "*", "<index 3>")
    ]

    config = read(tmp_path, starter(probe(), ignored=problems))

    assert [(one.rule, one.tool) for one in config.checks.ignore] == [
        ("name-dot", "a[*]b"),
        ("name-dot", "*"),
        ("name-dot", "<index 3>"),
    ]


def _json() -> Iterator[Any]:
    texts = st.text() | st.sampled_from(
        ["true", "no", "1e3", "2024-01-01", "- a", "a: b", "#", "~", ""]
    )
    leaves = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | texts
    yield st.recursive(
        leaves,
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    )


@given(next(_json()))
def test_any_value_reads_back_from_one_line(value: Any) -> None:
    text = flow(value)

    assert len(text.splitlines()) <= 1 or "\n" not in text
    assert yaml.safe_load(text) == value


@given(st.integers(0, 2**32))
def test_any_names_of_a_server_make_a_config(tmp_path_factory: Any, seed: int) -> None:
    name, tool, why, server = (
        text.encode("utf-8", "replace").decode().strip() or "t" for text in hostile_texts(seed, 4)
    )
    made = starter(
        probe(tool, arguments={tool: name}),
        probe(name, what="resource", expect=None, why_not=why),
        name=server,
    )
    folder = tmp_path_factory.mktemp("hostile")

    if "${" not in tool:
        [test] = read(folder, made).tests
        assert (test.tool, test.name) == (tool, name_of(made.probes[0]))
    else:
        read(folder, made)


@pytest.mark.parametrize(
    "text",
    [
        "true",
        "No",
        "12",
        "1_000",
        "0x1F",
        "1:30",
        ".5",
        "a #b",
        "",
        " a",
        "a ",
        "[x]",
        "a: b",
        "&a",
        "*",
        "!",
        "%",
        "@",
        "`",
        "?",
        "- a",
        "null",
    ],
)
def test_what_yaml_would_take_for_something_else_is_quoted(text: str) -> None:
    assert scalar(text) == in_quotes(text)
    assert yaml.safe_load(scalar(text)) == text


# The server's section


def section(config: Any, path: Path, **more: Any) -> Any:
    return server_section(config, path, **{"headers": {}, "options": {}, **more})


def test_secrets_become_variables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REAL_TOKEN", "tok-123456")
    (tmp_path / "mcp.json").write_text(
        '{"mcpServers": {"w": {"command": "python", "args": ["s.py", "${env:REAL_TOKEN}"],'
        ' "env": {"API_KEY": "sk-123456", "MODE": "x", "OTHER": "${REAL_TOKEN}"}}}}',
        encoding="utf-8",
    )
    config = config_from({}, server=load_mcp_json(tmp_path / "mcp.json"), base_dir=tmp_path)

    made = section(config, tmp_path / "toolproof.yaml")

    assert made.keys == {
        "command": ["python", "s.py", "${REAL_TOKEN}"],
        "env": {"API_KEY": "${API_KEY}", "MODE": "x", "OTHER": "${REAL_TOKEN}"},
    }
    assert made.needed == {"API_KEY": "sk-123456"}


def test_headers_stand_as_they_were_typed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOKEN", "tok-123456")
    typed = {"Authorization": "Bearer ${TOKEN}"}
    config = config_from({"server": {"url": "http://127.0.0.1:1/mcp", "headers": typed}})

    made = section(config, tmp_path / "toolproof.yaml", headers=typed, options={"protocol": "auto"})

    assert made.keys == {
        "url": "http://127.0.0.1:1/mcp",
        "headers": {"Authorization": "Bearer ${TOKEN}"},
        "protocol": "auto",
    }
    assert made.needed == {}


def test_another_config_is_taken_over_word_for_word(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TOKEN", "tok-123456")
    old = tmp_path / "old.yaml"
    old.write_text(
        "servers: {a: {command: [x, '${TOKEN}'], cwd: sub}, b: {url: 'http://h/'}}\n", "utf-8"
    )

    made = section(load_config(old, server="a"), tmp_path / "new" / "toolproof.yaml")

    assert made.keys == {"command": ["x", "${TOKEN}"], "cwd": "../sub"}


@pytest.mark.parametrize("value", [1e5, 1e-7, 1.5e300, -0.0, float("inf"), float("-inf"), 0.1])
def test_numbers_read_back_as_numbers(value: float) -> None:
    assert yaml.safe_load(flow(value)) == value


def test_what_is_nested_without_end_becomes_a_text() -> None:
    value: Any = []
    for _ in range(200):
        value = [value]

    assert yaml.safe_load(flow(value))
    assert yaml.safe_load(flow(float("nan"))) != 0
