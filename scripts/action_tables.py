"""The README's tables of the action's inputs and outputs, from action.yml."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).parents[1]
MANIFEST = ROOT / "action.yml"
START, END = "<!-- action tables -->\n", "<!-- /action tables -->\n"


def readme() -> Mapping[str, str]:
    """README.md with both tables as action.yml has them now."""
    before, start, rest = (ROOT / "README.md").read_text(encoding="utf-8").partition(START)
    _, end, after = rest.partition(END)
    if not start or not end:
        raise ValueError("README.md has no place for the tables of the action")
    return {"README.md": f"{before}{start}\n{inputs_table()}\n{outputs_table()}\n{end}{after}"}


def inputs_table(manifest: Path = MANIFEST) -> str:
    """One row for each input: its name, its default, and what it takes."""
    rows = [
        f"| `{name}` | {_default(about['default'])} | {_cell(about['description'])} |"
        for name, about in _read(manifest)["inputs"].items()
    ]
    return "\n".join(["| input | default | |", "|---|---|---|", *rows]) + "\n"


def outputs_table(manifest: Path = MANIFEST) -> str:
    """One row for each output: its name, and what it holds."""
    rows = [
        f"| `{name}` | {_cell(about['description'])} |"
        for name, about in _read(manifest)["outputs"].items()
    ]
    return "\n".join(["| output | |", "|---|---|", *rows]) + "\n"


def _read(manifest: Path) -> dict[str, Any]:
    action: dict[str, Any] = yaml.safe_load(manifest.read_text(encoding="utf-8"))
    return action


def _default(value: str) -> str:
    return f"`{value}`" if value else ""


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ").strip()
