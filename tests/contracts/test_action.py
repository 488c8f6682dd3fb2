"""action.yml, entrypoint/ and the image pass things on, and decide nothing that the command could."""

import re
from pathlib import Path

import click
import pytest
import yaml

from toolproof.cli import COMMANDS, main

ROOT = Path(__file__).parents[2]
ACTION = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
STEPS = ACTION["runs"]["steps"]
[STEP] = [step for step in STEPS if step.get("id") == "run"]
SCRIPT = (ROOT / "entrypoint" / "action.sh").read_text(encoding="utf-8")
WHERE_TO_RUN = {
    *("image", "pass-env", "python-path", "runtime", "setup", "toolproof-path"),
    "working-directory",
}
WORDS = {"args", "command"}  # passed on as they are, after the options
OPTION_OF = {"strictness": "fail-on"}  # every other input has its option's name
OPINIONS = {
    "annotations": "true",
    "html": "toolproof-report/report.html",
    "json": "toolproof-report/report.json",
    "junit": "toolproof-report/junit.xml",
    "only-new": "false",
    "runtime": "container",
    "sarif": "false",
    "summary": "true",
    "working-directory": ".",
}


def variable(name: str) -> str:
    return f"TOOLPROOF_ACTION_{name.upper().replace('-', '_')}"


def run_options() -> set[str]:
    command = main.get_command(click.Context(main), "run")
    assert command is not None
    return {
        option.removeprefix("--")
        for param in command.params
        if isinstance(param, click.Option)
        for option in param.opts
    }


def test_each_input_is_an_option_or_says_where_to_run() -> None:
    inputs = ACTION["inputs"].keys() - WHERE_TO_RUN - WORDS

    assert {OPTION_OF.get(name, name) for name in inputs} <= run_options()


def test_each_option_that_the_script_writes_is_one_of_the_command() -> None:
    written = set(re.findall(r"--([a-z-]+)=(?:off|\$value)", SCRIPT))
    written |= set(
        re.findall(r"\b[A-Z_]+=([a-z-]+)\b(?=[ ;])", SCRIPT.split("for pair in")[1][:300])
    )
    written |= set(re.findall(r"arguments\+=\(--([a-z-]+)\)", SCRIPT))

    assert {"fail-on", "max-annotations", "only-new", "summary", "wait-on"} <= written
    assert written <= run_options()


def test_each_input_reaches_the_script_as_its_variable_and_in_no_other_way() -> None:
    assert STEP["env"] == {variable(name): f"${{{{ inputs.{name} }}}}" for name in ACTION["inputs"]}


@pytest.mark.parametrize("name", ACTION["inputs"])
def test_no_input_is_forgotten_by_the_scripts(name: str) -> None:
    short = variable(name).removeprefix("TOOLPROOF_ACTION_")
    by_name = (
        name in ("junit", "json", "html", "sarif") and "for name in junit json html sarif" in SCRIPT
    )
    install = (ROOT / "entrypoint" / "install.sh").read_text(encoding="utf-8")

    assert by_name or re.search(rf"\b{short}\b|{variable(name)}", SCRIPT + install)


def test_only_what_the_config_cannot_say_has_a_default() -> None:
    defaults = {name: given["default"] for name, given in ACTION["inputs"].items()}

    assert defaults == dict.fromkeys(ACTION["inputs"], "") | OPINIONS


def test_each_output_has_its_value() -> None:
    """GitHub's runner: without `value:` an output of a composite action is always empty."""
    values = {name: given["value"] for name, given in ACTION["outputs"].items()}

    assert values == {name: f"${{{{ steps.run.outputs.{name} }}}}" for name in ACTION["outputs"]}
    assert set(ACTION["outputs"]) == {
        *("outcome", "exit-code", "tests", "passed", "failed", "errors", "skipped"),
        *("check-errors", "check-warnings", "check-infos", "fuzz-findings", "seed"),
        *("junit-path", "json-path", "html-path", "sarif-path", "summary-path", "version"),
    }


def test_nothing_from_outside_is_pasted_into_a_script() -> None:
    """GitHub's docs: an expression in `run:` lets its value become code."""
    assert [step["run"] for step in STEPS] == [
        'exec bash "$GITHUB_ACTION_PATH/entrypoint/install.sh"',
        'exec bash "$GITHUB_ACTION_PATH/entrypoint/action.sh"',
    ]
    assert all(step["shell"] == "bash" for step in STEPS)
    assert not any("uses" in step for step in STEPS)


def test_the_scripts_set_nothing_for_the_rest_of_the_job() -> None:
    for path in (ROOT / "entrypoint").glob("*.sh"):
        text = path.read_text(encoding="utf-8")
        assert not re.search(
            r"GITHUB_(?:ENV|PATH|STATE)\b|^\s*eval\b|INPUT_", text, re.MULTILINE
        ), path.name


def test_the_manifest_is_fit_for_the_marketplace() -> None:
    assert len(ACTION["description"]) < 125
    assert ACTION["branding"] == {"icon": "check-circle", "color": "green"}


def test_the_image_knows_every_command() -> None:
    """Ours: `test` and others are programs too, so toolproof's commands come first."""
    text = (ROOT / "entrypoint" / "image.sh").read_text(encoding="utf-8")
    known = re.search(r"'' \| -\* \| ([a-z| ]+)\)", text)

    assert known is not None
    names = known[1].split(" | ")
    assert set(COMMANDS) <= set(names)
    assert names == sorted(names)


def test_the_image_is_built_from_what_is_locked_by_hash() -> None:
    text = (ROOT / "Dockerfile").read_text(encoding="utf-8")

    assert text.count("--require-hashes --only-binary=:all:") + text.count(
        "--require-hashes --only-binary=:all: --requirement"
    ) >= len(re.findall(r"\bpip (?:--python \S+ )?install .*--requirement", text))
    for name in ("requirements.lock", "requirements-image.lock"):
        lock = (ROOT / "entrypoint" / name).read_text(encoding="utf-8")
        pinned = re.findall(r"^[a-z0-9._-]+==\S+", lock, re.MULTILINE)
        assert len(pinned) == len(re.findall(r"^[a-z0-9._-]+", lock, re.MULTILINE))
        assert lock.count("--hash=sha256:") >= len(pinned)
        assert "://" not in lock
