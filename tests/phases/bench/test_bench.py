"""The bench against real servers: figures are there, errors are counted, limits fail."""

import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.running import DEMO, rules_of, run
from toolproof.errors import ConfigError
from toolproof.phases.bench import compare, engine, measure
from toolproof.phases.bench.usage import machine
from toolproof.phases.phase import RunOptions
from toolproof.report import BenchResult, RunReport

NOOP = [sys.executable, str(DEMO / "noop.py")]
SHOP = [sys.executable, str(DEMO / "server.py")]
TARGET = {"tool": "noop"}


@pytest.fixture(autouse=True)
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Figures that are steady are for `benchmarks/`; here it is enough that they are there."""
    monkeypatch.setattr(engine, "LEAST_CALIBRATION", 50)
    monkeypatch.setattr(compare, "BLOCKS", 6)
    monkeypatch.setattr(compare, "LEAST_IN_BLOCK", 4)
    monkeypatch.setattr(compare, "MOST_ROUNDS", 3)
    monkeypatch.setattr(measure, "MOST_WARMUP", 45)
    monkeypatch.setattr(measure, "STEP_S", 0.05)


async def bench(
    command: list[str] | None = None, *targets: dict[str, Any], **settings: Any
) -> RunReport:
    options = settings.pop("options", None)
    given = {"calls": 60, "concurrency": 4, "targets": list(targets or [TARGET]), **settings}
    return await run(command or NOOP, "bench", options=options, bench=given)


def the_one(report: RunReport) -> BenchResult:
    [result] = report.bench
    return result


async def test_every_figure_of_a_target_is_there() -> None:
    report = await bench()

    result = the_one(report)
    assert report.passed
    assert (result.name, result.tool, result.calls, result.concurrency) == ("noop", "noop", 60, 4)
    assert (result.errors, result.error_rate, result.failures) == (0, 0, ())
    assert 0 < result.p50_ms <= result.p90_ms <= result.p95_ms <= result.p99_ms <= result.max_ms
    assert result.throughput > 0
    assert result.service_p50_ms is not None
    assert result.client_ms is not None
    assert result.reply_bytes is not None
    assert sum(bar.count for bar in result.histogram) == 60
    section = report.sections[0]
    assert getattr(section, "start_ms", 0) > 0
    assert getattr(section, "list_tokens", 0) > 0


def noop_that_says(cpu_s: str, folder: Path) -> None:
    """The server that does nothing, with another expression for its processor time."""
    script = Path(NOOP[1]).read_text("utf-8")
    assert "time.process_time()" in script
    (folder / "noop.py").write_text(script.replace("time.process_time()", cpu_s), "utf-8")


@pytest.mark.parametrize("busy", [False, True])
async def test_what_the_calibration_server_computes_is_no_cost_of_the_client(
    busy: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    noop_that_says("time.time() * 1e6" if busy else "0.0", tmp_path)
    monkeypatch.setattr(engine, "FOLDER", tmp_path)

    result = the_one(await bench())

    assert result.client_ms is not None
    assert (result.client_ms == 0) is busy
    assert (result.client_share == 0) is busy


async def test_p99_of_few_calls_is_marked_and_the_spread_is_drawn() -> None:
    [outcome] = dict((await bench()).groups)["bench"]

    assert re.fullmatch(r"[\d.]+ ms [_▁▂▃▄▅▆▇█]{20} [\d.]+ m?s", dict(outcome.facts)["spread"])
    assert "(n too small)" in dict(outcome.facts)["p99"]


async def test_an_open_loop_keeps_its_rate() -> None:
    result = the_one(await bench(calls=50, rate=500))

    assert result.rate == 500
    assert result.calls + result.dropped == 50
    assert result.throughput < 1000


async def test_a_duration_takes_the_place_of_a_number_of_calls() -> None:
    report = await run(NOOP, "bench", bench={"duration_s": 0.3, "targets": [TARGET]})

    assert the_one(report).calls > 10


async def test_errors_are_counted_by_kind_and_a_target_of_nothing_else_fails() -> None:
    result = the_one(await bench(SHOP, {"tool": "get_book", "args": {"id": "b-9"}}))

    assert result.error_rate == 1
    assert result.error_kinds == {"error result": 60}
    assert result.failures == ("every call failed, so nothing was measured (60 error result)",)


async def test_a_server_that_dies_is_no_end_of_the_bench() -> None:
    dying = {"tool": "price_before_discount", "args": {"price": 1, "discount": 100}}

    report = await bench(SHOP, dying, {"tool": "get_book", "args": {"id": "b-1"}})

    first, second = report.bench
    assert not first.passed
    assert second.passed


@pytest.mark.parametrize(
    ("limits", "words"),
    [
        ({"p50_ms": 0.000001}, "p50 is "),
        ({"p95_ms": 0.000001}, "p95 is "),
        ({"p99_ms": 0.000001}, "p99 is "),
        ({"min_throughput": 1e9}, " calls/s, the least is 1e+09 calls/s"),
    ],
)
async def test_a_broken_limit_fails_with_value_and_limit(
    limits: dict[str, float], words: str
) -> None:
    report = await bench(thresholds=limits)

    assert not report.passed
    assert words in the_one(report).failures[0]


async def test_a_targets_own_limit_wins() -> None:
    target = {**TARGET, "thresholds": {"p50_ms": 60_000}}

    assert (await bench(None, target, thresholds={"p50_ms": 0.000001})).passed


async def test_without_targets_read_only_tools_without_arguments_are_measured() -> None:
    report = await run(NOOP, "bench", bench={"calls": 20})
    nothing = await run(SHOP, "bench", bench={"calls": 20})

    assert the_one(report).tool == "noop"
    assert nothing.bench == []
    assert nothing.exit_code == 2
    assert any("nothing was benchmarked" in note.message for note in nothing.notes)


SWAPPING = """
import json, sys, os
held = None
def out(i, text): sys.stdout.write(json.dumps({"jsonrpc": "2.0", "id": i, "result":
    {"content": [{"type": "text", "text": text}]}}) + "\\n"); sys.stdout.flush()
rest, n = b"", 0
tool = {"name": "echo", "description": "Returns the text.", "annotations": {"readOnlyHint": True},
        "inputSchema": {"type": "object", "properties": {"text": {"type": "string"}},
                        "required": ["text"]}}
while chunk := os.read(0, 65536):
    *lines, rest = (rest + chunk).split(b"\\n")
    waiting = []
    for line in lines:
        m = json.loads(line)
        if "id" not in m: continue
        if m["method"] == "tools/call":
            waiting.append((m["id"], m["params"]["arguments"]["text"]))
        elif m["method"] == "initialize":
            print(json.dumps({"jsonrpc": "2.0", "id": m["id"], "result": {"protocolVersion":
                "2025-11-25", "capabilities": {"tools": {}}, "serverInfo":
                {"name": "s", "version": "1"}}}), flush=True)
        elif m["method"] == "tools/list":
            print(json.dumps({"jsonrpc": "2.0", "id": m["id"], "result": {"tools": [tool]}}), flush=True)
        else:
            print(json.dumps({"jsonrpc": "2.0", "id": m["id"], "error": {"code": -32601,
                "message": "no"}}), flush=True)
    if len(waiting) > 1: # the fault: what came together gets each other's answer
        texts = [text for _, text in waiting]
        waiting = [(i, t) for (i, _), t in zip(waiting, texts[1:] + texts[:1])]
    for i, t in waiting: out(i, t)
"""


async def test_a_server_that_swaps_answers_under_load_is_caught() -> None:
    report = await bench(
        ["python3", "-c", SWAPPING], {"tool": "echo", "args": {"text": "hi"}}, concurrency=8
    )

    assert "got the answer of another one" in the_one(report).failures[-1]
    assert rules_of(report) == {"wrong-result-under-load"}


async def test_a_clock_is_not_blamed_for_answering_differently() -> None:
    clock = ("import time\n" + SWAPPING.replace("if len(waiting) > 1:", "if False:")).replace(
        "out(i, t)", "out(i, str(time.monotonic_ns()))"
    )

    report = await bench(["python3", "-c", clock], {"tool": "echo", "args": {"text": "hi"}})

    assert the_one(report).errors == 0
    assert report.passed


async def test_two_servers_are_compared_in_turn() -> None:
    options = RunOptions(
        seed=1, phase_options={"compare_server": tuple(NOOP), "compare_name": "the same"}
    )

    comparison = the_one(await bench(options=options)).comparison

    assert comparison is not None
    assert comparison.low <= comparison.ratio <= comparison.high
    assert 0.2 < comparison.ratio < 5


SLOWER = """
import runpy, sys, time, json
sys.argv = ["noop"]
module = runpy.run_path({path!r})
import os
rest = b""
while chunk := os.read(0, 65536):
    *lines, rest = (rest + chunk).split(b"\\n")
    for line in lines:
        if b"tools/call" in line: time.sleep(0.003)
        if line.strip(): os.write(1, module["reply"](line))
"""


async def test_a_slower_server_is_found_and_fails() -> None:
    slow = ["python3", "-c", SLOWER.format(path=str(DEMO / "noop.py"))]
    options = RunOptions(
        seed=1, phase_options={"compare_server": tuple(NOOP), "compare_name": "the old one"}
    )

    result = the_one(await bench(slow, options=options))

    assert result.comparison is not None
    assert "slower" in result.comparison.verdict
    assert any("slower than the old one" in failure for failure in result.failures)


async def test_a_saved_report_is_compared_with_on_the_same_machine_only(tmp_path: Path) -> None:
    saved = {
        "started": "then",
        "machine": dict(machine()),
        "bench": [{"name": "noop", "p50_ms": 1e-6}],
    }
    path = tmp_path / "old.json"
    path.write_text(json.dumps(saved), encoding="utf-8")
    here = RunOptions(phase_options={"compare_report": path})

    slower = the_one(await bench(options=here))
    path.write_text(json.dumps({**saved, "machine": {}}), encoding="utf-8")
    elsewhere = the_one(await bench(options=here))

    assert not slower.passed
    assert elsewhere.comparison is not None
    assert "another machine: no verdict" in elsewhere.comparison.verdict
    assert elsewhere.passed


@pytest.mark.parametrize("text", ["{", "{}", '{"bench": 1}'])
async def test_a_saved_report_that_is_none_is_told(tmp_path: Path, text: str) -> None:
    path = tmp_path / "old.json"
    path.write_text(text, encoding="utf-8")

    with pytest.raises(ConfigError, match="--compare"):
        await bench(options=RunOptions(phase_options={"compare_report": path}))


async def test_a_ramp_finds_where_the_rate_stops_growing() -> None:
    result = the_one(await bench(options=RunOptions(phase_options={"ramp": True}), calls=30))

    assert result.knee is not None
    assert [step.concurrency for step in result.ramp][:2] == [1, 2]
