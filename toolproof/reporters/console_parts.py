"""What the terminal says of a report, in words, before anything is drawn: shared by both forms."""

from collections.abc import Iterator, Sequence
from dataclasses import field

from toolproof.records import record
from toolproof.report import AnyReport, Reason, RunReport, Severity, Status, runs_of
from toolproof.report.totals import amounts, is_problem, problems_by_severity
from toolproof.reporters.causes import Finding, findings, is_open, subject_of
from toolproof.reporters.escape import one_line
from toolproof.reporters.facts import milliseconds, seconds, slowest
from toolproof.reporters.view import Judged, has_several_servers, is_said, judged, said_by
from toolproof.text import count, listed

QUIET, NORMAL, VERBOSE = -1, 0, 1

_WORDS = {0: "PASSED", 1: "FAILED", 3: "NO SERVER", 4: "INTERNAL ERROR"}
_MOST_NAMES = 5
_MOST_SLOW = 3


@record
class Aside:
    """Things that are no findings and share their words: skipped, notes, known."""

    word: str
    text: str
    subjects: list[str] = field(default_factory=list)

    @property
    def line(self) -> str:
        """In one line: "skipped fuzz a, b: may be destructive"."""
        names = listed(dict.fromkeys(filter(None, self.subjects)), most=_MOST_NAMES)
        return f"{self.word} {names}: {self.text}" if names else f"{self.word}: {self.text}"


class LastWords:
    """What servers wrote to stderr, as far as it was not told yet.

    Several findings of one test, and tests of one server, end with the same lines.
    """

    def __init__(self) -> None:
        self._told: set[str] = set()

    def of(self, finding: Finding) -> str:
        """What to show of it beside this finding; nothing where a reader knows it."""
        stderr = finding.outcome.stderr.strip()
        if not stderr or not finding.outcome.status.fails or stderr in self._told:
            return ""
        self._told.add(stderr)
        return "" if is_said(stderr, finding.reason) else stderr


def told(report: AnyReport, verbosity: int) -> Sequence[Finding]:
    """What is wrong, as far as it is told; with `VERBOSE` each cause as often as it shows."""

    def is_told(one: Judged, reason: Reason) -> bool:
        if verbosity <= QUIET and reason.severity is not Severity.ERROR:
            return False
        shown = reason.severity is not Severity.INFO or verbosity >= VERBOSE
        return shown and is_open(one, reason)

    return findings(report, is_told, together=verbosity < VERBOSE)


def asides(report: AnyReport, verbosity: int) -> Sequence[Aside]:
    """What is skipped and why, what is known, notes, and what was slow: nothing that fails."""
    several = has_several_servers(report)
    found: dict[tuple[str, str], Aside] = {}
    for word, text, subject in _told_aside(report, verbosity, several=several):
        line = one_line(text)
        found.setdefault((word, line), Aside(word, line)).subjects.append(subject)
    return [*found.values(), *_slow(report, several=several)]


def _told_aside(
    report: AnyReport, verbosity: int, *, several: bool
) -> Iterator[tuple[str, str, str]]:
    known = 0
    for one in judged(report):
        for reason in one.outcome.reasons:
            subject = subject_of(one, several=several, titled=True)
            if reason.known is not None:
                known += 1
                if verbosity >= VERBOSE:
                    word = f"known {one_line(one.kind(reason))}"
                    yield word, f"{said_by(reason)} ({reason.known})", subject
            elif one.outcome.status is Status.SKIPPED:
                yield f"skipped {one.phase}", reason.message, subject_of(one, several=several)
            elif not is_problem(reason):
                yield "note", reason.message, subject
    for run in runs_of(report):
        for note in run.notes:
            yield "note", note.message, one_line(note.subject or "")
    if known and verbosity < VERBOSE:
        words = f"the baseline lets {count(known, 'known problem')} pass (-v lists them)"
        yield "note", words, ""


def _slow(report: AnyReport, *, several: bool) -> Iterator[Aside]:
    found = slowest(report, _MOST_SLOW)
    if found:
        words = ", ".join(
            f"{subject_of(one, several=several)} {milliseconds(took)}" for took, one in found
        )
        yield Aside("slow", words)


def passes(report: AnyReport) -> Iterator[tuple[str, str, str]]:
    """Phase, subject and time of everything that passed."""
    several = has_several_servers(report)
    for one in judged(report):
        if one.outcome.status is Status.PASSED:
            took = one.outcome.duration_ms
            time = "" if took is None else milliseconds(took)
            yield one.phase, subject_of(one, several=several), time


def repeat_command(report: AnyReport) -> str | None:
    """The one command that repeats what failed; None where only the caller could know it."""
    failing = [run for run in runs_of(report) if run.exit_code == 1]
    given = next((run.repeat for run in failing if run.repeat), None)
    if given or not failing:
        return given
    run = failing[0]
    if run.config_file:
        seed = "" if run.seed is None else f" --seed {run.seed}"
        return f"toolproof run {run.config_file} --last-failed{seed}"
    reasons = [
        reason
        for _, outcomes in run.groups
        for outcome in outcomes
        if outcome.status.fails
        for reason in outcome.reasons
    ]
    return next((reason.repeat for reason in reasons if reason.repeat), None)


def verdict(report: AnyReport, verbosity: int, exit_code: int | None = None) -> tuple[str, ...]:
    """The verdict's word, and what stands behind it: counts, time, seed, exit code."""
    code = report.exit_code if exit_code is None else exit_code
    word = verdict_word(report)
    severities = problems_by_severity(report)
    found = ", ".join(count(n, str(severity)) for severity, n in severities.items() if n)
    if severities[Severity.INFO] and verbosity < VERBOSE:
        found += " (-v shows them)"
    times = f"{seconds(report.duration_s)}"
    seeds = dict.fromkeys(str(run.seed) for run in runs_of(report) if run.seed is not None)
    parts = [
        found,
        ", ".join(amounts(report)),
        times,
        f"seed {listed(seeds)}" if seeds else "",
        f"exit {code}",
    ]
    return (word, *filter(None, parts))


def verdict_word(report: AnyReport) -> str:
    """PASSED, FAILED, or why it is neither."""
    code = report.exit_code
    if code in _WORDS:
        return _WORDS[code]
    if code != 2:
        return "INTERRUPTED"
    nothing = all(run.error is None for run in runs_of(report))
    return "NOTHING TESTED" if nothing else "CONFIGURATION ERROR"


def heading(run: RunReport) -> str:
    """The server in a line: name and version, protocol, transport, command or URL."""
    info = run.server
    parts = [
        " ".join(filter(None, (run.label, info.version if info else None))),
        f"MCP {info.protocol}" if info and info.protocol else "",
        info.transport if info else "",
        run.target if run.target != run.label else "",
    ]
    return one_line(" · ".join(filter(None, parts)))
