from pathlib import Path

import pytest
import yaml

from tests.config.test_load import SERVER, load, refused, told
from toolproof.config import tree
from toolproof.config.tree import read_tree


@pytest.fixture(params=["libyaml", "python"], autouse=True)
def _both_parsers(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ours: not every wheel of PyYAML has libyaml, and a config must read alike with both."""
    loader = yaml.CSafeLoader if request.param == "libyaml" else yaml.SafeLoader
    monkeypatch.setattr(tree, "_LOADER", loader)


def args(folder: Path, written: str) -> list[str]:
    """What is told of some arguments."""
    return [
        line.removeprefix("toolproof.yaml:3: tests[0].")
        for line in told(folder, SERVER + f"tests:\n- {{tool: x, args: {{q: {written}}}}}\n")
    ]


@pytest.mark.parametrize(
    ("written", "says"),
    [
        ("no", 'no without quotes is false in YAML: write "no" for the text, or false'),
        ("On", 'On without quotes is true in YAML: write "On" for the text, or true'),
        (
            "2025-06-18",
            '2025-06-18 without quotes is a date in YAML: write "2025-06-18" for the text',
        ),
        (
            "2025-06-18T10:00:00Z",
            '2025-06-18T10:00:00Z without quotes is a date in YAML: write "2025-06-18T10:00:00Z" for the text',
        ),
        (
            "0755",
            '0755 without quotes is the octal number 493 in YAML: write "0755" for the text, or 493',
        ),
        (
            "0o17",
            '0o17 without quotes is the octal number 15 in YAML: write "0o17" for the text, or 15',
        ),
        (
            "12:30",
            '12:30 without quotes is the base-60 number 750 in YAML: write "12:30" for the text, or 750',
        ),
        (".inf", "inf is no number that JSON has"),
        ("-.inf", "-inf is no number that JSON has"),
        (".nan", "nan is no number that JSON has"),
        ("1e999", "inf is no number that JSON has"),
        ("7" * 5000, "a number of over 4,000 digits"),
        ("!env X", "there is no tag '!env' here; write plain YAML"),
        ("!!binary aGk=", "there is no tag 'tag:yaml.org,2002:binary' here; write plain YAML"),
        ("!!set {a, b}", "there is no tag 'tag:yaml.org,2002:set' here; write plain YAML"),
    ],
)
def test_what_yaml_reads_otherwise_than_people_is_told(
    tmp_path: Path, written: str, says: str
) -> None:
    assert args(tmp_path, written) == [f"args.q: {says}"]


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("1", 1),
        ("-7", -7),
        ("+5", 5),
        ("1_000", 1000),
        ("0x1F", 31),
        ("-0x1F", -31),
        ("0b101", 5),
        ("1.5", 1.5),
        ("1.10", 1.1),
        (".5", 0.5),
        ("2.", 2.0),
        ("1e3", 1000.0),
        ("1.5E-2", 0.015),
        ("089", "089"),
        ("1.2.3", "1.2.3"),
        ("127.0.0.1", "127.0.0.1"),
        ("8080:80", "8080:80"),
        ("'no'", "no"),
        ('"2025-06-18"', "2025-06-18"),
        ("!!str 5", "5"),
        ("!!int 5", 5),
        ("true", True),
        ("False", False),
        ("~", None),
        ("", None),
        ("y", "y"),
        ("n", "n"),
        ('"\\ud83d\\ude00"', "\U0001f600"),
        ('"\\ud83d"', "\ud83d"),
        ("'\\ud83d'", "\\ud83d"),
    ],
)
def test_a_word_has_the_value_that_everyone_reads_in_it(
    tmp_path: Path, written: str, value: object
) -> None:
    config = load(tmp_path, SERVER + f"tests:\n- {{tool: x, args: {{q: {written}}}}}\n")

    read = config.tests[0].args["q"]
    assert (type(read), read) == (type(value), value)


def test_words_that_mean_true_may_stand_where_true_can(tmp_path: Path) -> None:
    config = load(tmp_path, SERVER + "checks: {strict: yes, enabled: off}\n")

    assert (config.checks.strict, config.checks.enabled) == (True, False)


def test_a_revision_needs_no_quotes(tmp_path: Path) -> None:
    config = load(tmp_path, "server: {command: [x], protocol: 2025-06-18}\n")

    assert type(config.server.protocol) is str
    assert config.server.protocol == "2025-06-18"


def test_numbers_may_stand_as_they_are_where_only_text_can(tmp_path: Path) -> None:
    text = (
        "server:\n  command: [x, --port, 8080, 1.10]\n  env: {PORT: 8080, VERSION: 1.10, MODE: 0x1F}\n"
        "tests:\n- {tool: a, expect: {contains: [21, 1.50], not_contains: 4}}\n"
    )

    config = load(tmp_path, text)

    assert config.server.command == ("x", "--port", "8080", "1.10")
    assert config.server.env == {"PORT": "8080", "VERSION": "1.10", "MODE": "0x1F"}
    assert config.tests[0].expect.contains == ("21", "1.50")
    assert config.tests[0].expect.not_contains == ("4",)
    assert {type(word) for word in config.server.command} == {str}


@pytest.mark.parametrize(
    ("value", "says"),
    [
        ("no", 'expected text, but no without quotes is false in YAML: write "no" in quotes'),
        ("true", 'expected text, got true: write "true" in quotes'),
        (
            "010",
            'expected text, but 010 without quotes is the octal number 8 in YAML: write "010" in quotes',
        ),
        ("[1]", "expected text, got a list"),
        ("{a: 1}", "expected text, got a mapping"),
        ("", "expected text, got nothing"),
    ],
)
def test_what_is_no_text_is_told_with_what_to_write(tmp_path: Path, value: str, says: str) -> None:
    text = f"server: {{command: [x], env: {{A: {value}}}}}\n"

    assert told(tmp_path, text) == [f"toolproof.yaml:1: server.env.A: {says}"]


@pytest.mark.parametrize(
    ("value", "says"),
    [
        ("'5'", "got '5': write it without quotes"),
        ("ten", "got 'ten'"),
        ("yes", "but yes without quotes is true in YAML"),
        ("true", "got true"),
        ("010", "but 010 without quotes is the octal number 8 in YAML: write 8"),
        ("1:30", "but 1:30 without quotes is the base-60 number 90 in YAML: write 90"),
        ("2025-06-18", "but 2025-06-18 without quotes is a date in YAML"),
        ("-1", "got -1"),
        (".inf", "got .inf"),
        ("1e400", "got 1e400"),
        ("1" + "0" * 400, "got 1" + "0" * 39 + " … 341 more characters … " + "0" * 20),
        ("[1]", "got a list"),
    ],
)
def test_what_is_no_number_is_told_with_its_unit(tmp_path: Path, value: str, says: str) -> None:
    expected = "toolproof.yaml:2: timeout_ms: expected a number of milliseconds above 0, "

    mistakes = told(tmp_path, SERVER + f"timeout_ms: {value}\n")

    assert [line[: len(expected) + 7] for line in mistakes] == [
        (expected + says)[: len(expected) + 7]
    ]


def test_the_keys_that_yaml_takes_for_something_else_are_told(tmp_path: Path) -> None:
    text = (
        SERVER + "tests:\n- tool: a\n  args: {on: 1, yes: 2, 2025-06-18: 3, true: 4, ~: 5, 7: 6}\n"
    )

    assert told(tmp_path, text) == [
        'toolproof.yaml:4: tests[0].args.on: on without quotes is true in YAML: write "on" as key',
        'toolproof.yaml:4: tests[0].args.yes: yes without quotes is true in YAML: write "yes" as key',
        """toolproof.yaml:4: tests[0].args['2025-06-18']: 2025-06-18 without quotes is a date in YAML: write "2025-06-18" as key""",
        'toolproof.yaml:4: tests[0].args.true: expected text as key, got true: write "true"',
        "toolproof.yaml:4: tests[0].args['~']: expected text as key, got nothing: write \"~\"",
    ]


def test_a_number_as_key_is_the_text_that_was_written(tmp_path: Path) -> None:
    config = load(tmp_path, SERVER + "tests: [{tool: a, args: {1: x, 1.10: y}}]\n")

    assert config.tests[0].args == {"1": "x", "1.10": "y"}


def test_a_key_that_is_there_twice_is_told_with_both_lines(tmp_path: Path) -> None:
    text = SERVER + "tests:\n- tool: a\n  args:\n    q: 1\n    r: 2\n    q: 3\nserver: {}\n"

    assert told(tmp_path, text) == [
        "toolproof.yaml:7: tests[0].args.q: the key is there twice; the first is in line 5",
        "toolproof.yaml:8: server: the key is there twice; the first is in line 1",
    ]


def test_anchors_and_merge_keys_work_and_own_keys_win(tmp_path: Path) -> None:
    text = SERVER + (
        "tests:\n"
        "- &first {tool: a, args: &city {city: Oslo}, tags: [x]}\n"
        "- {<<: *first, tags: [y]}\n"
        "- {tool: b, args: {<<: [*city, {city: Rome, n: 1}]}}\n"
    )

    config = load(tmp_path, text)

    assert [(test.tool, test.args, test.tags) for test in config.tests] == [
        ("a", {"city": "Oslo"}, ("x",)),
        ("a", {"city": "Oslo"}, ("y",)),
        ("b", {"city": "Oslo", "n": 1}, ()),
    ]


def test_a_mistake_in_what_is_merged_is_told_where_it_stands(tmp_path: Path) -> None:
    text = SERVER + "tests:\n- &first {tool: a,\n   retries: x}\n- {<<: *first, name: b}\n"

    assert told(tmp_path, text) == [
        "toolproof.yaml:4: tests[0].retries: expected a whole number, 0 or more, got 'x'",
        "toolproof.yaml:4: tests[1].retries: expected a whole number, 0 or more, got 'x'",
    ]


def test_only_mappings_can_be_merged(tmp_path: Path) -> None:
    assert told(tmp_path, SERVER + "checks: {<<: [1, {strict: true}]}\n") == [
        "toolproof.yaml:2: checks['<<']: a mapping, or a list of mappings, goes with '<<'"
    ]


@pytest.mark.parametrize(
    ("text", "line", "says"),
    [
        ("a: *b", 1, "no anchor &b stands before; known: none"),
        ("c: &c 1\na: *b", 2, "no anchor &b stands before; known: &c"),
        ("a: &a [*a]", 1, "*a stands inside of what it names"),
        ("a: 1\n---\nb: 2\n", 2, "a second document starts here; it must be one"),
        ("{[a]: 1}", 1, "a key must be text; braces and brackets need quotes"),
        ("a: {{ city }}", 1, "a key must be text; braces and brackets need quotes"),
        ("a: &a x\n*a : 1", 2, "a key must be text, not an alias"),
        ("a:\n\t- b", 2, "blanks indent, not tabs"),
        ("a: @x", 1, "must be in quotes"),
        ("a: b: c", 1, "put the value in quotes, or check the indentation"),
        ("a: 'x\nb: 1", None, "opened and never closed"),
        ("env: {A: ${B}}", 1, 'needs quotes, such as "${NAME}"'),
        ("a: [1, 2\nb: 3", None, "a bracket is not closed"),
        ("abc\ndef: 1", None, "put the value in quotes"),
        ('a: "\\q"', 1, "use single quotes, or write it twice"),
        ("a: b\x07", 1, "the control character U+0007"),
        ("a: 1\n  b: 2", 2, "check the indentation"),
        ("a: 1\n b: 2\nc", None, "it is not valid YAML"),
        ("%FOO bar\na: 1", None, "it is not valid YAML"),
    ],
)
def test_what_is_no_yaml_is_one_sentence_with_its_line(
    tmp_path: Path, text: str, line: int | None, says: str
) -> None:
    error = refused(tmp_path, text)

    assert says in error.message
    assert "\n" not in error.message
    assert error.line is not None
    assert line in (None, error.line)


def test_a_file_that_grows_without_end_is_refused_at_once(tmp_path: Path) -> None:
    """Ours: the billion laughs."""
    lines = ["a0: &a0 [lol, lol, lol, lol, lol, lol, lol, lol, lol, lol]"]
    lines += [f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 10)}]" for i in range(1, 30)]

    error = refused(tmp_path, "\n".join(lines))

    assert error.message == "it has over 250,000 values, with its anchors written out"


def test_a_chain_of_anchors_that_gets_too_deep_is_refused(tmp_path: Path) -> None:
    lines = ["a0: &a0 [x]", *(f"a{i}: &a{i} [*a{i - 1}]" for i in range(1, 3000))]

    assert "nested more than 256 levels deep" in refused(tmp_path, "\n".join(lines)).message


@pytest.mark.parametrize("depth", [300, 200_000])
def test_a_file_that_is_nested_too_deep_is_refused(tmp_path: Path, depth: int) -> None:
    assert "nested" in refused(tmp_path, "a: " + "[" * depth).message


def test_many_lines_are_read() -> None:
    tree, mistakes = read_tree("tests:\n" + "- {tool: x, args: {a: [1, 2, no]}}\n" * 2_000)

    assert tree is not None
    assert tree.size == 7 * 2_000 + 2
    assert mistakes == []
