"""Run the command as a process, and keep what it printed and wrote."""

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.running import DEMO

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


def config(folder: Path, text: str, name: str = "toolproof.yaml") -> Path:
    """Write a config whose server is the demo's, and these lines."""
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"server: {{command: {json.dumps(SHOP)}}}\n{text}", encoding="utf-8")
    return path
