"""Run a config against a real server in a process, as the command does."""

import sys
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest

from toolproof.config import Config, config_from, load_config
from toolproof.phases.phase import RunOptions
from toolproof.report import RunReport
from toolproof.runner import execute

HERE = Path(__file__).parent
needs_sdk_2 = pytest.mark.skipif(
    version("mcp").startswith("1."),
    reason="version 1 of the SDK has no such server, nor such limits",
)
CASES = HERE / "cases"
DEMO = Path(sys.modules["toolproof"].__file__ or "").parent / "demo"


def case(name: str) -> list[str]:
    """The command of a server of the cases: "behaviour/055" is behaviour/055-flaky-first-call.py."""
    [path] = CASES.glob(f"{name}*.py")
    return [sys.executable, str(path)]


def written(folder: Path, text: str) -> Config:
    """The config that this text of a toolproof.yaml makes."""
    path = folder / "toolproof.yaml"
    path.write_text(text, encoding="utf-8")
    return load_config(path)


async def run(
    command: list[str],
    *phases: str,
    options: RunOptions | None = None,
    folder: Path | None = None,
    **sections: Any,
) -> RunReport:
    """The report of the phases (checks and tests, where none are named)."""
    config = config_from({"server": {"command": command}, **sections}, base_dir=folder)
    return await execute(config, phases or None, options=options)


def rules_of(report: RunReport, *severities: str) -> set[str]:
    """The rules that the report's problems name, of these severities (error and warning)."""
    wanted = severities or ("error", "warning")
    return {problem.rule for problem in report.checks if problem.severity in wanted}
