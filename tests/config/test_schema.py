import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

from tests.config.test_documented import WHOLE
from tests.config.test_load import SERVER
from toolproof.config import strict
from toolproof.config.schema import config_schema, descriptions
from toolproof.config.strict import Strict, keys_of


def models() -> list[type[Strict]]:
    found: list[type[Strict]] = []
    todo = Strict.__subclasses__()
    while todo:
        model = todo.pop()
        found.append(model)
        todo += model.__subclasses__()
    return [model for model in found if model.__module__.startswith(strict.__package__ or "")]


@pytest.mark.parametrize("model", models(), ids=lambda model: model.__name__)
def test_every_key_is_described_and_nothing_else(model: type[Strict]) -> None:
    only_in_code = {
        field.alias or name for name, field in model.model_fields.items() if field.exclude
    }

    assert set(descriptions(model)) == {*keys_of(model), *only_in_code}


def test_the_schema_is_one() -> None:
    schema = config_schema()

    jsonschema.Draft202012Validator.check_schema(schema)
    assert json.dumps(schema)
    assert "base_dir" not in schema["properties"]


def fits(value: Any) -> bool:
    validator = jsonschema.Draft202012Validator(config_schema())
    return not list(validator.iter_errors(value))


def test_the_whole_documentation_fits() -> None:
    assert fits(yaml.safe_load(WHOLE))


@pytest.mark.parametrize(
    ("text", "good"),
    [
        (SERVER, True),
        ("servers: {a: {command: x}}", True),
        ("{}", False),
        (SERVER + "tests: [{tool: a, expect: {jsonpath: {$.a: 1, $.b: {min: 1}}}}]", True),
        (SERVER + "tests: [{tool: a, expect: {jsonpath: {$.a: {mni: 1}}}}]", False),
        (SERVER + "tests: [{tool: a, expect: {contains: a}}]", True),
        (SERVER + "tests: [{tool: a, expect: {snapshot: 5}}]", False),
        (SERVER + "checks: {ignore: [text, {rule: a}]}", True),
        (SERVER + "checks: {ignore: [5]}", False),
        (SERVER + "timeout_ms: 0", False),
        (SERVER + "bnch: {}", False),
    ],
)
def test_an_editor_accepts_what_the_loader_accepts(text: str, good: bool) -> None:
    assert fits(yaml.safe_load(text)) == good


def test_defaults_are_shown() -> None:
    schema = config_schema()

    assert schema["properties"]["timeout_ms"]["default"] == 10_000
    assert schema["$defs"]["FuzzConfig"]["properties"]["corpus"]["default"] == ".toolproof/corpus"
    assert "default" not in schema["$defs"]["Step"]["properties"]["name"]


def test_the_examples_fit_too() -> None:
    for path in (Path(__file__).parents[2] / "examples").glob("*/toolproof.yaml"):
        assert fits(yaml.safe_load(path.read_text(encoding="utf-8"))), path
