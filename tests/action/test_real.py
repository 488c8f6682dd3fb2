"""The action with the real command: in the image, and beside the job's tools."""

import importlib.util
import json
import os
import shutil
import subprocess
import sys
import threading
import time
import xml.etree.ElementTree as ET
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from tests.composite_runner import Result, run_action

ROOT = Path(__file__).parents[2]
SAMPLES = Path(__file__).parent / "samples"
IMAGE = os.environ.get("ACTION_IMAGE", "")
RUNTIMES = pytest.mark.parametrize("runtime", ["container", "host"])
MOST_SUMMARY = 900_000
OUTPUTS = ("outcome", "exit-code", "tests", "passed", "failed", "errors", "skipped")


@pytest.fixture(scope="session")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """RUNNER_TEMP with the environment that `install.sh` makes in a clean home."""
    temp = tmp_path_factory.mktemp("installed")
    env = {
        **{name: value for name, value in os.environ.items() if not name.startswith("GITHUB_")},
        "GITHUB_ACTION_PATH": str(ROOT),
        "RUNNER_TEMP": str(temp),
        "HOME": str(tmp_path_factory.mktemp("home")),
        "TOOLPROOF_ACTION_PYTHON_PATH": sys.executable,
        "PYTHONPATH": "/nowhere",
        "PIP_TARGET": "/nowhere",
    }
    began = time.perf_counter()
    done = subprocess.run(
        ["bash", ROOT / "entrypoint" / "install.sh"],
        env=env,
        capture_output=True,
        text=True,
        check=False,
    )
    print(f"\nhost install: {time.perf_counter() - began:.1f} s")
    assert done.returncode == 0, done.stdout + done.stderr
    return temp / "toolproof-venv"


def sample(name: str, folder: Path) -> Path:
    """A checkout with a copy of a sample."""
    workspace = folder / "work space"
    shutil.copytree(SAMPLES / name, workspace)
    subprocess.run(["git", "init", "-q"], cwd=workspace, check=True)
    subprocess.run(["git", "add", "-A"], cwd=workspace, check=True)
    return workspace


def act(workspace: Path, folder: Path, runtime: str, installed: Path, /, **inputs: str) -> Result:
    given = {name.replace("_", "-"): value for name, value in inputs.items()}
    if runtime == "host":
        given["toolproof-path"] = str(installed / "bin" / "toolproof")
    given.setdefault("image", IMAGE)
    env = {"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    return run_action(
        ROOT, {"runtime": runtime, **given}, workspace, env=env, temp=folder / "temp", timeout=300
    )


def report(workspace: Path, result: Result) -> dict[str, object]:
    told: dict[str, object] = json.loads((workspace / result.outputs["json-path"]).read_text())
    return told


@RUNTIMES
def test_a_good_server_passes(tmp_path: Path, runtime: str, installed: Path) -> None:
    workspace = sample("good", tmp_path)

    result = act(workspace, tmp_path, runtime, installed)

    assert result.status == "success", result.log
    assert [result.outputs[name] for name in OUTPUTS] == ["passed", "0", "3", "3", "0", "0", "0"]
    assert result.annotations == []
    assert result.summary.startswith("## ")
    assert "passed" in result.summary
    for name in ("junit", "json", "html"):
        path = result.outputs[f"{name}-path"]
        assert path == f"toolproof-report/{'junit.xml' if name == 'junit' else f'report.{name}'}"
        assert (workspace / path).stat().st_uid == os.getuid()
    assert not list(workspace.rglob("__pycache__/*.root"))


@RUNTIMES
def test_findings_are_told_on_the_right_lines(
    tmp_path: Path, runtime: str, installed: Path
) -> None:
    workspace = sample("faulty", tmp_path)

    result = act(workspace, tmp_path, runtime, installed, sarif="toolproof-report/report.sarif")

    assert (result.outputs["outcome"], result.outputs["exit-code"]) == ("failed", "1")
    told = report(workspace, result)
    assert told["outcome"] == "failed"
    assert int(result.outputs["check-errors"]) == 2
    suites = ET.parse(workspace / result.outputs["junit-path"]).getroot()
    assert [suites.get(name) for name in ("tests", "failures")] == [
        result.outputs["tests"],
        result.outputs["failed"],
    ]
    lines = {
        "subtract": '"name": "subtract"',
        "adds wrongly": "- name: adds wrongly",
    }
    ours = [each for each in result.annotations if each.title]
    assert {each.level for each in ours} >= {"error"}
    for each in ours:
        assert each.file is not None
        assert each.line is not None
        assert each.title is not None
        text = (workspace / each.file).read_text().splitlines()[each.line - 1]
        assert lines[each.title.split(" · ")[0]] in text
    assert json.loads((workspace / result.outputs["sarif-path"]).read_text())["version"] == "2.1.0"


@RUNTIMES
@pytest.mark.parametrize("count", [10, 11, 5000])
def test_however_many_findings_there_are_no_level_has_more_than_ten(
    tmp_path: Path, runtime: str, installed: Path, count: int
) -> None:
    workspace = sample("faulty", tmp_path)

    result = act(
        workspace,
        tmp_path,
        runtime,
        installed,
        command=f"python\nserver.py\n{count}",
        config="toolproof.yaml",
        phases="checks",
    )

    assert result.outputs["exit-code"] == "1"
    assert result.dropped <= 1  # the runner's own, "Process completed with exit code 1."
    assert len(result.summary.encode()) <= MOST_SUMMARY
    errors = [each for each in result.annotations if each.level == "error" and each.title]
    assert len(errors) <= 10
    if count > 10:
        assert "more errors: see the job summary" in errors[-1].message


def outside_fences(markdown: str) -> str:
    """Markdown without its fenced blocks, in which everything is text."""
    fence, kept = "", []
    for line in markdown.splitlines():
        mark = line[: len(line) - len(line.lstrip("`"))]
        if not fence and len(mark) >= 3:
            fence = mark
        elif fence:
            fence = "" if line.strip() == fence else fence
        else:
            kept.append(line)
    assert not fence
    return "\n".join(kept)


@RUNTIMES
def test_what_a_hostile_server_says_stays_text(
    tmp_path: Path, runtime: str, installed: Path
) -> None:
    workspace = sample("hostile", tmp_path)

    result = act(workspace, tmp_path, runtime, installed)

    assert result.outputs["exit-code"] == "1"
    assert (result.env, result.path) == ({}, [])
    assert {command.name for command in result.commands} <= {
        *("error", "warning", "notice", "group", "endgroup"),
    }
    files = {each.file for each in result.annotations if each.title}
    assert files <= {"toolproof.yaml", "server.py", None}
    assert not any(each.message.startswith("from the server") for each in result.annotations)
    assert not any("w \x1b" in each.message for each in result.annotations)
    outside = outside_fences(result.summary)
    assert "evil" in result.summary
    assert not any(mark in outside for mark in ("](http://evil", "<img", "@octocat"))
    assert outside.count("<details>") == outside.count("</details>")
    assert not list(tmp_path.rglob("pwned"))


@RUNTIMES
@pytest.mark.parametrize(
    ("inputs", "expected"),
    [
        ({"config": "none.yaml"}, ("2", "none.yaml")),
        ({"phases": "chekcs"}, ("2", "checks")),
        ({"command": "python\n-m\nno_such_module_anywhere"}, ("3", "no_such_module_anywhere")),
        ({"strictness": "sometimes"}, ("2", "sometimes")),
    ],
)
def test_what_could_not_be_tested_is_said(
    tmp_path: Path,
    runtime: str,
    installed: Path,
    inputs: dict[str, str],
    expected: tuple[str, str],
) -> None:
    code, words = expected
    workspace = sample("good", tmp_path)

    result = act(workspace, tmp_path, runtime, installed, **inputs)

    assert (result.outputs["outcome"], result.outputs["exit-code"]) == ("error", code)
    said = "\n".join([*result.log, *(each.message for each in result.annotations)])
    assert words in said
    if code == "3" and runtime == "container":
        assert "install them with 'setup'" in said


@RUNTIMES
def test_a_monorepo_is_tested_from_its_folder(
    tmp_path: Path, runtime: str, installed: Path
) -> None:
    workspace = tmp_path / "work space"
    shutil.copytree(SAMPLES / "faulty", workspace / "servers" / "óne")
    shutil.copytree(SAMPLES / "good", workspace / "servers" / "two")

    result = act(workspace, tmp_path, runtime, installed, working_directory="servers/óne")

    assert result.outputs["exit-code"] == "1"
    assert result.outputs["junit-path"] == "servers/óne/toolproof-report/junit.xml"
    files = {each.file for each in result.annotations if each.title}
    assert files == {"servers/óne/server.py", "servers/óne/toolproof.yaml"}


@RUNTIMES
def test_setup_installs_what_the_server_needs(
    tmp_path: Path, runtime: str, installed: Path
) -> None:
    workspace = sample("good", tmp_path)
    (workspace / "server.py").rename(workspace / "moved.py")

    result = act(
        workspace,
        tmp_path,
        runtime,
        installed,
        setup="python -m venv --without-pip .venv\n. .venv/bin/activate\ncp moved.py server.py",
    )

    assert result.outputs["exit-code"] == "0", result.log
    assert any("##[group]setup" in line for line in result.log)


class OverHttp(BaseHTTPRequestHandler):
    """The good sample behind an address."""

    protocol_version = "HTTP/1.1"
    answer: Callable[[str, dict[str, Any]], dict[str, Any] | None]

    def reply(self, status: int, body: bytes = b"", kind: str = "application/json") -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self) -> None:
        self.reply(200 if self.path == "/health" else 405)

    def do_POST(self) -> None:
        message = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if self.headers.get("Origin", "").startswith("http://evil"):
            self.reply(403)
        elif "id" not in message:
            self.reply(202)
        else:
            result = type(self).answer(message["method"], message.get("params") or {})
            reply: dict[str, Any] = {"jsonrpc": "2.0", "id": message["id"]}
            code = -32602 if message["method"] == "tools/call" else -32601
            reply |= (
                {"error": {"code": code, "message": "no"}} if result is None else {"result": result}
            )
            self.reply(200, json.dumps(reply).encode())

    def log_message(self, *args: object) -> None:
        pass


@RUNTIMES
def test_a_server_at_an_address_is_waited_for_and_tested(
    tmp_path: Path, runtime: str, installed: Path
) -> None:
    spec = importlib.util.spec_from_file_location("good", SAMPLES / "good" / "server.py")
    assert spec is not None
    assert spec.loader is not None
    good = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(good)
    handler = type("Handler", (OverHttp,), {"answer": staticmethod(good.answer)})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        address = f"http://localhost:{server.server_port}"
        (tmp_path / "work space").mkdir()
        result = act(
            tmp_path / "work space",
            tmp_path,
            runtime,
            installed,
            url=f"{address}/mcp",
            wait_on=f"{address}/health",
            phases="checks",
        )
    finally:
        server.shutdown()
        thread.join()
        server.server_close()

    assert result.outputs["exit-code"] == "0", result.log


def test_the_reports_of_command_container_and_action_say_the_same(
    tmp_path: Path, installed: Path
) -> None:
    told = []
    for way in ("container", "host", "command"):
        workspace = sample("faulty", tmp_path / way)
        if way == "command":
            subprocess.run(
                [installed / "bin" / "toolproof", "run", "--seed=7", "--json=report.json"],
                cwd=workspace,
                check=False,
                capture_output=True,
                env={"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"},
            )
        else:
            act(workspace, tmp_path / way, way, installed, seed="7", json="report.json")
        report = json.loads((workspace / "report.json").read_text())
        told.append(
            (
                [
                    (p["tool"], p["rule"], p["message"], p["fingerprint"], p["place"])
                    for p in report["checks"]
                ],
                [(t["name"], t["passed"], t["failures"]) for t in report["tests"]],
                report["totals"],
                report["outcome"],
                report["exit_code"],
            )
        )

    assert told[0] == told[1] == told[2]


@pytest.mark.parametrize("user", [(1001, 121), (65534, 65534)])
def test_any_user_owns_what_is_written(tmp_path: Path, user: tuple[int, int]) -> None:
    """Spec: no file is left that a later step can not remove."""
    uid, gid = user
    action = tmp_path / "action"
    action.mkdir()
    shutil.copytree(ROOT / "entrypoint", action / "entrypoint")
    workspace = sample("good", tmp_path)
    (tmp_path / "temp").mkdir()
    output = tmp_path / "output"
    output.touch()
    for path in (tmp_path, *tmp_path.rglob("*")):
        os.chown(path, uid, gid, follow_symlinks=False)
    for parent in tmp_path.parents:
        if parent.stat().st_mode & 0o001 == 0:
            parent.chmod(parent.stat().st_mode | 0o001)
    env = {
        "PATH": os.environ["PATH"],
        "GITHUB_ACTIONS": "true",
        "DOCKER_HOST": os.environ["DOCKER_HOST"],
        "GITHUB_ACTION_PATH": str(action),
        "GITHUB_WORKSPACE": str(workspace),
        "GITHUB_OUTPUT": str(output),
        "RUNNER_TEMP": str(tmp_path / "temp"),
        "TOOLPROOF_ACTION_RUNTIME": "container",
        "TOOLPROOF_ACTION_IMAGE": IMAGE,
        "TOOLPROOF_ACTION_JUNIT": "out/junit.xml",
        "TOOLPROOF_ACTION_SETUP": "id -un\npython -c 'import getpass; getpass.getuser()'",
    }

    done = subprocess.run(
        [
            "setpriv",
            f"--reuid={uid}",
            f"--regid={gid}",
            "--clear-groups",
            "bash",
            action / "entrypoint" / "action.sh",
        ],
        env=env,
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 0, done.stdout + done.stderr
    assert "runner" in done.stdout.splitlines()
    owners = {(p.lstat().st_uid, p.lstat().st_gid) for p in tmp_path.rglob("*")}
    assert owners == {user}
    assert "outcome<<" in output.read_text()


def test_a_commit_that_is_no_release_builds_its_image(tmp_path: Path, installed: Path) -> None:
    workspace = sample("good", tmp_path)

    result = act(workspace, tmp_path, "container", installed, image="")

    assert result.outputs["exit-code"] == "0", result.log


def test_an_image_that_is_nowhere_is_a_mistake_of_use(tmp_path: Path, installed: Path) -> None:
    workspace = sample("good", tmp_path)

    result = act(
        workspace, tmp_path, "container", installed, image="toolproof/none:0@sha256:" + "0" * 64
    )

    assert result.outputs["exit-code"] == "2"
    assert "could not start the image" in result.annotations[0].message


def test_the_host_runtime_installs_by_itself(tmp_path: Path) -> None:
    workspace = sample("good", tmp_path)
    env = {"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}", "HOME": str(tmp_path)}

    result = run_action(
        ROOT, {"runtime": "host"}, workspace, env=env, temp=tmp_path / "temp", timeout=300
    )

    assert result.status == "success", result.log
    assert (result.env, result.path) == ({}, [])


def test_an_install_that_fails_sets_the_outputs(tmp_path: Path) -> None:
    workspace = sample("good", tmp_path)
    env = {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": "/nowhere", "HOME": str(tmp_path)}

    result = run_action(
        ROOT,
        {"runtime": "host", "python-path": sys.executable},
        workspace,
        env=env,
        temp=tmp_path / "temp",
        timeout=300,
    )

    assert (result.outputs["outcome"], result.outputs["exit-code"]) == ("error", "2")
    assert any("could not be installed" in each.message for each in result.annotations)


def test_it_installs_from_a_folder_of_wheels(tmp_path: Path) -> None:
    """Spec: offline, by pip's own variables."""
    wheels = tmp_path / "wheels"
    lock = ROOT / "entrypoint" / "requirements.lock"
    subprocess.run(
        [
            sys.executable,
            "-m",
            "pip",
            "download",
            "--quiet",
            "--require-hashes",
            "--only-binary=:all:",
            "--requirement",
            str(lock),
            "--dest",
            str(wheels),
        ],
        check=True,
        capture_output=True,
    )
    workspace = sample("good", tmp_path)
    env = {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(wheels), "HOME": str(tmp_path)}
    env["PATH"] = f"{Path(sys.executable).parent}:{os.environ['PATH']}"

    result = run_action(
        ROOT, {"runtime": "host"}, workspace, env=env, temp=tmp_path / "temp", timeout=300
    )

    assert result.status == "success", result.log
