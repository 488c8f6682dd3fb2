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
)
from toolproof.config.matchers import ArgMatcher, Matcher
from toolproof.config.strict import Strict


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
