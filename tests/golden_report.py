"""The report behind the golden files: rich and hostile; `python -m tests.golden_report` writes them."""

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

from toolproof.report import (
    Answer,
    BenchResult,
    BenchSection,
    CallResult,
    Check,
    CheckSection,
    ConnectionLost,
    EvalCaseResult,
    EvalSection,
    Failure,
    FuzzFinding,
    FuzzResult,
    FuzzSection,
    InputMode,
    Note,
    Place,
    ProbeResult,
    Problem,
    ProtocolSection,
    RuleCard,
    RunReport,
    ServerInfo,
    Severity,
    Timing,
    Tool,
    ToolTestResult,
    ToolTestSection,
)
from toolproof.report.bench import Bar
from toolproof.reporters import REPORTERS, annotations, console
from toolproof.reporters.github_output import github_output
from toolproof.reporters.json import render_inspect

FOLDER = Path(__file__).with_name("golden")
_TOOLS = ("get_forecast", "search_cities", "delete_alert", "health")
_PLANTED = "</details><script>alert(1)</script> ::error::x ##[error]y | `z` [a](http://evil.example) @octocat"


def golden_report() -> RunReport:
    """One report with every phase, every status and every kind of hostile text."""
    return RunReport(
        duration_s=12.4,
        started="2026-11-30T21:00:00Z",
        seed=7,
        alias="weather",
        target="python server.py",
        toolproof_version="1.0.0",
        config_file="toolproof.yaml",
        server=ServerInfo(
            name="weather-mcp",
            version="2.1",
            protocol="2025-11-25",
            tools=tuple(
                Tool({"name": name, "description": f"{name} \u202e\x1b[31m", "inputSchema": {}}, n)
                for n, name in enumerate(_TOOLS)
            ),
            capabilities={"tools": {}},
            timing=Timing(start_ms=120.5, list_ms=3.25, list_bytes=2048),
        ),
        ci=(
            ("name", "github"),
            ("sha", "0123456789abcdef0123456789abcdef01234567"),
            ("run_url", "https://github.com/octo/demo/actions/runs/1"),
            ("repository_url", "https://github.com/octo/demo"),
        ),
        sections=(_checks(), _protocol(), _tests(), _evals(), _bench(), _fuzz()),
        notes=(Note("checks.ignore[0] is not used"), Note(_PLANTED, "health")),
    )


def _checks() -> CheckSection:
    return CheckSection(
        tools=_TOOLS,
        duration_s=0.4,
        places=(("get_forecast", Place("server.py", 41, "definition")),),
        rules=(
            RuleCard(
                id="schema-invalid",
                check=Check.INPUT_SCHEMA,
                title="Schema is not valid",
                severity=Severity.ERROR,
                why="Clients that compile schemas drop the tool.",
                fix="Correct the keyword.",
                source="MCP 2026-07-28 basic, Schema Validation",
                url="https://github.com/toolproof/toolproof/blob/main/docs/rules/schema-invalid.md",
            ),
        ),
        problems=(
            Problem(
                tool="get_forecast",
                check=Check.INPUT_SCHEMA,
                severity=Severity.ERROR,
                message="'strng' is no type",
                rule="schema-invalid",
                pointer="/inputSchema/properties/when/type",
                fix='write "string"',
                place=Place("server.py", 41, "definition"),
                fingerprint="9f3c0a1122334455",
            ),
            Problem(
                tool="search_cities",
                check=Check.TEXT,
                severity=Severity.WARNING,
                message=_PLANTED,
                rule="injection-phrase",
            ),
            Problem(
                tool="health",
                check=Check.CLIENTS,
                severity=Severity.WARNING,
                message="the name has a dot",
                rule="name-dot",
                known="public name since 2024",
            ),
            Problem(
                tool="*",
                check=Check.PROTOCOL,
                severity=Severity.INFO,
                message="the session was lost once",
                rule="http-session-expired",
            ),
        ),
    )


def _protocol() -> ProtocolSection:
    return ProtocolSection(
        probes=(
            ProbeResult(name="ping", duration_ms=1.5),
            ProbeResult(name="completion", skipped="not declared"),
        ),
        duration_s=0.1,
    )


def _tests() -> ToolTestSection:
    hostile = '\x1b[31mred\x1b[0m \x00 \x0b \ufffe \ud800 \u202e <&>"]]>\r\n::set-env name=X::1'
    answer = Answer(
        {
            "content": [{"type": "text", "text": hostile}],
            "structuredContent": {"n": float("nan"), "id": 2**60},
        }
    )
    return ToolTestSection(
        duration_s=2.2,
        results=(
            ToolTestResult(
                name="toronto weather",
                tool="get_forecast",
                latency_ms=34.0,
                result=CallResult(
                    tool="get_forecast",
                    arguments={"city": "Toronto"},
                    latency_ms=34.0,
                    reply=answer,
                ),
            ),
            ToolTestResult(
                name="rejects bad date",
                tool="get_forecast",
                details=(
                    Failure(message=hostile, expected='{\n  "a": 1\n}', got='{\n  "a": 2\n}'),
                ),
                place=Place("toolproof.yaml", 19),
                repeat='toolproof run -k "rejects bad date" --seed 7',
                latency_ms=1520.0,
            ),
            ToolTestResult(
                name="night",
                tool="search_cities",
                details=(Failure(message="the server ended with exit code 7 before it answered"),),
                place=Place("toolproof.yaml", 31),
                server_stderr="Traceback (most recent call last):\n::error::KeyError: 7\n",
                result=CallResult(
                    tool="search_cities",
                    arguments=None,
                    latency_ms=3.0,
                    reply=ConnectionLost("the server ended with exit code 7"),
                ),
            ),
            ToolTestResult(name="cold", tool="health", attempts=2, earlier=("cold cache",)),
            ToolTestResult(name="windows", tool="health", skipped="its tag is not asked for"),
        ),
    )


def _evals() -> EvalSection:
    def case(name: str, *failures: str) -> EvalCaseResult:
        return EvalCaseResult(
            name=name,
            prompt="Is it cold in Oslo?",
            expect_tool="get_forecast",
            expect_args={"city": "Oslo"},
            picked_tool="search_cities" if failures else "get_forecast",
            picked_args={"city": "Oslo"},
            failures=failures,
        )

    return EvalSection(
        provider="command",
        model="m-1",
        min_accuracy=0.75,
        accuracy=0.5,
        correct=1,
        answers=2,
        accuracy_low=0.095,
        accuracy_high=0.905,
        cases=(case("oslo"), case("cold", "picked search_cities, expected get_forecast")),
        place=Place("toolproof.yaml", 60),
        duration_s=3.0,
    )


def _bench() -> BenchSection:
    target = BenchResult(
        name="forecast",
        tool="get_forecast",
        calls=1000,
        concurrency=10,
        errors=0,
        throughput=1234.0,
        p50_ms=6.1,
        p90_ms=9.0,
        p95_ms=12.2,
        p99_ms=31.0,
        mean_ms=7.0,
        max_ms=60.0,
        histogram=(Bar(3.0, 6.0, 480), Bar(6.0, 12.0, 460), Bar(12.0, 60.0, 60)),
        thresholds={"p95_ms": 10.0},
        failures=("p95 is 12.2 ms, the limit is 10.0 ms",),
        place=Place("toolproof.yaml", 70),
        duration_s=4.0,
    )
    return BenchSection(results=(target,), duration_s=4.2)


def _fuzz() -> FuzzSection:
    finding = FuzzFinding(
        kind="crash",
        mode=InputMode.VALID,
        input={"city": "é"},
        detail="the server ended with exit code 1",
        reason="city=non-ASCII",
        rule="crash",
        reproducible=3,
        stderr="UnicodeEncodeError\n",
        exit_status="exit code 1",
        repeat='toolproof call get_forecast --args \'{"city": "é"}\' -- python server.py',
    )
    return FuzzSection(
        seed=7,
        duration_s=3.0,
        results=(
            FuzzResult(
                tool="get_forecast", calls=602, findings=(finding,), place=Place("server.py", 41)
            ),
            FuzzResult(tool="search_cities", calls=602, notes=("every valid call failed",)),
            FuzzResult(tool="delete_alert", skipped="its name speaks of deleting"),
        ),
    )


GOLDEN: Mapping[str, Callable[[RunReport], str]] = {
    **{reporter.name: reporter.render for reporter in REPORTERS},
    "junit-strict": partial(REPORTERS[1].render, strict=True),
    "inspect": render_inspect,
    "console": partial(console.render, terminal=False, color=False),
    "console-verbose": partial(console.render, terminal=False, color=False, verbose=1),
    "terminal": partial(console.render, terminal=True, color=True, width=80),
    "terminal-wide": partial(console.render, terminal=True, color=False, width=120, ascii=True),
    "annotations": annotations.render,
    "annotations-azure": partial(annotations.render, flavour="azure", workspace="/build"),
    "github-output": partial(github_output, paths={"junit": "out/junit.xml"}, delimiter="end"),
}
_ENDINGS = {
    "json": "json",
    "inspect": "json",
    "codequality": "json",
    "sarif": "sarif",
    "html": "html",
}
_ENDINGS |= {"junit": "xml", "junit-strict": "xml", "summary": "md"}


def path_of(name: str) -> Path:
    """The golden file of a format."""
    return FOLDER / f"{name}.{_ENDINGS.get(name, 'txt')}"


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for name, render in GOLDEN.items():
        path_of(name).write_text(render(golden_report()), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
