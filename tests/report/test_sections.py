"""What sections say of themselves: facts of a benchmark, gates, odd entries of a list."""

from dataclasses import replace
from typing import Any

import pytest

from toolproof.report import (
    BenchResult,
    BenchSection,
    CheckSection,
    Collection,
    FuzzResult,
    FuzzSection,
    Listed,
    RunReport,
    Status,
    Tool,
)
from toolproof.report.bench import Comparison, milliseconds
from toolproof.report.values import json_of

TARGET = BenchResult(
    name="t",
    tool="a",
    calls=4000,
    concurrency=4,
    errors=10,
    throughput=1234.5,
    p50_ms=1.0,
    p95_ms=20.0,
    p99_ms=300.0,
    mean_ms=2.0,
    max_ms=4000.0,
)


def facts(**more: Any) -> dict[str, str]:
    [outcome] = BenchSection(results=(replace(TARGET, **more),)).outcomes(None)
    return dict(outcome.facts)


def test_a_benchmark_tells_what_was_measured_and_nothing_else() -> None:
    assert facts() == {
        "calls": "4,000",
        "in flight": "4",
        "p50": "1.00 ms",
        "p95": "20.0 ms",
        "p99": "300 ms",
        "rate": "1,234 calls/s",
        "errors": "0.2%",
    }


def test_a_benchmark_tells_what_limited_it() -> None:
    told = facts(
        service_p50_ms=0.5,
        client_ms=0.1,
        client_share=0.2,
        client_limited=True,
        comparison=Comparison(baseline="main", ratio=1.2, low=1.1, high=1.3, verdict="slower"),
        cpu_ms_per_call=0.3,
        peak_rss_bytes=75 * 2**20,
        knee=8,
    )

    assert told["alone p50"] == "0.500 ms"
    assert told["client"] == "0.100 ms, 20% of p50 alone"
    assert told["server CPU"] == "0.300 ms a call"
    assert told["server memory"] == "75 MiB"
    assert told["knee"] == "8 in flight"
    assert told["note"] == "limited by the client"
    assert told["against main"] == "slower"


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (0.0421, "0.042 ms"),
        (1.234, "1.23 ms"),
        (45.67, "45.7 ms"),
        (456.7, "457 ms"),
        (1200, "1.20 s"),
    ],
)
def test_a_latency_has_three_digits_that_say_something(value: float, words: str) -> None:
    assert milliseconds(value) == words


@pytest.mark.parametrize("raw", [None, 3, [], {"name": 3, "description": []}, {"name": "  "}])
def test_an_entry_of_any_shape_has_a_label_and_no_more(raw: Any) -> None:
    tool = Tool(raw, 4)

    assert (tool.name, tool.label, tool.description) == ("", "<index 4>", "")
    assert (tool.input_schema, tool.output_schema, tool.annotations) == ({}, None, {})
    assert Listed(raw, 4).label == "<index 4>"


def test_a_tool_that_the_fuzzer_itself_failed_on_is_errored() -> None:
    [outcome] = FuzzSection(
        seed=1, results=(FuzzResult(tool="a", calls=1, error="KeyError: 3"),)
    ).outcomes(None)

    assert outcome.status is Status.ERRORED
    assert outcome.reasons[0].message.startswith("toolproof failed on this tool")


def test_a_collection_is_as_bad_as_its_worst_report() -> None:
    good = RunReport(duration_s=1, sections=(CheckSection(tools=("a",)),))
    bad = RunReport(duration_s=1, error="it did not start")

    assert Collection(()).verdict is Status.SKIPPED
    assert Collection((good, bad)).verdict is bad.verdict


def test_what_is_nested_without_end_is_told_shortened() -> None:
    value: list[Any] = []
    for _ in range(50_000):
        value = [value]

    assert len(json_of(value)) < 200_000
