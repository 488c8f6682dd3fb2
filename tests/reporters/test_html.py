"""The page: safe whatever a server says, whole without a script, and small enough to open."""

import base64
import hashlib
import re
from html.parser import HTMLParser
from typing import Any

import pytest
from hypothesis import given

from tests.reports import any_reports, hostile_texts, problem, report_saying, run
from toolproof.report import (
    AnyReport,
    BenchResult,
    BenchSection,
    Check,
    CheckSection,
    Collection,
    Failure,
    Note,
    Place,
    RuleCard,
    ServerInfo,
    Severity,
    ToolTestResult,
    ToolTestSection,
    runs_of,
)
from toolproof.report.bench import Bar, Interval
from toolproof.reporters import html
from toolproof.reporters.html.page import asset

VOID = {"meta", "link", "input", "path", "circle", "rect"}
LINK = re.compile(
    r"#[\w-]*|data:,|https://github\.com/octo/demo/blob/[0-9a-f]{40}/[^\s\"<>]*#L\d+|https://github\.com/toolproof/[\w/.-]+"
)


class Page(HTMLParser):
    """What a browser would see of a page, and whether every element is closed."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(text)
        self.close()
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] not in ("script", "style"):
            self.text += data

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.tags if name == tag]


def check_safe(text: str) -> Page:
    page = Page(text)
    allowed = {
        "html",
        "head",
        "body",
        "title",
        "style",
        "script",
        "meta",
        "link",
        "a",
        "svg",
        "path",
    }
    allowed |= {"circle", "rect", "text", "header", "main", "footer", "section", "article", "div"}
    allowed |= {
        "span",
        "p",
        "b",
        "i",
        "strong",
        "h1",
        "h2",
        "h3",
        "ol",
        "ul",
        "li",
        "dl",
        "dt",
        "dd",
    }
    allowed |= {
        "table",
        "thead",
        "tbody",
        "tr",
        "th",
        "td",
        "details",
        "summary",
        "code",
        "pre",
        "kbd",
    }
    allowed |= {"button", "input", "select", "option"}
    assert {tag for tag, _ in page.tags} <= allowed
    assert len(page.all("script")) == 1
    for _, attributes in page.tags:
        assert not [name for name in attributes if name.startswith("on")]
        for name in ("href", "src"):
            assert name not in attributes or LINK.fullmatch(attributes[name] or "")
    ids = [attributes["id"] for _, attributes in page.tags if "id" in attributes]
    assert len(ids) == len(set(ids))
    for link in page.all("a"):
        href = link["href"] or ""
        assert not href.startswith("#") or href[1:] in ids
    assert not re.search(
        "[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u200b\ud800-\udfff\ufffe]", text
    )
    return page


@given(any_reports)
def test_any_report_is_one_safe_page_with_a_block_per_outcome(report: AnyReport) -> None:
    page = check_safe(html.render(report))

    outcomes = [one for run in runs_of(report) for _, found in run.groups for one in found]
    assert len(page.all("article")) == len(outcomes)


@pytest.mark.parametrize("most", [5_000_000, 120_000, 60_000, 45_000, 1])
def test_hostile_reports_are_safe_on_every_rung(most: int) -> None:
    text = html.render(report_saying(hostile_texts(3, 800)), most_bytes=most)

    check_safe(text)
    assert len(text.encode()) <= max(most, 40_000)


def test_the_policy_allows_the_script_of_the_page_and_nothing_else() -> None:
    text = html.render(run(CheckSection(tools=("a",))))
    script = re.search(r"<script>(.*?)</script>", text, re.DOTALL)

    assert script is not None
    digest = base64.b64encode(hashlib.sha256(script[1].encode()).digest()).decode()
    policy = Page(text).all("meta")[1]["content"]
    assert policy == (
        f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )
    assert "http:" not in asset("script.js") + asset("style.css")
    assert "url(" not in asset("style.css")
    assert (
        re.findall(r"localStorage\.\w+\(\"([^\"]*)\"", asset("script.js"))
        == ["toolproof-theme"] * 2
    )


def test_a_planted_script_is_text() -> None:
    planted = "</details><script>alert(1)</script><img src=x onerror=alert(1)>"
    test = ToolTestResult(
        name=planted, tool=planted, details=(Failure(message=planted, got=planted),)
    )

    page = check_safe(html.render(run(ToolTestSection(results=(test,)))))

    assert page.text.count("<script>alert(1)</script>") >= 3


def test_control_characters_are_shown() -> None:
    hostile = '\x1b[31mred\x1b[0m \x00 \x0b \ufffe <&>"]]>'
    test = ToolTestResult(name="t-echo", tool="echo", details=(Failure(message=hostile),))

    page = check_safe(html.render(run(ToolTestSection(results=(test,)))))

    assert 'red \\u{0} \\u{B} \\u{FFFE} <&>"]]>' in page.text
    assert "t-echo" in page.text


def test_what_failed_is_open_and_the_rest_is_folded() -> None:
    section = CheckSection(
        tools=("a", "b", "c", "d"),
        problems=(
            problem("b", pointer="/inputSchema", fix="Write it.", place=Place("s.py", 4)),
            problem("c", severity=Severity.WARNING),
            problem("d", known="waits for SDK 3"),
        ),
    )
    text = html.render(run(section))
    blocks = {
        match[2]: match[1]
        for match in re.finditer(
            r"<article class=\"outcome (\w+).*?class=\"name\">(\w)</span>", text
        )
    }

    assert blocks == {"b": "failed", "c": "warned", "a": "passed", "d": "skipped"}
    assert text.count("<details open>") == 1
    assert "Show what passed (1) and what was skipped (1)" in text
    assert "known" in text
    assert "waits for SDK 3" in text


def test_the_verdict_and_the_totals_come_first() -> None:
    report = run(
        CheckSection(tools=("a", "b"), problems=(problem("a"),), duration_s=0.4),
        server=ServerInfo(name="weather-mcp", version="2.1", protocol="2025-11-25"),
        seed=7,
        started="2026-11-30T21:00:00Z",
        target="python server.py",
        ci=(("sha", "0123456789abcdef"),),
    )
    text = html.render(report).partition("<main")[0]
    page = text.partition("<body>")[2]

    for words in (
        "Failed: weather",
        "<strong>1 error</strong> in 2 tools",
        "<dd>weather-mcp 2.1</dd>",
        "<dd>2025-11-25 over stdio</dd>",
        "<dd>2026-11-30 21:00:00 UTC</dd>",
        "<dd>0123456789ab</dd>",
        '<td class="bad">1</td>',
        '<td class="time">0.4 s</td>',
    ):
        assert words in page


def test_causes_and_rules_and_notes_are_told_once() -> None:
    card = RuleCard(
        id="schema-invalid",
        check=Check.INPUT_SCHEMA,
        title="Schema is not valid",
        severity=Severity.ERROR,
        why="Clients drop it.",
        fix="Correct it.",
        source="MCP",
        url="https://github.com/toolproof/toolproof/blob/main/docs/rules/schema-invalid.md",
    )
    problems = (*(problem(f"t{n}") for n in range(20)), problem("x", message="another"))
    report = run(
        CheckSection(tools=(), problems=problems, rules=(card,)),
        notes=(Note("not used", "graph"), Note("all is well")),
    )

    page = check_safe(html.render(report))

    assert "t0 and 19 more: 'strng' is no type" in page.text
    assert "2 causes" in page.text
    assert page.text.count("Clients drop it.") == 1
    assert "graph: not used" in page.text
    assert len(re.findall("rule-schema-invalid", html.render(report))) == 22


def test_twelve_causes_are_listed_and_the_rest_counted() -> None:
    problems = tuple(problem(f"t{n}", message=f"m{n}") for n in range(20))

    assert "and 8 more causes below" in html.render(run(CheckSection(tools=(), problems=problems)))


def bench(**more: Any) -> BenchResult:
    given: dict[str, Any] = {
        "name": "b <i>",
        "tool": "t",
        "calls": 1000,
        "concurrency": 1,
        "errors": 0,
        "throughput": 50,
        "p50_ms": 6.1,
        "p90_ms": 9.0,
        "p95_ms": 12.2,
        "p99_ms": 31.0,
        "mean_ms": 7.0,
        "max_ms": 1500.0,
        "histogram": (Bar(1.0, 5.0, 400), Bar(5.0, 20.0, 590), Bar(20.0, 2000.0, 10), Bar(9, 8, 0)),
        "intervals": (Interval(share=0.95, value_ms=12.2, low_ms=11.0, high_ms=14.0),),
        "thresholds": {"p95_ms": 10.0, "max_error_rate": 0.1},
    }
    return BenchResult(**(given | more))


def test_latencies_are_drawn_with_their_limits_and_said_in_words() -> None:
    text = html.render(run(BenchSection(results=(bench(failures=("p95 is over the limit",)),))))
    page = check_safe(text)

    [picture] = [svg for svg in page.all("svg") if svg.get("role") == "img"]
    assert picture["aria-label"] == (
        "Latency of b <i>, 1,000 calls: p50 6.10 ms, p95 12.2 ms, p99 31.0 ms; the limit on p95 is 10.0 ms"
    )
    assert len([r for r in page.all("rect") if r["class"] == "bars"]) == 2
    assert len([r for r in page.all("rect") if r["class"] == "over"]) == 1
    for words in ("limit p95 10.0 ms", "p99 31.0 ms", "1 s", "11.0 ms to 14.0 ms"):
        assert words in page.text


@pytest.mark.parametrize(
    "more",
    [
        {"histogram": ()},
        {"histogram": (Bar(0.0, float("inf"), 3),)},
        {"p50_ms": 0.0, "p95_ms": float("nan"), "p99_ms": -1.0},
    ],
)
def test_without_figures_that_can_be_drawn_there_is_a_table_alone(more: Any) -> None:
    page = check_safe(html.render(run(BenchSection(results=(bench(**more),)))))

    assert not page.all("rect")
    assert "measured" in page.text


def test_equal_latencies_are_one_bar() -> None:
    one = bench(histogram=(Bar(0.0, 0.0, 9),), p50_ms=1e-9, p95_ms=1e-9, p99_ms=1e-9, thresholds={})

    assert len(check_safe(html.render(run(BenchSection(results=(one,))))).all("rect")) == 1


def test_servers_of_a_collection_have_parts_of_their_own() -> None:
    both = Collection(
        (run(CheckSection(tools=("a",))), run(CheckSection(tools=("a",)), alias="ma.ps"))
    )

    text = html.render(both)

    check_safe(text)
    assert "Passed: 2 servers" in text
    assert 'id="ma_ps--checks"' in text
    assert '<option value="ma_ps">ma.ps</option>' in text


def test_addresses_are_the_same_in_every_run() -> None:
    def addresses(seed: int) -> list[str | None]:
        test = ToolTestResult(
            name="t", tool="a", latency_ms=seed, details=(Failure(message=f"{seed}"),)
        )
        text = html.render(run(ToolTestSection(results=(test, test)), seed=seed))
        return [article["id"] for article in Page(text).all("article")]

    assert addresses(1) == addresses(2)
    assert len(set(addresses(1))) == 2


def test_twenty_thousand_outcomes_fit_with_true_totals() -> None:
    problems = tuple(problem(f"tool_{n}", message=f"m{n} {'x' * 300}") for n in range(20_000))

    text = html.render(run(CheckSection(tools=(), problems=problems)))

    assert len(text) <= 5_000_000
    assert "20,000 errors" in text
    assert "To keep this page small" in text
    assert "19,000 more outcomes left out." in text
    assert "many-outcomes" in text


@pytest.mark.parametrize("theme", [0, 1, 2])
def test_colors_have_the_contrast_that_wcag_aa_asks_for(theme: int) -> None:
    """Spec: https://www.w3.org/TR/WCAG22/#contrast-minimum."""
    blocks = re.findall(
        r"\{\s*(?:color-scheme: \w+;)\s*(--page.*?)\}", asset("style.css"), re.DOTALL
    )
    colors = dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6})", blocks[theme]))

    def luminance(color: str) -> float:
        parts = [int(color[at : at + 2], 16) / 255 for at in (1, 3, 5)]
        linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    def contrast(one: str, other: str) -> float:
        light, dark = sorted((luminance(colors[one]), luminance(colors[other])), reverse=True)
        return (light + 0.05) / (dark + 0.05)

    for ground in ("page", "card", "sunk"):
        for text in ("text", "soft", "link", "failed", "warned"):
            assert contrast(text, ground) >= 4.5, (text, ground)
    for status in ("failed", "warned", "passed", "skipped", "info"):
        assert contrast(status, f"{status}-bg") >= 4.5, status
    for bar in ("passed", "warned", "failed"):
        assert contrast(f"bar-{bar}", "card") >= 2.3, bar
