"""What a hostile server may send: nothing raises, nothing is fetched, everything ends."""

import json
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.schemas.schema_like import ANYTHING, schemas
from toolproof.schemas import (
    Dialect,
    References,
    SchemaError,
    Validator,
    breaches_of_schema,
    engines,
)


class InPython(Validator):
    """The same, as if jsonschema-rs were missing."""

    def _in_rust(self) -> None:
        return None


BOTH = pytest.mark.parametrize("kind", [Validator, InPython])


@pytest.fixture
def listener() -> Iterator[tuple[str, list[str]]]:
    """A loopback server, and the requests that it saw."""
    seen: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            seen.append(self.path)
            self.send_response(200)
            self.end_headers()
            self.wfile.write(b'{"type": "string"}')

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}", seen
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.mark.parametrize("dialect", list(Dialect), ids=lambda dialect: dialect.label)
def test_nothing_is_ever_fetched(listener: tuple[str, list[str]], dialect: Dialect) -> None:
    address, seen = listener
    word = "id" if dialect is Dialect.DRAFT_4 else "$id"
    for schema in (
        {"$ref": f"{address}/a"},
        {"properties": {"a": {"$ref": f"{address}/b#/x"}}},
        {word: f"{address}/root", "items": {"$ref": "other"}},
        {"$dynamicRef": f"{address}/c"},
        {"$recursiveRef": f"{address}/d"},
        {"$schema": f"{address}/e"},
        {"not": {"$schema": f"{address}/f", word: f"{address}/g"}},
    ):
        for kind in (Validator, InPython):
            list(breaches_of_schema(schema, dialect))
            assert References(schema, dialect).all is not None
            try:
                kind(schema, dialect).fits({"a": 1})
            except SchemaError:
                continue
    engines.python({"$ref": f"{address}/h"}, dialect, formats=True, lengths={}).fits(1)
    rust = engines.rust()
    assert rust is not None
    assert rust.compiled({"$ref": f"{address}/i"}, dialect, formats=True) is None

    assert seen == []


def nested(levels: int) -> Any:
    value: Any = 1
    for _ in range(levels):
        value = [value]
    return value


@BOTH
@pytest.mark.parametrize("levels", [150, 250, 950, 100_000])
def test_a_deep_value_is_judged_or_let_pass(kind: type[Validator], levels: int) -> None:
    endless = kind({"items": {"$ref": "#"}})
    assert endless.fits(nested(levels))
    assert list(endless.breaches(nested(levels))) == []

    only_lists = kind({"items": {"$ref": "#"}, "type": "array"})
    if levels < 200 and kind is Validator:
        assert not only_lists.fits(nested(levels))
        assert [breach.pointer for breach in only_lists.breaches(nested(levels))] == ["/0" * levels]
    else:
        only_lists.fits(nested(levels))
        list(only_lists.breaches(nested(levels)))


@BOTH
@pytest.mark.parametrize("levels", [60, 90, 150, 20_000])
def test_a_deep_schema_is_compiled_or_refused(kind: type[Validator], levels: int) -> None:
    schema: Any = {"type": "string"}
    value: Any = 1
    for _ in range(levels):
        schema, value = {"properties": {"a": schema}}, {"a": value}
    if levels > 99:
        with pytest.raises(SchemaError, match="more than 200 levels deep"):
            kind(schema)
    else:
        assert not kind(schema).fits(value) or kind is InPython
        assert kind(schema).fits({})


@BOTH
@pytest.mark.parametrize(
    "schema",
    [
        {"$ref": "#"},
        {"allOf": [{"$ref": "#"}]},
        {"anyOf": [{"$ref": "#/$defs/a"}], "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}},
        {"not": {"$ref": "#"}},
        {"$dynamicRef": "#n", "$dynamicAnchor": "n"},
        {"if": {"$ref": "#"}, "then": {"$ref": "#"}},
        {"properties": {"a": {"$ref": "#/properties/a"}}},
    ],
    ids=str,
)  # fmt: skip
def test_a_reference_without_an_end_ends(kind: type[Validator], schema: Any) -> None:
    validator = kind(schema)
    for value in (1, {"a": 1}, [1], None):
        validator.fits(value)
        list(validator.breaches(value))


@BOTH
@pytest.mark.parametrize(
    "pattern", ["^(a+)+$", "^(?=a)(a|a)+$", "(a*)*b", r"^(a|a|ab)*\1x$", r"^(\w+\s?)*$"]
)
def test_a_pattern_that_backtracks_for_hours_ends(kind: type[Validator], pattern: str) -> None:
    validator = kind({"items": {"pattern": pattern}})

    validator.fits(["a" * 5000 + "!"] * 20)
    list(validator.breaches(["a" * 5000 + "!"] * 20))


@BOTH
@pytest.mark.parametrize("keyword", ["allOf", "anyOf", "oneOf"])
def test_references_that_multiply_are_refused(kind: type[Validator], keyword: str) -> None:
    defs: dict[str, Any] = {
        f"n{number}": {
            keyword: [{"$ref": f"#/$defs/n{number + 1}"}, {"$ref": f"#/$defs/n{number + 1}"}]
        }
        for number in range(60)
    }

    with pytest.raises(SchemaError, match="multiply"):
        kind({"$ref": "#/$defs/n0", "$defs": {**defs, "n60": {"type": "string"}}})


@BOTH
def test_a_choice_that_multiplies_with_the_depth_ends(kind: type[Validator]) -> None:
    choice = {"anyOf": [{"$ref": "#"}, {"$ref": "#"}]}
    validator = kind({"properties": {"a": choice, "x": {"type": "string"}}})

    def deep(levels: int) -> Any:
        value: Any = {"x": 1}
        for _ in range(levels):
            value = {"a": value}
        return value

    assert [breach.pointer for breach in validator.breaches(deep(3))] == ["/a"]
    for levels in (5, 12, 20, 60, 190):
        fits = validator.fits(deep(levels))
        assert fits is (not list(validator.breaches(deep(levels))))


def test_a_pattern_that_took_too_long_counts_as_matched() -> None:
    validator = Validator({"anyOf": [{"pattern": r"^(a|a|ab)*\1x$"}, {"type": "null"}]})

    assert validator.fits("a" * 60 + "!")
    assert list(validator.breaches("a" * 60 + "!")) == []
    assert not validator.fits("b")


@pytest.mark.parametrize("pattern", ["(a{1000}){1000}", "x{1000000}", r"^[\ud800]$"])
def test_a_pattern_that_one_engine_cannot_take_is_left_to_the_other(pattern: str) -> None:
    validator = Validator({"pattern": pattern})

    assert not validator.is_compiled
    assert not validator.fits("y")


def test_a_pattern_that_no_engine_can_take_lets_everything_pass() -> None:
    pattern = "(?m:^a)" if not Validator({"pattern": "(?m:^a)"}).is_compiled else "("

    validator = Validator({"pattern": pattern, "type": "string"})

    assert validator.fits(5)
    assert list(validator.breaches(5)) == []


ODD = [
    10**5000,
    -(10**5000),
    float("inf"),
    float("-inf"),
    float("nan"),
    "\ud800",
    {"\udfff": 1},
    (1,),
    b"x",
    object(),
]
KEYWORDS: list[dict[str, Any]] = [
    {"type": "integer"},
    {"type": "number", "multipleOf": 0.1, "minimum": 1, "maximum": 5},
    {"multipleOf": 7},
    {"exclusiveMinimum": 10**5000},
    {"enum": [1, "\ud800", 10**5000]},
    {"const": float("inf")},
    {"pattern": "^a", "minLength": 3, "maxLength": 0},
    {"additionalProperties": False},
    {"propertyNames": {"maxLength": 0}},
    {"anyOf": [{"type": "string", "maxLength": 0}, {"type": "null"}]},
    {"items": {"type": "string"}, "uniqueItems": True},
    {"format": "ipv4"},
]


@BOTH
@pytest.mark.parametrize("schema", KEYWORDS, ids="-".join)
def test_odd_values_raise_nothing(kind: type[Validator], schema: Any) -> None:
    validator = kind(schema, formats=True)
    for value in ODD:
        for given_value in (value, [value], {"a": value}):
            fits = validator.fits(given_value)
            breaches = list(validator.breaches(given_value))
            assert fits is (not breaches)
            for breach in breaches:
                assert breach.message.isprintable()
                breach.message.encode()


@BOTH
def test_numbers_past_every_machine_are_compared_as_numbers(kind: type[Validator]) -> None:
    assert not kind({"maximum": 5}).fits(10**5000)
    assert kind({"minimum": 5}).fits(10**5000)
    assert not kind({"minimum": 5}).fits(-(10**5000))
    assert kind({"type": "number"}).fits(json.loads("1e400"))
    assert not kind({"maximum": 5}).fits(json.loads("1e400"))


@BOTH
def test_large_schemas_and_values_take_time_linear_in_their_size(kind: type[Validator]) -> None:
    options = kind({"enum": [str(number) for number in range(100_000)]})
    assert options.fits("99999")
    assert not options.fits("100000")
    assert [breach.keyword for breach in options.breaches("x")] == ["enum"]

    wide = kind({"properties": {f"p{n}": {"type": "string"} for n in range(20_000)}})
    assert len(list(wide.breaches({f"p{n}": n for n in range(2000)}))) == 2000

    long = kind({"type": "string", "pattern": "^[a-z]+$", "maxLength": 5})
    assert {breach.keyword for breach in long.breaches("A" * 10_000_000)} == {
        "pattern",
        "maxLength",
    }


def test_ten_megabytes_of_schema_are_judged() -> None:
    one = {"type": "object", "description": "x" * 60, "properties": {"a": {"type": "strng"}}}
    schema = {"properties": {f"p{number}": one for number in range(70_000)}}
    assert len(json.dumps(schema)) > 10_000_000

    assert sum(1 for _ in breaches_of_schema(schema)) == 70_000


@given(st.one_of(ANYTHING, schemas(wrong=True)), ANYTHING)
def test_any_schema_is_compiled_or_refused_and_any_value_judged(schema: Any, value: Any) -> None:
    try:
        validator = Validator(schema)
    except SchemaError:
        return
    assert validator.fits(value) is (not list(validator.breaches(value)))


def test_without_jsonschema_rs_everything_still_works(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr("toolproof.schemas.rust_engine")
    monkeypatch.setitem(sys.modules, "toolproof.schemas.rust_engine", None)
    engines.rust.cache_clear()
    try:
        engines.warm_up()
        validator = Validator({"type": "string"})
        assert not validator.is_compiled
        assert validator.fits("a")
        assert not validator.fits(1)
        assert list(breaches_of_schema({"type": "strng"}))
    finally:
        engines.rust.cache_clear()
