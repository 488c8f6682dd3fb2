"""Every key of the documentation's page, with the values that it shows."""

from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from tests.config.test_load import SERVER, load, told
from toolproof.config import (
    BenchConfig,
    ChecksConfig,
    ClientConfig,
    Config,
    EvalCase,
    EvalsConfig,
    Expect,
    FuzzConfig,
    Ignore,
    ToolTest,
    built,
)
from toolproof.config.matchers import ArgMatcher, Matcher
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


@pytest.fixture
def all_built(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(built, "NOT_BUILT", frozenset())


@pytest.mark.usefixtures("all_built")
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


@pytest.mark.usefixtures("all_built")
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


def mistakes(model: type[Strict], given: Any) -> list[str]:
    with pytest.raises(ValidationError) as raised:
        model.model_validate(given)
    return [
        ": ".join([".".join(map(str, error["loc"])), error["msg"]]).removeprefix(": ")
        for error in raised.value.errors()
    ]


@pytest.mark.parametrize(
    ("model", "given", "says"),
    [
        (ToolTest, {}, "it needs a 'tool' to call (or a 'resource' or 'prompt')"),
        (
            ToolTest,
            {"tool": "a", "prompt": "b"},
            "prompt: it calls 'tool' already; make it a test of its own",
        ),
        (
            ToolTest,
            {"resource": "a", "args": {"b": 1}},
            "args: a resource is read without arguments",
        ),
        (ToolTest, {"steps": []}, "steps: there is none"),
        (
            ToolTest,
            {"steps": [{"tool": "a"}], "tool": "b"},
            "tool: with 'steps' it belongs into one of them",
        ),
        (ToolTest, {"tool": "a", "args": [1]}, "args: expected a mapping, got a list"),
        (ToolTest, {"tool": "a", "tags": "smoke"}, "tags: expected a list, got 'smoke'"),
        (
            ToolTest,
            {"tool": "a", "save": {"id": "id"}},
            "save.id: expected a JSONPath, got 'id': a JSONPath starts with '$'",
        ),
        (ToolTest, {"tool": "a", "each": {"x": 1}}, "each: expected a list, got a mapping"),
        (
            ToolTest,
            "a",
            "expected a mapping with name, tool, resource, prompt, args, timeout_ms, save, expect, retries, tags, each, steps; got 'a'",
        ),
        (
            Expect,
            {"is_error": False, "error_code": -1},
            "error_code: with 'is_error: false' there is no error",
        ),
        (Expect, {"error_code": 1.5}, "error_code: expected a whole number, got 1.5"),
        (
            Expect,
            {"jsonpath": {"a": 1}},
            "jsonpath.a: expected a JSONPath, got 'a': a JSONPath starts with '$'",
        ),
        (
            Expect,
            {"jsonpath": {"$.a b": 1}},
            "jsonpath.$.a b: expected a JSONPath, got '$.a b': unexpected token 'b'",
        ),
        (Expect, {"jsonpath": {"$[?" + "(" * 5000: 1}}, "jsonpath.$[?((((("),
        (Expect, {"jsonpath": [1]}, "jsonpath: expected a mapping, got a list"),
        (
            Expect,
            {"regex": ["a", "("]},
            "regex.1: '(' is no regular expression: missing ), unterminated subpattern at position 0",
        ),
        (
            Expect,
            {"regex": "a{999999999999}"},
            "regex: 'a{999999999999}' is no regular expression: the repetition number is too large",
        ),
        (Expect, {"contains": [["a"]]}, "contains.0: expected text, got a list"),
        (Expect, {"snapshot": 1}, "snapshot: expected a mapping with ignore; got 1"),
        (
            Expect,
            {"schema": {"properties": {"a": {"type": "strng"}}}},
            "schema.properties.a.type: the schema is not valid: ",
        ),
        (
            Expect,
            {"schema": {"anyOf": [{"type": 1}]}},
            "schema.anyOf.0.type: the schema is not valid: ",
        ),
        (Expect, {"schema": 1}, "schema: expected a JSON Schema, got 1"),
        (
            Expect,
            {"content": [{"type": "img"}]},
            "content.0.type: expected text, image, audio, resource or resource_link, got 'img'",
        ),
        (Matcher, {}, "it says nothing; write {exists: true}, or {equals: {}}"),
        (Matcher, {"min": 2, "max": 1}, "max: it is below 'min', so nothing can fit"),
        (
            Matcher,
            {"min_length": 2, "max_length": 1},
            "max_length: it is below 'min_length', so nothing can fit",
        ),
        (Matcher, {"length": -1}, "length: expected a whole number, 0 or more, got -1"),
        (Matcher, {"one_of": 1}, "one_of: expected a list, got 1"),
        (ArgMatcher, {"tolerance": 1}, "tolerance: it goes with 'approx'"),
        (Ignore, 1, "expected a mapping with rule, tool, reason; got 1"),
        (Ignore, {"tool": "x"}, "rule: it is needed"),
        (Ignore, " ", "rule: expected text that is not empty, got ' '"),
        (ChecksConfig, {"clients": "claude"}, "clients: expected a list, got 'claude'"),
        (
            ChecksConfig,
            {"max_tokens": True},
            "max_tokens: expected a whole number of tokens, 1 or more, got true",
        ),
        (
            ChecksConfig,
            {"strict": "True"},
            "strict: expected true or false, got 'True': write it without quotes",
        ),
        (
            BenchConfig,
            {"calls": 5, "duration_s": 5},
            "duration_s: set either 'calls' or 'duration_s'",
        ),
        (
            BenchConfig,
            {"thresholds": {"max_error_rate": 5}},
            "thresholds.max_error_rate: expected a number from 0 to 1, got 5",
        ),
        (
            BenchConfig,
            {"thresholds": {"max_regression": 0.2}},
            "thresholds.max_regression: expected a number, 1 or more, got 0.2",
        ),
        (BenchConfig, {"calls": 0}, "calls: expected a whole number, 1 or more, got 0"),
        (FuzzConfig, {"workers": 0}, "workers: expected auto, or a whole number, 1 or more, got 0"),
        (
            FuzzConfig,
            {"workers": "many"},
            "workers: expected auto, or a whole number, 1 or more, got 'many'",
        ),
        (FuzzConfig, {"values": {"a": 1}}, "values.a: expected a list of values, got 1"),
        (
            FuzzConfig,
            {"values": {"a": [1, float("nan")]}},
            "values.a.1: nan is no number that JSON has",
        ),
        (FuzzConfig, {"corpus": "a\0b"}, "corpus: expected a path, got 'a\\x00b'"),
        (
            FuzzConfig,
            {"seed": 10**5000},
            "seed: expected a whole number from 0 to 9223372036854775807, got a number of over 3,000 digits",
        ),
        (
            EvalsConfig,
            {"provider": "openai", "model": "m"},
            "cases: it is needed: the prompts to ask",
        ),
        (
            EvalsConfig,
            {"provider": "x", "cases": [1]},
            "provider: expected anthropic, openai or command, got 'x'",
        ),
        (EvalCase, {}, "prompt: it is needed"),
        (EvalCase, {"prompt": "a"}, "it expects nothing: set 'expect_tool' (null: no tool at all)"),
        (
            EvalCase,
            {"prompt": "a", "expect_tool": None, "expect_args": {"a": 1}},
            "expect_args: it goes with 'expect_tool'",
        ),
        (
            EvalCase,
            {"prompt": ["a", ""], "expect_tool": "t"},
            "prompt.1: expected text that is not empty, got ''",
        ),
        (
            ClientConfig,
            {"sampling": [{"text": "a", "content": {}}]},
            "sampling.0: set either 'text' or 'content'",
        ),
        (ClientConfig, {"elicitation": {}}, "elicitation.accept: it is needed"),
    ],
)
def test_a_mistake_is_told_in_words(model: type[Strict], given: Any, says: str) -> None:
    assert any(told.startswith(says) for told in mistakes(model, given)), mistakes(model, given)


def test_what_evals_need_depends_on_who_is_asked() -> None:
    cases = [{"prompt": "p", "expect_tool": "t"}]

    assert mistakes(EvalsConfig, {"cases": cases}) == [
        "provider: it is needed: anthropic, openai or command"
    ]
    assert mistakes(EvalsConfig, {"cases": cases, "provider": "command"}) == [
        "command: it is needed: the program that answers"
    ]
    assert mistakes(EvalsConfig, {"cases": cases, "provider": "anthropic"}) == [
        "model: it is needed: the name of the model to ask"
    ]
    assert not EvalsConfig.model_validate({"enabled": False}).enabled


def test_that_no_tool_shall_be_called_differs_from_saying_nothing_of_it() -> None:
    none = EvalCase.model_validate({"prompt": "p", "expect_tool": None})
    free = EvalCase.model_validate({"prompt": "p", "forbid_tools": ["t"]})

    assert (none.expects_none, free.expects_none) == (True, False)
    assert none.prompt == ("p",)


def test_what_is_expected_can_be_read_by_key() -> None:
    expect = Expect.model_validate(
        {
            "equals": None,
            "contains": "a",
            "jsonpath": {"$.a": 1, "$.b": {"type": "number"}},
            "schema": {"type": "object"},
            "snapshot": True,
            "content": [{"type": "text"}],
        }
    )

    assert expect.given() == {
        "equals": None,
        "contains": ("a",),
        "jsonpath": {"$.a": {"equals": 1}, "$.b": {"type": ("number",)}},
        "schema": {"type": "object"},
        "snapshot": {},
        "content": ({"type": "text"},),
    }
    assert not expect.wants_error
    assert Expect.model_validate({"error_code": 1}).wants_error
    assert Expect.model_validate({"snapshot": False}).given() == {"snapshot": None}


def test_an_answer_to_sampling_is_a_content_block() -> None:
    client = ClientConfig.model_validate({"sampling": ["hi", {"content": {"type": "image"}}]})

    assert client.sampling is not None
    assert [answer.block for answer in client.sampling] == [
        {"type": "text", "text": "hi"},
        {"type": "image"},
    ]


def test_values_deeper_than_any_reader_takes_are_refused() -> None:
    value: Any = 1
    for _ in range(5000):
        value = [value]

    assert mistakes(ToolTest, {"tool": "a", "args": {"q": value}}) == [
        "args.q." + ".".join(["0"] * 7) + ": nested more than 256 levels deep"
    ]


def test_what_code_gives_must_be_json_too() -> None:
    given = {"tool": "a", "args": {"a": object(), "b": {1: 2}, "c": (1, {"d": {3}})}}

    assert mistakes(ToolTest, given) == [
        "args.a: expected a JSON value, got a object",
        "args.b: expected text as key, got 1",
        "args.c.1.d: expected a JSON value, got a set",
    ]


def test_a_section_is_data_that_does_not_change() -> None:
    config = Config.model_validate({"server": {"command": ["x"]}})

    with pytest.raises(ValidationError):
        config.timeout_ms = 1  # type: ignore[misc]


def test_lists_are_read_from_flags_that_are_tuples(tmp_path: Path) -> None:
    config = load(tmp_path, SERVER, checks={"clients": ("claude",), "ignore": ("text",)})

    assert config.checks.clients == ("claude",)


def test_clients_names_come_with_the_nearest(tmp_path: Path) -> None:
    assert "did you mean 'gemini'?" in told(tmp_path, SERVER + "checks: {clients: [gemni]}")[0]
