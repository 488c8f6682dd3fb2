"""The words of names and texts, and what the first word of a tool's name promises."""

import re
from collections.abc import Sequence

CHANGING = frozenset(
    {
        "delete",
        "remove",
        "drop",
        "destroy",
        "purge",
        "erase",
        "wipe",
        "truncate",
        "create",
        "insert",
        "update",
        "write",
        "send",
    }
)
"""First words of names that say that a tool changes something (the rule annotations-misleading)."""

_WORD = re.compile(r"[^\W\d_]+|\d+")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_ENDINGS = ("ings", "ing", "ies", "ied", "ers", "er", "es", "ed", "s")
_SHORTEST_STEM = 3


def name_words(name: str) -> Sequence[str]:
    """The words of a name, lower case: `getUserInfo`, `get_user-info` and `get.user.info` alike."""
    return [word.lower() for word in _WORD.findall(_CAMEL.sub("_", name))]


def text_words(text: str) -> Sequence[str]:
    """The words and numbers of a text, lower case, in order; a number without leading zeros."""
    return [_number(word) for word in _WORD.findall(text.casefold())]


def changing_word(name: str) -> str | None:
    """The first word of a tool's name, if it says that the tool changes something."""
    first = next(iter(name_words(name)), "")
    return first if first in CHANGING else None


def stem(word: str) -> str:
    """The word without its ending, so that `reads`, `reading` and `read` are one; a rough cut."""
    if word.isdigit():
        return _number(word)
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _SHORTEST_STEM:
            return word.removesuffix(ending).removesuffix("e")
    return word.removesuffix("e") if len(word) > _SHORTEST_STEM else word


def _number(word: str) -> str:
    return (word.lstrip("0") or "0") if word.isdigit() else word
