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


def render(pairs: Sequence[PairLike], *, tools: int) -> str:
    """A few lines for each pair, the most alike first."""
    lines: list[str] = []
    for pair in pairs:
        lines.append(one_line(f"{pair.likeness:4.0%}  {pair.first} and {pair.second}"))
        lines.append(one_line(f"      both say: {', '.join(pair.shared) or '(nothing of weight)'}"))
        for name, words in zip((pair.first, pair.second), pair.only, strict=True):
            lines.append(one_line(f"      only {name}: {', '.join(words) or '(nothing)'}"))
    if pairs:
        lines += ["", "Say in each description when to use it rather than the other."]
        lines.append("Prompts to start from: toolproof eval --suggest")
    else:
        lines.append(
            f"No two of {tools} tools are so alike that a model would confuse them by their words."
        )
    return screen_lines("\n".join(lines) + "\n")  # also in a job's log
