from pathlib import Path

import pytest

from tests.config.test_load import load, refused, told
from toolproof.config import config_from

MASKED = "***"


@pytest.fixture(autouse=True)
def _environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOKEN", "t0ken-value")
    monkeypatch.setenv("QUOTED", 'it\'s "one" word')
    monkeypatch.setenv("EMPTY", "")
    monkeypatch.delenv("UNSET", raising=False)


@pytest.mark.parametrize(
    ("written", "expanded"),
    [
        ("${TOKEN}", "t0ken-value"),
        ("Bearer ${TOKEN}!", "Bearer t0ken-value!"),
        ("${TOKEN}${TOKEN}", "t0ken-valuet0ken-value"),
        ("${UNSET:-a b}", "a b"),
        ("${EMPTY:-x}", "x"),
        ("${EMPTY}", ""),
        ("${UNSET:-}", ""),
        ("${TOKEN:-x}", "t0ken-value"),
        ("$TOKEN", "$TOKEN"),
        ("${TOKEN", "${TOKEN"),
        ("${1A}", "${1A}"),
        ("${TOKEN%%x}", "${TOKEN%%x}"),
        ("$${TOKEN}", "$t0ken-value"),
    ],
)
def test_a_reference_is_expanded_and_the_rest_is_used_as_written(
    tmp_path: Path, written: str, expanded: str
) -> None:
    config = load(tmp_path, f"server: {{command: [a, '{written}'], env: {{A: '{written}'}}}}")

    assert config.server.command == ("a", expanded)
    assert config.server.env == {"A": expanded}


def test_only_the_server_is_expanded(tmp_path: Path) -> None:
    text = "server: {command: [a]}\ntests: [{tool: '${TOKEN}', args: {q: '${UNSET}'}}]\n"

    config = load(tmp_path, text)

    assert config.tests[0].tool == "${TOKEN}"
    assert config.tests[0].args == {"q": "${UNSET}"}


def test_all_of_the_server_is_expanded(tmp_path: Path) -> None:
    text = """
server:
  url: "http://${TOKEN}.example/mcp"
  headers: {A: "${TOKEN}"}
  cwd: "${TOKEN}"
  auth: {token_command: "get ${TOKEN}"}
  source: ["${TOKEN}"]
"""
    server = load(tmp_path, text).server

    assert server.url == "http://t0ken-value.example/mcp"
    assert server.headers == {"A": "t0ken-value"}
    assert server.cwd == Path("t0ken-value")
    assert server.auth is not None
    assert server.auth.token_command == ("get", "t0ken-value")
    assert server.source == (Path("t0ken-value"),)


def test_a_value_stays_one_word_of_a_command_on_one_line(tmp_path: Path) -> None:
    text = "server: {command: 'a --x=${QUOTED} ${UNSET:-b c} \"${TOKEN} d\"'}"

    assert load(tmp_path, text).server.command == (
        "a",
        '--x=it\'s "one" word',
        "b c",
        "t0ken-value d",
    )


def test_a_character_that_stands_for_a_reference_is_left_alone(tmp_path: Path) -> None:
    text = "server: {command: 'a \ue0007\ue001 ${TOKEN}'}"

    assert load(tmp_path, text).server.command == ("a", "\ue0007\ue001", "t0ken-value")


def test_every_variable_that_is_not_set_is_told_with_its_line(tmp_path: Path) -> None:
    unset = "the environment variable {} is not set; set it, or write {}"
    text = 'server:\n  command: "a ${UNSET}"\n  env:\n    A: x\n    B: "${UNSET_TOO}"\n'

    assert told(tmp_path, text) == [
        f"toolproof.yaml:2: server.command: {unset.format('UNSET', '${UNSET:-default}')}",
        f"toolproof.yaml:5: server.env.B: {unset.format('UNSET_TOO', '${UNSET_TOO:-default}')}",
    ]


def test_a_line_too_long_for_any_command_is_refused(tmp_path: Path) -> None:
    says = "it cannot be split into words: it is over 100,000 characters long"

    assert told(tmp_path, "server: {command: '" + "x" * 100_001 + "'}") == [
        f"toolproof.yaml:1: server.command: {says}"
    ]


def test_the_form_of_other_programs_is_told(tmp_path: Path) -> None:
    assert told(tmp_path, 'server: {command: ["${env:TOKEN}"]}') == [
        "toolproof.yaml:1: server.command[0]: write ${TOKEN} in place of ${env:TOKEN}"
    ]


def test_a_message_does_not_quote_what_is_secret(tmp_path: Path) -> None:
    text = "server: {url: 'x${TOKEN}', env: {A: '${TOKEN}', API_KEY: [plain-secret]}, headers: {A: '\u2192'}}"

    error = refused(tmp_path, text)

    assert "t0ken-value" not in str(error)
    assert MASKED in str(error)


def test_a_default_ends_where_another_reference_starts(tmp_path: Path) -> None:
    assert told(tmp_path, 'server: {command: a, env: {A: "${UNSET:-$x ${TOKEN}}"}}') == [
        "toolproof.yaml:1: server.env.A: a default cannot hold another ${NAME}"
    ]


def test_a_default_may_hold_a_dollar_sign(tmp_path: Path) -> None:
    config = load(tmp_path, "server: {command: a, env: {A: '${UNSET:-$x}'}}")

    assert config.server.env == {"A": "$x"}


def test_references_that_never_end_are_read_in_linear_time(tmp_path: Path) -> None:
    text = "server: {command: [a, '" + "${A:-" * 100_000 + "']}"

    assert "a default cannot hold" in told(tmp_path, text)[0]


def test_headers_of_the_command_line_are_expanded() -> None:
    server = {"url": "http://a/mcp", "headers": {"Authorization": "Bearer ${TOKEN}"}}

    config = config_from({"server": server})

    assert config.server.headers == {"Authorization": "Bearer t0ken-value"}
    assert config.secrets.mask("a t0ken-value b") == "a *** b"


def test_a_command_of_the_command_line_was_expanded_by_the_shell() -> None:
    assert config_from({"server": {"command": ["a", "${UNSET}"]}}).server.command == (
        "a",
        "${UNSET}",
    )
