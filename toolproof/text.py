"""Words for people: counting, shortening, quoting, guessing what was meant."""

from collections.abc import Iterable, Sequence
from difflib import get_close_matches


def count(number: int, noun: str, plural: str | None = None) -> str:
    """The number with its noun: "1 error", "2 errors", "1,204 calls"."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def shorten(text: str, limit: int = 200) -> str:
    """The text, with its middle left out if it has more than `limit` characters.

    Both ends are kept, as a message often says what at its start and why at its end.
    """
    if len(text) <= limit:
        return text
    left_out = len(text) - limit
    head = limit * 2 // 3
    return f"{text[:head]} … {left_out:,} more characters … {text[len(text) - (limit - head) :]}"


def listed(names: Iterable[str], *, most: int = 5) -> str:
    """Names as a list for people: "a, b, c and 4 more"."""
    names = list(names)
    shown = ", ".join(names[:most])
    return shown if len(names) <= most else f"{shown} and {len(names) - most} more"


def nearest(word: str, known: Sequence[str]) -> str | None:
    """The known word that was most likely meant, if one is near enough."""
    close = get_close_matches(word, known, n=1)
    return close[0] if close else None
