"""What was expected against what came, line by line."""

from collections.abc import Sequence
from difflib import SequenceMatcher

from toolproof.reporters.escape import visible

_MOST_LINES = 300  # the search for what two texts share is quadratic at worst
_CONTEXT = 2

Line = tuple[str, str]
"""A sign and a text: `-` expected, `+` got, a blank for both, `@` for what is left out."""


def diff(expected: str | None, got: str | None, *, most: int = 60) -> Sequence[Line]:
    """The lines of a diff, at most about `most` of them."""
    old = visible(expected).split("\n") if expected is not None else []
    new = visible(got).split("\n") if got is not None else []
    if max(len(old), len(new)) > _MOST_LINES:
        lines = [*_some("-", old, most // 2), *_some("+", new, most // 2)]
    else:
        lines = list(_compared(old, new))
    if len(lines) > most:
        left_out = len(lines) - most
        lines = [*lines[:most], ("@", f"{left_out:,} more lines")]
    return lines


def _some(sign: str, lines: Sequence[str], most: int) -> list[Line]:
    shown = [(sign, line) for line in lines[:most]]
    left_out = len(lines) - len(shown)
    return [*shown, ("@", f"{left_out:,} more lines")] if left_out else shown


def _compared(old: Sequence[str], new: Sequence[str]) -> Sequence[Line]:
    lines: list[Line] = []
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    for group in matcher.get_grouped_opcodes(_CONTEXT):
        if lines or group[0][1] > 0:
            lines.append(("@", f"line {group[0][1] + 1}"))
        for tag, old_from, old_to, new_from, new_to in group:
            if tag == "equal":
                lines += [(" ", line) for line in old[old_from:old_to]]
            else:
                lines += [("-", line) for line in old[old_from:old_to]]
                lines += [("+", line) for line in new[new_from:new_to]]
    return lines
