"""The console where it is no terminal: lines that people click and grep, never wrapped or cut."""

from collections.abc import Iterator, Sequence

from toolproof.report import AnyReport, Severity
from toolproof.reporters import console_parts as parts
from toolproof.reporters.causes import Finding
from toolproof.reporters.console_parts import NORMAL, QUIET, VERBOSE
from toolproof.reporters.diff import diff
from toolproof.reporters.escape import log_line, one_line, unmarked, visible
from toolproof.reporters.facts import measures
from toolproof.reporters.view import pointer_of
from toolproof.text import count, listed

_MOST_LINES = 20
_MOST_NAMES = 5
_LONG = 10  # lines; more are folded where the log can fold

_RED, _GREEN, _YELLOW, _CYAN, _BOLD, _DIM = "31", "32", "33", "36", "1", "2"
_COLORS = {Severity.ERROR: _RED, Severity.WARNING: _YELLOW, Severity.INFO: _CYAN}
_SIGN_COLORS = {"-": _RED, "+": _GREEN}


def render(
    report: AnyReport,
    *,
    color: bool = False,
    verbosity: int = NORMAL,
    folds: bool = False,
    exit_code: int | None = None,
) -> str:
    """The report, a line for each finding.

    Args:
        report: What was found.
        color: Whether to mark severities with ANSI colours.
        verbosity: `QUIET`, `NORMAL` or `VERBOSE`.
        folds: Whether long parts stand between `::group::` and `::endgroup::`.
        exit_code: The command's, where it is not the report's.
    """
    page = _Page(color=color, folds=folds)
    lines = [
        line
        for finding in parts.told(report, verbosity)
        for line in page.finding(finding, verbosity)
    ]
    if verbosity > QUIET:
        lines += page.rest(report, verbosity)
    lines += page.verdict(report, verbosity, exit_code)
    return "".join(f"{line}\n" for line in lines)


class _Page:
    """How things are written: with colours or not, folded or not."""

    def __init__(self, *, color: bool, folds: bool) -> None:
        self._color = color
        self._folds = folds
        self._last_words = parts.LastWords()

    def _paint(self, text: str, color: str) -> str:
        return f"\x1b[{color}m{text}\x1b[0m" if self._color and text else text

    def _label(self, label: str, text: str) -> str:
        return f"    {self._paint(label, _DIM)}   {unmarked(text)}"

    def finding(self, finding: Finding, verbosity: int) -> Iterator[str]:
        """The line of a finding, and what helps to mend it."""
        reason, member = finding.reason, finding.members[0]
        first, *rest = visible(reason.message).split("\n")
        where = f"{one_line(member.place.file)}:{member.place.line}: " if member.place else ""
        first = first.removeprefix(where)  # a mistake in the config begins with its own
        severity = self._paint(str(finding.severity), _COLORS[finding.severity])
        named = f"{finding.kind} {member.subject}".rstrip()
        told = f" {named}: {first}{pointer_of(reason)}"
        yield f"{log_line(where)}{severity}{unmarked(one_line(told))}"
        yield from self._bars(rest)
        if len(finding.members) > 1:
            yield self._label("also", _others(finding))
        if reason.fix:
            yield self._label("fix", one_line(reason.fix))
        yield from self._diff(finding)
        stderr = self._last_words.of(finding)
        if stderr:
            yield from self._stderr(stderr, verbosity)
        if reason.repeat:
            yield self._label("repeat", one_line(reason.repeat))

    def _bars(self, lines: Sequence[str]) -> Iterator[str]:
        for line in lines[:_MOST_LINES]:
            yield log_line(f"    │ {line}")
        if len(lines) > _MOST_LINES:
            yield f"    │ … {count(len(lines) - _MOST_LINES, 'more line')}"

    def _diff(self, finding: Finding) -> Iterator[str]:
        expected, got = finding.reason.expected, finding.reason.got
        if expected is None and got is None:
            return
        if "\n" not in f"{expected}{got}":
            if expected is not None:
                yield self._label("expected", one_line(expected))
            if got is not None:
                yield self._label("got", f"     {one_line(got)}")
            return
        for sign, text in diff(expected, got):
            line = log_line(f"    {'…' if sign == '@' else sign} {text}")
            yield self._paint(line, _SIGN_COLORS.get(sign, ""))

    def _stderr(self, stderr: str, verbosity: int) -> Iterator[str]:
        lines = visible(stderr).rstrip("\n").split("\n")
        if verbosity < VERBOSE and not self._folds:
            lines = lines[-5:]
        yield from self._folded("stderr of the server", [log_line(f"    │ {x}") for x in lines])

    def _folded(self, title: str, lines: Sequence[str]) -> Iterator[str]:
        if self._folds and len(lines) > _LONG:
            yield f"::group::{title} ({count(len(lines), 'line')})"
            yield from lines
            yield "::endgroup::"
        else:
            yield from lines

    def rest(self, report: AnyReport, verbosity: int) -> Iterator[str]:
        """What fails nothing: measurements, passes on request, what was skipped, notes."""
        measured = [
            log_line(
                f"{phase} {subject}: {', '.join(f'{label} {value}' for label, value in facts)}"
            )
            for phase, subject, facts in measures(report)
        ]
        yield from self._folded("measurements", measured)
        if verbosity >= VERBOSE:
            for phase, subject, time in parts.passes(report):
                passed = f"{self._paint('passed', _GREEN)} {phase} {subject}"
                yield log_line(f"{passed} ({time})" if time else passed)
        for aside in parts.asides(report, verbosity):
            yield log_line(aside.line)

    def verdict(self, report: AnyReport, verbosity: int, exit_code: int | None) -> Iterator[str]:
        """The last line, and before it the command that repeats what failed."""
        repeat = parts.repeat_command(report)
        if repeat:
            yield log_line(f"repeat   {one_line(repeat)}")
        word, *told = parts.verdict(report, verbosity, exit_code)
        color = _GREEN if report.exit_code == 0 else _RED
        yield f"{self._paint(word, f'{_BOLD};{color}')}  {' · '.join(told)}"


def _others(finding: Finding) -> str:
    others = [
        f"{member.subject} ({one_line(member.place.file)}:{member.place.line})"
        if member.place
        else member.subject
        for member in finding.members[1:]
    ]
    return f"{listed(others, most=_MOST_NAMES)} ({len(finding.members)} in all)"
