from pathlib import Path

import pytest

from tests.config.test_load import SERVER, load, told
from toolproof.config import NOT_BUILT, built
from toolproof.config.built import not_built
from toolproof.config.strict import Strict, keys_of

TEXT = """
server: {url: "http://a", auth: {token_command: a}}
tests:
- {tool: a, save: {id: $.id}}
- {tool: b, expect: {snapshot: true}}
bench:
"""


def test_what_is_not_built_is_told_with_its_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keys = {"server.auth", "tests[].save", "tests[].expect.snapshot", "bench", "fuzz"}
    monkeypatch.setattr(built, "NOT_BUILT", frozenset(keys))

    assert told(tmp_path, TEXT, fuzz={}) == [
        "toolproof.yaml:2: server.auth: this is not built yet; leave it out",
        "toolproof.yaml:4: tests[0].save: this is not built yet; leave it out",
        "toolproof.yaml:5: tests[1].expect.snapshot: this is not built yet; leave it out",
        "fuzz: this is not built yet; leave it out",
    ]


def test_what_is_built_is_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(built, "NOT_BUILT", frozenset())

    assert load(tmp_path, TEXT).bench is not None


def test_what_is_of_another_shape_uses_nothing() -> None:
    assert list(not_built({"tests": 1, "server": [], "servers": None})) == []


def test_a_key_that_is_not_built_is_a_key() -> None:
    top = set(keys_of(_model("Config")))

    assert {key.partition(".")[0].removesuffix("[]") for key in NOT_BUILT} <= top


def _model(name: str) -> type[Strict]:
    return next(model for model in Strict.__subclasses__() if model.__name__ == name)


def test_no_more_than_a_server_and_tests_is_built_at_the_least(tmp_path: Path) -> None:
    assert load(tmp_path, SERVER + "tests: [{tool: a, expect: {contains: b}}]\n").tests
