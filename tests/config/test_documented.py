"""Every key of the documentation's page, with the values that it shows."""

from pathlib import Path
from typing import Any

import pytest

from tests.config.test_load import SERVER, load
from toolproof.config import (
    BenchConfig,
    ChecksConfig,
    ClientConfig,
    EvalsConfig,
    FuzzConfig,
    ToolTest,
)
from toolproof.config.strict import Strict

WHOLE = r"""
server:
  command: ["python", "server.py"]
  url: http://localhost:8000/mcp
  env: { API_KEY: "${PATH}" }
  headers: { Authorization: "Bearer ${PATH}" }
  cwd: .
  startup_timeout_s: 30
  protocol: auto
  auth: { client_credentials: { token_url: "https://a/t", client_id: i, client_secret: s, scope: a b } }
  source: ["src/"]
timeout_ms: 10000
total_timeout_ms: null
retries: 0
checks:
  enabled: true
  max_description_length: 1024
  strict: false
  clients: [claude, openai, gemini, vscode, cursor, strict]
  ignore:
    - { rule: name-dot, tool: "graph.*", reason: "public names since 2024" }
    - text
  max_tokens: null
setup: [{ tool: reset }]
teardown: [{ tool: reset }]
tests:
  - name: toronto weather
    tool: get_weather
    args: { city: Toronto }
    timeout_ms: 2000
    retries: 1
    tags: [smoke]
    each: [{ city: Toronto }, { city: Oslo }]
    save: { id: "$.id" }
    expect:
      equals: { any: thing }
      contains: [Toronto]
      not_contains: [Traceback]
      regex: '\d+ C'
      jsonpath:
        "$.temp_c": { type: number, min: -60, max: 60 }
        "$.city": Toronto
        "$.days": { length: 5 }
        "$..a[?(@.b > 1)]": { exists: true }
        "$.rest": { min_length: 1, max_length: 2, contains: a, regex: b, one_of: [1, null], exists: true }
      schema: { type: object, required: [city] }
      snapshot: { ignore: ["$.time"] }
      content: [{ type: image, mime_type: image/png }]
      max_latency_ms: 500
      max_tokens: 25000
      output_schema: true
  - { resource: "doc://readme", expect: { snapshot: true } }
  - { prompt: review, args: { code: x }, expect: { is_error: true, error_code: -32602 } }
  - name: add, then list
    steps: [{ tool: add, save: { id: $.id } }, { tool: list, expect: { contains: "${id}" } }]
client:
  roots: ["."]
  sampling: [hello, { when: weather, text: sunny }, { content: { type: image } }]
  elicitation: { accept: { name: Ada } }
bench:
  enabled: true
  calls: 100
  rate: 5
  concurrency: 10
  warmup: 3
  timeout_ms: 10000
  thresholds: { p50_ms: 1, p95_ms: 2, p99_ms: 3, max_error_rate: 0, min_throughput: 10, max_regression: 1.2 }
  targets: [{ tool: a, args: {}, name: b, thresholds: {} }]
fuzz:
  enabled: true
  max_examples: 50
  timeout_ms: 2000
  max_time_s: 60
  seed: 1
  tools: []
  skip: []
  include_destructive: false
  valid_must_succeed: false
  invalid_must_fail: true
  workers: auto
  scratch: false
  values: { city: [Toronto, Oslo] }
  corpus: .toolproof/corpus
evals:
  enabled: true
  provider: anthropic
  model: some-model
  base_url: https://example.org
  command: ask --json
  system: be brief
  params: { temperature: 0 }
  min_accuracy: 1.0
  min_accuracy_lower: 0.5
  repeat: 1
  shuffle: false
  distractors: 0
  cache: true
  cache_dir: .toolproof/cache
  timeout_s: 120
  max_cost_usd: 1
  cases:
    - { prompt: p, name: n, expect_tool: t, forbid_tools: [u], acceptable_tools: [v] }
    - { prompt: [p, q], expect_tool: null }
    - prompt: p
      expect_tool: t
      expect_args:
        a: 1
        b: { equals: { c: 1 } }
        c: { one_of: [1, 2], optional: true }
        d: { regex: x }
        e: { approx: 3.14, tolerance: 0.01 }
        f: { schema: { type: string } }
        g: { city: Oslo }
protocol: { enabled: true }
"""


def test_every_key_that_is_documented_is_taken(tmp_path: Path) -> None:
    config = load(tmp_path, WHOLE)

    unset = {
        f"{type(part).__name__}.{name}"
        for part in _parts(config)
        for name in type(part).model_fields
        if not any(name in other.model_fields_set for other in _parts(config, type(part)))
    }
    assert unset == {
        "Auth.token_command",
        "BenchConfig.duration_s",
        "Config.servers",
        "Config.server_alias",
        "ContentMatcher.name",
        "ContentMatcher.text",
        "ContentMatcher.uri",
        "SamplingAnswer.model",
        "SamplingAnswer.role",
        "SamplingAnswer.stop_reason",
    }


def _parts(value: Any, kind: type[Strict] = Strict) -> list[Strict]:
    """Every section in it, at any depth."""
    found: list[Strict] = [value] if isinstance(value, kind) else []
    if isinstance(value, Strict):
        inner: Any = [getattr(value, name) for name in type(value).model_fields]
    elif isinstance(value, dict):
        inner = value.values()
    else:
        inner = value if isinstance(value, tuple) else ()
    return found + [part for item in inner for part in _parts(item, kind)]


def test_a_section_without_content_is_wanted_all_the_same(tmp_path: Path) -> None:
    config = load(tmp_path, SERVER + "fuzz:\nbench:\nprotocol:\nclient:\n")

    assert config.fuzz == FuzzConfig()
    assert config.bench == BenchConfig()
    assert config.protocol is not None
    assert config.client == ClientConfig()


def test_workers_are_a_number_or_chosen_for_the_machine() -> None:
    assert FuzzConfig.model_validate({"workers": "auto"}).workers == "auto"
    assert FuzzConfig.model_validate({"workers": 3}).workers == 3


def test_defaults_are_those_of_the_documentation() -> None:
    fuzz, bench = FuzzConfig(), BenchConfig()
    evals = EvalsConfig.model_validate(
        {"provider": "openai", "model": "m", "cases": [{"prompt": "p", "expect_tool": None}]}
    )

    assert (fuzz.max_examples, fuzz.timeout_ms, fuzz.max_time_s, fuzz.seed) == (50, 2000, 60, None)
    assert (fuzz.workers, fuzz.scratch, fuzz.corpus) == ("auto", False, Path(".toolproof/corpus"))
    assert (fuzz.include_destructive, fuzz.valid_must_succeed, fuzz.invalid_must_fail) == (
        False,
        False,
        True,
    )
    assert (bench.calls, bench.concurrency, bench.warmup, bench.timeout_ms) == (100, 10, 3, 10_000)
    assert (bench.enabled, bench.duration_s, bench.rate, bench.targets) == (True, None, None, ())
    assert (evals.min_accuracy, evals.min_accuracy_lower, evals.repeat) == (1.0, None, 1)
    assert (evals.shuffle, evals.distractors, evals.cache) == (False, 0, True)
    assert (evals.cache_dir, evals.timeout_s) == (Path(".toolproof/cache"), 120)
    assert ChecksConfig().max_tokens is None


def test_the_order_and_the_twins_of_tests_are_kept(tmp_path: Path) -> None:
    text = SERVER + "tests: [{name: a, tool: x}, {name: b, tool: x}, {name: a, tool: x}]\n"

    assert [test.name for test in load(tmp_path, text).tests] == ["a", "b", "a"]


@pytest.mark.parametrize(
    ("test", "name"),
    [
        ({"tool": "now"}, "now"),
        (
            {"tool": "get", "args": {"city": "Oslo", "n": 3, "ok": True}},
            "get city=Oslo n=3 ok=true",
        ),
        (
            {"tool": "get", "args": {"a": [], "b": [1], "c": {}, "d": {"x": 1}}},
            "get a=[] b=[…] c={} d={…}",
        ),
        ({"resource": "doc://x"}, "doc://x"),
        ({"prompt": "review", "args": {"x": None}}, "review x=null"),
        ({"steps": [{"tool": "add"}, {"tool": "list"}]}, "add, then list"),
        ({"tool": "t", "name": "own"}, "own"),
    ],
)
def test_a_test_without_a_name_is_called_after_what_it_calls(
    test: dict[str, Any], name: str
) -> None:
    assert ToolTest.model_validate(test).name == name


def test_a_name_made_of_arguments_stays_short() -> None:
    test = ToolTest.model_validate({"tool": "t", "args": {f"k{i}": "x" * 500 for i in range(50)}})

    assert len(test.name) < 200
