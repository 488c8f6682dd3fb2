"""Values and names as they stand in a reason: short, on one line."""

import functools
import json
from typing import Any

_LONGEST_NAME = 60
_LONGEST_VALUE = 24
_PLAIN_MOST = 128  # bits of an integer that is shown in full


def shown(value: Any) -> str:
    """The value as JSON, shortened; lists and objects by their kind alone."""
    if isinstance(value, dict):
        return "an object" if value else "{}"
    if isinstance(value, list):
        return "a list" if value else "[]"
    if isinstance(value, str):
        text = json.dumps(value[:_LONGEST_VALUE])
        return f"{text[:-1]}..." if len(value) > _LONGEST_VALUE else text
    if type(value) is int and value.bit_length() > _PLAIN_MOST:
        return "a huge number"
    return json.dumps(value)


@functools.lru_cache(maxsize=4096)
def label(path: tuple[str | int, ...]) -> str:
    """A path for people: `filter.days[0]`; empty for the arguments themselves."""
    text = ""
    for step in path:
        if isinstance(step, int):
            text += f"[{step}]"
        else:
            name = (
                step[:_LONGEST_NAME]
                if step.isprintable() and step
                else json.dumps(step)[:_LONGEST_NAME]
            )
            text = f"{text}.{name}" if text else name
    return text if len(text) <= _LONGEST_NAME else f"...{text[-_LONGEST_NAME:]}"


def wire_key(value: Any) -> str:
    """Equal for values that are the same text on the wire, keys in the same order.

    So 1, 1.0 and true differ, and so do 0.0 and -0.0. `repr` is twice as fast as JSON.
    """
    return repr(value)
