"""Repositories written down in one YAML file each, with the places of tools marked in the text.

A line that defines a tool ends in a comment `«label»`; the comment is taken out before the line is
written. A tool that no line is marked with must have no place.
"""

import re
from dataclasses import dataclass
from pathlib import Path

import yaml

FIXTURES = sorted((Path(__file__).parent / "fixtures").glob("*.yaml"))
_MARK = re.compile(r"[ \t]*(?://|#)?«([^»]+)»")


@dataclass(frozen=True)
class Repository:
    """A repository on disk, the tools of its server, and where they are defined."""

    root: Path
    tools: dict[str, str]
    places: dict[str, tuple[str, int]]


def written(fixture: Path, root: Path) -> Repository:
    """Write a fixture's files below `root`."""
    told = yaml.safe_load(fixture.read_text(encoding="utf-8"))
    places: dict[str, tuple[str, int]] = {}
    for name, text in told["files"].items():
        lines = text.splitlines()
        for number, line in enumerate(lines, 1):
            for label in _MARK.findall(line):
                assert label in told["tools"], label
                assert label not in places, label
                places[label] = (name, number)
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(_MARK.sub("", text), encoding="utf-8")
    return Repository(root, told["tools"], places)
