"""`${name}` in tests: values that an earlier call saved, or a row of `each`."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

_REFERENCE = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_.-]*)\}")


def names_in(value: Any) -> Iterator[str]:
    """Every variable that a value refers to, at any depth, keys included."""
    if isinstance(value, str):
        yield from _REFERENCE.findall(value)
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            yield from names_in(key)
            yield from names_in(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from names_in(inner)


def substitute(value: Any, values: Mapping[str, Any]) -> Any:
    """The value with each known `${name}` replaced, at any depth; unknown ones stay as they are.

    A string that is nothing but one reference becomes the value itself, with its type; inside a
    longer string the value is written as text, what is no string as JSON.
    """
    if not values:
        return value
    if isinstance(value, str):
        whole = _REFERENCE.fullmatch(value)
        if whole and whole[1] in values:
            return values[whole[1]]
        return _REFERENCE.sub(lambda found: _text(found, values), value)
    if isinstance(value, Mapping):
        return {substitute(key, values): substitute(inner, values) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [substitute(inner, values) for inner in value]
    return value


def _text(found: re.Match[str], values: Mapping[str, Any]) -> str:
    if found[1] not in values:
        return found[0]
    value = values[found[1]]
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
