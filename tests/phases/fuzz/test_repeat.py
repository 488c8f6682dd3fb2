"""The one line that repeats a call."""

from pathlib import Path
from typing import Any

import pytest

from toolproof.config import Config, config_from, load_config
from toolproof.phases.fuzz.generate import ABSENT
from toolproof.phases.fuzz.repeat import call_line, fuzz_line


def config(**server: Any) -> Config:
    return config_from({"server": server or {"command": ["node", "my server.js"]}}, base_dir=Path())


def test_a_call_is_quoted_for_a_shell() -> None:
    line = call_line("t", {"a": "it's é"}, config())

    assert line is not None
    assert line.startswith("toolproof call t --args '{")
    assert "\\u00e9" in line
    assert line.endswith("-- node 'my server.js'")


def test_arguments_left_out_are_said_to_be() -> None:
    assert "--no-arguments" in (call_line("t", ABSENT, config()) or "")


@pytest.mark.parametrize("arguments", [None, [], "a", {"a": "b" * 5_000}])
def test_what_a_command_cannot_send_has_no_line(arguments: Any) -> None:
    assert call_line("t", arguments, config()) is None


def test_arguments_without_an_end_have_no_line() -> None:
    deep: dict[str, Any] = {}
    deep["a"] = deep

    assert call_line("t", deep, config()) is None


def test_a_url_is_named() -> None:
    line = fuzz_line("t", 7, 20, config(url="http://127.0.0.1:9/mcp"))

    assert line == "toolproof fuzz --tool t --seed 7 --examples 20 --url http://127.0.0.1:9/mcp"


def test_a_name_that_does_not_print_is_escaped() -> None:
    assert "$'a\\nb'" in fuzz_line("a\nb", 1, 1, config())


def test_a_file_and_its_server_are_named(tmp_path: Path) -> None:
    path = tmp_path / "toolproof.yaml"
    path.write_text("servers: {one: {command: [a]}, two: {command: [b]}}\n", encoding="utf-8")
    two = next(one for one in load_config(path).per_server() if one.server_alias == "two")

    line = fuzz_line("t", 1, 1, two)

    assert line.endswith("toolproof.yaml --server two")
