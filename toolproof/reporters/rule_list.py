"""The list of rules, for `toolproof rules`."""

from collections.abc import Sequence
from itertools import groupby

from toolproof.report import Check, RuleCard, Severity

_COLORS = {Severity.ERROR: "31", Severity.WARNING: "33", Severity.INFO: "36"}


def render(cards: Sequence[RuleCard], *, width: int = 80, color: bool = False) -> str:
    """One line for each rule, by family: severity, id, what is wrong; wrapped to `width`."""
    lines: list[str] = []
    longest = max((len(card.id) for card in cards), default=0)
    families = list(Check)
    ordered = sorted(cards, key=lambda card: families.index(card.check))
    for check, members in groupby(ordered, key=lambda card: card.check):
        lines += ["", str(check)] if lines else [str(check)]
        for card in members:
            severity = f"{card.severity:<7}"
            shown = f"\x1b[{_COLORS[card.severity]}m{severity}\x1b[0m" if color else severity
            start = f"  {severity} {card.id:<{longest}}  "
            room = max(20, width - len(start))
            first, *rest = _wrapped(card.title, room)
            lines.append(f"  {shown} {card.id:<{longest}}  {first}")
            lines += [" " * len(start) + more for more in rest]
    lines += ["", "Explain one: toolproof rules ID"]
    return "\n".join(lines) + "\n"


def _wrapped(text: str, width: int) -> list[str]:
    """The words in lines of at most `width`; one word is never cut."""
    lines = [""]
    for word in text.split():
        if lines[-1] and len(lines[-1]) + 1 + len(word) > width:
            lines.append(word)
        else:
            lines[-1] = f"{lines[-1]} {word}".strip()
    return lines
