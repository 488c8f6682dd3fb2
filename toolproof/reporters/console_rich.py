"""The console on a terminal: a table for each phase, by rich; the only module that imports it.

Built of `Text` objects only: rich reads no markup in them, whatever a server says.
"""

import io
import re
from collections.abc import Iterator, Sequence
from itertools import groupby

from rich import box
from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text

from toolproof.records import record
from toolproof.report import AnyReport, Reason, Severity, runs_of
from toolproof.report.totals import Totals, totals_by_phase
from toolproof.reporters import console_parts as parts
from toolproof.reporters.causes import Finding
from toolproof.reporters.console_parts import QUIET, VERBOSE, LastWords
from toolproof.reporters.diff import diff
from toolproof.reporters.escape import one_line, screen_lines, visible
from toolproof.reporters.facts import measures
from toolproof.reporters.view import ENDED, pointer_of
from toolproof.text import count

_TITLES = {
    "checks": "Static checks",
    "protocol": "Protocol",
    "tests": "Tests",
    "evals": "Evals",
    "bench": "Bench",
    "fuzz": "Fuzz",
    "baseline": "Baseline",
    ENDED: "Run",
}
_SUBJECTS = {"tests": "Test", "evals": "Case", "bench": "Target", "checks": "Tool", "fuzz": "Tool"}
_STYLES = {"FAIL": "bold red", "WARN": "yellow", "INFO": "cyan"}
_SIGN_STYLES = {"-": "red", "+": "green", "@": "dim"}
_WITH_FAMILY = "checks"
_MOST_NAMES = 5
_MOST_LINES = 12
_MOST_STDERR = 5
_FEW_FACTS = 4
_NARROW = 100
_LEAST_WIDTH = 40
_TRAILING = re.compile(r" (?:\x1b\[[0-9;]*m| )*$", re.MULTILINE)  # lines are short: it stays linear

_PIECES = re.compile(r".+?(?:, | · |$)")  # of a verdict: it is wrapped between them
_ASCII_RULED = box.Box(
    str(box.HORIZONTALS).replace("\N{BOX DRAWINGS LIGHT HORIZONTAL}", "-"), ascii=True
)

_Measured = tuple[str, Sequence[tuple[str, str]]]


@record(kw_only=True)
class Screen:
    """What is drawn on: `width` in columns, with colours or not, with box characters or not."""

    width: int = 80
    color: bool = False
    ascii_only: bool = False
    verbosity: int = 0

    @property
    def narrow(self) -> bool:
        return self.width < _NARROW


def render(report: AnyReport, screen: Screen, exit_code: int | None = None) -> str:
    """The report as tables: everything wrapped, nothing cut."""
    out = io.StringIO()
    console = Console(
        file=out,
        width=max(screen.width, _LEAST_WIDTH),
        force_terminal=screen.color,
        color_system="standard" if screen.color else None,
        legacy_windows=False,
        markup=False,
        emoji=False,
        highlight=False,
        _environ={},
    )
    for part in _Page(report, screen).parts(exit_code):
        console.print(part)
    return screen_lines(_TRAILING.sub(lambda end: end[0].replace(" ", ""), out.getvalue()))


class _Page:
    """One report on one screen."""

    def __init__(self, report: AnyReport, screen: Screen) -> None:
        self._report = report
        self._screen = screen
        self._totals = totals_by_phase(report)
        self._stderr = LastWords()

    def parts(self, exit_code: int | None) -> Iterator[RenderableType]:
        quiet = self._screen.verbosity <= QUIET
        if not quiet:
            for run in runs_of(self._report):
                yield Text(parts.heading(run), style="bold")
            yield Text()
        yield from self._phases(quiet=quiet)
        if not quiet:
            yield from self._passed()
            yield from self._asides()
        repeat = parts.repeat_command(self._report)
        if repeat:
            yield Text("repeat  ", "dim").append(one_line(repeat), "not dim")
        yield self._verdict(exit_code)

    def _verdict(self, exit_code: int | None) -> Text:
        """In one line, or in lines that end between its parts."""
        word, *told = parts.verdict(self._report, self._screen.verbosity, exit_code)
        text = Text(word, "bold green" if self._report.exit_code == 0 else "bold red")
        break_ = "\n".ljust(len(word) + 3)
        lines = _packed(_PIECES.findall(" · ".join(told)), self._screen.width - len(break_) + 1)
        text.append(f"  {break_.join(lines)}", "not bold default")
        return text

    def _phases(self, *, quiet: bool) -> Iterator[RenderableType]:
        """Phases with findings first; those without are a line each."""
        found: dict[str, list[Finding]] = {phase: [] for phase in [ENDED, *self._totals]}
        for finding in parts.told(self._report, self._screen.verbosity):
            found[finding.phase].append(finding)
        measured: dict[str, list[_Measured]] = {}
        for phase, subject, facts in () if quiet else measures(self._report):
            measured.setdefault(phase, []).append((subject, facts))
        clean: list[str] = []
        for phase, members in found.items():
            if members or phase in measured:
                yield from self._phase(phase, members, measured.get(phase, ()))
            elif phase in self._totals:
                clean.append(phase)
        if clean and not quiet:
            width = max(len(_TITLES.get(phase, phase)) for phase in clean)
            for phase in clean:
                yield self._title(phase, self._totals[phase], width)
            yield Text()

    def _phase(
        self, phase: str, members: Sequence[Finding], measured: Sequence[_Measured]
    ) -> Iterator[RenderableType]:
        yield self._title(phase, self._totals.get(phase))
        if members:
            yield self._table(phase, members)
        if measured:
            yield from [Text()] if members else []
            yield from self._facts(phase, measured)
        yield Text()

    def _title(self, phase: str, totals: Totals | None, width: int = 0) -> Text:
        title = Text(_TITLES.get(phase, phase).ljust(width), "bold")
        if totals is None or phase == ENDED:
            return title
        told = Text()
        for number, word, style in (
            (totals.failed, "failed", "red"),
            (totals.errored, "errored", "red"),
            (totals.warned, "with warnings", "yellow"),
            (totals.passed, "passed", "green"),
            (totals.skipped, "skipped", "dim"),
        ):
            if number:
                told.append(", " if told else "").append(f"{number:,} {word}", style)
        return Text.assemble(title, "   ", told) if told else Text(title.plain.rstrip(), "bold")

    def _table(self, phase: str, members: Sequence[Finding]) -> Table:
        table = self._new_table(lines=True)
        table.add_column("", no_wrap=True, width=4)
        if phase != ENDED:
            subject = _SUBJECTS.get(phase, "Subject")
            table.add_column(subject, overflow="fold", max_width=26 if self._screen.narrow else 42)
        if phase == _WITH_FAMILY:
            table.add_column("Check", overflow="fold", max_width=15 if self._screen.narrow else 26)
        table.add_column("Problem", overflow="fold")
        for finding in members:
            word = _verdict(finding)
            row = [Text(word, _STYLES[word])]
            if phase != ENDED:
                row.append(_subjects(finding))
            if phase == _WITH_FAMILY:
                row.append(self._family(finding))
            table.add_row(*row, self._problem(finding))
        return table

    def _new_table(self, *, lines: bool) -> Table:
        """Ruled by lines across alone: on 80 columns each bar down would cost a word a line."""
        style = _ASCII_RULED if self._screen.ascii_only else box.HORIZONTALS
        return Table(
            box=style,
            border_style="dim",
            show_lines=lines,
            header_style="bold",
            show_edge=False,
            pad_edge=False,
            collapse_padding=True,
        )

    def _family(self, finding: Finding) -> Text:
        text = Text(one_line(finding.reason.family or finding.kind))
        if not self._screen.narrow and finding.reason.rule:
            text.append(f"\n{one_line(finding.reason.rule)}", "dim")
        return text

    def _problem(self, finding: Finding) -> Text:
        reason = finding.reason
        lines = _flat(reason.message).split("\n")
        text = Text("\n".join(lines[:_MOST_LINES]))
        if len(lines) > _MOST_LINES:
            text.append(f"\n… {count(len(lines) - _MOST_LINES, 'more line')}", "dim")
        pointer = one_line(pointer_of(reason)).removeprefix(", ")
        if pointer:
            text.append(f"\n{pointer}", "dim")
        if reason.fix:
            text.append("\nfix  ", "green").append(one_line(reason.fix))
        _add_difference(text, reason)
        stderr = self._stderr.of(finding)
        if stderr:
            last = _flat(stderr).rstrip("\n").split("\n")
            shown_lines = last if self._screen.verbosity >= VERBOSE else last[-_MOST_STDERR:]
            text.append("\nstderr", "dim").append(
                "".join(f"\n│ {line}" for line in shown_lines), "dim"
            )
        if reason.repeat:
            text.append("\nrepeat  ", "green").append(one_line(reason.repeat))
        place = finding.members[0].place
        if place and finding.phase == ENDED:
            text.append(f"\n{one_line(place.file)}:{place.line}", "dim")
        if reason.rule and (self._screen.narrow or finding.phase != _WITH_FAMILY):
            text.append(f"\n{one_line(reason.rule)}", "dim")
        return text

    def _facts(self, phase: str, rows: Sequence[_Measured]) -> Iterator[RenderableType]:
        """Measurements: a table of as many columns as fit, and the rest in lines."""
        shown = self._fitting(rows) if len(rows) > 1 or len(rows[0][1]) > _FEW_FACTS else []
        if shown:
            table = self._new_table(lines=False)
            table.add_column(_SUBJECTS.get(phase, "Subject"), overflow="fold")
            for label in shown:
                table.add_column(Text(label), justify="right", no_wrap=True)
            for subject, facts in rows:
                values = dict(facts)
                table.add_row(Text(subject, "bold"), *(Text(values[label]) for label in shown))
            yield table
        for subject, facts in rows:
            rest = ", ".join(f"{label} {value}" for label, value in facts if label not in shown)
            if rest:
                yield Text.assemble((subject, "bold"), ("  " + rest, "dim" if shown else ""))

    def _fitting(self, rows: Sequence[_Measured]) -> Sequence[str]:
        room = self._screen.width - min(max(len(subject) for subject, _ in rows), 24) - 4
        shown: list[str] = []
        for label in dict.fromkeys(label for _, facts in rows for label, _ in facts):
            values = [dict(facts).get(label) for _, facts in rows]
            if None in values:
                continue
            width = max(len(text or "") for text in [label, *values]) + 2
            if width <= room:  # a narrower one behind it may fit still
                room -= width
                shown.append(label)
        return shown

    def _passed(self) -> Iterator[RenderableType]:
        if self._screen.verbosity < VERBOSE:
            return
        for phase, rows in groupby(parts.passes(self._report), key=lambda row: row[0]):
            yield Text(f"{_TITLES.get(phase, phase)} that passed", "bold")
            for _, subject, time in rows:
                yield Text.assemble(("  passed  ", "green"), subject, (f"  {time}".rstrip(), "dim"))
            yield Text()

    def _asides(self) -> Iterator[RenderableType]:
        found = parts.asides(self._report, self._screen.verbosity)
        for aside in found:
            yield Text(aside.line, "dim")
        if found:
            yield Text()


def _packed(pieces: Sequence[str], width: int) -> list[str]:
    """Lines of whole pieces."""
    lines = [""]
    for piece in pieces:
        if lines[-1] and len(lines[-1]) + len(piece.rstrip(" ·,")) > width:
            lines.append("")
        lines[-1] += piece
    return [line.rstrip(" ·") for line in lines]


def _add_difference(text: Text, reason: Reason) -> None:
    """What was expected and what came: in a line each where they are of one, else compared."""
    expected, got = reason.expected, reason.got
    if "\n" not in f"{expected}{got}":
        width = len("expected" if expected is not None else "got")
        for label, value, style in (("expected", expected, "green"), ("got", got, "red")):
            if value is not None:
                text.append(f"\n{label.ljust(width)}  ", style).append(one_line(value))
        return
    for sign, line in diff(expected, got, most=30):
        shown = "…" if sign == "@" else sign
        text.append(f"\n{shown} {_flat(line)}", _SIGN_STYLES.get(sign, ""))


def _flat(text: str) -> str:
    """Without tabs, which would tear a table."""
    return visible(text).replace("\t", "    ")


def _verdict(finding: Finding) -> str:
    if finding.fails:
        return "FAIL"
    return "INFO" if finding.severity is Severity.INFO else "WARN"


def _subjects(finding: Finding) -> Text:
    """The names that share a cause; where it shows, if there is one."""
    names = list(dict.fromkeys(member.subject for member in finding.members))
    text = Text("\n".join(names[:_MOST_NAMES]), "bold")
    if len(names) > _MOST_NAMES:
        text.append(f"\nand {len(names) - _MOST_NAMES:,} more", "not bold")
    place = finding.members[0].place
    if place and len(names) == 1:
        text.append(f"\n{one_line(place.file)}:{place.line}", "not bold dim")
    return text
