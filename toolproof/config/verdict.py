"""From what is wrong to the error that says it all."""

from collections.abc import Sequence
from pathlib import Path

from toolproof.config.mistakes import Mistake, shown
from toolproof.errors import ConfigError
from toolproof.masking import Secrets
from toolproof.text import count

MOST_TOLD = 50
"""So many mistakes are told at once."""


def refusal(
    found: Sequence[tuple[int | None, Mistake]],
    path: Path | None,
    secrets: Secrets,
    *,
    where: str | None = None,
) -> ConfigError:
    """One error for all mistakes, in the order of the file.

    Args:
        found: Each with its line; None for one that came from a flag or from code.
        path: The file.
        secrets: What must not be quoted.
        where: What to name in place of a line, where there is none.
    """
    unique = dict.fromkeys(found)
    ordered = sorted(unique, key=lambda entry: (entry[0] is None, entry[0] or 0))
    told = [
        (f"{path}:{line}" if line is not None else where, secrets.mask(_sentence(mistake)))
        for line, mistake in ordered[:MOST_TOLD]
    ]
    first, *others = told
    lines = [first[1], *(f"{place}: {text}" if place else text for place, text in others)]
    if len(ordered) > MOST_TOLD:
        lines.append(f"and {count(len(ordered) - MOST_TOLD, 'more mistake')}")
    line = ordered[0][0]
    return ConfigError(
        "\n".join(lines),
        where=first[0],
        file=str(path) if path is not None and (line is not None or where) else None,
        line=line,
    )


def _sentence(mistake: Mistake) -> str:
    where = shown(mistake.steps)
    return f"{where}: {mistake.message}" if where else mistake.message
