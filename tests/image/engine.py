"""Containers for tests: run, measured, and gone afterwards."""

import os
import subprocess
import uuid
from collections.abc import Sequence
from pathlib import Path

FULL = os.environ.get("IMAGE_UNDER_TEST", "")
NEXT = os.environ.get("NEXT_IMAGE_UNDER_TEST", "")
SLIM = os.environ.get("SLIM_IMAGE_UNDER_TEST", "")


def docker(*words: str, timeout_s: float = 300) -> str:
    """What the engine's client prints; its failure is the test's."""
    done = subprocess.run(
        ["docker", *words], capture_output=True, text=True, timeout=timeout_s, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def run(
    image: str, *words: str, options: Sequence[str] = (), timeout_s: float = 300
) -> subprocess.CompletedProcess[str]:
    """Run a container to its end, with the host's network, as the action does."""
    name = f"test-{uuid.uuid4().hex}"
    try:
        return subprocess.run(
            ["docker", "run", "--rm", "--name", name, "--network=host", *options, image, *words],
            capture_output=True,
            text=True,
            stdin=subprocess.DEVNULL,
            timeout=timeout_s,
            check=False,
        )
    except subprocess.TimeoutExpired:
        subprocess.run(["docker", "kill", name], capture_output=True, check=False)
        raise


def mounted(folder: Path) -> list[str]:
    """A folder at the same path inside, as the working folder."""
    return ["--volume", f"{folder}:{folder}", "--workdir", str(folder)]


def as_user(user: str) -> list[str]:
    return ["--user", user]
