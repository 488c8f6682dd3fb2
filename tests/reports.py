"""Reports of every shape, in which a hostile server has its say."""

import random
from collections.abc import Sequence
from typing import Any

from hypothesis import strategies as st

from toolproof.report import (
    Answer,
    BenchResult,
    BenchSection,
    CallResult,
    Check,
    CheckSection,
    Collection,
    ConnectionLost,
    ErrorKind,
    EvalCaseResult,
    EvalSection,
    Failure,
    FuzzFinding,
    FuzzResult,
    FuzzSection,
    InputMode,
    Listed,
    Malformed,
    Note,
    Place,
    ProbeResult,
    Problem,
    ProtocolSection,
    RpcError,
    RuleCard,
    RunReport,
    Section,
    ServerInfo,
    Severity,
    StaleEntry,
    TimedOut,
    Timing,
    Tool,
    ToolTestResult,
    ToolTestSection,
    in_order,
)
from toolproof.report.bench import Bar

HOSTILE = (
    *(
        "\x00",
        "\x08",
        "\x1b",
        "\x1b[31m",
        "\x9b1m",
        "\x1b]0;title\x07",
        "\x1b]8;;http://a\x1b\\",
        "\x7f",
    ),
    *("\r", "\n", "\r\n", "\t", "\x0b", "\x85", "\u2028", "\u2029", " ", "\u2003", "\xa0", "\x1c"),
    *(
        "\u202e",
        "\u2066",
        "\u200b",
        "\u200d",
        "\ufeff",
        "\U000e0041",
        "\ufffe",
        "\uffff",
        "\U0001ffff",
    ),
    *("\ud800", "\udfff", "\ud83d", "é", "漢", "😀", "👩\u200d💻", "z\u0301"),
    *("::error::", "::error file=a,line=1::", "::set-env name=X::1", "::add-mask::a", "::group::x"),
    *(
        "::stop-commands::t",
        "::ERROR::",
        "##[error]",
        "##[add-path]/x",
        "##[",
        "]",
        "::",
        "%0A::error::",
    ),
    *(
        "##vso[task.complete result=Failed]",
        "##teamcity[buildStop]",
        "%",
        "%25",
        "%AZP25",
        ",",
        ":",
        ";",
    ),
    *("]]>", "<![CDATA[", "<!--", "-->", "<?xml?>", "&amp;", "&#0;", "&", "<", ">", '"', "'"),
    *(
        "<script>alert(1)</script>",
        "</script>",
        "</details>",
        "<img src=x onerror=alert(1)>",
        "</style>",
    ),
    *(
        "|",
        "`",
        "```",
        "~~~",
        "[a](http://evil)",
        "![a](http://evil)",
        "http://evil.example",
        "@octocat",
    ),
    *(
        "#1",
        "*",
        "_",
        "**b**",
        "# h",
        "- x",
        "1. x",
        "\\",
        "$x$",
        "&nbsp;",
        "www.evil.example",
        "│ ",
    ),
    *(
        "[red]",
        "[/red]",
        "[b]x[/b]",
        "[/]",
        "[link=http://evil]x[/link]",
        ":smile:",
        "{x}",
        "%s",
        "${X}",
    ),
    *("../../x", "/", "a.b", "=", "= a", "(server)", "null", "NaN", "(and 3 more)", "a (2)"),
)
"""What means something to some reader of some report."""


def hostile_texts(seed: int, number: int) -> list[str]:
    """Texts made of hostile pieces and of letters between them; the same for the same seed."""
    chance = random.Random(seed)
    return [
        "".join(
            chance.choice(HOSTILE) if chance.random() < 0.6 else chance.choice("aB0 .-_")
            for _ in range(chance.randint(0, 14))
        )
        for _ in range(number)
    ]


# Drawn whole: a report has hundreds of texts, and a list of letters for each would take seconds.
said = st.sampled_from(["", *HOSTILE, *hostile_texts(1, 400)])
words = st.text("abc d", min_size=1, max_size=8)
names = said | words
ms = st.sampled_from([0.0, 0.25, 1.0 / 3, 12.5, 999.9999, 1520.0, 1e6])
odd_numbers = st.sampled_from(
    [float("nan"), float("inf"), -float("inf"), 2**53, 10**4000, -1e308, True]
)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | said | odd_numbers,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(said, inner, max_size=2),
    max_leaves=4,
)
arguments = st.dictionaries(said, values, max_size=2)


def several(what: st.SearchStrategy[Any], most: int = 2) -> st.SearchStrategy[tuple[Any, ...]]:
    return st.lists(what, max_size=most).map(tuple)


def maybe(what: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.none() | what


replies = st.one_of(
    st.builds(
        lambda texts, structured, error: Answer(
            {
                "content": [{"type": "text", "text": t} for t in texts],
                "structuredContent": structured,
                "isError": error,
            }
        ),
        several(said),
        maybe(values),
        st.booleans(),
    ),
    st.builds(Answer, arguments),
    st.builds(TimedOut, limit_s=ms, detail=said),
    st.builds(ConnectionLost, reason=said),
    st.builds(RpcError, code=st.integers(-(2**31), 2**31), message=said),
    st.builds(Malformed, detail=said),
)
calls = st.builds(CallResult, tool=names, arguments=maybe(arguments), latency_ms=ms, reply=replies)
places = st.builds(
    Place,
    file=st.sampled_from(["server.py", "toolproof.yaml", "src/a b,c:d.ts", "é/%41.go"]) | said,
    line=st.integers(1, 9999),
    by=st.sampled_from(["config", "definition", "description", "override"]),
)
severities = st.sampled_from(list(Severity))
known = st.none() | st.none() | said
rule_ids = st.sampled_from(["schema-invalid", "required-none", "description-missing"]) | said
problems = st.builds(
    Problem,
    tool=names | st.just("*") | st.just("<index 3>"),
    check=st.sampled_from(list(Check)),
    severity=severities,
    message=said,
    rule=rule_ids,
    pointer=maybe(said),
    fix=said,
    place=maybe(places),
    fingerprint=st.text("0123456789abcdef", min_size=16, max_size=16) | st.just(""),
    known=known,
)
cards = st.builds(
    RuleCard,
    id=rule_ids,
    check=st.sampled_from(list(Check)),
    title=said,
    severity=severities,
    why=said,
    fix=said,
    source=said,
    url=st.just("https://github.com/toolproof/toolproof/blob/main/docs/rules/x.md"),
)
check_sections = st.builds(
    CheckSection,
    tools=several(names),
    problems=several(problems, 5),
    rules=several(cards).map(lambda found: tuple({card.id: card for card in found}.values())),
    places=several(st.tuples(names, places)).map(lambda pairs: tuple(dict(pairs).items())),
    duration_s=ms,
)
protocol_sections = st.builds(
    ProtocolSection,
    probes=several(st.builds(ProbeResult, name=names, skipped=maybe(said), duration_ms=maybe(ms))),
    duration_s=ms,
)
failures = st.builds(Failure, message=said, expected=maybe(said), got=maybe(said), known=known)
tests = st.builds(
    ToolTestResult,
    name=names,
    tool=names,
    details=several(failures),
    latency_ms=ms,
    attempts=st.integers(1, 3),
    result=maybe(calls),
    server_stderr=said,
    skipped=st.none() | st.none() | said,
    earlier=several(said),
    repeat=maybe(said),
    place=maybe(places),
    fingerprint=st.just("0123456789abcdef"),
    tags=several(said),
)
test_sections = st.builds(ToolTestSection, results=several(tests), duration_s=ms)
cases = st.builds(
    EvalCaseResult,
    name=names,
    prompt=said,
    expect_tool=maybe(said),
    expect_args=arguments,
    picked_tool=maybe(said),
    picked_args=arguments,
    failures=several(said),
    cached=st.booleans(),
    place=maybe(places),
)
eval_sections = st.builds(
    EvalSection,
    provider=said,
    model=said,
    min_accuracy=st.floats(0, 1),
    cases=several(cases),
    error=maybe(said),
    place=maybe(places),
    partial=st.booleans(),
    duration_s=ms,
)
targets = st.builds(
    BenchResult,
    name=names,
    tool=names,
    calls=st.integers(0, 9999),
    concurrency=st.integers(1, 99),
    errors=st.integers(0, 9),
    throughput=ms,
    p50_ms=ms,
    p95_ms=ms,
    p99_ms=ms,
    mean_ms=ms | st.just(float("nan")),
    max_ms=ms | st.just(float("inf")),
    failures=several(said),
    histogram=several(
        st.builds(Bar, low_ms=ms, high_ms=ms, count=st.integers(0, 99)) | st.just(Bar(1.0, 2.0, 3))
    ),
    thresholds=st.dictionaries(st.sampled_from(["p95_ms", "p50_ms", "max_error_rate"]) | said, ms),
    place=maybe(places),
    known=known,
)
bench_sections = st.builds(BenchSection, results=several(targets), duration_s=ms)
findings = st.builds(
    FuzzFinding,
    kind=st.sampled_from(["crash", "hang", "accepted-invalid", "slow"]) | said,
    mode=st.sampled_from(list(InputMode)),
    input=maybe(arguments),
    detail=said,
    severity=severities,
    reason=said,
    rule=maybe(rule_ids),
    reproducible=maybe(st.integers(0, 3)),
    stderr=said,
    exit_status=maybe(said),
    repeat=maybe(said),
    also=several(said),
    fingerprint=st.just("fedcba9876543210"),
    known=known,
)
fuzzed = st.builds(
    FuzzResult,
    tool=names,
    calls=st.integers(0, 9999),
    findings=several(findings),
    skipped=st.none() | st.none() | said,
    notes=several(said),
    duration_s=ms,
    place=maybe(places),
)
fuzz_sections = st.builds(
    FuzzSection, seed=st.integers(0, 2**63), results=several(fuzzed), duration_s=ms
)
entries = arguments | values | st.fixed_dictionaries({"name": names, "inputSchema": values})
servers = st.builds(
    ServerInfo,
    name=maybe(names),
    version=maybe(said),
    protocol=st.sampled_from(["2025-11-25", "2026-07-28", ""]),
    transport=st.sampled_from(["stdio", "http"]),
    capabilities=arguments,
    instructions=maybe(said),
    tools=st.lists(entries, max_size=3).map(
        lambda raws: tuple(Tool(raw, index) for index, raw in enumerate(raws))
    ),
    resources=several(st.builds(Listed, entries)),
    prompts=several(st.builds(Listed, entries)),
    timing=st.builds(Timing, ms, ms, st.integers(0, 10**9)),
)
sections = st.tuples(
    *(
        st.lists(section, max_size=1)
        for section in (
            *(check_sections, protocol_sections, test_sections),
            *(eval_sections, bench_sections, fuzz_sections),
        )
    )
).map(lambda found: in_order([section for some in found for section in some]))
ci = st.sampled_from(
    [
        (),
        (
            ("name", "github"),
            ("sha", "0123456789abcdef0123456789abcdef01234567"),
            ("run_url", "https://github.com/octo/demo/actions/runs/1"),
            ("repository_url", "https://github.com/octo/demo"),
        ),
        (("name", "gitlab"), ("sha", "abc"), ("run_url", "https://gitlab.com/a/b/-/jobs/1")),
    ]
)
stale = st.builds(
    StaleEntry,
    fingerprint=st.just("0123456789abcdef"),
    phase=st.sampled_from(["checks", "fuzz"]),
    rule=rule_ids,
    subject=names,
    pointer=maybe(said),
    reason=said,
    place=maybe(places),
)
reports = st.builds(
    RunReport,
    duration_s=ms,
    error=st.none() | st.none() | said,
    error_kind=st.sampled_from(list(ErrorKind)),
    error_place=maybe(places),
    hint=maybe(said),
    server=maybe(servers),
    alias=maybe(names),
    target=said,
    sections=sections,
    fail_on=st.none() | severities | st.just(Severity.ERROR),
    notes=several(st.builds(Note, message=said, subject=maybe(said))),
    seed=maybe(st.integers(0, 2**63)),
    started=st.just("2026-11-30T21:00:00Z"),
    shard=maybe(st.just("1/3")),
    ci=ci,
    interrupted=st.none() | st.none() | st.just(2),
    server_stderr=said,
    config_file=maybe(st.just("toolproof.yaml")),
    toolproof_version=st.just("1.0.0"),
    repeat=maybe(said),
    filtered=st.just(()) | st.just(("tests",)),
    config_digest=maybe(st.just("0a1b")),
    stale=st.just(()) | several(stale),
    only_new=st.booleans(),
    extra=st.dictionaries(words, values, max_size=2),
)
any_reports = reports | st.builds(Collection, several(reports))


def report_saying(texts: Sequence[str]) -> RunReport:
    """A report in which every place where a server may speak says one of the texts, in turn."""
    turn = [0]

    def say() -> str:
        turn[0] += 1
        return texts[turn[0] % len(texts)]

    def place() -> Place:
        return Place(say(), 7)

    def finding(kind: str) -> FuzzFinding:
        return FuzzFinding(
            kind=kind,
            mode=InputMode.VALID,
            input={say(): say()},
            detail=say(),
            reason=say(),
            stderr=say(),
            repeat=say(),
        )

    rounds = range(max(1, len(texts) // 40))
    problem_list = [
        Problem(
            tool=say(),
            check=Check.TEXT,
            severity=severity,
            message=say(),
            rule=say(),
            pointer=say(),
            fix=say(),
            place=place(),
            known=say() if severity is Severity.INFO and n % 2 else None,
        )
        for n in rounds
        for severity in Severity
    ]
    test_list = [
        ToolTestResult(
            name=say(),
            tool=say(),
            details=(Failure(message=say(), expected=say(), got=say()),) if n % 3 else (),
            skipped=say() if n % 3 == 0 else None,
            server_stderr=say(),
            repeat=say(),
            place=place(),
            result=CallResult(
                tool=say(), arguments={say(): say()}, latency_ms=1.0, reply=RpcError(1, say())
            ),
        )
        for n in rounds
    ]
    target_list = [
        BenchResult(
            name=say(),
            tool=say(),
            calls=10,
            concurrency=1,
            errors=0,
            throughput=10.0,
            p50_ms=1.0,
            p95_ms=2.0,
            p99_ms=3.0,
            mean_ms=1.5,
            max_ms=4.0,
            failures=(say(),) if n % 2 else (),
            place=place(),
        )
        for n in rounds
    ]
    case_list = [
        EvalCaseResult(
            name=say(),
            prompt=say(),
            expect_tool=say(),
            expect_args={say(): say()},
            picked_tool=say(),
            picked_args={say(): say()},
            failures=(say(),),
            place=place(),
        )
        for n in rounds
    ]
    fuzz_list = [
        FuzzResult(tool=say(), calls=3, findings=(finding("crash"),), notes=(say(),), place=place())
        for n in rounds
    ]
    return RunReport(
        duration_s=1.5,
        error=say(),
        hint=say(),
        server=ServerInfo(
            name=say(),
            version=say(),
            protocol="2025-11-25",
            tools=(Tool({"name": say(), "description": say()}),),
        ),
        alias=say(),
        target=say(),
        sections=(
            CheckSection(tools=(say(), say()), problems=tuple(problem_list)),
            ProtocolSection(probes=(ProbeResult(name=say(), skipped=say()),)),
            ToolTestSection(results=tuple(test_list)),
            EvalSection(
                provider=say(), model=say(), min_accuracy=1.0, cases=tuple(case_list), error=say()
            ),
            BenchSection(results=tuple(target_list)),
            FuzzSection(seed=7, results=tuple(fuzz_list)),
        ),
        notes=(Note(say(), say()),),
        seed=7,
        started="2026-11-30T21:00:00Z",
        server_stderr=say(),
        config_file=say(),
        toolproof_version="1.0.0",
        repeat=say(),
        ci=(("name", "github"), ("sha", say()), ("run_url", say()), ("repository_url", say())),
    )


def problem(tool: str = "get_forecast", **more: Any) -> Problem:
    """One problem of a tool, with other words where they are given."""
    given: dict[str, Any] = {
        "check": Check.INPUT_SCHEMA,
        "severity": Severity.ERROR,
        "message": "'strng' is no type",
        "rule": "schema-invalid",
    }
    return Problem(tool=tool, **(given | more))


def run(*sections: Section, **more: Any) -> RunReport:
    """A report of these sections."""
    given: dict[str, Any] = {"duration_s": 12.4, "alias": "weather", "sections": sections}
    return RunReport(**(given | more))
