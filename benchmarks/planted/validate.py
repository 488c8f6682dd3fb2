"""A validator of JSON Schema, of the keywords that the planted server uses: strict and small."""

import datetime as dt
import functools
import math
import re
from collections.abc import Callable, Iterator
from typing import Any

Schema = Any
Check = Callable[[Schema, Any, Schema], Iterator[str]]
"""From a schema, a value and the whole schema to what is wrong with the value."""


def problem(schema: Schema, value: Any, root: Schema = None) -> str | None:
    """The first thing that is wrong with a value, in words; None if it fits."""
    return next(_problems(schema, value, schema if root is None else root), None)


def _problems(schema: Schema, value: Any, root: Schema) -> Iterator[str]:
    if schema is True or schema == {}:
        return
    if schema is False:
        yield "nothing is allowed here"
        return
    if "$ref" in schema:
        yield from _problems(_target(root, schema["$ref"]), value, root)
    kinds = schema.get("type", ())
    allowed = [kinds] if isinstance(kinds, str) else kinds
    if allowed and not any(_is(kind, value) for kind in allowed):
        yield f"expected {' or '.join(allowed)}"
        return
    if "enum" in schema and not any(same(value, one) for one in schema["enum"]):
        yield "not one of the allowed values"
    if "const" in schema and not same(value, schema["const"]):
        yield "not the allowed value"
    check = _OF_TYPE.get(type(value))
    if check is not None:
        yield from check(schema, value, root)
    yield from _joined(schema, value, root)


def _target(root: Schema, reference: str) -> Schema:
    found = root
    for step in reference.removeprefix("#").split("/")[1:]:
        found = found[step.replace("~1", "/").replace("~0", "~")]
    return found


def _is(kind: str, value: Any) -> bool:
    numeric = isinstance(value, int | float) and not isinstance(value, bool)
    return {
        "string": isinstance(value, str),
        "number": numeric,
        "integer": numeric and (isinstance(value, int) or value.is_integer()),
        "boolean": isinstance(value, bool),
        "null": value is None,
        "array": isinstance(value, list),
        "object": isinstance(value, dict),
    }[kind]


def same(a: Any, b: Any) -> bool:
    """Equal as JSON: true is not 1, and 1.0 is 1."""
    if isinstance(a, bool) or isinstance(b, bool):
        return a is b
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(same(a[key], b[key]) for key in a)
    return bool(a == b)


def _number(schema: Schema, value: float, _root: Schema) -> Iterator[str]:
    if value < schema.get("minimum", -math.inf):
        yield f"below the minimum of {schema['minimum']}"
    if value > schema.get("maximum", math.inf):
        yield f"over the maximum of {schema['maximum']}"
    if "exclusiveMinimum" in schema and value <= schema["exclusiveMinimum"]:
        yield f"not above {schema['exclusiveMinimum']}"
    if "exclusiveMaximum" in schema and value >= schema["exclusiveMaximum"]:
        yield f"not below {schema['exclusiveMaximum']}"
    step = schema.get("multipleOf")
    if step is not None and (math.isinf(value) or _remainder(value, step)):
        yield f"not a multiple of {step}"


def _remainder(value: float, step: int) -> float:
    return value % step if isinstance(value, int) else math.fmod(value, step)


def _text(schema: Schema, value: str, _root: Schema) -> Iterator[str]:
    if len(value) < schema.get("minLength", 0):
        yield f"shorter than {schema['minLength']}"
    if len(value) > schema.get("maxLength", math.inf):
        yield f"longer than {schema['maxLength']}"
    if "pattern" in schema and not _pattern(schema["pattern"]).search(value):
        yield f"does not match {schema['pattern']}"
    if "format" in schema and not _FORMATS[schema["format"]](value):
        yield f"not a {schema['format']}"


@functools.cache
def _pattern(source: str) -> re.Pattern[str]:
    # In ECMA-262 `$` matches at the very end only.
    return re.compile(source.replace("$", r"\Z"))


_DATE = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})\Z")
_UUID = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}\Z")


def _is_date(value: str) -> bool:
    found = _DATE.match(value)
    if not found:
        return False
    year, month, day = map(int, found.groups())
    try:
        dt.date(year or 2000, month, day)  # 0000 is a leap year too, and Python has none
    except ValueError:
        return False
    return True


_FORMATS: dict[str, Callable[[str], bool]] = {
    "date": _is_date,
    "uuid": lambda value: _UUID.match(value) is not None,
}


def _array(schema: Schema, value: list[Any], root: Schema) -> Iterator[str]:
    if len(value) < schema.get("minItems", 0):
        yield f"fewer items than {schema['minItems']}"
    if len(value) > schema.get("maxItems", math.inf):
        yield f"more items than {schema['maxItems']}"
    first, rest = schema.get("prefixItems", []), schema.get("items", True)
    if isinstance(rest, list):  # draft-07
        first, rest = rest, schema.get("additionalItems", True)
    for index, item in enumerate(value):
        inner = first[index] if index < len(first) else rest
        yield from (f"/{index}: {words}" for words in _problems(inner, item, root))
    if schema.get("uniqueItems") and any(
        same(value[i], value[j]) for i in range(len(value)) for j in range(i)
    ):
        yield "an item stands there twice"
    if "contains" in schema and not any(
        problem(schema["contains"], item, root) is None for item in value
    ):
        yield "no item is of the kind that must be there"


def _object(schema: Schema, value: dict[str, Any], root: Schema) -> Iterator[str]:
    for name in schema.get("required", ()):
        if name not in value:
            yield f"missing required argument {name}"
    if len(value) < schema.get("minProperties", 0):
        yield f"fewer fields than {schema['minProperties']}"
    for name, needs in schema.get("dependentRequired", {}).items():
        if name in value:
            yield from (f"{name} needs {need}" for need in needs if need not in value)
    fields, patterns = schema.get("properties", {}), schema.get("patternProperties", {})
    for name, item in value.items():
        inner = [fields[name]] if name in fields else []
        inner += [one for pattern, one in patterns.items() if _pattern(pattern).search(name)]
        if not inner:
            inner = [schema.get("additionalProperties", True)]
        for one in inner:
            yield from (f"/{name[:40]}: {words}" for words in _problems(one, item, root))
        if "propertyNames" in schema:
            yield from _problems(schema["propertyNames"], name, root)


def _joined(schema: Schema, value: Any, root: Schema) -> Iterator[str]:
    def fits(inner: Schema) -> bool:
        return problem(inner, value, root) is None

    for inner in schema.get("allOf", ()):
        yield from _problems(inner, value, root)
    if "anyOf" in schema and not any(map(fits, schema["anyOf"])):
        yield "none of the alternatives fits"
    if "oneOf" in schema and sum(map(fits, schema["oneOf"])) != 1:
        yield "exactly one of the alternatives must fit"
    if "not" in schema and fits(schema["not"]):
        yield "this is excluded"
    if "if" in schema:
        branch = "then" if fits(schema["if"]) else "else"
        if branch in schema:
            yield from _problems(schema[branch], value, root)


_OF_TYPE: dict[type, Check] = {
    int: _number,
    float: _number,
    str: _text,
    list: _array,
    dict: _object,
}
