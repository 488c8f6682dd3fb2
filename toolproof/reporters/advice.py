"""Which tools are easily confused, for `toolproof eval --offline`."""

from collections.abc import Sequence
from typing import Protocol

from toolproof.reporters.escape import one_line, screen_lines


class PairLike(Protocol):
    """What is shown of a pair of tools."""

    @property
    def first(self) -> str: ...
    @property
    def second(self) -> str: ...
    @property
    def likeness(self) -> float: ...
    @property
    def shared(self) -> Sequence[str]: ...
    @property
    def only(self) -> Sequence[Sequence[str]]: ...
    @property
    def by_words(self) -> float | None: ...
    @property
    def by_meaning(self) -> float | None: ...


def render(pairs: Sequence[PairLike], *, tools: int, meaning: bool = False) -> str:
    """A few lines for each pair, the most alike first.

    Args:
        tools: How many there are.
        meaning: Whether they were compared by meaning too; then each pair says what found it.
    """
    lines: list[str] = []
    for pair in pairs:
        how = f"  ({_how(pair)})" if meaning else ""
        lines.append(one_line(f"{pair.likeness:4.0%}  {pair.first} and {pair.second}{how}"))
        lines.append(one_line(f"      both say: {', '.join(pair.shared) or '(nothing of weight)'}"))
        for name, words in zip((pair.first, pair.second), pair.only, strict=True):
            lines.append(one_line(f"      only {name}: {', '.join(words) or '(nothing)'}"))
    if pairs:
        lines += ["", "Say in each description when to use it rather than the other."]
        lines.append("Prompts to start from: toolproof eval --suggest")
    else:
        why = "words or their meaning" if meaning else "words"
        lines.append(
            f"No two of {tools} tools are so alike that a model would confuse them by their {why}."
        )
    return screen_lines("\n".join(lines) + "\n")  # also in a job's log


def _how(pair: PairLike) -> str:
    """Which methods found it, with what each makes of it where both did."""
    if pair.by_words is None:
        return "by meaning"
    if pair.by_meaning is None:
        return "by words"
    return f"by words {pair.by_words:.0%}, by meaning {pair.by_meaning:.0%}"
