import json
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolproof.config import Config, Ignore, ServerConfig, config_from, load_config
from toolproof.config.tree import read_tree
from toolproof.config.values import JSON
from toolproof.errors import ConfigError

EXPECTED_CLIENT = "expected claude, openai, gemini, vscode, cursor or strict"
SERVER = "server: {command: [python, server.py]}\n"


def write(folder: Path, text: str | bytes) -> Path:
    path = folder / "toolproof.yaml"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def load(folder: Path, text: str, **overrides: Any) -> Config:
    return load_config(write(folder, text), overrides)


def refused(folder: Path, text: str | bytes, **overrides: Any) -> ConfigError:
    with pytest.raises(ConfigError) as raised:
        load_config(write(folder, text), overrides)
    return raised.value


def told(folder: Path, text: str, **overrides: Any) -> list[str]:
    """The mistakes, a line each, without the folder."""
    return str(refused(folder, text, **overrides)).replace(f"{folder}/", "").splitlines()


def test_paths_start_from_the_folder_of_the_file(tmp_path: Path) -> None:
    config = load(tmp_path, SERVER)

    assert config.base_dir == tmp_path
    assert config.path == tmp_path / "toolproof.yaml"
    assert config.resolve(Path("src")) == tmp_path / "src"
    assert config.server.target == "python server.py"


def test_what_is_not_said_has_the_defaults_of_the_documentation(tmp_path: Path) -> None:
    config = load(tmp_path, SERVER)

    assert (config.timeout_ms, config.total_timeout_ms, config.retries) == (10_000, None, 0)
    assert config.server.startup_timeout_s == 30
    assert config.server.protocol == "auto"
    assert config.checks.max_description_length == 1024
    assert (config.checks.enabled, config.checks.strict) == (True, False)
    assert config.tests == ()
    assert (config.bench, config.fuzz, config.evals, config.protocol) == (None,) * 4


def test_a_flag_wins_over_the_file_and_leaves_its_neighbours(tmp_path: Path) -> None:
    text = SERVER + "checks: {strict: false, ignore: [text]}"

    config = load(tmp_path, text, checks={"strict": True})

    assert config.checks.strict
    assert config.checks.ignore == (Ignore(rule="text"),)


def test_a_command_of_the_flags_takes_the_place_of_the_whole_server(tmp_path: Path) -> None:
    text = 'server: {url: "http://localhost:1/mcp", headers: {A: "${NOT_SET_AT_ALL}"}}'

    config = load(tmp_path, text, server={"command": ["other"]})

    assert config.server.command == ("other",)
    assert config.server.url is None
    assert config.place("server") is None


def test_a_flag_without_command_or_url_is_laid_over_the_file_s_server(tmp_path: Path) -> None:
    config = load(tmp_path, SERVER, server={"startup_timeout_s": 3})

    assert config.server.command == ("python", "server.py")
    assert config.server.startup_timeout_s == 3


def test_every_mistake_is_told_at_once_with_its_line(tmp_path: Path) -> None:
    text = (
        "server: {}\n"
        "timeout_ms: abc\n"
        "tests:\n"
        "  - name: one\n"
        "    tool: get_weather\n"
        "    expct: {}\n"
        "  - tool: 3\n"
        "chekcs: {}\n"
    )

    assert told(tmp_path, text) == [
        "toolproof.yaml:1: server: it needs a 'command' to start, or the 'url' of one that runs",
        "toolproof.yaml:2: timeout_ms: expected a number of milliseconds above 0, got 'abc'",
        "toolproof.yaml:6: tests[0].expct: there is no such key; did you mean 'expect'?",
        'toolproof.yaml:7: tests[1].tool: expected text that is not empty, got 3: write "3" in quotes',
        "toolproof.yaml:8: chekcs: there is no such key; did you mean 'checks'?",
    ]


def test_the_error_itself_points_at_the_first_mistake(tmp_path: Path) -> None:
    error = refused(tmp_path, SERVER + "retries: -1\nchecks: {strict: 1}\n")

    assert error.where == f"{tmp_path}/toolproof.yaml:2"
    assert (error.file, error.line) == (f"{tmp_path}/toolproof.yaml", 2)
    assert error.message.startswith("retries: expected a whole number, 0 or more, got -1\n")


def test_a_mistake_of_a_flag_has_the_key_but_no_line(tmp_path: Path) -> None:
    mistakes = told(tmp_path, SERVER + "retries: x\n", timeout_ms=0, checks={"clients": ["cluade"]})

    assert mistakes == [
        "toolproof.yaml:2: retries: expected a whole number, 0 or more, got 'x'",
        "timeout_ms: expected a number of milliseconds above 0, got 0",
        "checks.clients[0]: " + EXPECTED_CLIENT + ", got 'cluade': did you mean 'claude'?",
    ]


def test_a_flag_s_mistake_alone_names_no_file(tmp_path: Path) -> None:
    error = refused(tmp_path, SERVER, retries=-1)

    assert (error.where, error.file, error.line) == (None, None, None)


def test_many_mistakes_are_counted_where_they_are_not_told(tmp_path: Path) -> None:
    mistakes = told(tmp_path, SERVER + "tests: [" + "{tool: 1}, " * 60 + "]")

    assert len(mistakes) == 51
    assert mistakes[-1] == "and 10 more mistakes"


@pytest.mark.parametrize(
    ("text", "line", "says"),
    [
        ("", None, "the file is empty"),
        ("# only a comment\n", None, "the file is empty"),
        ("---\n", 1, "the file is empty"),
        ("\n- 1\n", 2, "expected a mapping of keys such as 'server' and 'tests', got a list"),
        ("hello", 1, "expected a mapping of keys such as 'server' and 'tests', got 'hello'"),
    ],
)
def test_what_is_no_config_is_refused_with_what_to_do(
    tmp_path: Path, text: str, line: int | None, says: str
) -> None:
    error = refused(tmp_path, text)

    assert error.message == says
    assert error.hint is not None
    assert error.line == (line or 1)


def test_a_missing_file_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(ConfigError) as raised:
        load_config(tmp_path / "toolproof.yaml")

    assert str(raised.value) == f"{tmp_path}/toolproof.yaml: no such file"
    assert raised.value.hint is not None


def test_a_folder_says_which_file_is_meant(tmp_path: Path) -> None:
    with pytest.raises(ConfigError) as raised:
        load_config(tmp_path)

    assert raised.value.message == "this is a folder"
    assert raised.value.hint == f"Give the file in it: {tmp_path}/toolproof.yaml"


@pytest.mark.parametrize("path", ["a\0b", "x" * 5000])
def test_a_path_that_cannot_be_one_is_an_error_of_the_config(tmp_path: Path, path: str) -> None:
    with pytest.raises(ConfigError, match="cannot be read"):
        load_config(tmp_path / path)


def test_text_that_is_not_utf_8_is_told_with_byte_offset_and_line(tmp_path: Path) -> None:
    error = refused(tmp_path, b"server: {command: [x]}\n# caf\xe9\n")

    assert error.where == f"{tmp_path}/toolproof.yaml:2"
    assert error.message == "it is not UTF-8: byte 0xe9 at offset 28"


def test_utf_16_is_told_as_such(tmp_path: Path) -> None:
    assert refused(tmp_path, SERVER.encode("utf-16")).message == "it is UTF-16, not UTF-8"


def test_a_byte_order_mark_is_no_part_of_the_text(tmp_path: Path) -> None:
    path = write(tmp_path, b"\xef\xbb\xbf" + SERVER.encode())

    assert load_config(path).server.command == ("python", "server.py")


def test_a_huge_file_is_refused_without_being_read(tmp_path: Path) -> None:
    error = refused(tmp_path, b"# " + b"x" * 10_000_000)

    assert error.message == "it has over 4,194,304 bytes, which is too much for a config"


def test_a_file_of_windows_reads_alike(tmp_path: Path) -> None:
    config = load(tmp_path, (SERVER + "tests:\n  - tool: a\n    name: b\n").replace("\n", "\r\n"))

    assert config.tests[0].name == "b"
    assert config.place("tests", 0) == (f"{tmp_path}/toolproof.yaml", 3)


def test_a_place_is_the_line_of_the_key_or_of_the_entry(tmp_path: Path) -> None:
    text = "server:\n  command: [x]\ntests:\n  - tool: a\n\n  - tool: b\n    args: {q: 1}\n"

    config = load(tmp_path, text, retries=2)

    lines = {
        steps: place.line if (place := config.place(*steps)) else None
        for steps in [
            ("server",),
            ("server", "command"),
            ("tests", 0),
            ("tests", 1),
            ("tests", 1, "args", "q"),
            ("tests", 2),
            ("server", "url"),
            ("retries",),
        ]
    }
    assert list(lines.values()) == [1, 2, 4, 6, 7, None, None, None]


def test_the_keys_that_only_code_may_set_are_no_keys_of_the_file(tmp_path: Path) -> None:
    assert told(tmp_path, SERVER + "base_dir: /\nserver_alias: x\n") == [
        "toolproof.yaml:2: base_dir: there is no such key",
        "toolproof.yaml:3: server_alias: there is no such key",
    ]


def test_a_misspelt_key_is_not_missed_as_well(tmp_path: Path) -> None:
    assert told(tmp_path, "server: {comand: [x]}") == [
        "toolproof.yaml:1: server.comand: there is no such key; did you mean 'command'?"
    ]


def test_a_key_without_a_value_counts_as_not_given(tmp_path: Path) -> None:
    config = load(tmp_path, "server:\n  command: [x]\n  env:\n  cwd:\nchecks:\ntests:\nretries:\n")

    assert config.server.env == {}
    assert config.server.cwd == Path()
    assert config.checks.enabled
    assert config.tests == ()


def test_json_is_a_config_too(tmp_path: Path) -> None:
    config = load(
        tmp_path,
        json.dumps(
            {
                "server": {"command": ["x"]},
                "tests": [{"tool": "t", "args": {"q": "\U0001f600", "n": 1e3, "e": "a/b"}}],
            },
            indent="\t",
        ),
    )

    assert config.tests[0].args == {"q": "\U0001f600", "n": 1000.0, "e": "a/b"}


json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(codec=None)),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=50), inner, max_size=4)
    ),
    max_leaves=12,
)


@given(json_values)
def test_json_comes_through_whole_whatever_is_in_it(value: Any) -> None:
    """Ours: tests that fuzzing saved hold every kind of text, lone surrogates too."""
    text = json.dumps({"args": value})

    assert _read_back(text) == text


@given(json_values)
def test_json_comes_through_whole_without_escapes_too(value: Any) -> None:
    text = json.dumps({"args": value}, ensure_ascii=False).encode(errors="replace").decode()

    assert json.loads(_read_back(text)) == json.loads(text)


def _read_back(text: str) -> str:
    tree, wrong = read_tree(text)
    assert tree is not None
    value, mistakes = JSON.take(tree.plain())
    assert not wrong
    assert not mistakes
    return json.dumps(value)


def test_a_config_from_flags_needs_no_file() -> None:
    config = config_from({"server": {"command": ["python", "x"]}, "checks": {"strict": True}})

    assert config.checks.strict
    assert config.path is None
    assert config.base_dir == Path.cwd()
    assert config.place("server") is None


def test_a_config_from_flags_may_start_from_a_folder(tmp_path: Path) -> None:
    assert config_from({"server": {"command": ["x"]}}, base_dir=tmp_path).base_dir == tmp_path


def test_a_config_from_flags_tells_its_mistakes_without_lines() -> None:
    with pytest.raises(ConfigError) as raised:
        config_from({"timeout_ms": -1})

    assert str(raised.value) == (
        "server: it is needed: a 'command' to start, or the 'url' of one that runs\n"
        "timeout_ms: expected a number of milliseconds above 0, got -1"
    )


def test_flags_are_laid_over_a_server_from_elsewhere() -> None:
    found = ServerConfig(command=["x"], env={"A": "b"}).remembering({"V": "v4lue-one"}, ("a note",))

    config = config_from({"server": {"startup_timeout_s": 3}, "retries": 1}, server=found)

    assert config.server.command == ("x",)
    assert config.server.env == {"A": "b"}
    assert config.server.startup_timeout_s == 3
    assert config.secrets.mask("v4lue-one") == "***"
    assert config.server.notes == ("a note",)


def test_a_flag_puts_aside_what_the_file_says_against_it(tmp_path: Path) -> None:
    config = load(tmp_path, SERVER + "bench: {duration_s: 5, warmup: 1}", bench={"calls": 7})

    assert config.bench is not None
    assert (config.bench.duration_s, config.bench.calls, config.bench.warmup) == (None, 7, 1)


@pytest.mark.parametrize("server", ["5", "[a]", "text", "no"])
def test_a_server_that_is_no_mapping_is_told(tmp_path: Path, server: str) -> None:
    mistakes = told(tmp_path, f"server: {server}\n")

    assert "toolproof.yaml:1: server: expected a mapping with command, url, env" in mistakes[0]


def test_what_the_file_replaces_in_a_copy_keeps_its_places(tmp_path: Path) -> None:
    config = load(tmp_path, SERVER + "tests: [{tool: a}]\n")

    copy = config.model_copy(update={"retries": 3})

    assert copy.place("tests", 0) == config.place("tests", 0) is not None
    assert copy.per_server() == (copy,)


def test_a_config_costs_no_heavy_import() -> None:
    code = "import sys; from toolproof.config import load_config; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)

    heavy = {"anyio", "asyncio", "httpx2", "jsonpath", "jsonschema", "jsonschema_rs", "mcp", "rich"}
    assert not heavy & set(done.stdout.split())


def test_a_config_in_code_needs_no_more_than_a_server() -> None:
    config = Config.model_validate({"server": {"command": ["x"]}})

    assert config.place("server") is None
    assert not config.secrets
    assert config.total_limit_ms() == 60_000
    assert config.total_limit_ms(1_000) == 6_000


def test_the_total_limit_is_never_below_the_idle_one(tmp_path: Path) -> None:
    config = load(tmp_path, SERVER + "total_timeout_ms: 5000\n")

    assert config.total_limit_ms() == 10_000
    assert config.total_limit_ms(2_000) == 5_000


@given(st.text() | st.binary())
def test_no_text_makes_the_loader_fall_over(tmp_path_factory: Any, text: str | bytes) -> None:
    folder = tmp_path_factory.getbasetemp()
    data = text if isinstance(text, bytes) else text.encode(errors="surrogatepass")
    with suppress(ConfigError):
        load_config(write(folder, data))
