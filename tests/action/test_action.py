"""The action with a command that only says how it was called: inputs, statuses, runtimes, signals."""

import os
import signal
import subprocess
import time
from itertools import pairwise
from pathlib import Path

import pytest

from tests.action.stubbed import ROOT, act, environment_of, program

REPORTS = [
    "--junit=toolproof-report/junit.xml",
    "--json=toolproof-report/report.json",
    "--html=toolproof-report/report.html",
]
HOSTILE = [
    "$(touch pwned)",
    "`touch pwned`",
    "'; touch pwned; '",
    '"; touch pwned; "',
    "::error::fake",
    "##[add-path]/tmp",
    "${{ secrets.TOKEN }}",
    "a b\tc",
    "--help",
    "*",
    "漢 😀",
    "two\nlines",
    "%0A::error::x",
]
RUNTIMES = pytest.mark.parametrize("runtime", ["container", "host"])


@RUNTIMES
def test_without_inputs_the_command_gets_what_the_action_has_an_opinion_on(
    tmp_path: Path, runtime: str
) -> None:
    called = act(tmp_path, {"runtime": runtime})

    assert called.arguments == ["run", *REPORTS]
    assert called.result.status == "success"
    assert called.result.annotations == []


@pytest.mark.parametrize(
    ("name", "value", "options"),
    [
        ("config", "ci/tool proof.yaml", ["--config=ci/tool proof.yaml"]),
        ("phases", "checks, tests", ["--phases=checks, tests"]),
        ("strictness", "never", ["--fail-on=never"]),
        ("server", "weather", ["--server=weather"]),
        ("url", "http://localhost:1/mcp", ["--url=http://localhost:1/mcp"]),
        ("command", "python\n-m\nserver\n", ["--", "python", "-m", "server"]),
        ("command", "python -m server", ["--", "python -m server"]),
        ("args", "--tag=a b\n--verbose\r\n", ["--tag=a b", "--verbose"]),
        ("annotations", "false", ["--annotations=off"]),
        ("annotations", "7", ["--max-annotations=7"]),
        ("annotations", "", []),
        ("summary", "false", ["--summary=off"]),
        ("summary", "", []),
        ("summary-title", "leg 1", ["--summary-title=leg 1"]),
        ("sarif", "out/report.sarif", ["--sarif=out/report.sarif"]),
        ("baseline", "known.yaml", ["--baseline=known.yaml"]),
        ("only-new", "true", ["--only-new"]),
        ("only-new", "", []),
        ("shard", "1/3", ["--shard=1/3"]),
        ("seed", "7", ["--seed=7"]),
        ("wait-on", "http://a/\nhttp://b/", ["--wait-on=http://a/", "--wait-on=http://b/"]),
    ],
)
def test_an_input_becomes_its_option(
    tmp_path: Path, name: str, value: str, options: list[str]
) -> None:
    called = act(tmp_path, {name: value})

    assert called.arguments is not None
    assert [each for each in called.arguments[1:] if each not in REPORTS] == options


@pytest.mark.parametrize("name", ["junit", "json", "html"])
def test_a_report_can_be_moved_or_left_out(tmp_path: Path, name: str) -> None:
    moved = act(tmp_path, {name: "else/where"})
    left_out = act(tmp_path, {name: "false"})

    assert moved.arguments is not None
    assert left_out.arguments is not None
    assert f"--{name}=else/where" in moved.arguments
    assert len(left_out.arguments) == len(REPORTS)
    assert not any(each.startswith(f"--{name}") for each in left_out.arguments)


@pytest.mark.parametrize(
    ("inputs", "words"),
    [
        ({"runtime": "vm"}, "'runtime' must be 'container' or 'host', not 'vm'"),
        ({"only-new": "yes"}, "'only-new' takes true or false, not 'yes'"),
        ({"summary": "on"}, "'summary' takes true or false, not 'on'"),
        ({"annotations": "11"}, "from 1 to 10, not '11'"),
        ({"annotations": "0"}, "from 1 to 10, not '0'"),
        ({"sarif": "true"}, "'sarif' takes a path or false"),
        ({"working-directory": "none"}, "names no folder: 'none'"),
        ({"working-directory": ".."}, "must lie below the workspace: '..'"),
        ({"working-directory": "link"}, "must lie below the workspace: 'link'"),
        ({"pass-env": "A=B"}, "'pass-env' takes names of variables, one per line, not 'A=B'"),
    ],
)
def test_a_mistake_of_use_is_said_once_and_ends_with_2(
    tmp_path: Path, inputs: dict[str, str], words: str
) -> None:
    (tmp_path / "workspace").mkdir()
    (tmp_path / "workspace" / "link").symlink_to("/usr")

    called = act(tmp_path, inputs)

    assert called.arguments is None
    assert called.result.outputs["outcome"] == "error"
    assert called.result.outputs["exit-code"] == "2"
    [ours, runners] = called.result.annotations
    assert ours.title == "toolproof"
    assert words in ours.message
    assert runners.message == "Process completed with exit code 2."


ONE_LINE = ["config", "phases", "strictness", "server", "url", "baseline", "shard", "seed"]
ONE_LINE += ["summary-title", "junit", "json", "html", "sarif"]


@RUNTIMES
@pytest.mark.parametrize("turn", [0, 5, 9])
def test_hostile_inputs_are_data(tmp_path: Path, runtime: str, turn: int) -> None:
    values = {name: HOSTILE[(at + turn) % len(HOSTILE)] for at, name in enumerate(ONE_LINE)}
    everything = "\n".join(HOSTILE)

    called = act(
        tmp_path,
        {**values, "args": everything, "command": everything, "image": "i", "runtime": runtime},
    )

    assert called.arguments is not None
    lines = everything.split("\n")
    assert called.arguments[-2 * len(lines) - 1 :] == [*lines, "--", *lines]
    assert f"--config={values['config']}" in called.arguments
    assert f"--sarif={values['sarif']}" in called.arguments
    assert called.result.commands == []
    assert called.result.path == []
    assert called.result.env == {}
    assert not list(tmp_path.rglob("pwned"))


def test_a_hostile_value_in_a_message_stays_in_it(tmp_path: Path) -> None:
    value = "".join(HOSTILE)

    called = act(tmp_path, {"only-new": value, "working-directory": value})

    assert [command.name for command in called.result.commands] == ["error"]
    assert value in called.result.annotations[0].message
    assert not list(tmp_path.rglob("pwned"))


@RUNTIMES
@pytest.mark.parametrize(
    ("status", "code", "outcome"),
    [
        *(("0", "0", "passed"), ("1", "1", "failed"), ("2", "2", "error"), ("3", "3", "error")),
        *(
            ("4", "4", "error"),
            ("5", "4", "error"),
            ("99", "4", "error"),
            ("SIGKILL", "4", "error"),
        ),
    ],
)
def test_a_status_of_the_command_is_the_steps(
    tmp_path: Path, runtime: str, status: str, code: str, outcome: str
) -> None:
    called = act(tmp_path, {"runtime": runtime}, STUB_STATUS=status)

    outputs = called.result.outputs
    assert (outputs["exit-code"], outputs["outcome"]) == (code, outcome)
    assert called.result.status == ("success" if code == "0" else "failure")
    said = [each.message for each in called.result.annotations if each.title == "toolproof"]
    assert len(said) == (0 if status in "01234" else 1)
    if status == "SIGKILL":
        assert "137" in said[0]


@pytest.mark.parametrize(
    ("status", "words"),
    [
        ("125", "the engine could not start the image 'an/image:1'"),
        ("126", "the image 'an/image:1' has no toolproof"),
        ("127", "the image 'an/image:1' has no toolproof"),
    ],
)
def test_what_the_engine_refuses_is_a_mistake_of_use(
    tmp_path: Path, status: str, words: str
) -> None:
    called = act(tmp_path, {"image": "an/image:1"}, STUB_DOCKER_STATUS=status)

    assert called.result.outputs["exit-code"] == "2"
    assert called.result.annotations[0].message.startswith(words)


def test_a_command_that_is_not_there_is_a_mistake_of_use(tmp_path: Path) -> None:
    called = act(tmp_path, {"runtime": "host", "toolproof-path": "/no/toolproof"})

    assert called.result.outputs["exit-code"] == "2"
    assert called.result.annotations[0].message == "there is no toolproof at '/no/toolproof'"


@pytest.mark.parametrize("engine", ["none", "no daemon", "windows"])
def test_there_is_no_silent_fallback(tmp_path: Path, engine: str) -> None:
    info = {"none": "", "no daemon": "", "windows": "windows []"}[engine]
    environment_of(tmp_path)
    if engine == "none":
        (tmp_path / "bin" / "docker").write_text("#!/bin/sh\nexit 127\n")

    called = act(tmp_path, STUB_INFO=info)

    assert called.arguments is None
    assert called.result.outputs["exit-code"] == "2"
    assert called.result.annotations[0].message == (
        "runtime: container needs a Linux Docker engine and this runner has none: "
        "set 'runtime: host'"
    )


@RUNTIMES
def test_outputs_and_summary_of_the_command_are_the_steps(tmp_path: Path, runtime: str) -> None:
    written = "outcome<<D\nfailed\nD\nexit-code<<D\n1\nD\ntests<<D\n22\nD\nseed<<D\n7\nD\n"

    called = act(tmp_path, {"runtime": runtime}, STUB_OUTPUT=written, STUB_SUMMARY="## weather\n")

    outputs = called.result.outputs
    assert (outputs["outcome"], outputs["exit-code"], outputs["tests"]) == ("failed", "1", "22")
    assert (outputs["seed"], outputs["junit-path"]) == ("7", "")
    assert called.result.summary == "## weather\n"


def test_the_container_sees_the_workspace_where_the_job_does(tmp_path: Path) -> None:
    workspace = tmp_path / 'a "b", c 漢'
    (workspace / "servers" / "one").mkdir(parents=True)

    called = act(tmp_path, {"working-directory": "servers/one"}, workspace=workspace)

    run = called.run
    quoted = str(workspace).replace('"', '""')
    assert f'type=bind,"source={quoted}","target={quoted}"' in run
    assert f'type=bind,"source={tmp_path}/temp","target={tmp_path}/temp"' in run
    assert run[run.index("--workdir") + 1] == str(workspace / "servers" / "one")
    assert run[run.index("--user") + 1] == f"{os.getuid()}:{os.getgid()}"
    assert called.folder == workspace / "servers" / "one"
    assert not {"--privileged", "--init", "-t", "-v"} & set(run)


def test_the_server_cannot_reach_the_files_that_steer_the_job(tmp_path: Path) -> None:
    called = act(tmp_path, GITHUB_TOKEN="t", ACTIONS_RUNTIME_TOKEN="t", SECRET="s")

    covered = tmp_path / "temp" / "_runner_file_commands"
    assert f'type=tmpfs,"target={covered}"' in called.run
    assert str(covered) not in str(called.environment)
    assert not {"GITHUB_TOKEN", "ACTIONS_RUNTIME_TOKEN", "SECRET"} & called.environment.keys()


def test_variables_reach_the_container_by_name(tmp_path: Path) -> None:
    called = act(
        tmp_path,
        {"pass-env": "WEATHER_KEY\n  CITY \nMISSING"},
        WEATHER_KEY="hunter2",
        CITY="Oslo\nBergen",
        TOOLPROOF_RUN_SEED="7",
        http_proxy="http://proxy",
    )

    environment = called.environment
    assert (environment["WEATHER_KEY"], environment["CITY"]) == ("hunter2", "Oslo\nBergen")
    assert environment["TOOLPROOF_RUN_SEED"] == "7"
    assert environment["http_proxy"] == "http://proxy"
    assert environment["GITHUB_ACTIONS"] == environment["CI"] == "true"
    assert environment["HOME"] == "/tmp"
    assert not any(name.startswith("TOOLPROOF_ACTION_") for name in environment)
    assert "hunter2" not in str(called.engine)


def test_on_the_host_the_job_is_as_it_was(tmp_path: Path) -> None:
    called = act(tmp_path, {"runtime": "host"}, VIRTUAL_ENV="/the/jobs", PYTHONPATH="/too")

    assert called.environment["VIRTUAL_ENV"] == "/the/jobs"
    assert called.environment["PYTHONPATH"] == "/too"
    assert not any(name.startswith("TOOLPROOF_ACTION_") for name in called.environment)
    assert called.engine == []


@pytest.mark.parametrize(
    ("info", "option"),
    [
        ("linux [name=seccomp,profile=builtin name=rootless]", ("--user", "0:0")),
        ("linux [name=seccomp name=selinux]", ("--security-opt", "label=disable")),
    ],
)
def test_an_engine_that_is_special_is_asked_specially(
    tmp_path: Path, info: str, option: tuple[str, str]
) -> None:
    run = act(tmp_path, STUB_INFO=info).run

    assert option in pairwise(run)


def test_between_releases_the_action_builds_its_own_image(tmp_path: Path) -> None:
    called = act(tmp_path)

    assert ["build", "--tag", "toolproof-action", str(ROOT)] in called.engine
    assert "toolproof-action" in called.run
    assert any("no release" in line for line in called.result.log)


def test_an_image_that_cannot_be_built_is_said(tmp_path: Path) -> None:
    called = act(tmp_path, STUB_BUILD_STATUS="1")

    assert called.result.outputs["exit-code"] == "2"
    assert "could not be built" in called.result.annotations[0].message


def test_a_named_image_is_run_as_it_is(tmp_path: Path) -> None:
    called = act(tmp_path, {"image": "mirror.example/toolproof:1@sha256:abc"})

    assert not [call for call in called.engine if call[0] == "build"]
    assert "mirror.example/toolproof:1@sha256:abc" in called.run


@RUNTIMES
def test_setup_runs_first_and_its_environment_reaches_the_command(
    tmp_path: Path, runtime: str
) -> None:
    (tmp_path / "workspace" / "one").mkdir(parents=True)
    setup = 'touch made\nexport SET_UP="yes $(pwd)"\r\n: "${UNSET-}"\necho $UNSET done'

    called = act(tmp_path, {"runtime": runtime, "setup": setup, "working-directory": "one"})

    assert (tmp_path / "workspace" / "one" / "made").exists()
    assert called.environment["SET_UP"] == f"yes {tmp_path}/workspace/one"
    at = called.result.log.index("##[group]setup")
    assert called.result.log[at + 1 : at + 3] == ["done", "##[endgroup]"]


@RUNTIMES
@pytest.mark.parametrize(
    ("setup", "status"), [("false", 1), ("exit 0", 0), ("no-such-program", 127), ("(exit 3)", 3)]
)
def test_a_setup_that_fails_is_no_finding(
    tmp_path: Path, runtime: str, setup: str, status: int
) -> None:
    called = act(tmp_path, {"runtime": runtime, "setup": f"{setup}\ntouch gone-on"})

    assert called.arguments is None
    assert called.result.outputs["exit-code"] == "2"
    assert called.result.annotations[0].message == f"setup failed with status {status}"
    assert not (tmp_path / "workspace" / "gone-on").exists()


@RUNTIMES
def test_nothing_is_left_behind(tmp_path: Path, runtime: str) -> None:
    act(tmp_path, {"runtime": runtime, "setup": "true"})

    assert [path.name for path in (tmp_path / "temp").glob("toolproof*")] == []


def test_programs_that_stand_in_the_way_are_not_run_on_the_host(tmp_path: Path) -> None:
    """Ours: a pull request may bring a folder that is on PATH."""
    for name in ("python", "python3", "pip", "git", "toolproof"):
        program(tmp_path / "hostile" / name, "toolproof")
    path = f"{tmp_path / 'hostile'}:{os.environ['PATH']}"

    called = act(tmp_path, {"runtime": "host", "toolproof-path": "/bin/true"}, PATH=path)

    assert called.arguments is None
    assert called.result.status == "success"


@RUNTIMES
@pytest.mark.parametrize(("name", "status"), [("SIGINT", 130), ("SIGTERM", 143)])
def test_a_cancelled_job_leaves_nothing_running(
    tmp_path: Path, runtime: str, name: str, status: int
) -> None:
    """Spec: the runner signals the step's first process alone."""
    for folder in ("workspace", "temp"):
        (tmp_path / folder).mkdir()
    output = tmp_path / "output"
    env = environment_of(
        tmp_path,
        STUB_WAIT="1",
        GITHUB_ACTION_PATH=str(ROOT),
        GITHUB_WORKSPACE=str(tmp_path / "workspace"),
        GITHUB_OUTPUT=str(output),
        RUNNER_TEMP=str(tmp_path / "temp"),
        TOOLPROOF_ACTION_RUNTIME=runtime,
        TOOLPROOF_ACTION_IMAGE="an/image",
        TOOLPROOF_ACTION_TOOLPROOF_PATH=str(tmp_path / "else where" / "toolproof"),
    )
    script = ["bash", str(ROOT / "entrypoint" / "action.sh")]
    with subprocess.Popen(script, env=env, start_new_session=True) as step:
        try:
            waiting = tmp_path / "stub" / "waiting"
            deadline = time.monotonic() + 30
            while not waiting.exists() and time.monotonic() < deadline:
                time.sleep(0.02)

            step.send_signal(signal.Signals[name])

            assert step.wait(30) == status
        finally:
            if step.poll() is None:
                os.killpg(step.pid, signal.SIGKILL)
    assert output.read_text() == f"outcome=error\nexit-code={status}\n"
    assert list((tmp_path / "temp").iterdir()) == []


def test_a_mistake_of_the_script_is_no_finding(tmp_path: Path) -> None:
    """Ours: its own status 1 would read as one."""
    (tmp_path / "temp").mkdir()
    output = tmp_path / "output"
    env = environment_of(
        tmp_path,
        GITHUB_ACTION_PATH=str(ROOT),
        GITHUB_WORKSPACE=str(tmp_path),
        GITHUB_OUTPUT=str(output),
        RUNNER_TEMP=str(tmp_path / "nowhere"),
        TOOLPROOF_ACTION_RUNTIME="host",
    )

    done = subprocess.run(
        ["bash", ROOT / "entrypoint" / "action.sh"], env=env, capture_output=True, check=False
    )

    assert done.returncode == 4
    assert output.read_text() == "outcome=error\nexit-code=4\n"
    assert done.stdout.startswith(b"::error title=toolproof::the action's script failed")
