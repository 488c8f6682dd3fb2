"""Facts of what the wire saw, in words; any of them may be missing or odd."""

from toolproof.connection.observations import Observation, Seen
from toolproof.text import one_line, quoted, shorten

MOST = 160
"""Characters of a detail that a message shows."""


def fact(seen: Seen | Observation, name: str) -> str:
    """A fact as text on one line; empty where it is missing."""
    first = seen.first if isinstance(seen, Seen) else seen
    value = first.facts.get(name)
    return "" if value is None else shorten(one_line(str(value)), MOST)


def detail(seen: Seen | Observation) -> str:
    """What was seen, in its own words, on one line."""
    first = seen.first if isinstance(seen, Seen) else seen
    return shorten(one_line(first.detail), MOST)


def request(seen: Seen | Observation) -> str:
    """The request that was in flight, on one line; empty where none is known."""
    first = seen.first if isinstance(seen, Seen) else seen
    return shorten(one_line(first.method or ""), 60)


def times(seen: Seen) -> str:
    """How often, for the end of a message; empty for once."""
    return f" ({seen.count:,} times)" if seen.count > 1 else ""


def seconds(seen: Seen) -> str:
    """The time of an observation that has one."""
    value = seen.first.facts.get("seconds")
    return f"{value:g} s" if isinstance(value, int | float) else "some time"


def ending(seen: Seen) -> str:
    """How the server ended, with its last words."""
    how = fact(seen, "exit")
    with_what = f" with {how}" if how else ""
    return f"the server ended{with_what}{last_words(seen)}"


def last_words(seen: Seen) -> str:
    """The last line of stderr, for the end of a clause; empty where there is none."""
    line = fact(seen, "last_line")
    return f" (stderr: {quoted(line, 120)})" if line else ""
