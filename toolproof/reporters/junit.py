"""JUnit XML: a suite per phase, a test case per outcome (reports.md, section 7)."""

import xml.etree.ElementTree as ET
from collections.abc import Iterable, Iterator, Sequence

from junit_xml import TestCase, TestSuite  # type: ignore[import-untyped]

from toolproof.records import record
from toolproof.report import AnyReport, Outcome, Place, Reason, RunReport, Status, runs_of
from toolproof.report.totals import is_problem
from toolproof.reporters.escape import identifier, one_line, visible, xml_lines, xml_text
from toolproof.reporters.view import Judged, judged, known_of, place_of, problems_of, said_by
from toolproof.text import shorten

_TITLES = {"checks": "static checks"}  # readers know the suite by this name
_MESSAGE = 500
_NAME = 1000
_STDERR = 8 * 1024
_MOST_BYTES = 25 * 1000 * 1000
_DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n'
_NO_TIME = "1970-01-01T00:00:00"
_CHILDREN = ("properties", "testcase", "system-out", "system-err")  # as both schemas want them


@record
class _Case:
    """A test case before it is shortened and written; all its texts are visible ones."""

    classname: str
    name: str
    status: Status
    message: str = ""
    type: str = ""
    text: str = ""
    out: str = ""
    err: str = ""
    place: Place | None = None
    seconds: float = 0.0

    @property
    def weight(self) -> int:
        """Roughly the bytes of what is always written."""
        return 250 + len(self.name) + len(self.message) + len(self.type)


@record
class _Rung:
    """How much of the texts is kept; the first rung that fits is taken. Cases always stay."""

    text: int
    message: int
    out: bool


_LADDER = (
    _Rung(64 * 1024, _MESSAGE, out=True),
    _Rung(4 * 1024, _MESSAGE, out=True),
    _Rung(4 * 1024, _MESSAGE, out=False),
    _Rung(500, 200, out=False),
    _Rung(0, 60, out=False),
)


def render(report: AnyReport, *, strict: bool = False, most_bytes: int = _MOST_BYTES) -> str:
    """The report as JUnit XML.

    Args:
        report: What was found.
        strict: Leave out what the XSDs of Ant and of Jenkins do not know: `file`, `line`, the
            root's attributes and `<system-out>` of cases, which moves to their suite's.
        most_bytes: A longer text loses details of failures, never cases.
    """
    suites = _suites(report)
    text = ""
    for rung in _LADDER:
        if rung is not _LADDER[-1] and _estimate(suites, rung) > most_bytes:
            continue
        text = _write(report, suites, rung, strict=strict)
        if len(text.encode()) <= most_bytes:
            break
    return text


def _suites(report: AnyReport) -> dict[str, list[_Case]]:
    suites: dict[str, list[_Case]] = {}
    names = _Names()
    for one in judged(report):
        suites.setdefault(one.phase, []).append(_case(one, names))
    return suites


class _Names:
    """Gives each case of a class a name of its own: readers keep only the first of two."""

    def __init__(self) -> None:
        self._used: set[tuple[str, str]] = set()
        self._next: dict[tuple[str, str], int] = {}

    def unique(self, classname: str, name: str) -> str:
        first = name
        while (classname, name) in self._used:
            number = self._next.get((classname, first), 2)
            self._next[classname, first] = number + 1
            name = f"{first} ({number})"
        self._used.add((classname, name))
        return name


def _case(one: Judged, names: _Names) -> _Case:
    outcome = one.outcome
    classname = f"toolproof.{identifier(one.phase)}.{identifier(one.run.label[:200])}"
    name = shorten(one_line(outcome.name), _NAME).strip() or "(no name)"
    reasons = problems_of(outcome) if outcome.status.fails else []
    worst = reasons[0] if reasons else None
    message, kind, text = _told(one, reasons)
    others = [] if outcome.status.fails else outcome.reasons
    return _Case(
        classname=classname,
        name=names.unique(classname, name),
        status=outcome.status,
        message=message,
        type=kind,
        text=text,
        out="\n".join(_out(outcome, others)),
        err=_tail(outcome.stderr) if outcome.status.fails else "",
        place=outcome.place or (worst.place if worst else None),
        seconds=(outcome.duration_ms or 0.0) / 1000,
    )


def _told(one: Judged, reasons: Sequence[Reason]) -> tuple[str, str, str]:
    """The message, the type and the text of a case's child."""
    outcome = one.outcome
    if outcome.status is Status.SKIPPED:
        known = known_of(outcome)
        if known:
            return f"known: {one_line(known[0].known or '')}", "known", ""
        why = outcome.reasons[0].message if outcome.reasons else "skipped"
        return one_line(why), "skipped", ""
    if not outcome.status.fails:
        return "", "", ""
    if not reasons:  # a failure without a message is not counted by readers
        return str(outcome.status), one.phase, str(outcome.status)
    worst = reasons[0]
    message = one_line(said_by(worst)) or str(outcome.status)
    if len(reasons) > 1:
        message = f"{shorten(message, _MESSAGE - 50)} (and {len(reasons) - 1} more)"
    text = "\n\n".join("\n".join(_lines(outcome, reason)) for reason in reasons)
    if outcome.stderr:
        text = f"{text}\n\nstderr:\n{_tail(outcome.stderr)}"
    return message, one_line(worst.type or one.phase), text if text.strip() else message


def _lines(outcome: Outcome, reason: Reason) -> Iterator[str]:
    """A reason in full: the message first, since some readers show nothing but the text."""
    yield visible(reason.message)
    place = place_of(outcome, reason)
    if place:
        yield f"{one_line(place.file)}:{place.line}"
    if reason.rule:
        yield f"rule: {one_line(reason.rule)} ({reason.severity})"
    if reason.pointer:
        yield f"pointer: {one_line(reason.pointer)}"
    if reason.fix:
        yield f"fix: {one_line(reason.fix)}"
    if reason.expected is not None:
        yield f"expected:\n{visible(reason.expected)}"
    if reason.got is not None:
        yield f"got:\n{visible(reason.got)}"
    if reason.repeat:
        yield f"repeat: {one_line(reason.repeat)}"


def _out(outcome: Outcome, reasons: Iterable[Reason]) -> Iterator[str]:
    if outcome.status is not Status.SKIPPED:
        for reason in reasons:
            rule = f" {one_line(reason.rule)}" if reason.rule else ""
            word = f"{reason.severity}{rule}" if is_problem(reason) else "note"
            known = f" (known: {one_line(reason.known)})" if reason.known is not None else ""
            yield f"{word}: {visible(said_by(reason))}{known}"
    for label, value in outcome.facts:
        yield f"{one_line(label)}: {one_line(value)}"


def _tail(stderr: str) -> str:
    """The last of what a server wrote: its end says what it died of."""
    return visible(stderr[-_STDERR:])


def _estimate(suites: dict[str, list[_Case]], rung: _Rung) -> int:
    return sum(
        case.weight
        + min(len(case.text), rung.text)
        + (min(len(case.out), rung.text) if rung.out else 0)
        for cases in suites.values()
        for case in cases
    )


def _write(report: AnyReport, suites: dict[str, list[_Case]], rung: _Rung, *, strict: bool) -> str:
    runs = runs_of(report)
    root = ET.Element("testsuites")
    for phase, cases in suites.items():
        suite = _suite(runs, phase, cases, rung, strict=strict)
        suite.set("id", str(len(root)))
        root.append(suite)
    if not strict:
        root.set("name", "toolproof")
        for count in ("tests", "failures", "errors", "skipped"):
            root.set(count, str(sum(int(suite.get(count, 0)) for suite in root)))
        root.set("time", _seconds(sum(float(suite.get("time", 0)) for suite in root)))
    ET.indent(root)
    return f"{_DECLARATION}{xml_lines(ET.tostring(root, encoding='unicode'))}\n"


def _suite(
    runs: Sequence[RunReport],
    phase: str,
    cases: Sequence[_Case],
    rung: _Rung,
    *,
    strict: bool,
) -> ET.Element:
    inside = rung.out and not strict
    out = _joined(cases, "out") if rung.out and strict else ""
    suite = TestSuite(
        _TITLES.get(phase, phase),
        [_junit_case(case, rung, out=inside, places=not strict) for case in cases],
        hostname="localhost",
        id="0",
        package="toolproof",
        timestamp=runs[0].started.removesuffix("Z") if runs and runs[0].started else _NO_TIME,
        properties=dict(_properties(runs)),
        stdout=shorten(out, rung.text) or " ",
        stderr=shorten(_joined(cases, "err"), rung.text) or " ",
    )
    element: ET.Element = suite.build_xml_doc()
    element.attrib.pop("disabled", None)
    for case, child in zip(cases, element.iterfind("testcase"), strict=True):
        child.set("time", _seconds(case.seconds))
        skipped = child.find("skipped")
        if strict and skipped is not None:
            skipped.attrib.pop("type", None)
    element.set("time", _seconds(sum(round(case.seconds, 3) for case in cases)))
    for blank in ("system-out", "system-err"):
        found = element.find(blank)
        if found is not None and found.text == " ":
            found.text = None
    element[:] = sorted(element, key=lambda child: _CHILDREN.index(child.tag))
    return element


def _junit_case(case: _Case, rung: _Rung, *, out: bool, places: bool) -> TestCase:
    place = case.place if places else None
    found = TestCase(
        case.name,
        classname=case.classname,
        file=one_line(place.file) if place else None,
        line=place.line if place else None,
        stdout=shorten(case.out, rung.text) if out and case.out else None,
    )
    message = shorten(case.message, rung.message)
    text = shorten(case.text, rung.text) if rung.text else ""
    match case.status:
        case Status.FAILED:
            found.add_failure_info(message, text, case.type)
        case Status.ERRORED:
            found.add_error_info(message, text, case.type)
        case Status.SKIPPED:
            found.add_skipped_info(message)
        case _:
            pass
    return found


def _joined(cases: Sequence[_Case], stream: str) -> str:
    """One stream of all the cases that have it, each under its name."""
    said = [(case.name, getattr(case, stream)) for case in cases]
    return "\n\n".join(f"{name}\n{text}" for name, text in said if text)


def _properties(runs: Sequence[RunReport]) -> Iterator[tuple[str, str]]:
    for name, values in (
        ("toolproof.version", [run.toolproof_version for run in runs]),
        ("server", [run.label for run in runs]),
        ("protocol", [run.server.protocol if run.server else "" for run in runs]),
        ("seed", ["" if run.seed is None else str(run.seed) for run in runs]),
        ("config", [run.config_file or "" for run in runs]),
    ):
        shown = ", ".join(filter(None, dict.fromkeys(map(one_line, values))))
        if shown:
            yield name, xml_text(shorten(shown, _NAME))


def _seconds(seconds: float) -> str:
    return f"{seconds:.3f}"
