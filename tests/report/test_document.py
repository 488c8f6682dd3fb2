"""The JSON document: exact, valid against its own schema, and read back as it was written."""

import json
from typing import Any

import jsonschema
import pytest
from hypothesis import given

from tests.reports import any_reports, reports, servers
from toolproof.errors import ConfigError
from toolproof.report import (
    Answer,
    AnyReport,
    BenchResult,
    BenchSection,
    CallResult,
    CheckSection,
    Collection,
    ConnectionLost,
    FuzzFinding,
    FuzzResult,
    FuzzSection,
    InputMode,
    Malformed,
    RpcError,
    RunReport,
    ServerInfo,
    TimedOut,
    Tool,
    ToolTestResult,
    ToolTestSection,
)
from toolproof.report.document import (
    inspect_document,
    load_document,
    report_schema,
    run_document,
)

SCHEMA = report_schema()
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)
KEYS = (
    *("schema_version", "toolproof", "kind", "passed", "outcome", "exit_code", "fail_on", "error"),
    *("started", "duration_s", "seed", "shard", "ci", "server", "server_name", "server_version"),
    *("tool_names", "phases", "totals", "checks", "tests", "evals", "bench", "fuzz", "rules"),
)


def written(report: AnyReport) -> Any:
    """The document as a reader of the file has it."""
    return json.loads(json.dumps(run_document(report), allow_nan=False))


def call(reply: Any, **more: Any) -> ToolTestResult:
    result = CallResult(tool="t", arguments=more.get("arguments", {}), latency_ms=1.0, reply=reply)
    return ToolTestResult(name="n", tool="t", result=result)


def run_with(*results: ToolTestResult) -> RunReport:
    return RunReport(duration_s=1.0, sections=(ToolTestSection(results=results),))


def test_the_schema_is_a_valid_schema() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


@given(any_reports)
def test_every_report_fits_the_schema(report: AnyReport) -> None:
    VALIDATOR.validate(written(report))


@given(any_reports)
def test_a_report_is_read_back_as_it_was_written(report: AnyReport) -> None:
    document = written(report)

    assert written(load_document(document)) == document


@given(reports)
def test_what_was_read_back_says_the_same_of_every_outcome(report: RunReport) -> None:
    again = load_document(written(report))

    assert isinstance(again, RunReport)
    assert (again.verdict, again.exit_code) == (report.verdict, report.exit_code)
    assert [(g, [(o.name, o.status) for o in outcomes]) for g, outcomes in again.groups] == [
        (g, [(o.name, o.status) for o in outcomes]) for g, outcomes in report.groups
    ]


@given(reports, servers)
def test_inspect_adds_what_the_server_lists(report: RunReport, info: ServerInfo) -> None:
    document = json.loads(json.dumps(inspect_document(report, info), allow_nan=False))

    VALIDATOR.validate(document)
    assert len(document["tools"]) == len(info.tools)
    assert len(document["resources"]) == len(info.resources)


def test_the_keys_come_in_the_order_of_the_specification() -> None:
    document = run_document(RunReport(duration_s=1.0))

    assert tuple(document)[: len(KEYS)] == KEYS


def test_fuzz_has_a_seed_and_tools_and_nothing_else() -> None:
    report = RunReport(
        duration_s=1.0, sections=(FuzzSection(seed=7, results=(FuzzResult(tool="a"),)),)
    )

    fuzz = run_document(report)["fuzz"]

    assert list(fuzz) == ["seed", "tools"]
    assert list(fuzz["tools"][0])[:5] == ["tool", "calls", "skipped", "findings", "passed"]


def test_inspect_gives_broken_definitions_as_they_were_sent() -> None:
    raws: list[Any] = [{"name": "a", "inputSchema": None}, 7, None, ["x"], {"n": float("nan")}]
    info = ServerInfo(tools=tuple(Tool(raw, index) for index, raw in enumerate(raws)))

    document = inspect_document(RunReport(duration_s=1.0, server=info))

    assert document["tools"][:4] == raws[:4]
    assert document["tools"][4] == {"n": "NaN"}
    assert document["tools_exact"] == {"4": '{"n": NaN}'}


def test_values_that_readers_cannot_hold_are_kept_as_json_text() -> None:
    report = run_with(
        call(Answer({"content": [], "structuredContent": {"big": 2**60, "n": float("inf")}}))
    )

    result = run_document(report)["tests"][0]["result"]

    assert result["structured"] == {"big": 2**60, "n": "Infinity"}
    assert result["structured_json"] == '{"big": 1152921504606846976, "n": Infinity}'
    assert "arguments_json" not in result


def test_values_that_readers_can_hold_stand_alone() -> None:
    result = run_document(run_with(call(Answer({"structuredContent": {"a": [1, 2.5, "x", None]}}))))

    assert result["tests"][0]["result"]["structured"] == {"a": [1, 2.5, "x", None]}
    assert not [key for key in result["tests"][0]["result"] if key.endswith("_json")]


def test_an_input_of_the_fuzzer_is_the_value_itself() -> None:
    finding = FuzzFinding(kind="crash", mode=InputMode.VALID, input={"n": 2**64}, detail="d")
    section = FuzzSection(seed=1, results=(FuzzResult(tool="t", findings=(finding,)),))

    [tool] = run_document(RunReport(duration_s=1.0, sections=(section,)))["fuzz"]["tools"]

    assert tool["findings"][0]["input"] == {"n": 2**64}


def test_endless_nesting_and_endless_numbers_end() -> None:
    deep: Any = []
    for _ in range(100_000):
        deep = [deep]
    document = run_document(
        run_with(call(Answer({"structuredContent": {"d": deep, "n": 10**6000}})))
    )

    assert len(json.dumps(document)) < 1_000_000


def test_long_strings_are_shortened_in_the_middle_once() -> None:
    text = "a" * 50_000 + "é" * 50_000
    report = run_with(call(Answer({"content": [{"type": "text", "text": text}]})))

    document = run_document(report)
    shown = document["tests"][0]["result"]["text"]

    assert len(shown.encode()) <= 64 * 1024
    assert shown.startswith("aaa")
    assert shown.endswith("ééé")
    assert "more characters …" in shown
    assert run_document(load_document(document)) == document


def test_which_way_a_call_ended_survives() -> None:
    report = load_document(run_document(run_with(call(ConnectionLost("gone")))))

    assert isinstance(report, RunReport)
    result = report.tests[0].result
    assert result is not None
    assert result.reply == ConnectionLost("gone")


@pytest.mark.parametrize(
    "reply",
    [
        Answer({"content": [{"type": "text", "text": "t"}], "isError": True}),
        Answer({"content": [], "structuredContent": {"a": 1}}),
        TimedOut(0.0, "no answer within 2 s"),
        ConnectionLost("gone"),
        RpcError(-32603, "boom"),
        Malformed("neither"),
    ],
    ids=lambda reply: str(reply)[:30],
)
def test_a_call_is_read_back_as_it_ended(reply: Any) -> None:
    report = load_document(json.loads(json.dumps(run_document(run_with(call(reply))))))

    assert isinstance(report, RunReport)
    assert report.tests[0].result == CallResult(tool="t", arguments={}, latency_ms=1.0, reply=reply)


def test_exact_values_are_read_back_from_their_text() -> None:
    reply = Answer({"content": [], "structuredContent": {"n": float("inf"), "big": 2**70}})
    report = load_document(run_document(run_with(call(reply))))

    assert isinstance(report, RunReport)
    assert report.tests[0].result is not None
    assert report.tests[0].result.structured == {"n": float("inf"), "big": 2**70}


def test_what_was_measured_and_is_no_number_is_null() -> None:
    target = BenchResult(
        name="n", tool="t", calls=0, concurrency=1, errors=0, throughput=float("inf"), p50_ms=1.0,
        p95_ms=1.0, p99_ms=1.0, mean_ms=float("nan"), max_ms=1.0,
    )  # fmt: skip
    report = RunReport(duration_s=1.0, sections=(BenchSection(results=(target,)),))

    [bench] = run_document(report)["bench"]

    assert (bench["throughput"], bench["mean_ms"], bench["p50_ms"]) == (None, None, 1.0)


def test_unknown_keys_are_ignored() -> None:
    document = run_document(RunReport(duration_s=1.0, sections=(CheckSection(tools=("a",)),)))
    document["new"] = document["server"]["new"] = {"x": 1}

    assert isinstance(load_document(document), RunReport)


def test_another_major_is_refused_and_a_later_minor_is_not() -> None:
    document = run_document(RunReport(duration_s=1.0))

    with pytest.raises(ConfigError, match=r"format .2\.0"):
        load_document(document | {"schema_version": "2.0"}, "old.json")
    assert isinstance(load_document(document | {"schema_version": "1.9"}), RunReport)


@pytest.mark.parametrize(
    ("change", "path"),
    [
        ({"checks": [{"tool": 1}]}, r"checks\[0\].tool: expected text, got a number"),
        ({"checks": {}}, "checks: expected a list, got an object"),
        ({"tests": [7]}, r"tests\[0\]: expected an object, got a number"),
        ({"server": None}, "server: expected an object, got null"),
        ({"duration_s": "x"}, "duration_s: expected a number, got text"),
        ({"error_kind": "x"}, "error_kind: 'x' is none of config"),
        ({"totals": []}, "totals: expected an object, got a list"),
    ],
)
def test_a_document_of_another_shape_is_told_with_the_path(change: Any, path: str) -> None:
    document = run_document(RunReport(duration_s=1.0)) | change

    with pytest.raises(ConfigError, match=path):
        load_document(document)


@pytest.mark.parametrize("document", [None, [], {}, {"schema_version": 1}, "x"])
def test_what_is_no_report_is_refused(document: Any) -> None:
    with pytest.raises(ConfigError, match="it is no report of toolproof"):
        load_document(document)


def test_a_missing_key_is_named() -> None:
    document = run_document(RunReport(duration_s=1.0))
    del document["server"]

    with pytest.raises(ConfigError, match="there is no 'server'"):
        load_document(document)


def test_a_collection_takes_the_worst_code() -> None:
    good = RunReport(duration_s=1.0, sections=(CheckSection(tools=("a",)),))
    lost = RunReport(duration_s=1.0, error="gone")

    document = run_document(Collection((good, lost)))

    assert document["kind"] == "collection"
    assert (document["passed"], document["outcome"], document["exit_code"]) == (False, "error", 3)
    assert [run["exit_code"] for run in document["reports"]] == [0, 3]
