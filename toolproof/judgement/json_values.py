"""JSON values: which type they have."""

import math
from typing import Any

TYPES = ("null", "boolean", "number", "string", "array", "object")
"""The types of JSON values; `integer` is a number without a fraction."""

_BY_CLASS = {
    type(None): "null",
    bool: "boolean",
    int: "number",
    float: "number",
    str: "string",
    list: "array",
    tuple: "array",
    dict: "object",
}


def type_of(value: Any) -> str:
    """The JSON type; `unknown` for what no JSON text can give."""
    return _BY_CLASS.get(type(value), "unknown")


def is_number(value: Any) -> bool:
    """Whether it is a number that JSON can hold: no boolean, no NaN, no infinity."""
    return type(value) is int or (type(value) is float and math.isfinite(value))


def is_whole(value: Any) -> bool:
    """Whether it is an integer by JSON Schema from draft-06 on: `30.0` is one."""
    return type(value) is int or (type(value) is float and value.is_integer())


def is_count(value: Any) -> bool:
    """Whether it can be a length: a whole number from 0 on."""
    return is_whole(value) and value >= 0
