"""How many tokens a text or a value costs a model, estimated."""

import json
from typing import Any

CHARACTERS_PER_TOKEN = 4
"""An estimate that needs no model's tokenizer and is the same for all (the rule token-budget)."""


def tokens_of(text: str | bytes) -> int:
    """The estimate for a text: a quarter of its characters, rounded up."""
    return -(-len(text) // CHARACTERS_PER_TOKEN)


def tokens_of_json(value: Any) -> int:
    """The estimate for the compact JSON of a value."""
    return -(-json_size(value) // CHARACTERS_PER_TOKEN)


def json_size(value: Any) -> int:
    """The characters of the value's compact JSON; however deep it is nested, or long its numbers."""
    try:
        return len(json.dumps(value, ensure_ascii=False, separators=(",", ":")))
    except (RecursionError, TypeError, ValueError):
        return _counted(value)


def _counted(value: Any) -> int:
    """About the same, without recursion and without writing any number out."""
    size = 0
    stack = [value]
    while stack:
        item = stack.pop()
        if isinstance(item, str):
            size += len(item) + 2
        elif isinstance(item, bool) or item is None:
            size += len("true")
        elif isinstance(item, int):
            size += item.bit_length() * 301 // 1_000 + 1  # log10(2) is 0.301
        elif isinstance(item, dict):
            size += 2 + 2 * len(item)
            stack += item.keys()
            stack += item.values()
        elif isinstance(item, list | tuple):
            size += 2 + len(item)
            stack += item
        else:
            size += len("0.123456")
    return size
