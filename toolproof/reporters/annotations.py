"""Marks on lines of a pull request: GitHub's workflow commands, Azure's logging commands."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

from toolproof.report import AnyReport, Place, Reason, Severity
from toolproof.reporters.causes import Finding, findings
from toolproof.reporters.escape import azure_data, command_data, command_property, one_line, visible
from toolproof.reporters.view import ENDED, cards_of, said_by
from toolproof.text import count, shorten

Flavour = Literal["github", "azure"]

MOST = 10
"""GitHub keeps so many errors, warnings and notices of a step, each; more are dropped unseen."""

_TITLE = 100
_MESSAGE = 1000
_DIFFERENCE = 160
_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "notice"}


def render(
    report: AnyReport,
    *,
    flavour: Flavour = "github",
    max_annotations: int = MOST,
    workspace: str = "",
) -> str:
    """One command per line, `max_annotations` a level at most; the rest is told in one of them.

    Args:
        report: What was found.
        flavour: Whose commands.
        max_annotations: 0 to 10, for each level.
        workspace: The absolute folder that places are relative to; Azure asks for absolute paths.
    """
    most = max(0, min(max_annotations, MOST))
    write = _github if flavour == "github" else _azure
    found = findings(report, together=False)
    pages = {rule: card.url for rule, card in cards_of(report).items()}
    marks = [
        mark
        for severity in Severity
        for mark in _marks([one for one in found if one.severity is severity], most, pages)
    ]
    return "".join(f"{line}\n" for mark in marks if (line := write(mark, workspace)))


class _Mark:
    """One annotation, in no CI's form."""

    def __init__(
        self, severity: Severity, title: str, message: str, place: Place | None = None
    ) -> None:
        self.severity = severity
        self.title = shorten(one_line(title), _TITLE - 30)
        self.message = message
        self.place = place if place and _is_below(place) else None


def _marks(found: Sequence[Finding], most: int, pages: Mapping[str, str]) -> Iterator[_Mark]:
    """The marks of one severity."""
    if not most or not found:
        return
    severity = found[0].severity
    if severity is Severity.INFO:  # hints are for those who look for them
        yield _rolled_up(severity, count(len(found), "info"))
        return
    units = _units(found)
    shown = units if len(units) <= most else units[: most - 1]
    for unit in shown:
        yield _mark(unit, pages)
    left_out = len(found) - sum(len(unit) for unit in shown)
    if left_out and shown:
        noun = f"{severity}" if left_out == 1 else f"{severity}s"
        yield _rolled_up(severity, f"…and {left_out:,} more {noun}")
    elif left_out:
        yield _rolled_up(severity, count(left_out, str(severity)))


def _rolled_up(severity: Severity, number: str) -> _Mark:
    return _Mark(severity, "toolproof", f"{number}: see the job summary")


def _units(found: Sequence[Finding]) -> Sequence[Sequence[Finding]]:
    """What shares a tool and a rule is one; what ended the run first, then by file and line."""
    units: dict[object, list[Finding]] = {}
    for one in found:
        units.setdefault((id(one.run), one.phase, one.subject, one.kind), []).append(one)
    return sorted(units.values(), key=_order)


def _order(unit: Sequence[Finding]) -> tuple[bool, bool, str, int]:
    place = unit[0].place
    return (
        unit[0].phase != ENDED,
        place is None,
        place.file if place else "",
        place.line if place else 0,
    )


def _mark(unit: Sequence[Finding], pages: Mapping[str, str]) -> _Mark:
    first = unit[0]
    kind = one_line(first.kind)
    name = shorten(first.subject.strip('"'), _TITLE - 40)
    title = f"{name} · {kind}" if name else kind.strip(" =") or "toolproof"
    return _Mark(first.severity, title, _message(unit, pages), first.place)


def _message(unit: Sequence[Finding], pages: Mapping[str, str]) -> str:
    reason = unit[0].reason
    more = f" (and {len(unit) - 1:,} more)" if len(unit) > 1 else ""
    page = pages.get(reason.rule or "")
    rest = [
        *([shorten(visible(reason.fix), 200)] if reason.fix else []),
        *_difference(reason),
        *([page] if page else []),
        *([f"repeat: {shorten(one_line(reason.repeat), 300)}"] if reason.repeat else []),
    ]
    room = _MESSAGE - sum(len(line) + 1 for line in rest) - len(more) - 40
    said = shorten(visible(said_by(reason)), max(room, 100))
    return shorten("\n".join([f"{said}{more}", *rest]), _MESSAGE - 40)


def _difference(reason: Reason) -> Iterator[str]:
    if reason.expected is not None:
        yield f"expected: {shorten(one_line(reason.expected), _DIFFERENCE)}"
    if reason.got is not None:
        yield f"got: {shorten(one_line(reason.got), _DIFFERENCE)}"


def _is_below(place: Place) -> bool:
    """Whether a place is in the workspace: a mark on another file is dropped, or worse."""
    file = one_line(place.file)
    parts = file.split("/")
    named = bool(command_property(file))  # not only of blanks, which are trimmed
    return named and place.line > 0 and parts[0] != "" and ".." not in parts


def _github(mark: _Mark, _workspace: str) -> str:
    properties = {"title": mark.title}
    if mark.place:
        properties = {"file": one_line(mark.place.file), "line": str(mark.place.line), **properties}
    listed = ",".join(f"{key}={command_property(value)}" for key, value in properties.items())
    return f"::{_LEVELS[mark.severity]} {listed}::{command_data(mark.message)}"


def _azure(mark: _Mark, workspace: str) -> str:
    if mark.severity is Severity.INFO:
        return ""
    properties = {"type": _LEVELS[mark.severity]}
    if mark.place:
        root = f"{workspace.rstrip('/')}/" if workspace else ""
        properties["sourcepath"] = f"{root}{one_line(mark.place.file)}"
        properties["linenumber"] = str(mark.place.line)
    listed = "".join(f"{key}={azure_data(value)};" for key, value in properties.items())
    return f"##vso[task.logissue {listed}]{azure_data(f'{mark.title}: {mark.message}')}"
