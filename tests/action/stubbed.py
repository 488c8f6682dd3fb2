"""The action, run as the runner does, with stubs for the engine and the command."""

import json
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.composite_runner import Result, run_action

ROOT = Path(__file__).parents[2]
STUBS = Path(__file__).parent / "stubs"


@dataclass(frozen=True)
class Called:
    """How the command was called, and how the engine was."""

    result: Result
    arguments: list[str] | None
    environment: dict[str, str]
    folder: Path | None
    engine: list[list[str]]

    @property
    def run(self) -> list[str]:
        """The arguments of the engine's one `run`."""
        [call] = [call for call in self.engine if call[0] == "run"]
        return call


def program(path: Path, stub: str) -> Path:
    """Make a stub executable as `path`."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f'#!/bin/sh\nexec {sys.executable} -I {STUBS / stub}.py "$@"\n')
    path.chmod(0o755)
    return path


def environment_of(folder: Path, **env: str) -> dict[str, str]:
    """The job's environment in which the stubs are found; they write to `folder/stub`."""
    (folder / "stub").mkdir(exist_ok=True)
    program(folder / "bin" / "docker", "docker")
    command = program(folder / "else where" / "toolproof", "toolproof")
    return {
        "PATH": f"{folder / 'bin'}:{os.environ['PATH']}",
        "STUB_FOLDER": str(folder / "stub"),
        "STUB_TOOLPROOF": str(command),
        **env,
    }


def act(
    folder: Path,
    inputs: Mapping[str, str] | None = None,
    *,
    workspace: Path | None = None,
    temp: Path | None = None,
    **env: str,
) -> Called:
    """Run the action with these inputs in a job with this environment."""
    given = dict(inputs or {})
    if given.get("runtime") == "host":
        given.setdefault("toolproof-path", str(folder / "else where" / "toolproof"))
    result = run_action(
        ROOT,
        given,
        workspace or folder / "workspace",
        env=environment_of(folder, **env),
        temp=temp or folder / "temp",
        timeout=60,
    )
    told: dict[str, Any] = {}
    if (folder / "stub" / "called").exists():
        told = json.loads((folder / "stub" / "called").read_text(encoding="utf-8"))
    calls = folder / "stub" / "calls"
    lines = calls.read_text(encoding="utf-8").splitlines() if calls.exists() else []
    return Called(
        result,
        told.get("arguments"),
        told.get("environment", {}),
        Path(told["folder"]) if told else None,
        [json.loads(line) for line in lines],
    )
