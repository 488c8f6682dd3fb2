"""What a person sees: tables on a terminal, lines elsewhere."""

from importlib import import_module

from toolproof.report import AnyReport
from toolproof.reporters import console_parts, console_plain

MOST_ROWS = 300
"""Above so many findings a terminal gets lines, too: nobody reads such a table, many grep it."""

_ASCII = str.maketrans(
    {"·": "-", "│": "|", "…": "...", "↵": "\\n", "\u200b": "\\u{200B}", "┌": "+", "└": "+"}
    | dict(zip("▁▂▃▄▅▆▇█", ".:-=+*#@", strict=True))
)


def render(  # noqa: PLR0913 - each is a fact about where it is shown
    report: AnyReport,
    *,
    terminal: bool,
    color: bool,
    width: int = 80,
    verbose: int = 0,
    ascii: bool = False,  # noqa: A002 - the caller's word
    folds: bool = False,
    exit_code: int | None = None,
) -> str:
    """The report for stdout.

    Args:
        report: What was found.
        terminal: Whether a person looks at it now: tables, wrapped to `width`. rich is imported
            only then.
        color: Whether it may hold ANSI colours.
        width: In columns, on a terminal.
        verbose: -1: the verdict and what fails; 0; 1: also infos, passes, every place.
        ascii: Whether our symbols are written in ASCII.
        folds: Whether long parts stand between `::group::` and `::endgroup::` (GitHub).
        exit_code: What the command will end with, where it is not the report's.
    """
    findings = console_parts.told(report, verbose) if terminal else ()
    if terminal and len(findings) <= MOST_ROWS:
        rich = import_module("toolproof.reporters.console_rich")
        screen = rich.Screen(width=width, color=color, ascii_only=ascii, verbosity=verbose)
        text: str = rich.render(report, screen, exit_code)
    else:
        text = console_plain.render(
            report, color=color, verbosity=verbose, folds=folds, exit_code=exit_code
        )
    return text.translate(_ASCII) if ascii else text
