from pathlib import Path

import pytest

from tests.config.test_load import load
from toolproof.config import Config, ServerConfig, secrets_of_server

CREDENTIALS = "{token_url: 'http://b', client_id: i, client_secret: written-out}"


@pytest.fixture(autouse=True)
def _environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLAIN", "v4lue-one")
    monkeypatch.setenv("FOLDER", "some-folder")
    monkeypatch.setenv("SHORT", "abc")
    monkeypatch.delenv("UNSET", raising=False)


@pytest.mark.parametrize(
    ("server", "secret"),
    [
        ("{command: [a, '--key=${PLAIN}']}", "v4lue-one"),
        ("{command: 'a ${PLAIN}'}", "v4lue-one"),
        ("{command: a, env: {A: '${PLAIN}'}}", "v4lue-one"),
        ("{command: a, env: {A: 'x-${PLAIN}-y'}}", "x-v4lue-one-y"),
        ("{url: 'http://a', headers: {B: 'Bearer ${PLAIN}'}}", "v4lue-one"),
        ("{url: 'http://${PLAIN}.example'}", "v4lue-one"),
        ("{url: 'http://a', auth: {token_command: [x, '${PLAIN}']}}", "v4lue-one"),
        ("{command: a, env: {API_KEY: written-out}}", "written-out"),
        ("{command: a, env: {db_password: written-out}}", "written-out"),
        ("{url: 'http://a', headers: {authorization: 'Bearer written-out'}}", "written-out"),
        ("{url: 'http://a', headers: {Cookie: a=written-out}}", "a=written-out"),
        ("{url: 'http://me:pass%21word@a'}", "me:pass%21word"),
        ("{url: 'http://me:pass%21word@a'}", "pass!word"),
        ("{url: 'http://some-token@a'}", "some-token"),
        (f"{{url: 'http://a', auth: {{client_credentials: {CREDENTIALS}}}}}", "written-out"),
        ("{url: 'http://a', headers: {Authorization: 'Basic bWU6cGFzc3dvcmQ='}}", "password"),
    ],
)
def test_a_secret_of_the_server_is_masked(tmp_path: Path, server: str, secret: str) -> None:
    secrets = load(tmp_path, f"server: {server}").secrets

    assert secrets.mask(f"<{secret}>") == "<***>"


@pytest.mark.parametrize(
    ("server", "text"),
    [
        ("{command: a, cwd: '${FOLDER}'}", "some-folder"),
        ("{command: a, source: ['${FOLDER}']}", "some-folder"),
        ("{command: a, env: {A: '${UNSET:-the-default}'}}", "the-default"),
        ("{command: a, env: {API_KEY: '${UNSET:-the-default}'}}", "the-default"),
        ("{command: a, env: {MODE: written-out}}", "written-out"),
        ("{command: a, env: {MONITOR: written-out}}", "written-out"),
        ("{url: 'http://somewhere.example'}", "somewhere.example"),
    ],
)
def test_what_is_no_secret_is_shown(tmp_path: Path, server: str, text: str) -> None:
    assert load(tmp_path, f"server: {server}").secrets.mask(text) == text


def test_a_value_too_short_to_be_masked_is_told_with_its_variable(tmp_path: Path) -> None:
    secrets = load(tmp_path, "server: {command: a, env: {A: '${SHORT}'}}").secrets

    assert secrets.mask("abc") == "abc"
    assert secrets.warnings == (
        "the value of SHORT is not masked: it has under 4 characters, so it may stand anywhere",
    )


def test_a_server_in_code_has_secrets_too() -> None:
    server = ServerConfig(url="http://u:passw0rd@a", headers={"X-Api-Key": "k3y-value"})

    secrets = secrets_of_server(server)

    assert secrets.mask("k3y-value passw0rd") == "*** ***"


def test_what_the_caller_expanded_is_secret_as_well() -> None:
    server = ServerConfig(command=["a", "v4lue-one"])

    assert secrets_of_server(server, {"PLAIN": "v4lue-one"}).mask("v4lue-one") == "***"


def test_a_config_in_code_masks_its_server_s_secrets() -> None:
    config = Config(server=ServerConfig(command=["a"], env={"TOKEN": "t0ken-value"}))

    assert config.secrets.mask("t0ken-value") == "***"
    assert config.secrets is config.secrets
