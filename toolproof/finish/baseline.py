"""Known problems: let pass while they are there, and told when they are gone."""

from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import date

from toolproof.finish.fingerprint import named_server
from toolproof.finish.problems import Found, problems_of, with_known
from toolproof.report import (
    WHOLE_SERVER,
    AnyReport,
    BenchSection,
    CheckSection,
    Collection,
    EvalSection,
    FuzzSection,
    Note,
    PhaseName,
    Place,
    RunReport,
    Section,
    StaleEntry,
    ToolTestSection,
    runs_of,
)
from toolproof.text import count, listed, quoted

UNSTEADY = frozenset({"flaky", "growth", "slow"})
"""Kinds of findings that come and go: that one is missing says nothing."""

_Live = Callable[[str], bool]


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One problem that is let pass.

    Attributes:
        phase: Where it was found; with rule, server, subject and pointer it is for people, and says
            when the entry is stale. What names the problem is the fingerprint.
        expires: The last day on which it is let pass.
        place: Its line in the file.
    """

    fingerprint: str
    phase: str = ""
    rule: str = ""
    server: str = ""
    subject: str = ""
    pointer: str | None = None
    reason: str = ""
    expires: date | None = None
    place: Place | None = None

    @property
    def order(self) -> tuple[str, ...]:
        """What entries are sorted by."""
        return (
            *(self.server, self.phase, self.rule, self.subject, self.pointer or ""),
            self.fingerprint,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Baseline:
    """The known problems.

    Attributes:
        name: The file, as the user named it.
        ratchet: Whether entries whose problems are gone fail; not those of an earlier report.
    """

    name: str
    entries: tuple[Entry, ...] = ()
    ratchet: bool = True


def baseline_of(report: AnyReport, name: str) -> Baseline:
    """All the problems of an earlier report: then only what it did not have can fail."""
    entries = [
        replace(entry_of(found, named_server(run)), reason=_reason_of(run, name))
        for run in runs_of(report)
        for found in problems_of(run)
    ]
    return Baseline(name=name, entries=tuple(entries), ratchet=False)


def entry_of(found: Found, server: str) -> Entry:
    """The entry of a problem, without a reason."""
    return Entry(
        fingerprint=found.fingerprint,
        phase=found.phase,
        rule=found.rule,
        server=server,
        subject=found.subject,
        pointer=found.pointer,
    )


def _reason_of(run: RunReport, name: str) -> str:
    day = run.started[:10]
    return f"it was there on {day} ({name})" if day else f"it was there in {name}"


def held_against(
    report: AnyReport, baseline: Baseline, *, today: date, live: _Live, only_new: bool = False
) -> AnyReport:
    """The report in which known problems are let pass, and stale entries told.

    Args:
        report: What was found, with fingerprints.
        baseline: What is known.
        today: For entries that expire.
        live: Whether a rule judges calls or what the wire saw: such a problem shows only where
            something is called, so that it is missed only in a run of everything.
        only_new: Whether stale and expired entries are told and do not fail.
    """
    runs = [
        _held(run, baseline, today=today, live=live, only_new=only_new) for run in runs_of(report)
    ]
    return Collection(tuple(runs)) if isinstance(report, Collection) else runs[0]


def _held(
    run: RunReport, baseline: Baseline, *, today: date, live: _Live, only_new: bool
) -> RunReport:
    of: dict[str, list[Entry]] = defaultdict(list)
    for entry in reversed(baseline.entries):
        of[entry.fingerprint].append(entry)
    for entries in of.values():  # those that do not count come last
        entries.sort(key=lambda entry: not _is_expired(entry, today))
    expired: list[Entry] = []

    def why(fingerprint: str) -> str | None:
        entries = of.get(fingerprint)
        if not fingerprint or not entries:
            return None
        entry = entries.pop()
        if not _is_expired(entry, today):
            return entry.reason
        expired.append(entry)
        return f"{entry.reason} (expired on {entry.expires})" if only_new else None

    held = with_known(run, why)
    unused = [entry for entries in of.values() for entry in entries]
    unused.sort(key=lambda entry: entry.order)
    search = _Search(run, live)
    stale = [entry for entry in unused if baseline.ratchet and search.misses(entry)]
    notes = [_expired_note(entry, baseline) for entry in expired]
    if only_new:
        notes += [Note(_stale(entry).message) for entry in stale]
    return replace(
        held,
        notes=(*held.notes, *dict.fromkeys(notes)),
        stale=() if only_new else tuple(map(_stale, stale)),
        only_new=only_new,
    )


def stale_entries(report: AnyReport, baseline: Baseline, live: _Live) -> list[Entry]:
    """The entries whose problems did not occur though they were looked for, the expired included."""
    found: list[Entry] = []
    for run in runs_of(report):
        search = _Search(run, live)
        marks: dict[str, int] = defaultdict(int)
        for problem in problems_of(run):
            marks[problem.fingerprint] += 1
        for entry in baseline.entries:
            if marks[entry.fingerprint]:
                marks[entry.fingerprint] -= 1
            elif search.misses(entry):
                found.append(entry)
    return found


def _is_expired(entry: Entry, today: date) -> bool:
    return entry.expires is not None and entry.expires < today


def _expired_note(entry: Entry, baseline: Baseline) -> Note:
    what = " ".join(part for part in (entry.phase, entry.rule, entry.subject) if part)
    return Note(f"an entry of {baseline.name} expired on {entry.expires}: {what}")


def _stale(entry: Entry) -> StaleEntry:
    return StaleEntry(
        fingerprint=entry.fingerprint,
        phase=entry.phase,
        rule=entry.rule,
        subject=entry.subject,
        pointer=entry.pointer,
        reason=entry.reason,
        place=entry.place,
    )


class _Search:
    """What one run looked at: whether it would have found the problem of an entry."""

    def __init__(self, run: RunReport, live: _Live) -> None:
        self._run = run
        self._live = live
        self._server = named_server(run)
        self._ended = run.error is not None or run.interrupted is not None
        self._everything = run.shard is None and not run.filtered
        self._sections = {str(section.phase): section for section in run.sections}
        self._subjects = {str(section.phase): dict(_subjects(section)) for section in run.sections}

    def misses(self, entry: Entry) -> bool:
        """Whether the entry's problem would have been found, if it still were there."""
        section = self._sections.get(entry.phase)
        if self._ended or section is None or entry.server != self._server:
            return False
        if not _is_asked(section):
            return False
        if entry.phase == PhaseName.CHECKS and self._live(entry.rule):
            return self._everything
        unsteady = entry.phase == PhaseName.FUZZ and entry.rule in UNSTEADY
        return not unsteady and self._judged(entry)

    def _judged(self, entry: Entry) -> bool:
        """Whether the entry's subject was judged, or would have been if there still were one."""
        run, subjects = self._run, self._subjects[entry.phase]
        if entry.subject in subjects:
            return subjects[entry.subject]
        if entry.phase == PhaseName.CHECKS and entry.subject == WHOLE_SERVER:
            return run.shard is None or run.shard.startswith("1/")
        return run.shard is None and entry.phase not in run.filtered


def _is_asked(section: Section) -> bool:
    return not isinstance(section, CheckSection) or section.asked


def _subjects(section: Section) -> Iterator[tuple[str, bool]]:
    """Each subject of a section, and whether it was judged."""
    match section:
        case CheckSection():
            yield from ((tool, True) for tool in section.tools)
        case ToolTestSection():
            yield from ((test.name, test.skipped is None) for test in section.results)
        case BenchSection():
            yield from ((target.name, True) for target in section.results)
        case FuzzSection():
            yield from ((tool.tool, tool.skipped is None) for tool in section.results)
        case EvalSection():
            judged = section.error is None and not section.partial
            yield from ((name, judged) for name in section.gate_names)
        case _:
            return


def with_strangers_told(report: AnyReport, baseline: Baseline) -> AnyReport:
    """The report with a note on entries of servers that are not in it: nothing else would miss them."""
    runs = runs_of(report)
    known = {named_server(run) for run in runs}
    others = [entry.server for entry in baseline.entries if entry.server not in known]
    if not others or not baseline.ratchet or not runs:
        return report
    names = listed(quoted(name) for name in dict.fromkeys(others))
    entries = count(len(others), "entry", "entries")
    note = Note(f"{entries} of {baseline.name} not judged: there is no run of server {names}")
    first = replace(runs[0], notes=(*runs[0].notes, note))
    return Collection((first, *runs[1:])) if isinstance(report, Collection) else first
