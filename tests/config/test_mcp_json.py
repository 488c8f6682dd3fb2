import json
from pathlib import Path
from typing import Any

import pytest

from toolproof.config import load_mcp_json, secrets_of_server
from toolproof.errors import ConfigError


@pytest.fixture(autouse=True)
def _environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOKEN", "t0ken-value")
    monkeypatch.setenv("HOME", "/home/me")
    monkeypatch.delenv("UNSET", raising=False)


def write(folder: Path, document: Any, name: str = "mcp.json") -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(document if isinstance(document, str) else json.dumps(document), "utf-8")
    return path


def refused(path: Path, server: str | None = None) -> ConfigError:
    with pytest.raises(ConfigError) as raised:
        load_mcp_json(path, server)
    return raised.value


def test_a_server_of_claude_desktop(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        {"mcpServers": {"files": {"command": "npx", "args": ["-y", "x"], "env": {"A": "b"}}}},
    )

    server = load_mcp_json(path)

    assert server.command == ("npx", "-y", "x")
    assert server.env == {"A": "b"}
    assert server.notes == ()


def test_a_server_of_vs_code_with_comments_and_commas(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        """{
        // where it runs: "here"
        "servers": {
            "web": {
                "type": "http", /* or sse */
                "url": "http://localhost:1/mcp", // no "comment
                "headers": {"Authorization": "Bearer ${env:TOKEN}", "X": "a // b",},
            },
        },
        "inputs": [],
        }""",
        ".vscode/mcp.json",
    )

    server = load_mcp_json(path)

    assert server.url == "http://localhost:1/mcp"
    assert server.headers == {"Authorization": "Bearer t0ken-value", "X": "a // b"}
    assert secrets_of_server(server).mask("t0ken-value") == "***"


def test_a_server_of_the_settings_of_vs_code(tmp_path: Path) -> None:
    path = write(tmp_path, {"mcp": {"servers": {"a": {"command": "a"}}}})

    assert load_mcp_json(path).command == ("a",)


def test_the_variables_of_editors_are_replaced(tmp_path: Path) -> None:
    entry = {
        "command": "${workspaceFolder}${pathSeparator}run",
        "args": ["${userHome}", "${workspaceFolderBasename}", "${UNSET:-default}", "${TOKEN}"],
        "cwd": "${workspaceFolder}/sub",
        "env": {"N": 5},
    }
    path = write(tmp_path, {"mcpServers": {"a": entry}}, ".cursor/mcp.json")

    server = load_mcp_json(path)

    assert server.command == (
        f"{tmp_path}/run",
        str(Path.home()),
        tmp_path.name,
        "default",
        "t0ken-value",
    )
    assert server.cwd == tmp_path / "sub"
    assert server.env == {"N": "5"}


def test_one_of_several_servers_must_be_chosen(tmp_path: Path) -> None:
    path = write(tmp_path, {"mcpServers": {"one": {"command": "a"}, "two": {"url": "http://b"}}})

    assert load_mcp_json(path, "two").url == "http://b"
    assert refused(path).message == "it has 2 servers: one, two"
    assert refused(path, "tow").hint == "Did you mean 'two'?"
    assert refused(path, "x").message == "there is no server 'x' in it: it has one, two"


def test_what_is_left_out_is_told(tmp_path: Path) -> None:
    entry = {"command": "a", "envFile": ".env", "disabled": False, "sandbox": {}}

    server = load_mcp_json(write(tmp_path, {"mcpServers": {"a": entry}}))

    assert server.notes == (
        "envFile '.env' is not read: set its variables under env",
        "keys that mean nothing here were left out: sandbox",
    )


@pytest.mark.parametrize(
    ("entry", "says"),
    [
        ({}, "mcpServers.a: it needs a 'command' to start, or the 'url' of one that runs"),
        ("x", "mcpServers.a: expected a mapping with 'command' or 'url', got 'x'"),
        (
            {"type": "ws", "url": "http://a"},
            "mcpServers.a.type: expected stdio, http or sse, got 'ws'",
        ),
        ({"command": "a", "args": "b"}, "mcpServers.a.args: expected a list, got 'b'"),
        ({"command": ["a"]}, "mcpServers.a.command: expected text, got a list"),
        (
            {"command": "a", "env": {"B": "${env:UNSET}"}},
            "mcpServers.a.env.B: the environment variable UNSET is not set; set it, or write ${UNSET:-default}",
        ),
        (
            {"url": "t0ken-value ${TOKEN}"},
            "mcpServers.a.url: expected an address that begins with http:// or https://, got '*** ***'",
        ),
        (
            {"command": "a", "args": ["${input:key}"]},
            "mcpServers.a: it asks for the input 'key', and there is nobody to ask: put it into a variable of the environment, and write ${env:NAME}",
        ),
    ],
)
def test_a_mistake_is_told_with_the_way_to_it(tmp_path: Path, entry: Any, says: str) -> None:
    error = refused(write(tmp_path, {"mcpServers": {"a": entry}}))

    assert error.message == says
    assert error.where == str(tmp_path / "mcp.json")


@pytest.mark.parametrize(
    ("text", "says", "line"),
    [
        ("[]", "it has no servers: expected them under 'mcpServers' (or 'servers')", None),
        (
            '{"mcpServers": {}}',
            "it has no servers: expected them under 'mcpServers' (or 'servers')",
            None,
        ),
        ('{\n"mcpServers": oops}', "it is not valid JSON: expecting value", 2),
        ('{/* a\n\n*/ "mcpServers": oops}', "it is not valid JSON: expecting value", 3),
        (
            "[" * 100_000,
            "it cannot be read: it is nested too deep, or a number in it is too long",
            None,
        ),
        (
            '{"mcpServers": {"a": ' + "1" * 5000 + "}}",
            "it cannot be read: it is nested too deep, or a number in it is too long",
            None,
        ),
        (
            '{"mcpServers": {"a": {"command": "a", "env": {"x": ' + "[" * 700 + "]" * 700 + "}}}}",
            "it cannot be read: it is nested too deep, or a number in it is too long",
            None,
        ),
        ("", "it is not valid JSON: expecting value", 1),
    ],
)
def test_a_file_without_servers_says_why(
    tmp_path: Path, text: str, says: str, line: int | None
) -> None:
    error = refused(write(tmp_path, text))

    assert (error.message, error.line) == (says, line)


def test_a_missing_file_is_an_error_of_the_config(tmp_path: Path) -> None:
    assert refused(tmp_path / "none.json").message == "no such file"
