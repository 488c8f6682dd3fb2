"""Findings as tests of a toolproof.yaml, which fail until what was found is mended (pure)."""

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from toolproof.config import Config
from toolproof.errors import ConfigError
from toolproof.phases.fuzz.verdict import Kind
from toolproof.report import FuzzFinding, FuzzResult
from toolproof.report.fuzz import InputMode
from toolproof.text import one_line, shorten

HEADER = "# Written by `toolproof fuzz --save-tests`"
_NO_TEST = frozenset({Kind.SLOW, Kind.GROWTH, Kind.FLAKY, Kind.HINT_VIOLATION, Kind.BAD_SCHEMA})
"""Kinds that a single call does not show."""
_REFUSED = frozenset({Kind.PATH_TRAVERSAL})
"""Kinds where the right answer to a valid input is an error."""
_MOST_DETAIL = 200


def must_be_ours(path: Path) -> None:
    """Refuse to write over a file that somebody else wrote.

    Raises:
        ConfigError: There is such a file.
    """
    try:
        with path.open(encoding="utf-8") as file:
            first = file.readline()
    except FileNotFoundError:
        return
    except (OSError, ValueError):
        first = ""
    if not first.startswith(HEADER):
        raise ConfigError(
            f"--save-tests: {path} was not written by this command",
            hint="Give the name of a new file, and take its tests over into your own.",
        )


def tests_of(results: Sequence[FuzzResult], config: Config) -> str:
    """The text of a toolproof.yaml with a test for each finding that a call can show."""
    lines = [
        f"{HEADER}: each test fails until what it shows is mended.",
        "# Run it with `toolproof run FILE`, or take its tests over into your own file.",
        "",
        *_server(config),
        "",
    ]
    tests = list(_tests(results))
    lines += ["tests:", *tests] if tests else ["tests: []"]
    return "\n".join(lines) + "\n"


def _server(config: Config) -> Iterator[str]:
    yield "server:"
    mask = config.secrets.mask
    if config.server.command:
        yield f"  command: {_flow([mask(word) for word in config.server.command])}"
    if config.server.url:
        yield f"  url: {_flow(mask(config.server.url))}"
    if config.server.cwd != Path():
        yield f"  cwd: {_flow(str(config.server.cwd))}"
    for section, values in (("env", config.server.env), ("headers", config.server.headers)):
        if values:
            names = ", ".join(sorted(values))
            yield f"  # {section} was set too, and is not written down: {one_line(names)}"


def _tests(results: Sequence[FuzzResult]) -> Iterator[str]:
    names: dict[str, int] = {}
    for result in results:
        for finding in result.findings:
            if finding.kind in _NO_TEST or not isinstance(finding.input, dict | None):
                continue
            name = f"{result.tool}: {finding.kind}"
            names[name] = names.get(name, 0) + 1
            if names[name] > 1:
                name += f" ({names[name]})"
            yield from _test(name, result.tool, finding)


def _test(name: str, tool: str, finding: FuzzFinding) -> Iterator[str]:
    yield f"  - name: {_flow(name)}"
    yield f"    # {shorten(one_line(finding.detail), _MOST_DETAIL)}"
    yield "    tags: [fuzz]"
    if not finding.steps:
        call = {"tool": tool, **({} if finding.input is None else {"args": finding.input})}
        yield from _call(call, finding, "    ")
        return
    yield "    steps:"
    for step in finding.steps[:-1]:
        yield from _call(step, None, "      - ", "        ")
    yield from _call(finding.steps[-1], finding, "      - ", "        ")


def _call(
    step: Mapping[str, Any], finding: FuzzFinding | None, first: str, indent: str = "    "
) -> Iterator[str]:
    """One call; what it must give only where it is the one that shows the finding."""
    for name in ("tool", "args", "save"):
        if name in step:
            yield f"{first}{name}: {_flow(step[name])}"
            first = indent
    if finding and (finding.mode is InputMode.INVALID or finding.kind in _REFUSED):
        yield f"{indent}expect: {{is_error: true}}"


def _flow(value: Any) -> str:
    """The value as JSON in ASCII, which is YAML too."""
    return json.dumps(value)
