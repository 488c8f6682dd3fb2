"""The page in a real browser: it asks for nothing, says nothing, and its script does what it should."""

import json
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from tests.reporters.chromium import MISSING, PROGRAM, Chromium, Page, chromium
from tests.reports import hostile_texts, report_saying
from toolproof.report import (
    BenchResult,
    BenchSection,
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
from toolproof.report.bench import Bar
from toolproof.reporters import html

PLANTED = "<script>document.title='planted';console.log('planted');fetch('/planted')</script>"
pytestmark = pytest.mark.skipif(PROGRAM is None, reason=MISSING)

Open = Callable[..., AbstractContextManager[Page]]

SHOWN = """Object.fromEntries([...document.querySelectorAll(".outcome")].map(
    o => [o.querySelector(".name").textContent, o.checkVisibility()]))"""
FITS = """({page: document.documentElement.scrollWidth <= innerWidth, cut: [...document.querySelectorAll(
    "main *, header *")].filter(e => e.checkVisibility() && e.closest("svg, .chart, .figures, .bar") === null
    && e.scrollWidth > e.clientWidth + 1 && e.clientWidth > 0
    && getComputedStyle(e).display !== "inline").map(e => e.outerHTML.slice(0, 120))})"""


TARGET = BenchResult(
    name="epsilon",
    tool="alpha",
    calls=400,
    concurrency=4,
    errors=0,
    throughput=900.0,
    p50_ms=1.0,
    p95_ms=4.0,
    p99_ms=9.0,
    mean_ms=1.5,
    max_ms=9.5,
    thresholds={"p95_ms": 20.0},
    histogram=tuple(Bar(1.5**n, 1.5 ** (n + 1), 60 - 10 * n) for n in range(5)),
)


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
                BenchSection(results=(TARGET,)),
            ),
        )
    )


@pytest.fixture(scope="module")
def browser() -> Iterator[Chromium]:
    with chromium() as running:
        yield running


@pytest.fixture
def opened(browser: Chromium, page: str, tmp_path: Path) -> Open:
    """Opens the page, or another, in a window."""

    def open_(text: str = page, fragment: str = "", **window: Any) -> AbstractContextManager[Page]:
        path = tmp_path / "report.html"
        path.write_text(text, encoding="utf-8")
        return browser.page(path.as_uri() + fragment, **window)

    return open_


def shown(page: Page) -> set[str]:
    return {name for name, visible in page.run(SHOWN).items() if visible}


def test_one_request_and_no_word_on_the_console(opened: Open) -> None:
    with opened() as page:
        assert [address.rpartition("/")[2] for address in page.requests] == ["report.html"]
        assert page.console == []
        assert page.run("document.title").startswith(PLANTED)
        assert PLANTED in page.run("document.body.textContent")
        assert page.run("document.querySelector('.count').textContent") == "5 results"


def test_a_page_of_hostile_texts_stays_silent(opened: Open) -> None:
    with opened(html.render(report_saying(hostile_texts(11, 800)))) as page:
        assert len(page.requests) == 1
        assert page.console == []


@pytest.mark.parametrize(
    ("fragment", "expected"),
    [
        ("#q=WEATHER", {"gamma"}),
        ("#q=name%20dot", {"beta"}),
        ("#status=failed", {"alpha", "gamma"}),
        ("#status=failed&phase=tests", {"gamma"}),
        ("#severity=warning", {"beta"}),
        ("#status=passed", {"delta", "epsilon"}),
        ("#q=nowhere", set()),
        ("#status=nonsense&q=%E0%A4%A", {"alpha", "beta", "gamma", "epsilon"}),
    ],
)
def test_the_fragment_holds_the_search_and_the_filters(
    opened: Open, fragment: str, expected: set[str]
) -> None:
    with opened(fragment=fragment) as page:
        assert shown(page) == expected
        assert page.console == []
        if len(expected) < 4:
            count = page.run("document.querySelector('.count').textContent")
            assert count == f"{len(expected)} of 5 results"
        assert page.run("document.querySelector('.nothing').hidden") == bool(expected)


def test_a_permalink_opens_what_it_points_to(opened: Open) -> None:
    with opened() as page:
        address = page.run("document.querySelector('.outcome.warned').id")
    with opened(fragment=f"#{address}") as page:
        assert page.run(f"document.querySelector('#{address} details').open")
        assert not page.run("document.querySelector('.rest').open")


def test_keys_search_clear_and_step(opened: Open) -> None:
    with opened() as page:
        page.press("/")
        page.write("dot")
        assert shown(page) == {"beta"}
        assert page.run("location.hash") == "#q=dot"
        page.press("Escape")
        assert shown(page) == {"alpha", "beta", "gamma", "epsilon"}
        assert page.run("location.hash") == ""
        focused = "document.activeElement.closest('.outcome').querySelector('.name').textContent"
        page.press("j")
        page.press("j")
        assert page.run(focused) == "beta"
        page.press("k")
        assert page.run(focused) == "alpha"
        page.press("Enter")
        assert not page.run("document.activeElement.parentElement.open")


def test_every_control_is_reached_by_tab_and_its_focus_is_seen(opened: Open) -> None:
    with opened() as page:
        seen = []
        for _ in range(60):
            page.press("Tab")
            found = page.run(
                "(() => { const e = document.activeElement; if (e === document.body) return null;"
                "const s = getComputedStyle(e); return [e.tagName, e.className,"
                " s.outlineStyle !== 'none' && parseFloat(s.outlineWidth) >= 2]; })()"
            )
            if found is None:
                break
            seen.append(found)
        assert {"A", "INPUT", "SELECT", "BUTTON", "SUMMARY"} <= {tag for tag, _, _ in seen}
        assert seen[0][1] == "skip"
        assert all(outlined for _, _, outlined in seen), seen


def test_clicks_fold_copy_filter_and_change_the_theme(opened: Open) -> None:
    with opened() as page:
        page.click(".all")
        assert page.run("[...document.querySelectorAll('main details')].every(d => d.open)")
        page.click(".all")
        assert not page.run("[...document.querySelectorAll('main details')].some(d => d.open)")
        page.click(
            "#" + page.run("document.querySelector('.failed[data-phase=tests]').id") + " summary"
        )
        page.click(".copy")
        page.run("new Promise(r => setTimeout(r, 100))")
        assert page.run("document.querySelector('.copy').textContent") == "Copied"
        page.run("document.querySelector('select[name=status]').value = 'warned'")
        page.run("document.querySelector('select[name=status]').dispatchEvent(new Event('change'))")
        assert shown(page) == {"beta"}
        for theme in ("light", "dark"):
            page.click(".theme")
            assert page.run("document.documentElement.dataset.theme") == theme
        assert page.run("getComputedStyle(document.body).backgroundColor") == "rgb(18, 22, 28)"
        assert page.console == []


@pytest.mark.parametrize("width", [320, 400, 1400])
def test_nothing_is_cut_off_and_nothing_scrolls_sideways(opened: Open, width: int) -> None:
    with opened(width=width) as page:
        page.click(".all")
        assert page.run(FITS) == {"page": True, "cut": []}
    with opened(html.render(report_saying(hostile_texts(3, 200))), width=width) as page:
        page.click(".all")
        assert page.run("document.documentElement.scrollWidth") <= width


def test_a_screen_reader_finds_landmarks_headings_and_a_name_for_each_control(opened: Open) -> None:
    with opened() as page:
        page.click(".all")
        nodes = page.ask("Accessibility.getFullAXTree")["nodes"]
    found = [
        (node["role"]["value"], node.get("name", {}).get("value", ""))
        for node in nodes
        if not node["ignored"]
    ]
    roles = {role for role, _ in found}
    assert {"banner", "main", "contentinfo", "search", "region", "status"} <= roles
    for role, name in found:
        if role in {
            "button",
            "link",
            "searchbox",
            "combobox",
            "image",
            "DisclosureTriangle",
            "region",
        }:
            assert name.strip(), role
    assert ("region", "Static checks") in found
    assert ("region", "Tests") in found
    assert any(role == "image" and "p95 4.00 ms" in name for role, name in found)
    levels = [
        int(level["value"]["value"])
        for node in nodes
        if not node["ignored"] and node["role"]["value"] == "heading"
        for level in node["properties"]
        if level["name"] == "level"
    ]
    assert levels[0] == 1
    assert all(later - earlier <= 1 for earlier, later in pairwise(levels))


def test_without_a_script_all_is_readable(browser: Chromium, page: str, tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    path.write_text(page, encoding="utf-8")
    with browser.page("about:blank") as window:
        window.ask("Emulation.setScriptExecutionDisabled", value=True)
        window.ask("Page.navigate", url=path.as_uri())
        window.browser.wait_for("Page.loadEventFired", window.session)
        nodes = window.ask("Accessibility.getFullAXTree")["nodes"]
    said = json.dumps([node.get("name") for node in nodes])
    assert "wrong weather" in said
    assert "Search the results" not in said


def test_paper_shows_what_is_folded(opened: Open, tmp_path: Path) -> None:
    with opened() as page:
        page.paper(tmp_path / "page.pdf")
        page.ask("Emulation.setEmulatedMedia", media="print")
        page.run("dispatchEvent(new Event('beforeprint'))")
        assert shown(page) == {"alpha", "beta", "gamma", "delta", "epsilon"}
        page.run("dispatchEvent(new Event('afterprint'))")
        assert not page.run("document.querySelector('.rest').open")
    assert (tmp_path / "page.pdf").read_bytes().startswith(b"%PDF")


def test_paper_is_light_whatever_the_screen_is(opened: Open) -> None:
    color = "getComputedStyle(document.body).color"
    with opened(dark=True) as page:
        page.run("document.documentElement.dataset.theme = 'dark'")
        assert page.run(color) == "rgb(228, 233, 240)"
        page.ask("Emulation.setEmulatedMedia", media="print")
        assert page.run(color) == "rgb(27, 34, 44)"


def test_two_thousand_tools_are_searched_at_once(opened: Open) -> None:
    names = tuple(f"tool_{number}" for number in range(2000))
    problems = tuple(
        Problem(
            tool=name,
            check=Check.NAME,
            severity=Severity.ERROR if at % 2 else Severity.WARNING,
            message=f"problem of {name}",
            rule="name-dot",
        )
        for at, name in enumerate(names)
        if at % 4
    )
    sections = (CheckSection(tools=names, problems=problems),)
    text = html.render(RunReport(duration_s=1, alias="many", sections=sections))

    with opened(text) as page:
        assert page.run("document.querySelector('.count').textContent") == "2,000 results"
        page.press("/")
        page.write("tool_1999")
        assert shown(page) == {"tool_1999"}
        assert page.run("document.querySelector('.count').textContent") == "1 of 2,000 results"
        assert page.console == []
