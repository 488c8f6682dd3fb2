"""The page in a real browser: it asks for nothing, says nothing, and its script does what it should."""

import re
import shutil
import subprocess
import tempfile
import threading
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from tests.reports import hostile_texts, report_saying
from toolproof.report import (
    Check,
    CheckSection,
    Failure,
    Place,
    Problem,
    RunReport,
    Severity,
    ToolTestResult,
    ToolTestSection,
)
from toolproof.reporters import html

BROWSER = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)
PLANTED = "<script>document.title='planted';console.log('planted');fetch('/planted')</script>"
pytestmark = pytest.mark.skipif(BROWSER is None, reason="there is no Chromium on this machine")


@dataclass
class Seen:
    """What a browser made of a page."""

    dom: str = ""
    console: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)

    def articles(self) -> dict[str, bool]:
        """Of each outcome: whether it is shown."""
        found = re.findall(r"<article ([^>]*)>.*?class=\"name\">([^<]*)<", self.dom, re.DOTALL)
        return {name: 'hidden=""' not in attributes for attributes, name in found}


def browse(page: str, fragment: str = "") -> Seen:
    """Open a page over HTTP, as an artifact viewer would serve it, and note all that it asks for."""
    seen = Seen()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            seen.requests.append(self.path)
            self.send_response(200)
            self.send_header("content-type", "text/html; charset=utf-8")
            self.end_headers()
            self.wfile.write(page.encode())

        def log_message(self, *_: object) -> None:
            pass

    with (
        ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server,
        tempfile.TemporaryDirectory() as home,
    ):
        threading.Thread(target=server.serve_forever, daemon=True).start()
        options = ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage")
        quiet = ("--disable-background-networking", "--disable-component-update", "--no-first-run")
        log = ("--enable-logging=stderr", "--v=0", f"--user-data-dir={home}")
        address = f"http://127.0.0.1:{server.server_port}/report.html{fragment}"
        done = subprocess.run(
            [str(BROWSER), *options, *quiet, *log, "--dump-dom", address],
            capture_output=True,
            check=True,
            timeout=120,
        )
        server.shutdown()
    seen.dom = done.stdout.decode("utf-8", "replace")
    errors = done.stderr.decode("utf-8", "replace")
    seen.console = [line for line in errors.split("\n") if ":CONSOLE" in line]
    return seen


@pytest.fixture(scope="module")
def page() -> str:
    problems = (
        Problem(
            tool="alpha",
            check=Check.DESCRIPTION,
            severity=Severity.ERROR,
            message=PLANTED,
            rule="description-missing",
            place=Place("server.py", 4),
        ),
        Problem(
            tool="beta",
            check=Check.NAME,
            severity=Severity.WARNING,
            message="the name has a dot",
            rule="name-dot",
        ),
    )
    test = ToolTestResult(
        name="gamma", tool="a", details=(Failure(message="wrong weather"),), repeat="x"
    )
    return html.render(
        RunReport(
            duration_s=1,
            alias=PLANTED,
            sections=(
                CheckSection(tools=("alpha", "beta", "delta"), problems=problems),
                ToolTestSection(results=(test,)),
            ),
        )
    )


def test_one_request_and_no_word_on_the_console(page: str) -> None:
    seen = browse(page)

    assert seen.requests == ["/report.html"]
    assert seen.console == []
    assert "&lt;script&gt;document.title='planted'" in seen.dom
    assert "<title>&lt;script&gt;" in seen.dom
    assert seen.articles() == {"alpha": True, "beta": True, "gamma": True, "delta": True}
    assert '<html lang="en" class="js">' in seen.dom
    assert "4 in all" in seen.dom


def test_a_page_of_hostile_texts_stays_silent() -> None:
    seen = browse(html.render(report_saying(hostile_texts(11, 800))))

    assert seen.requests == ["/report.html"]
    assert seen.console == []


@pytest.mark.parametrize(
    ("fragment", "shown"),
    [
        ("#q=WEATHER", {"gamma"}),
        ("#q=name%20dot", {"beta"}),
        ("#status=failed", {"alpha", "gamma"}),
        ("#status=failed&phase=tests", {"gamma"}),
        ("#severity=warning", {"beta"}),
        ("#status=passed", {"delta"}),
        ("#q=nowhere", set()),
        ("#status=nonsense&q=%E0%A4%A", {"alpha", "beta", "gamma", "delta"}),
    ],
)
def test_the_fragment_holds_the_search_and_the_filters(
    page: str, fragment: str, shown: set[str]
) -> None:
    seen = browse(page, fragment)

    assert {name for name, visible in seen.articles().items() if visible} == shown
    assert seen.console == []
    if len(shown) < 4:
        assert f"{len(shown)} of 4" in seen.dom


def test_a_permalink_opens_what_it_points_to(page: str) -> None:
    address = re.search(r'<article class="outcome warned bad" id="([^"]+)"', page)
    assert address is not None

    seen = browse(page, f"#{address[1]}")

    block = seen.dom.partition(f'id="{address[1]}"')[2].partition("</article>")[0]
    assert '<details open="">' in block
