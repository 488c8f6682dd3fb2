from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from tests.config.test_load import load, refused, told
from toolproof.config import ServerConfig, load_config
from toolproof.errors import ConfigError

EXPECTED_COMMAND = "expected a program and its arguments, as a list or as one line"
SEVERAL = """
servers:
  one: {command: [first], env: {A: "${ONE}"}}
  two: {url: "http://localhost:2/mcp", headers: {Authorization: "Bearer ${TWO}"}}
tests: [{tool: t}]
"""


def mistakes(**given: Any) -> list[str]:
    with pytest.raises(ValidationError) as raised:
        ServerConfig.model_validate(given)
    return [
        ": ".join([".".join(map(str, error["loc"])), error["msg"]]).removeprefix(": ")
        for error in raised.value.errors()
    ]


@pytest.mark.parametrize(
    "command", [["python", "a b.py"], ("python", "a b.py"), "python 'a b.py'", 'python "a b.py"']
)
def test_a_command_is_a_list_or_a_line_as_in_a_shell(command: Any) -> None:
    server = ServerConfig(command=command)

    assert server.command == ("python", "a b.py")
    assert server.target == "python 'a b.py'"


def test_a_url_is_its_own_target() -> None:
    assert ServerConfig(url="http://localhost:1/mcp").target == "http://localhost:1/mcp"


def test_a_command_may_serve_the_url() -> None:
    server = ServerConfig(command=("serve",), url="http://localhost:1/mcp", headers={"A": "b"})

    assert server.target == "serve"


def test_nothing_is_expanded_in_code() -> None:
    server = ServerConfig(command=["echo", "${HOME}"], env={"A": "${HOME}"})

    assert server.command == ("echo", "${HOME}")
    assert server.env == {"A": "${HOME}"}


def test_a_server_in_code_needs_a_way_to_reach_it() -> None:
    with pytest.raises(ValueError, match="it needs a 'command' to start"):
        ServerConfig()


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({}, "it needs a 'command' to start, or the 'url' of one that runs"),
        (
            {"command": None, "url": None},
            "it needs a 'command' to start, or the 'url' of one that runs",
        ),
        ({"command": []}, "command: it names no program"),
        ({"command": ""}, "command: it names no program"),
        ({"command": [""]}, "command: it names no program"),
        ({"command": "a 'b"}, "command: it cannot be split into words: no closing quotation"),
        ({"command": ["a", None]}, "command.1: expected text, got nothing"),
        ({"command": ["a", "b\0"]}, "command.1: a NUL character cannot be passed on"),
        (
            {"command": 5},
            "command: expected a program and its arguments, as a list or as one line, got 5",
        ),
        (
            {"url": "localhost:8000/mcp"},
            "url: expected an address that begins with http:// or https://, got 'localhost:8000/mcp': write http://localhost:8000/mcp",
        ),
        (
            {"url": "ftp://a/b"},
            "url: expected an address that begins with http:// or https://, got 'ftp://a/b'",
        ),
        (
            {"url": "http://"},
            "url: expected an address that begins with http:// or https://, got 'http://'",
        ),
        ({"url": "http://a:99999/"}, "url: it is no URL: port out of range 0-65535"),
        ({"url": "http://[::1/"}, "url: it is no URL: invalid ipv6 url"),
        ({"url": " "}, "url: expected an address that begins with http:// or https://, got ' '"),
        (
            {"command": "a", "headers": {"A": "b"}},
            "headers: it goes with a 'url', and there is none",
        ),
        (
            {"command": "a", "auth": {"token_command": "b"}},
            "auth: it goes with a 'url', and there is none",
        ),
        (
            {"command": "a", "env": {"A=B": "c"}},
            "env.A=B: no variable can have such a name or value",
        ),
        ({"command": "a", "env": {"A": "c\0"}}, "env.A: no variable can have such a name or value"),
        ({"command": "a", "env": ["A=b"]}, "env: expected a mapping, got a list"),
        (
            {"url": "http://a", "headers": {"A b": "c"}},
            "headers.A b: no header can have such a name",
        ),
        (
            {"url": "http://a", "headers": {"A": "b\nc"}},
            "headers.A: a header is one line of Latin characters",
        ),
        (
            {"url": "http://a", "headers": {"A": "\u2192"}},
            "headers.A: a header is one line of Latin characters",
        ),
        (
            {"command": "a", "startup_timeout_s": 0},
            "startup_timeout_s: expected a number of seconds above 0, got 0",
        ),
        (
            {"command": "a", "protocol": "2025-06-19"},
            "protocol: expected auto, 2024-11-05, 2025-03-26, 2025-06-18, 2025-11-25 or 2026-07-28, got '2025-06-19': did you mean '2025-06-18'?",
        ),
        (
            {"command": "a", "source": True},
            "source: expected a list of paths, a mapping of tools to 'path:line', or false, got true",
        ),
        (
            {"command": "a", "source": {"t": "a.py"}},
            "source.t: expected 'path:line', the line from 1",
        ),
        (
            {"command": "a", "source": {"t": "a.py:0"}},
            "source.t: expected 'path:line', the line from 1",
        ),
        (
            {"command": "a", "source": [1]},
            'source.0: expected text that is not empty, got 1: write "1" in quotes',
        ),
        (
            {"url": "http://a", "auth": {}},
            "auth: set either 'token_command' or 'client_credentials'",
        ),
        (
            {"url": "http://a", "auth": {"client_credentials": {"token_url": "http://a"}}},
            "auth.client_credentials.client_id: it is needed",
        ),
    ],
)
def test_a_mistake_is_told_in_words(given: dict[str, Any], says: str) -> None:
    assert says in mistakes(**given)


@pytest.mark.parametrize(
    ("source", "value"),
    [
        (["src", "lib/"], (Path("src"), Path("lib"))),
        ("src", (Path("src"),)),
        ({"tool": "a.py:3"}, {"tool": "a.py:3"}),
        (False, False),
    ],
)
def test_the_source_is_paths_a_line_per_tool_or_off(source: Any, value: Any) -> None:
    assert ServerConfig(command=["a"], source=source).source == value


def test_what_may_be_secret_is_not_in_the_repr() -> None:
    server = ServerConfig(url="http://a", env={"A": "s3cr3t"}, headers={"B": "s3cr3t"})

    assert "s3cr3t" not in repr(server)


def test_neither_command_nor_url_is_told_beside_other_mistakes(tmp_path: Path) -> None:
    assert told(tmp_path, "server: {env: {A: [1]}}\n") == [
        "toolproof.yaml:1: server: it needs a 'command' to start, or the 'url' of one that runs",
        "toolproof.yaml:1: server.env.A: expected text, got a list",
    ]


def test_several_servers_have_the_rest_of_the_file_in_common(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ONE", "first-secret")
    monkeypatch.setenv("TWO", "second-secret")

    config = load(tmp_path, SEVERAL)

    assert [(each.server_alias, each.server.target) for each in config.per_server()] == [
        ("one", "first"),
        ("two", "http://localhost:2/mcp"),
    ]
    assert [each.place("server").line for each in config.per_server()] == [3, 4]  # type: ignore[union-attr]
    assert config.server.target == "first"
    for each in config.per_server():
        assert each.secrets.mask("first-secret second-secret") == "*** ***"


def test_secrets_of_one_name_in_several_servers_are_all_kept(tmp_path: Path) -> None:
    text = (
        "servers:\n  one: {command: a, env: {API_KEY: first-key}}\n"
        "  two: {command: a, env: {API_KEY: second-key}}\n"
    )

    assert load(tmp_path, text).secrets.mask("first-key second-key") == "*** ***"


def test_one_of_several_servers_needs_only_its_own_variables(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TWO", "second-secret")
    path = tmp_path / "toolproof.yaml"
    path.write_text(SEVERAL, encoding="utf-8")

    config = load_config(path, server="two")

    assert [each.server_alias for each in config.per_server()] == ["two"]
    assert len(config.per_server()) == 1


@pytest.mark.parametrize(
    ("text", "says", "hint"),
    [
        (SEVERAL, "there is no server 'twoo' in it: it has one, two", "Did you mean 'two'?"),
        (
            "server: {command: a}",
            "there is no server 'twoo' in it: it has just one, without a name",
            None,
        ),
    ],
)
def test_a_server_that_is_not_there_is_told_with_those_that_are(
    tmp_path: Path, text: str, says: str, hint: str | None
) -> None:
    path = tmp_path / "toolproof.yaml"
    path.write_text(text, encoding="utf-8")

    with pytest.raises(ConfigError) as raised:
        load_config(path, server="twoo")

    assert raised.value.message == says
    assert hint in (None, raised.value.hint)


def test_flags_are_laid_over_each_of_several_servers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ONE", "1")
    monkeypatch.setenv("TWO", "2")

    config = load(tmp_path, SEVERAL, server={"startup_timeout_s": 7})

    assert {each.server.startup_timeout_s for each in config.per_server()} == {7}


def test_mistakes_in_several_servers_are_told_once(tmp_path: Path) -> None:
    text = "servers:\n  one: {command: 1}\n  two: {comand: a}\n"

    assert told(tmp_path, text) == [
        f"toolproof.yaml:2: servers.one.command: {EXPECTED_COMMAND}, got 1",
        "toolproof.yaml:3: servers.two.comand: there is no such key; did you mean 'command'?",
    ]


def test_server_and_servers_exclude_each_other(tmp_path: Path) -> None:
    text = "server: {command: a}\nservers: {b: {command: c}}\n"

    assert told(tmp_path, text) == ["toolproof.yaml:2: servers: set either 'server' or 'servers'"]


def test_no_server_at_all_is_told(tmp_path: Path) -> None:
    error = refused(tmp_path, "servers: {}\n")

    assert error.message.startswith("server: it is needed")
