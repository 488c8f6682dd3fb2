"""The README's picture of the action: annotations and summary, as a real run of it gives them.

python scripts/action_picture.py OUT.png

The action is run by the harness, on the faulty sample, with the command of this environment. Needs
Chromium, and markdown-it-py for the summary.
"""

import html
import subprocess
import sys
import tempfile
from pathlib import Path

from markdown_it import MarkdownIt

from tests.composite_runner import Result, run_action
from tests.workflow_commands import Annotation

ROOT = Path(__file__).resolve().parents[1]
SAMPLE = ROOT / "tests" / "action" / "samples" / "faulty"
WIDTH, HEIGHT = 920, 1230
STYLE = """
body { margin: 0; padding: 20px; width: 880px; font: 14px/1.5 sans-serif; color: #1f2328;
  background: #fff; }
h2 { font-size: 20px; margin: 4px 0 12px; } h3 { font-size: 16px; margin: 16px 0 8px; }
h4.part { font-size: 13px; font-weight: 600; color: #59636e; margin: 0 0 8px; }
.file { border: 1px solid #d1d9e0; border-radius: 6px; margin-bottom: 14px; overflow: hidden; }
.file header { background: #f6f8fa; border-bottom: 1px solid #d1d9e0; padding: 6px 12px;
  font: 12px monospace; }
.line { font: 12px/20px monospace; white-space: pre; display: flex; }
.line b { width: 44px; text-align: right; padding-right: 12px; color: #59636e; font-weight: 400; }
.note { margin: 6px 12px 6px 56px; border: 1px solid #d1d9e0; border-left: 3px solid #cf222e;
  border-radius: 6px; padding: 6px 12px; }
.note.warning { border-left-color: #9a6700; }
.note p { margin: 0; white-space: pre-wrap; } .note p.title { font-weight: 600; }
.summary { border: 1px solid #d1d9e0; border-radius: 6px; padding: 8px 16px; }
.no { color: #cf222e; font-weight: 700; }
table { border-collapse: collapse; } td, th { border: 1px solid #d1d9e0; padding: 3px 12px; }
pre { background: #f6f8fa; padding: 8px 12px; border-radius: 6px; }
code { background: #f6f8fa; padding: 1px 4px; border-radius: 4px; }
"""


def page(result: Result, workspace: Path) -> str:
    """What GitHub shows of a run: the lines that annotations are on, and the summary."""
    files: dict[str, list[Annotation]] = {}
    for each in result.annotations:
        if each.file and each.line:
            files.setdefault(each.file, []).append(each)
    parts = [_file(name, notes, workspace) for name, notes in files.items()]
    summary = MarkdownIt("commonmark", {"html": True}).enable("table").render(result.summary)
    summary = summary.replace("<details>", "<details open>", 1)
    # A machine without an emoji font draws a box.
    summary = summary.replace("❌", "<span class=no>✗</span>").replace("⚠️", "<b>!</b>")
    return (
        f"<!DOCTYPE html><meta charset=utf-8><style>{STYLE}</style>"
        f"<h4 class=part>On the pull request</h4>{''.join(parts)}"
        f"<h4 class=part>On the job's page</h4><div class=summary>{summary}</div>"
    )


def _file(name: str, notes: list[Annotation], workspace: Path) -> str:
    lines = (workspace / name).read_text(encoding="utf-8").splitlines()
    shown = sorted({number for note in notes for number in _around(note.line or 1, len(lines))})
    rows = []
    for number in shown:
        rows.append(f"<div class=line><b>{number}</b>{html.escape(lines[number - 1])}</div>")
        rows += [_note(note) for note in notes if note.line == number]
    return f"<div class=file><header>{html.escape(name)}</header>{''.join(rows)}</div>"


def _around(line: int, last: int) -> range:
    return range(max(1, line - 2), min(last, line + 2) + 1)


def _note(note: Annotation) -> str:
    return (
        f"<div class='note {note.level}'><p class=title>{html.escape(note.title or '')}</p>"
        f"<p>{html.escape(note.message)}</p></div>"
    )


def main(out: str) -> None:
    """Run, render, take the picture."""
    with tempfile.TemporaryDirectory() as folder:
        workspace = Path(folder) / "weather"
        workspace.mkdir()
        for path in SAMPLE.iterdir():
            if path.is_file():
                (workspace / path.name).write_bytes(path.read_bytes())
        subprocess.run(["git", "init", "-q"], cwd=workspace, check=True)
        subprocess.run(["git", "add", "-A"], cwd=workspace, check=True)
        tool = Path(sys.executable).with_name("toolproof")
        inputs = {"runtime": "host", "toolproof-path": str(tool), "seed": "7"}
        programs = f"{tool.parent}:/usr/local/bin:/usr/bin:/bin"
        result = run_action(ROOT, inputs, workspace, env={"PATH": programs})
        shown = Path(folder) / "page.html"
        shown.write_text(page(result, workspace), encoding="utf-8")
        chromium = ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"]
        subprocess.run(
            [
                *chromium,
                f"--window-size={WIDTH},{HEIGHT}",
                f"--screenshot={out}",
                shown.as_uri(),
                "--disable-background-networking",
                f"--user-data-dir={folder}/profile",
            ],
            check=True,
            capture_output=True,
        )


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: action_picture.py OUT.png")
    main(sys.argv[1])
