"""The job summary: Markdown that holds nothing of a server's but as code, in the size that is kept."""

import re
from collections.abc import Iterator

import pytest
from hypothesis import given
from markdown_it import MarkdownIt
from markdown_it.token import Token

from tests.reports import any_reports, hostile_texts, problem, report_saying, run
from toolproof.report import (
    AnyReport,
    BenchResult,
    BenchSection,
    Check,
    CheckSection,
    Collection,
    Failure,
    FuzzFinding,
    FuzzResult,
    FuzzSection,
    InputMode,
    Place,
    RuleCard,
    ServerInfo,
    Severity,
    ToolTestResult,
    ToolTestSection,
)
from toolproof.reporters import summary

TAGS = re.compile(r"</?(?:details|summary|code|sub)>")
OURS = re.compile(
    r"https://github\.com/(?:octo/demo/blob/[0-9a-f]{40}/[^\s()<>]*#L\d+|toolproof/toolproof/blob/main/docs/rules/[\w.-]+)"
)
CI = (
    ("name", "github"),
    ("sha", "0123456789abcdef0123456789abcdef01234567"),
    ("run_url", "https://github.com/octo/demo/actions/runs/1"),
)


def flat(tokens: list[Token]) -> Iterator[Token]:
    for token in tokens:
        yield token
        yield from flat(token.children or [])


def parsed(text: str) -> list[Token]:
    reader = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
    return list(flat(reader.parse(text)))


def check_safe(text: str) -> None:
    opened = 0
    for token in parsed(text):
        assert token.type != "image"
        if token.type == "link_open":
            assert OURS.fullmatch(str(token.attrs["href"])), token.attrs
        if token.type in ("html_inline", "html_block"):
            rest = re.sub(r"<summary>.*</summary>", "", token.content)
            assert not re.search(r"<(?!/?(?:details|summary|code|sub)>)", token.content)
            opened += rest.count("<details>") - rest.count("</details>")
    assert opened == 0


@given(any_reports)
def test_any_report_has_no_link_image_or_tag_but_ours(report: AnyReport) -> None:
    check_safe(summary.render(report))


@pytest.mark.parametrize("seed", range(4))
def test_hostile_reports_are_safe_on_every_rung(seed: int) -> None:
    report = report_saying(hostile_texts(seed, 400))
    whole = summary.render(report)

    for most in (900_000, len(whole.encode()) - 1, 30_000, 12_000, 1):
        text = summary.render(report, most_bytes=most)
        check_safe(text)
        assert text.split("\n\n")[:2] == whole.split("\n\n")[:2]


def test_a_green_run_is_heading_table_and_footer() -> None:
    report = run(
        CheckSection(tools=("a", "b"), duration_s=0.4),
        seed=7,
        server=ServerInfo(protocol="2025-11-25"),
        toolproof_version="1.0.0",
    )

    foot = "toolproof <code>1&#46;0&#46;0</code> · MCP <code>2025&#45;11&#45;25</code> · seed <code>7</code>"
    assert summary.render(report).split("\n") == [
        "## ✅ weather passed",
        "",
        "| phase | passed | warned | failed | errored | skipped | time |",
        "|---|--:|--:|--:|--:|--:|--:|",
        "| static checks | 2 | 0 | 0 | 0 | 0 | 0.4 s |",
        "",
        f"<sub>{foot} · 12.4 s</sub>",
        "",
        "",
    ]


def test_a_failure_says_what_where_and_how_to_repeat_it() -> None:
    test = ToolTestResult(
        name="rejects bad date",
        tool="a",
        details=(Failure(message="wrong\nin two lines", expected="1", got="2"),),
        repeat='toolproof run -k "x"',
        place=Place("a b.yaml", 19),
        server_stderr="boom",
    )
    text = summary.render(run(ToolTestSection(results=(test,)), ci=CI))

    assert text.startswith("## ❌ weather: 1 error\n")
    assert (
        "<summary>❌ error <code>test</code> · <code>&#34;rejects bad date&#34;</code>:"
        " <code>wrong</code></summary>" in text
    )
    assert "```text\nwrong\nin two lines\n```" in text
    assert "```diff\n- 1\n+ 2\n```" in text
    assert "```text\nboom\n```" in text
    assert '```sh\ntoolproof run -k "x"\n```' in text
    assert f"](https://github.com/octo/demo/blob/{CI[1][1]}/a%20b.yaml#L19)" in text


def test_rules_are_counted_and_linked() -> None:
    card = RuleCard(
        id="schema-invalid", check=Check.INPUT_SCHEMA, title="", severity=Severity.ERROR, why="",
        fix="", source="", url="https://github.com/toolproof/toolproof/blob/main/docs/rules/schema-invalid.md",
    )  # fmt: skip
    problems = (
        *(problem(f"t{n}", fix="Do *it*, @you.") for n in range(7)),
        problem(severity=Severity.INFO, rule="size"),
        problem(known="waits"),
    )
    text = summary.render(run(CheckSection(tools=(), problems=problems, rules=(card,))))

    assert f"| ❌ error | [<code>schema&#45;invalid</code>]({card.url}) | 7 |" in text
    assert "<code>t4</code> and 2 more |" in text
    assert "| ℹ️ info | <code>size</code> | 1 |" in text  # noqa: RUF001 - the sign itself
    assert "- fix: Do &#42;it&#42;&#44; &#64;\u200byou&#46;" in text
    assert "**1 known problem**, let pass by the baseline:\n\n- 1: <code>waits</code>" in text
    assert text.count("<details>") == 1


def bench(name: str) -> BenchResult:
    return BenchResult(
        name=name, tool="t", calls=1000, concurrency=1, errors=0, throughput=50, p50_ms=1.0,
        p95_ms=2.0, p99_ms=3.0, mean_ms=1.0, max_ms=4.0, failures=("p95 is too long",),
    )  # fmt: skip


def test_measurements_findings_and_the_slowest_follow() -> None:
    finding = FuzzFinding(
        kind="slow", mode=InputMode.VALID, input={}, detail="d", severity=Severity.WARNING
    )
    report = run(
        ToolTestSection(results=(ToolTestResult(name="slow one", tool="a", latency_ms=2300),)),
        BenchSection(results=tuple(bench(f"b{n}") for n in range(60))),
        FuzzSection(seed=1, results=(FuzzResult(tool="f", findings=(finding,)),)),
    )
    text = summary.render(report)

    assert "### Bench\n\n| | calls |" in text
    assert "…and 10 more rows: see the report." in text
    assert "| ⚠️ warning | <code>slow</code> | <code>f</code> |" in text
    assert "**Slowest:** <code>test &#34;slow one&#34;</code> 2.3 s" in text


@pytest.mark.parametrize(
    ("report", "heading"),
    [
        (run(error="no such command\nlast words"), "## ❌ weather: no such command"),
        (run(), "## ❌ weather: nothing was tested"),
        (
            run(CheckSection(tools=("a",)), interrupted=15),
            "## ❌ weather: the run was ended by signal 15",
        ),
        (
            run(CheckSection(tools=("a",), problems=(problem(severity=Severity.WARNING),))),
            "## ✅ weather passed: 1 warning",
        ),
        (run(CheckSection(tools=("a",)), alias="w_x"), "## ✅ <code>w&#95;x</code> passed"),
        (
            Collection((run(CheckSection(tools=("a",))), run(CheckSection(tools=("a",))))),
            "## ✅ 2 servers passed",
        ),
    ],
)
def test_the_heading_says_how_it_ended(report: AnyReport, heading: str) -> None:
    assert summary.render(report).split("\n")[0] == heading


def test_a_title_stands_before_the_heading_and_servers_in_the_table() -> None:
    both = Collection(
        (run(CheckSection(tools=("a",))), run(CheckSection(tools=("a",)), alias="maps"))
    )

    text = summary.render(both, title="ubuntu")

    assert text.startswith("## ✅ ubuntu · 2 servers passed\n")
    assert "| server | phase | passed |" in text
    assert "| maps | static checks | 1 |" in text


def test_no_links_where_the_ci_did_not_say_where_it_is() -> None:
    odd = (("sha", "../x"), ("repository_url", "javascript:alert(1)"))
    report = run(CheckSection(tools=(), problems=(problem(place=Place("s.py", 3)),)), ci=odd)

    assert "](" not in summary.render(report)


def test_twenty_thousand_failing_tools_fit_with_true_totals() -> None:
    problems = tuple(problem(f"tool_{n}", message=f"m{n} `{'x' * 50}") for n in range(20_000))
    report = run(CheckSection(tools=(), problems=problems))

    text = summary.render(report)

    assert len(text.encode()) <= 900_000
    assert text.startswith("## ❌ weather: 20,000 errors\n")
    assert "| static checks | 0 | 0 | **20,000** | 0 | 0 |" in text
    assert text.count("<details>") == 50
    assert "Left out, to fit: 19,950 more failures, warnings" in text
    check_safe(text)


@pytest.mark.parametrize(
    ("most", "details", "items"),
    [(10_000_000, 400, 0), (100_000, 50, 0), (40_000, 0, 200), (900, 0, 0)],
)
def test_the_ladder_takes_the_first_rung_that_fits(most: int, details: int, items: int) -> None:
    problems = tuple(
        problem(f"tool_{n}", message=f"m{n} {'x' * 50}", fix="." * 200) for n in range(400)
    )
    text = summary.render(run(CheckSection(tools=(), problems=problems)), most_bytes=most)

    assert text.count("<details>") == details
    assert len(re.findall("^- ❌ error", text, re.MULTILINE)) == items
    assert len(text.encode()) <= most
    assert "| static checks | 0 | 0 | **400** | 0 | 0 |" in text


def test_without_room_for_the_rest_failures_come_first() -> None:
    targets = tuple(bench(f"b{n}") for n in range(50))
    report = run(BenchSection(results=targets))
    whole = summary.render(report)

    text = summary.render(report, most_bytes=len(whole.encode()) - 1)

    assert "Left out, to fit: measurements, the slowest, known problems." in text
    assert "### Bench" not in text
