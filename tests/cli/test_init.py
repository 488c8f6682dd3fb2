"""`toolproof init`: a config that is green on its first run, made without harm."""

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.cli.commanding import SHOP, Here, config
from tests.servers.from_file import command
from toolproof.cli.init import change_of
from toolproof.report import Tool

NAME = "toolproof.yaml"


def tool(name: str, properties: dict[str, Any] | None = None, **annotations: bool) -> Any:
    schema = {"type": "object", "properties": properties or {}, "required": list(properties or {})}
    entry = {"name": name, "description": f"Looks at the {name}.", "inputSchema": schema}
    return {**entry, "annotations": annotations} if annotations else entry


def served(folder: Path, *tools: Any) -> list[str]:
    """The command of a server with these tools."""
    (folder / "tools.json").write_text(json.dumps(tools), encoding="utf-8")
    return command(folder / "tools.json")


def kept_in(folder: Path) -> dict[str, Any]:
    found = yaml.safe_load((folder / NAME).read_text("utf-8"))
    return {test["tool"]: test for test in found.get("tests") or ()}


def test_the_config_is_green_on_its_first_run(here: Here) -> None:
    made = here("init", "--", *SHOP)

    assert made.code == 0
    assert "toolproof.yaml written: 5 tests, green on the first run\n" in made.stdout
    assert "2 problems of the static checks let pass under 'checks': mend them" in made.stdout
    assert "without a test: list_orders, stock_level" in made.stdout
    assert made.stdout.endswith("Next: toolproof run\n")
    assert here("run").code == 0


def test_only_tools_that_read_are_called(here: Here) -> None:
    tools = [
        tool("get_it"),
        tool("add_note", readOnlyHint=False, destructiveHint=False),
        tool("store_it", destructiveHint=False),
        tool("find_it", destructiveHint=False),
        tool("look_it_up", readOnlyHint=True),
    ]

    made = here("init", "--", *served(here.folder, *tools))

    assert made.code == 0
    called = set((here.folder / "tools.json.calls").read_text("utf-8").split())
    assert called == {"get_it", "find_it", "look_it_up"}
    text = (here.folder / NAME).read_text("utf-8")
    assert "# not called: it says that it is not read-only (readOnlyHint)" in text
    assert "# not called: it does not say that it is read-only, and its name begins with" in text


@pytest.mark.parametrize(
    ("name", "annotations", "why"),
    [
        ("get_it", {}, None),
        ("get_it", {"readOnlyHint": True}, None),
        ("get_it", {"destructiveHint": False}, None),
        ("get_it", {"readOnlyHint": False, "destructiveHint": False}, "not read-only"),
        ("get_it", {"destructiveHint": True}, "destructive"),
        ("create_it", {"destructiveHint": False}, "begins with 'create'"),
        ("delete_it", {"readOnlyHint": True}, "begins with 'delete'"),
        ("run_it", {}, "begins with 'run'"),
        ("get_it", {"readOnlyHint": "no", "destructiveHint": 0}, None),
    ],
)
def test_a_doubt_is_enough_to_leave_a_tool_alone(
    name: str, annotations: dict[str, Any], why: str | None
) -> None:
    said = change_of(Tool(index=0, raw={**tool(name), "annotations": annotations}))

    assert said is None if why is None else why in (said or "")


def test_a_folder_of_the_command_line_is_tried_where_a_path_is_asked_for(here: Here) -> None:
    program = served(here.folder, tool("read_folder", {"path": {"type": "string"}}))

    made = here(
        "init", "--", *program, f"--root={here.folder}", "/no/such/folder", "/" + "x" * 5000
    )

    assert made.code == 0
    assert kept_in(here.folder)["read_folder"]["args"] == {"path": str(here.folder)}


def test_a_test_that_breaks_a_rule_is_taken_out_again(here: Here) -> None:
    made = here("init", "--", *served(here.folder, tool("get_it"), tool("noisy")))

    assert made.code == 0
    assert list(kept_in(here.folder)) == ["get_it"]
    assert "# stdout-pollution: " in (here.folder / NAME).read_text("utf-8")


def test_without_a_call_that_works_the_static_checks_are_left(here: Here) -> None:
    made = here("init", "-o", "new/t.yaml", "--", *served(here.folder, tool("send_it")))

    assert made.code == 0
    assert "new/t.yaml written: the static checks alone, green on the first run\n" in made.stdout
    assert made.stdout.endswith("Next: toolproof run new/t.yaml\n")
    assert here("run", "new/t.yaml").code == 0


def test_a_file_that_is_there_is_kept_unless_it_is_given_up(here: Here) -> None:
    config(here.folder, "tests: []\n")
    before = (here.folder / NAME).read_text("utf-8")

    kept = here("init", "--", *SHOP)
    again = here("init", "--force")

    assert kept.code == 2
    assert "toolproof.yaml: it is there already, and would be written over" in kept.stderr
    assert again.code == 0
    assert (here.folder / NAME).read_text("utf-8") != before


def test_a_server_that_does_not_start_leaves_no_file(here: Here) -> None:
    made = here("init", "--", "no-such-program")

    assert made.code == 3
    assert '"no-such-program" was not found' in made.stderr
    assert not (here.folder / NAME).exists()


def test_one_server_of_several_is_to_be_named(here: Here) -> None:
    one = json.dumps(SHOP)
    (here.folder / "all.yaml").write_text(
        f"servers: {{a: {{command: {one}}}, b: {{command: {one}}}}}\n", encoding="utf-8"
    )

    several = here("init", "-c", "all.yaml")
    single = here("init", "-c", "all.yaml", "--server", "b", "--debug", "wire.jsonl")

    assert several.code == 2
    assert "all.yaml: the config has several servers: a, b" in several.stderr
    assert single.code == 0
    assert (here.folder / "wire.jsonl").stat().st_size > 0


def test_a_secret_of_the_command_line_becomes_a_variable(here: Here) -> None:
    servers = {"w": {"command": SHOP[0], "args": SHOP[1:], "env": {"API_KEY": "sk-123456"}}}
    (here.folder / "mcp.json").write_text(json.dumps({"mcpServers": servers}), encoding="utf-8")

    made = here("init", "--mcp-json", "mcp.json")

    assert made.code == 0
    assert "Set API_KEY before the next run: its value is not in the file.\n" in made.stdout
    assert "sk-123456" not in (here.folder / NAME).read_text("utf-8")
    assert here("run").code == 2
    assert here("run", API_KEY="sk-123456").code == 0
