"""The harness is held to the runner's rules, and used as an oracle: what would GitHub make of these bytes?"""

import json
import random
import string
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.composite_runner import Result, run_action
from tests.workflow_commands import (
    WHITE_SPACE,
    Annotation,
    LogReader,
    annotation_of,
    parse_command,
)
from tests.workflow_expressions import Expression, ExpressionError, compare, truthy
from tests.workflow_files import parse_pairs

# ---- a reference writer, to show that what is escaped is read back as it was -----------------------------------


def escape_data(text: str) -> str:
    """A message, as it must be written."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def escape_property(text: str) -> str:
    """A property's value, as it must be written."""
    return escape_data(text).replace(":", "%3A").replace(",", "%2C")


def annotation_line(annotation: Annotation) -> str:
    """One annotation as a workflow command."""
    names = {
        "file": annotation.file,
        "line": annotation.line,
        "endLine": annotation.end_line,
        "col": annotation.col,
        "endColumn": annotation.end_col,
        "title": annotation.title,
    }
    properties = ",".join(
        f"{key}={escape_property(str(value))}" for key, value in names.items() if value is not None
    )
    return f"::{annotation.level}{' ' if properties else ''}{properties}::{escape_data(annotation.message)}"


def harmless(text: str) -> str:
    """Lines of a server's text, written so that no runner takes them for a command (what the product must do)."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return "\n".join(
        "│ " + line.replace("##[", "#\u200b#[").replace("##vso[", "#\u200b#vso[") for line in lines
    )


ALPHABET = (
    string.ascii_letters + string.digits + " %:,;=#[]()\\/'\"<>|`~\t\r\n\0\x1b\u2028\u200b\x85é漢😀"
)
PIECES = [
    "::error::",
    "::error file=a,line=1::",
    "##[error]",
    "##[",
    "::",
    "]",
    "\r",
    "\n",
    "\r\n",
    " ",
    "\u2003",
    "\x1c",
    "::set-env name=X::1",
    "##[add-mask]a",
    "::stop-commands::t",
    "%0A::error::",
    "::ERROR::",
    "##[group]x",
    "::add-mask::",
    "│ ",
    "x",
    "##vso[task.complete result=Failed]",
]


def texts(seed: int, count: int) -> list[str]:
    """Texts with more than their share of what commands are made of."""
    chance = random.Random(seed)
    return [
        "".join(
            chance.choice(PIECES) if chance.random() < 0.5 else chance.choice(ALPHABET)
            for _ in range(chance.randint(0, 14))
        )
        for _ in range(count)
    ]


def seen(output: str, workspace: str = "") -> LogReader:
    reader = LogReader(workspace)
    reader.read(output)
    return reader


# ---- the oracle ------------------------------------------------------------------------------------------------


def test_escaped_annotations_are_read_back_exactly() -> None:
    for message, text in zip(texts(1, 4000), texts(2, 4000), strict=True):
        # the runner loses a leading "=", and blanks at the properties' end
        title = text.strip("=" + WHITE_SPACE) or "t"
        written = Annotation("warning", message, file="src/a,b:c.py", line=7, title=title)
        reader = seen(annotation_line(written) + "\n")
        assert reader.annotations == [written]
        assert not reader.failures


def test_a_prefix_and_a_broken_marker_make_any_text_harmless() -> None:
    for text in texts(3, 10_000):
        reader = seen(harmless(text) + "\n")
        assert not reader.commands, text
        assert not reader.failures


def test_the_oracle_itself_is_not_blind() -> None:
    assert sum(bool(seen(text).commands) for text in texts(3, 10_000)) > 2_000


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("::error::boom", ("error", {}, "boom")),
        ("  \t::error::after blanks", ("error", {}, "after blanks")),
        ("\u2003\u00a0::warning::after other blanks", ("warning", {}, "after other blanks")),
        ("::ERROR FILE=a::any case", ("error", {"file": "a"}, "any case")),
        (
            "::error file=a%3Ab%2Cc,line=3::x%25y%0Az",
            ("error", {"file": "a:b,c", "line": "3"}, "x%y\nz"),
        ),
        ("::error title=a==b::m", ("error", {"title": "a==b"}, "m")),
        ("::error title==b::m", ("error", {"title": "b"}, "m")),
        ("::error file=a, line=3::m", ("error", {"file": "a", " line": "3"}, "m")),
        ("::error ::m", ("error", {}, "m")),
        ("text ##[error]in the middle", ("error", {}, "in the middle")),
        (
            "text ##[warning file=a;line=3]legacy%5D",
            ("warning", {"file": "a", "line": "3"}, "legacy]"),
        ),
        ("::nonsense::x ##[notice]falls through", ("notice", {}, "falls through")),
    ],
)
def test_lines_that_are_commands(line: str, expected: tuple[str, dict[str, str], str]) -> None:
    command = parse_command(line)
    assert command is not None
    assert (command.name, command.properties, command.data) == expected


@pytest.mark.parametrize(
    "line",
    [
        "x ::error::not at the start",
        "::error:one colon",
        "::unknown::x",
        "\x1c::error::no blank for .NET",
        "\u200b::error::nor is this",
        "##[unknown]x ##[error]only the first is looked at",
        "##[error no bracket",
        ":: error::x",
        "# #[error]x",
    ],
)
def test_lines_that_are_plain_text(line: str) -> None:
    assert parse_command(line) is None


def test_a_lone_carriage_return_starts_a_line() -> None:
    assert [
        a.message for a in seen("progress 99%\r::error::from a progress bar\n").annotations
    ] == ["from a progress bar"]


def test_stop_commands_hold_until_their_token() -> None:
    reader = seen("::stop-commands::T0K\n::error::a\n##[error]b\n::t0k::\n::error::c\n")
    assert [a.message for a in reader.annotations] == ["c"]
    assert seen("::stop-commands::error\n").failures


def test_hostile_commands_fail_the_step() -> None:
    for line in (
        "::set-env name=A::b",
        "x ##[add-path]/tmp",
        "::add-matcher::missing.json",
        "::echo::perhaps",
    ):
        assert seen(line).failures, line


def test_masks_apply_to_log_and_messages() -> None:
    reader = seen("::add-mask::hunter2\nthe word is hunter2\n::error::hunter2!\n")
    assert reader.log == ["the word is ***", "##[error]***!"]
    assert reader.annotations[0].message == "***!"


def test_ten_of_each_level_are_kept() -> None:
    reader = seen(
        "".join(f"::{level}::{n}\n" for n in range(12) for level in ("error", "warning", "notice"))
    )
    assert len(reader.annotations) == 30
    assert reader.dropped == 6


@pytest.mark.parametrize(
    ("properties", "expected"),
    [
        ("file=a,line=2,endLine=2,col=3,endColumn=5", ("a", 2, 2, 3, 5)),
        ("file=a,line=2,endLine=4,col=3,endColumn=5", ("a", 2, 4, None, None)),
        ("file=a,endLine=4", ("a", 4, 4, None, None)),
        ("file=a,line=5,endLine=4", ("a", None, None, None, None)),
        ("file=a,line=5,col=9,endColumn=4", ("a", 5, None, None, None)),
        ("file=a,col=9", ("a", None, None, None, None)),
        ("file=a,line=x", ("a", None, None, None, None)),
        ("file=/ws/src/a.py,line=1", ("src/a.py", 1, None, None, None)),
        ("file=/wsx/a.py,line=1", ("/wsx/a.py", 1, None, None, None)),
    ],
)
def test_places_are_put_right_as_the_runner_does(
    properties: str, expected: tuple[object, ...]
) -> None:
    command = parse_command(f"::error {properties}::m")
    assert command is not None
    a = annotation_of(command, "/ws/")
    assert (a.file, a.line, a.end_line, a.col, a.end_col) == expected


def test_a_message_is_cut_at_4096_utf16_units() -> None:
    assert len(seen("::error::" + "x" * 5000).annotations[0].message) == 4096
    assert seen("::error::" + "😀" * 3000).annotations[0].message == "😀" * 2048


# ---- expressions -----------------------------------------------------------------------------------------------

CONTEXTS = {
    "inputs": {"run-time": "host", "n": "3", "empty": ""},
    "steps": {"a": {"outputs": {"x": "1"}}},
    "list": {"of": ["x", "y"]},
}
FUNCTIONS: dict[str, Callable[..., object]] = {
    "success": lambda: True,
    "format": lambda t, *a: t.replace("{0}", a[0]),
}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("inputs.run-time == 'HOST'", True),
        ("inputs['run-time'] != 'host'", False),
        ("inputs.n == 3", True),
        ("inputs.n > 2 && 'y'", "y"),
        ("inputs.empty || 'default'", "default"),
        ("inputs.missing == ''", True),
        ("steps.a.outputs.x", "1"),
        ("steps.b.outputs.x == null", True),
        ("!(true && false) || success()", True),
        ("'it''s'", "it's"),
        ("list.of[1]", "y"),
        ("0xff == 255", True),
        ("'abc' < 'ABD'", True),
        ("format('{0}!', inputs.n)", "3!"),
        ("'a' == 0", False),
        ("true == 1", True),
        ("-1.5e1 < 0", True),
    ],
)
def test_expressions(text: str, expected: object) -> None:
    assert Expression(text, CONTEXTS, FUNCTIONS).value() == expected


@pytest.mark.parametrize(
    "text", ["secrets.TOKEN", "inputs.a ==", "nosuch()", "a b", "inputs.a $ 1", "(true"]
)
def test_expressions_that_are_refused(text: str) -> None:
    with pytest.raises(ExpressionError):
        Expression(text, CONTEXTS, FUNCTIONS).value()


def test_truth_and_comparison() -> None:
    assert not any(map(truthy, (None, "", 0.0, False, float("nan"))))
    assert truthy("false")
    assert compare(None, "==", "")
    assert compare("", "==", 0.0)
    assert not compare("x", "==", 0.0)


# ---- the files a step writes -----------------------------------------------------------------------------------


def test_pairs() -> None:
    assert parse_pairs("a=1\nb<<END\nx\n=y\nEND\nc==2\n\nd=<<\n") == {
        "a": "1",
        "b": "x\n=y",
        "c": "=2",
        "d": "<<",
    }
    assert parse_pairs("a<<E\nE") == {"a": ""}


@pytest.mark.parametrize("text", ["word\n", "a<<\nx\n", "<<E\nx\nE\n", "a<<E\nx\n", "a<<E\nx"])
def test_pairs_that_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match="Invalid"):
        parse_pairs(text)


# ---- actions ---------------------------------------------------------------------------------------------------

ACTION = """
name: sample
description: A composite action with one of everything.
inputs:
  config: {description: c, default: toolproof.yaml}
  strict: {description: s, default: "false"}
  where: {description: w, default: "${{ github.workspace }}"}
outputs:
  answer: {description: a, value: "${{ steps.run.outputs.answer }}"}
  never: {description: n, value: "${{ steps.skipped.outputs.x }}"}
runs:
  using: composite
  steps:
    - id: run
      shell: bash
      env: {CONFIG: "${{ inputs.config }}"}
      run: |
        echo "::error file=$GITHUB_WORKSPACE/server.py,line=3,title=t::$CONFIG"
        { echo "answer<<_D"; echo "two"; echo "lines"; echo "_D"; } >> "$GITHUB_OUTPUT"
        echo "SHARED=yes" >> "$GITHUB_ENV"
        echo "/added" >> "$GITHUB_PATH"
        echo "# Summary of $GITHUB_JOB" >> "$GITHUB_STEP_SUMMARY"
        echo "input seen: ${INPUT_CONFIG-none}, token: ${GITHUB_TOKEN-none}"
    - id: skipped
      if: inputs.strict == 'true'
      shell: bash
      run: exit 9
    - id: fails
      if: inputs.config == 'bad.yaml'
      shell: bash
      run: exit 3
    - id: cleanup
      if: always()
      shell: sh
      working-directory: sub
      run: echo "cleanup in $(basename "$PWD"), SHARED=$SHARED, PATH=${PATH%%:*}"
"""


@pytest.fixture
def action(tmp_path: Path) -> Path:
    (tmp_path / "action.yml").write_text(ACTION)
    (tmp_path / "ws" / "sub").mkdir(parents=True)
    return tmp_path


def test_an_action_that_succeeds(action: Path) -> None:
    result = run_action(action, workspace=action / "ws")
    assert result.status == "success"
    assert result.outputs == {"answer": "two\nlines", "never": ""}
    assert result.annotations == [Annotation("error", "toolproof.yaml", "server.py", 3, title="t")]
    assert result.summary == "# Summary of test\n"
    assert "input seen: none, token: none" in result.log
    assert "cleanup in sub, SHARED=yes, PATH=/added" in result.log
    assert [step.outcome for step in result.steps.values()] == [
        "success",
        "skipped",
        "skipped",
        "success",
    ]
    assert result.env == {"SHARED": "yes"}
    assert result.path == ["/added"]


def test_an_action_that_fails_still_has_outputs_and_runs_always_steps(action: Path) -> None:
    result = run_action(action, {"config": "bad.yaml"}, action / "ws")
    assert result.status == "failure"
    assert result.annotations[-1].message == "Process completed with exit code 3."
    assert result.outputs["answer"] == "two\nlines"
    assert result.steps["cleanup"].outcome == "success"


def test_inputs_are_data(action: Path) -> None:
    hostile = "$(touch pwned)'; touch pwned; #\n::error::x ${{ secrets.A }}"
    result = run_action(action, {"config": hostile}, action / "ws")
    assert not (action / "ws" / "pwned").exists()
    assert result.status == "success"


def test_undeclared_inputs_warn_and_names_ignore_case(action: Path) -> None:
    result = run_action(action, {"Config": "x.yaml", "confg": "y"}, action / "ws")
    assert result.annotations[0].message == "x.yaml"
    assert result.warnings == ["Unexpected input 'confg'"]


def run_script(tmp_path: Path, run: str, **step: object) -> Result:
    (tmp_path / "action.yml").write_text(
        json.dumps(
            {
                "name": "n",
                "description": "d",
                "outputs": {"o": {"value": "${{ steps.s.outputs.o }}"}},
                "runs": {
                    "using": "composite",
                    "steps": [{"id": "s", "shell": "bash", "run": run, **step}],
                },
            }
        )
    )
    return run_action(tmp_path, timeout=20)


@pytest.mark.parametrize(
    ("run", "message"),
    [
        ("echo broken >> $GITHUB_OUTPUT", "Unable to process file command 'output' successfully."),
        (
            "echo NODE_OPTIONS=x >> $GITHUB_ENV",
            "Can't store NODE_OPTIONS output parameter using '$GITHUB_ENV' command.",
        ),
        (
            "head -c 1048577 /dev/zero >> $GITHUB_STEP_SUMMARY",
            "$GITHUB_STEP_SUMMARY upload aborted",
        ),
        ("false | true", "Process completed with exit code 1."),
        (
            "echo '::set-env name=a::b'",
            "Unable to process command: the command 'set-env' is disabled",
        ),
    ],
)
def test_what_is_reported_about_a_step(tmp_path: Path, run: str, message: str) -> None:
    result = run_script(tmp_path, run)
    assert result.annotations[0].message.startswith(message)
    fails = "NODE_OPTIONS" not in run and "SUMMARY" not in run
    assert result.status == ("failure" if fails else "success")
    assert result.summary == ""


def test_a_summary_of_exactly_one_mebibyte_is_kept(tmp_path: Path) -> None:
    result = run_script(tmp_path, "head -c 1048576 /dev/zero | tr '\\0' x >> $GITHUB_STEP_SUMMARY")
    assert len(result.summary) == 1048576


def test_what_a_step_leaves_running_does_not_hold_it(tmp_path: Path) -> None:
    result = run_script(tmp_path, "sleep 60 & echo o=done >> $GITHUB_OUTPUT")
    assert result.outputs == {"o": "done"}


def test_a_manifest_without_a_shell_runs_nothing(tmp_path: Path) -> None:
    (tmp_path / "action.yml").write_text(
        "name: n\nruns: {using: composite, steps: [{run: exit 0}, {shell: bash, run: 'true', timeout-minutes: 1}]}\n"
    )
    result = run_action(tmp_path)
    assert result.status == "failure"
    assert not result.steps
    assert [a.message for a in result.annotations] == [
        "step 1: Required property is missing: shell",
        "step 2: Unexpected value 'timeout-minutes'",
    ]


def test_continue_on_error_and_nested_actions(tmp_path: Path) -> None:
    (tmp_path / "action.yml").write_text(
        "name: n\noutputs:\n"
        "  v: {value: '${{ steps.py.outputs.version }} ${{ steps.f.outcome }} ${{ steps.f.conclusion }}'}\n"
        "runs:\n  using: composite\n  steps:\n    - {id: f, shell: bash, run: exit 1, continue-on-error: true}\n"
        "    - {id: py, uses: actions/setup-python@v6, with: {python-version: '3.13'}}\n"
    )
    result = run_action(
        tmp_path,
        uses={"actions/setup-python@v6": lambda given, _: {"version": given["python-version"]}},
    )
    assert result.status == "success"
    assert result.outputs == {"v": "3.13 failure success"}
