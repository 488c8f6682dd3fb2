"""The image: what it runs, as whom, how it ends, what it weighs and what it does not hold."""

import gzip
import io
import json
import os
import re
import statistics
import subprocess
import tarfile
import time
from pathlib import Path

import pytest

from tests.image.engine import FULL, NEXT, SLIM, docker, mounted, run
from tests.image.servers import node_repository, python_repository

USERS = pytest.mark.parametrize("user", ["0:0", "1001:121", "65534:65534"])
BOTH = pytest.mark.parametrize("image", [FULL, SLIM])
READ_ONLY = ["--read-only", "--tmpfs", "/tmp:exec,mode=1777"]


@BOTH
@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        ((), 0, "Usage: toolproof"),
        (("--version",), 0, "toolproof "),
        (("rules",), 0, "description-missing"),
        (("run", "--no-such-option"), 2, "--no-such-option"),
        (("inspekt",), 2, "did you mean 'inspect'"),
        (("sh", "-c", "echo from $0", "a shell"), 0, "from a shell"),
        (("bash", "-lc", "toolproof --version"), 0, "toolproof "),
        (("cat", "/etc/debian_version"), 0, ""),
        (("toolproof", "--version"), 0, "toolproof "),
        (("python", "-c", "import sys; print(sys.prefix)"), 0, "/usr"),
    ],
)
def test_our_words_are_toolproofs_and_programs_run_as_they_are(
    image: str, words: tuple[str, ...], status: int, said: str
) -> None:
    done = run(image, *words)

    assert done.returncode == status, done.stdout + done.stderr
    assert said in done.stdout + done.stderr


@BOTH
def test_the_servers_python_does_not_see_our_packages(image: str) -> None:
    done = run(image, "python", "-c", "import toolproof")

    assert "ModuleNotFoundError" in done.stderr
    assert run(image, "sh", "-c", "command -v pip").stdout.strip() == "/usr/local/bin/pip"


@BOTH
def test_what_a_job_has_in_pythonpath_is_not_ours(image: str, tmp_path: Path) -> None:
    (tmp_path / "click.py").write_text("raise SystemExit('not this one')\n")

    done = run(image, "--version", options=[*mounted(tmp_path), "--env", f"PYTHONPATH={tmp_path}"])

    assert done.stdout.startswith("toolproof ")


def test_the_default_image_has_what_servers_are_started_with() -> None:
    done = run(
        FULL,
        "sh",
        "-c",
        "node --version && npm --version && npx --version && uv --version "
        "&& uvx --version && git --version && python --version",
    )

    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("v24.")


@BOTH
@USERS
@pytest.mark.parametrize("home", [None, "", "/", "/nonexistent"])
def test_any_user_may_run_it_with_a_root_that_is_read_only(
    image: str, user: str, home: str | None
) -> None:
    options = [*READ_ONLY, "--user", user, *([] if home is None else ["--env", f"HOME={home}"])]

    done = run(image, "demo", options=options)

    assert done.returncode in (0, 1), done.stdout + done.stderr
    assert "Traceback" not in done.stdout + done.stderr


def test_the_next_python_runs_it() -> None:
    version = run(NEXT, "/opt/toolproof/bin/python", "--version")
    demo = run(NEXT, "demo", options=["--user", "1001:121"])

    assert version.stdout.startswith("Python 3.14.")
    assert demo.returncode in (0, 1), demo.stdout + demo.stderr
    assert "Traceback" not in demo.stdout + demo.stderr
    assert demo.stderr == ""  # no warning of what goes away


@USERS
def test_a_python_server_is_installed_by_setup(user: str, tmp_path: Path) -> None:
    folder = owned(python_repository(tmp_path / "repository"), user)

    done = run(
        FULL,
        "sh",
        "-c",
        "pip install -q -e . && toolproof run --json out/report.json",
        options=[*mounted(folder), "--user", user],
    )

    assert done.returncode == 0, done.stdout + done.stderr
    assert json.loads((folder / "out" / "report.json").read_text())["passed"] is True
    assert owners(folder) == {user}


@USERS
def test_a_node_server_is_installed_by_setup(user: str, tmp_path: Path) -> None:
    folder = owned(node_repository(tmp_path / "repository"), user)

    done = run(
        FULL,
        "sh",
        "-c",
        "npm ci --silent && toolproof run --junit out/junit.xml",
        options=[*mounted(folder), "--user", user],
    )

    assert done.returncode == 0, done.stdout + done.stderr
    assert owners(folder) == {user}


def test_npx_and_uvx_start_servers(tmp_path: Path) -> None:
    node = owned(node_repository(tmp_path / "node"), "1001:121")
    python = owned(python_repository(tmp_path / "python"), "1001:121")
    # the machine's certificates and index, which a stdio server is not given by itself
    pass_on = "--env=UV_SYSTEM_CERTS=1"

    by_npx = run(
        FULL,
        "sh",
        "-c",
        "npm ci --silent && toolproof inspect -- npx -y greeter",
        options=[*mounted(node), "--user", "1001:121", "--env", "HOME=/tmp"],
    )
    by_uvx = run(
        FULL,
        "sh",
        "-c",
        "uv tool install -q --from . greeter && toolproof inspect -- uvx --offline --from . greeter",
        options=[*mounted(python), "--user", "1001:121", "--env", "HOME=/tmp", pass_on],
    )

    assert by_npx.returncode == 0, by_npx.stdout + by_npx.stderr
    assert by_uvx.returncode == 0, by_uvx.stdout + by_uvx.stderr
    assert "greet" in by_npx.stdout
    assert "greet" in by_uvx.stdout


@pytest.mark.parametrize(
    ("change", "status"),
    [
        (("hello, Ada", "goodbye"), 1),
        (("tests:", "testz:"), 2),
        (("greeter_server", "no_such_module"), 3),
    ],
)
def test_exit_codes_are_the_commands(tmp_path: Path, change: tuple[str, str], status: int) -> None:
    folder = python_repository(tmp_path / "repository")
    config = folder / "toolproof.yaml"
    config.write_text(config.read_text().replace(*change))

    done = run(
        SLIM, "sh", "-c", "pip install -q -e . && exec toolproof run", options=mounted(folder)
    )

    assert done.returncode == status, done.stdout + done.stderr
    if status == 3:
        assert "setup" in done.stdout + done.stderr


HANGING = """import os, subprocess, sys, time
if len(sys.argv) == 1:
    subprocess.Popen([sys.executable, __file__, "grandchild"])
    open("started", "w").close()
time.sleep(600)
"""


@USERS
@pytest.mark.parametrize(("name", "status"), [("TERM", 143), ("INT", 130)])
def test_a_signal_ends_everything_in_three_seconds(
    user: str, name: str, status: int, tmp_path: Path
) -> None:
    folder = owned(tmp_path / "repository", user, server=HANGING)
    container = f"test-{os.getpid()}-{tmp_path.name}"
    options = ["--rm", "--name", container, "--network=none", *mounted(folder), "--user", user]
    inspect = ["inspect", "--startup-timeout-s", "600", "--", "python", "server.py"]
    client = subprocess.Popen(
        ["docker", "run", *options, SLIM, *inspect],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    deadline = time.monotonic() + 60
    while not (folder / "started").exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    time.sleep(0.5)
    listing = docker("top", container, "-eo", "pid,stat,args")
    assert "grandchild" in listing

    docker("kill", "--signal", name, container)

    assert client.wait(3) == status
    assert container not in docker("ps", "--all", "--format", "{{.Names}}")
    assert not [line for line in listing.splitlines() if " Z" in line]


def test_orphans_are_reaped() -> None:
    """A shell that ends before its children leaves them to process 1."""
    script = "for i in 1 2 3; do (sleep 0.1 & exit 0); done; sleep 1; ls /proc | grep -c '^[0-9]'"

    done = run(SLIM, "sh", "-c", script)

    assert int(done.stdout) <= 5  # tini, sh, ls, grep


def compressed(image: str) -> int:
    """The size that a registry holds: each layer by itself, gzipped."""
    saved = subprocess.run(["docker", "save", image], capture_output=True, check=True).stdout
    total = 0
    with tarfile.open(fileobj=io.BytesIO(saved)) as archive:
        for member in archive.getmembers():
            if member.isfile() and member.size > 10_000:
                data = archive.extractfile(member)
                assert data is not None
                total += len(gzip.compress(data.read(), 6))
    return total


@pytest.mark.parametrize(("image", "limit"), [(SLIM, 85e6), (FULL, 180e6)])
def test_an_image_is_small(image: str, limit: float) -> None:
    size = compressed(image)
    print(f"{image}: {size / 1e6:.1f} MB gzipped")

    assert size <= limit


def test_the_command_starts_within_half_a_second_of_the_container() -> None:
    def seconds(*words: str) -> float:
        took = []
        for _ in range(7):
            began = time.perf_counter()
            run(SLIM, *words, options=["--user", "1001:121"])
            took.append(time.perf_counter() - began)
        return statistics.median(took)

    nothing, version = seconds("true"), seconds("--version")
    print(f"true {nothing:.2f} s, --version {version:.2f} s")
    assert version - nothing <= 0.5


@BOTH
def test_nothing_tells_where_it_was_built(image: str) -> None:
    """Ours: mirrors and certificates are the builder's business."""
    history = docker("history", "--no-trunc", image)
    about = json.loads(docker("image", "inspect", image))[0]["Config"]

    assert not re.search(r"index-url|registry=|https?://(?!github\.com/toolproof)", history)
    assert about["Labels"]["org.opencontainers.image.title"] == "toolproof"
    assert about["Labels"]["org.opencontainers.image.base.name"].startswith("python:3.")
    assert about["Entrypoint"] == ["tini", "-g", "--", "toolproof-entrypoint"]
    assert about["WorkingDir"] == "/workspace"
    assert about["User"] == ""
    found = run(
        image,
        "sh",
        "-c",
        "find /opt /usr/local -name '*.lock' -o -name pip.conf -o -name .npmrc; "
        "grep -rlE 'index-url|extra-index' /opt/toolproof --include=direct_url.json || true",
    )
    assert found.stdout == ""


def owned(folder: Path, user: str, *, server: str | None = None) -> Path:
    """The folder, with all that is in it, as the user's own."""
    if server is not None:
        folder.mkdir()
        (folder / "server.py").write_text(server)
    uid, gid = map(int, user.split(":"))
    for path in (folder, *folder.rglob("*")):
        os.chown(path, uid, gid, follow_symlinks=False)
    for parent in list(folder.parents)[:4]:
        if parent.stat().st_uid == os.getuid() and parent != Path("/tmp"):
            parent.chmod(parent.stat().st_mode | 0o011)
    return folder


def owners(folder: Path) -> set[str]:
    found = (path.lstat() for path in (folder, *folder.rglob("*")))
    return {f"{about.st_uid}:{about.st_gid}" for about in found}
