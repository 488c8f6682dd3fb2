"""Run the phase against `tests.servers.fuzzed`, and tell what it found."""

import sys
from pathlib import Path
from typing import Any

from tests.running import HERE
from toolproof.config import Config, config_from
from toolproof.report import FuzzFinding, RunReport
from toolproof.runner import execute

SERVER = HERE / "servers" / "fuzzed.py"


def command(*tools: str) -> list[str]:
    """The server with these tools."""
    code = f"import sys; sys.path.insert(0, {str(HERE.parent)!r}); import runpy; "
    code += "runpy.run_module('tests.servers.fuzzed', run_name='__main__')"
    return [sys.executable, "-c", code, *tools]


def config_of(*tools: str, folder: Path, **fuzz: Any) -> Config:
    """A config that fuzzes these tools, with few inputs and short limits."""
    section = {"seed": 1, "max_examples": 20, "timeout_ms": 1000, "workers": 1, **fuzz}
    server = {"command": command(*tools), **section.pop("server", {})}
    return config_from({"server": server, "fuzz": section}, base_dir=folder)


async def fuzzed(*tools: str, folder: Path, **fuzz: Any) -> RunReport:
    """The report of the phase."""
    return await execute(config_of(*tools, folder=folder, **fuzz), ["fuzz"])


def findings(report: RunReport) -> dict[tuple[str, str], FuzzFinding]:
    """The findings above info, by tool and kind."""
    return {
        (result.tool, finding.kind): finding
        for result in report.fuzz
        for finding in result.findings
        if finding.severity != "info"
    }
