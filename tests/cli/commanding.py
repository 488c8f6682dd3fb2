"""Run the command as a process or in this one, and keep what it printed."""

import gc
import io
import json
import os
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.running import DEMO
from toolproof.cli import main
from toolproof.cli.screen import CI_VARIABLES

SHOP = [sys.executable, str(DEMO / "server.py")]


@dataclass(frozen=True, slots=True)
class Ended:
    """How the command ended."""

    code: int
    stdout: str
    stderr: str

    @property
    def json(self) -> Any:
        return json.loads(self.stdout)


def toolproof(*words: str | Path, cwd: Path, **variables: str) -> Ended:
    """Run `toolproof WORDS` in a folder, with nothing in its environment but PATH and these."""
    environment = {"PATH": os.environ["PATH"], "HOME": str(cwd), **variables}
    for name in ("COVERAGE_PROCESS_START", "COVERAGE_PROCESS_CONFIG", "SYSTEMROOT"):
        if name in os.environ:
            environment[name] = os.environ[name]
    done = subprocess.run(
        [sys.executable, "-m", "toolproof", *map(str, words)],
        cwd=cwd,
        env=environment,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=120,
        check=False,
        stdin=subprocess.DEVNULL,
    )
    return Ended(done.returncode, done.stdout, done.stderr)


def inside(*words: str | Path, cwd: Path, **variables: str) -> Ended:
    """The same in this process, which takes half a second less; the server has its own anyway."""
    out, err = io.StringIO(), io.StringIO()
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(out), redirect_stderr(err):
        for name in CI_VARIABLES:
            patch.delenv(name, raising=False)
        for name, value in variables.items():
            patch.setenv(name, value)
        patch.chdir(cwd)
        try:
            with pytest.raises(SystemExit) as end:
                main([str(word) for word in words], prog_name="toolproof")
        finally:
            gc.enable()
            gc.unfreeze()
    return Ended(int(str(end.value.code)), out.getvalue(), err.getvalue())


@dataclass(frozen=True, slots=True)
class Here:
    """`inside`, in one folder."""

    folder: Path

    def __call__(self, *words: str | Path, **variables: str) -> Ended:
        return inside(*words, cwd=self.folder, **variables)


def config(folder: Path, text: str, name: str = "toolproof.yaml") -> Path:
    """Write a config whose server is the demo's, and these lines."""
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"server: {{command: {json.dumps(SHOP)}}}\n{text}", encoding="utf-8")
    return path
