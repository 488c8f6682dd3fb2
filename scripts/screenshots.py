"""The pictures of docs/reports.md: what the reports of a real run look like.

python -m scripts.screenshots [FOLDER]

The demo's server is run with tests, benchmarks and fuzzing; the console is drawn in terminals of 80
and 120 columns. Needs Chromium, and markdown-it-py for the summary.
"""

import fcntl
import io
import os
import pty
import struct
import subprocess
import sys
import tempfile
import termios
from pathlib import Path

from markdown_it import MarkdownIt
from rich.console import Console
from rich.text import Text

from tests.reporters.chromium import Chromium, chromium
from toolproof.demo import FOLDER

ROOT = Path(__file__).resolve().parents[1]
IMAGES = ROOT / "docs" / "images"
MOST_BYTES = 200_000
"""Of a picture: the repository is cloned by people who want none of them."""

MORE = """
bench:
  calls: 400
  targets:
    - { tool: get_book, args: { id: b-3 }, thresholds: { p95_ms: 50 } }
    - { tool: search_books, args: { words: hofstadter }, thresholds: { p50_ms: 0.1 } }
fuzz:
  max_examples: 20
  seed: 7
"""
PAGE = """<!doctype html><meta charset="utf-8"><style>{style}</style><body>{body}</body>"""
TERMINAL = """
body { margin: 0; background: #fff; }
pre { display: inline-block; margin: 0; padding: 14px 18px; font: 14px/18px "DejaVu Sans Mono", monospace; }
"""
GITHUB = """
body { margin: 24px; max-width: 900px; font: 14px/1.5 "Segoe UI", Helvetica, Arial, sans-serif; color: #1f2328; }
h2 { font-size: 21px; border-bottom: 1px solid #d1d9e0; padding-bottom: 6px; } h3 { font-size: 17.5px; }
table { border-collapse: collapse; } td, th { border: 1px solid #d1d9e0; padding: 6px 13px; }
tr:nth-child(2n) { background: #f6f8fa; }
code, pre { font: 85% "DejaVu Sans Mono", monospace; background: #818b981f; border-radius: 6px; }
code { padding: .2em .4em; } pre { padding: 16px; background: #f6f8fa; } pre code { background: none; padding: 0; font-size: 100%; }
details { margin: 0 0 16px; } a { color: #0969da; } .no { color: #cf222e; font-weight: 700; }
"""


def run(folder: Path, *options: str, columns: int) -> str:
    """What `toolproof run` writes to a terminal of so many columns."""
    command = [
        str(Path(sys.executable).with_name("toolproof")),
        "run",
        "--no-progress",
        "--seed",
        "7",
    ]
    programs = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    variables = {"PATH": programs, "HOME": str(folder), "TERM": "xterm-256color", "LANG": "C.UTF-8"}
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
    with subprocess.Popen(
        [*command, *options], cwd=folder, env=variables, stdin=theirs, stdout=theirs, stderr=theirs
    ):
        os.close(theirs)
        written = b""
        while True:
            try:
                read = os.read(ours, 1 << 16)
            except OSError:  # Linux says so where the other end is closed
                break
            if not read:
                break
            written += read
    os.close(ours)
    return written.decode().replace("\r\n", "\n")


def drawn(written: str, columns: int) -> str:
    """A terminal's text as a page, in its colours."""
    console = Console(
        record=True, width=columns + 1, file=io.StringIO(), force_terminal=True, _environ={}
    )
    for line in written.rstrip("\n").split("\n"):
        console.print(Text.from_ansi(line), soft_wrap=True)
    code = console.export_html(inline_styles=True, code_format="<pre>{code}</pre>")
    return PAGE.format(style=TERMINAL, body=code)


def as_on_github(summary: str) -> str:
    """A job's summary as its page shows it; the first two failures unfolded, as after a click."""
    body = MarkdownIt("commonmark", {"html": True}).enable("table").render(summary)
    body = body.replace("<details>", "<details open>", 2)
    # A machine without an emoji font draws a box.
    body = body.replace("❌", "<span class=no>✗</span>").replace("⚠️", "<b>!</b>")
    return PAGE.format(style=GITHUB, body=body)


def main(folder: Path) -> None:
    """Run, render, take the pictures."""
    with tempfile.TemporaryDirectory() as made, chromium() as browser:
        home = Path(made)
        shop = home / "bookshop"
        shop.mkdir()
        (shop / "server.py").write_bytes((FOLDER / "server.py").read_bytes())
        config = (FOLDER / "toolproof.yaml").read_text(encoding="utf-8")
        (shop / "toolproof.yaml").write_text(config + MORE, encoding="utf-8")
        plain = ("--phases", "checks,tests")
        consoles = {columns: run(shop, *plain, columns=columns) for columns in (80, 120)}
        run(shop, "--html", "report.html", "--summary", "summary.md", columns=120)
        summary = (shop / "summary.md").read_text(encoding="utf-8")
        pages = {f"console-{width}": drawn(text, width) for width, text in consoles.items()}
        pages["summary"] = as_on_github(summary)
        for name, page in pages.items():
            (home / f"{name}.html").write_text(page, encoding="utf-8")
        take(browser, home / "console-80.html", folder / "console-80.png", 720, 2000)
        take(browser, home / "console-120.html", folder / "console-120.png", 1060, 2000)
        take(browser, home / "summary.html", folder / "summary.png", 940, 1500)
        take(browser, shop / "report.html", folder / "html-400.png", 400, 1700)
        take(browser, shop / "report.html", folder / "html-1400.png", 1400, 1180)
        take(browser, shop / "report.html", folder / "html-bench.png", 1100, 760, at="#phase-bench")
        dark = folder / "html-1400-dark.png"
        take(browser, shop / "report.html", dark, 1400, 900, dark=True)


def take(  # noqa: PLR0913 - a picture has a width, a height and a light
    browser: Chromium,
    page: Path,
    out: Path,
    width: int,
    most: int,
    *,
    at: str = "",
    dark: bool = False,
) -> None:
    """A picture of a page, from its top or from the place that `at` names, `most` pixels high."""
    with browser.page(
        page.as_uri() + at, width=width, height=most if at else 100, dark=dark
    ) as shown:
        shown.picture(out, whole=not at, most=most)
    size = out.stat().st_size
    print(f"{out.name}: {size / 1000:.0f} KB")
    if size > MOST_BYTES:
        sys.exit(f"{out.name} is larger than {MOST_BYTES / 1000:.0f} KB")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else IMAGES)
