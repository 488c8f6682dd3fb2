"""Where each finding points: a line of the server's source, else of toolproof.yaml."""

import os
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

from toolproof.config import Config
from toolproof.report import (
    WHOLE_SERVER,
    BenchSection,
    CheckSection,
    EvalSection,
    FuzzSection,
    Place,
    RunReport,
    Section,
    Severity,
    ToolTestSection,
)

WORKSPACES = ("GITHUB_WORKSPACE", "CI_PROJECT_DIR", "BUILD_SOURCESDIRECTORY")
"""Where CIs say what paths in reports are relative to (reports.md, section 1)."""


def workspace() -> Path:
    """What paths in reports are relative to: the CI's, else the repository's root, else here."""
    for name in WORKSPACES:
        if os.environ.get(name):
            return Path(os.environ[name]).resolve()
    here = Path.cwd().resolve()
    return next((folder for folder in (here, *here.parents) if (folder / ".git").exists()), here)


def with_places(report: RunReport, config: Config) -> RunReport:
    """The report with the place of everything that is not in order.

    Args:
        report: Its places in toolproof.yaml are as the config has them.
        config: For the lines of the server, and where to look for its source.
    """
    root = workspace()

    def known(*steps: str | int) -> Place | None:
        found = config.place(*steps)
        return _inside(root, found[0], found[1]) if found else None

    server = known("server", "command") or known("server", "url") or known("server")
    tools = _tools(report, config, root) if _worth_looking(report, config) else {}

    def moved(place: Place | None) -> Place | None:
        return _inside(root, place.file, place.line) if place is not None else None

    return replace(
        report,
        error_place=moved(report.error_place),
        sections=tuple(_placed(section, tools, server, moved) for section in report.sections),
    )


def _placed(
    section: Section,
    tools: Mapping[str, Place],
    server: Place | None,
    moved: Callable[[Place | None], Place | None],
) -> Section:
    match section:
        case CheckSection():
            return replace(
                section,
                places=tuple(tools.items()),
                problems=tuple(
                    replace(one, place=one.place or tools.get(one.tool) or server)
                    for one in section.problems
                ),
            )
        case FuzzSection():
            return replace(
                section,
                results=tuple(
                    replace(one, place=tools.get(one.tool) or server) for one in section.results
                ),
            )
        case ToolTestSection():
            tests = tuple(replace(one, place=moved(one.place)) for one in section.results)
            return replace(section, results=tests)
        case BenchSection():
            targets = tuple(replace(one, place=moved(one.place)) for one in section.results)
            return replace(section, results=targets)
        case EvalSection():
            return replace(
                section,
                place=moved(section.place),
                cases=tuple(replace(one, place=moved(one.place)) for one in section.cases),
            )
        case _:
            return section


def _worth_looking(report: RunReport, config: Config) -> bool:
    """Whether a search for definitions has something to point at, and a place to search.

    Without a repository, a config or a setting the current folder may be anything, a home folder
    with a million files, say: then it is left alone.
    """
    if config.server.source is False or report.server is None:
        return False
    about_tools = any(
        problem.tool != WHOLE_SERVER and problem.severity is not Severity.INFO
        for problem in report.checks
    ) or any(result.findings for result in report.fuzz)
    if not about_tools:
        return False
    here = Path.cwd()
    in_repository = any((folder / ".git").exists() for folder in (here, *here.parents))
    return bool(config.server.source) or config.path is not None or in_repository


def _tools(report: RunReport, config: Config, root: Path) -> dict[str, Place]:
    if report.server is None:
        return {}
    from toolproof.finish.locate import locate  # noqa: PLC0415 - only where something is not in order

    here, base = Path.cwd().resolve(), config.base_dir.resolve()
    return locate(
        {tool.label: tool.description for tool in report.server.tools},
        here if base.is_relative_to(here) else base,
        source=config.server.source,
        base=base,
        workspace=root,
    )


def _inside(root: Path, file: str, line: int) -> Place | None:
    """The place with its path from the workspace; None outside of it."""
    try:
        path = Path(file).resolve().relative_to(root)
    except ValueError:
        return None
    return Place(file=path.as_posix(), line=line)
