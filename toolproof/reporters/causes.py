"""What is wrong, by cause: equal ones once, what ended the run first, then the worst."""

from collections.abc import Callable, Sequence
from dataclasses import field

from toolproof.records import record
from toolproof.report import AnyReport, Outcome, Place, Reason, RunReport, Severity, Status
from toolproof.report.fingerprint import fingerprint
from toolproof.report.totals import is_problem
from toolproof.reporters.escape import one_line
from toolproof.reporters.view import ENDED, Judged, has_several_servers, judged, place_of, said_by


@record
class Member:
    """One of the outcomes that share a cause."""

    subject: str
    place: Place | None


@record
class Finding:
    """One cause, with all that it shows on.

    Attributes:
        outcome: The first one that it shows on; likewise `reason`.
        kind: What is wrong in a word: a rule's id, `crash`, `test`.
    """

    run: RunReport
    phase: str
    outcome: Outcome
    reason: Reason
    kind: str
    members: list[Member] = field(default_factory=list)

    @property
    def severity(self) -> Severity:
        return self.reason.severity

    @property
    def fails(self) -> bool:
        """Whether it is as bad as what fails the run."""
        return self.severity is Severity.ERROR or self.severity.at_least(self.run.fail_on)

    @property
    def fingerprint(self) -> str:
        """The first one's, computed where it has none."""
        given = self.reason.fingerprint
        name, pointer = self.outcome.name, self.reason.pointer
        return given or fingerprint(self.phase, self.kind, self.run.label, name, pointer)

    @property
    def place(self) -> Place | None:
        return self.members[0].place

    @property
    def subject(self) -> str:
        return self.members[0].subject


Wanted = Callable[[Judged, Reason], bool]


def is_open(one: Judged, reason: Reason) -> bool:
    """Whether it counts: not skipped, not known, no mere note."""
    return one.outcome.status is not Status.SKIPPED and is_problem(reason)


def findings(
    report: AnyReport, wanted: Wanted = is_open, *, together: bool = True
) -> Sequence[Finding]:
    """The causes of what is wanted.

    Args:
        report: What was found.
        wanted: Which reasons of which outcomes are told.
        together: Whether equal causes are told once, with all their outcomes.
    """
    several = has_several_servers(report)
    found: dict[object, Finding] = {}
    for one in judged(report):
        for reason in one.outcome.reasons:
            if not wanted(one, reason):
                continue
            key = _cause(one, reason) if together else len(found)
            finding = found.get(key)
            if finding is None:
                finding = Finding(one.run, one.phase, one.outcome, reason, one.kind(reason))
                found[key] = finding
            member = Member(subject_of(one, several=several), place_of(one.outcome, reason))
            finding.members.append(member)
    return sorted(found.values(), key=lambda one: (one.phase != ENDED, one.severity.rank))


def _cause(one: Judged, reason: Reason) -> object:
    return (
        *(one.phase, reason.severity, reason.type, reason.rule, said_by(reason), reason.fix),
        *(reason.expected, reason.got),
    )


def subject_of(one: Judged, *, several: bool, titled: bool = False) -> str:
    """The name of what was judged, on one line; behind its server's where there are several."""
    name = one_line(one.title if titled else one.subject)
    return f"{one_line(one.run.label)}/{name}".removesuffix("/") if several else name
