"""What every format shows of an outcome: the words for it, and where it points."""

from collections.abc import Iterator

from toolproof.records import record
from toolproof.report import (
    AnyReport,
    CheckSection,
    Outcome,
    Place,
    Reason,
    RuleCard,
    RunReport,
    Severity,
    runs_of,
)
from toolproof.report.totals import is_problem

ENDED = "toolproof"
"""The group of what ended a run early."""

CODE_PHASES = frozenset({"checks", "protocol", "fuzz", ENDED})
"""Phases whose findings are about the server's code, for formats that show code alone."""

_OWN_NAMES = {"tests": "test", "evals": "eval", "bench": "bench"}
_QUOTED = frozenset({*_OWN_NAMES, "protocol"})  # phases whose outcomes are called by a sentence


@record
class Judged:
    """One outcome, with the run and the phase that it belongs to."""

    run: RunReport
    phase: str
    outcome: Outcome

    @property
    def subject(self) -> str:
        """The tool, or the name of the test in quotes; nothing for what ended the run."""
        name = self.outcome.name
        if self.phase == ENDED:
            return ""
        return f'"{name}"' if self.phase in _QUOTED else name

    @property
    def title(self) -> str:
        """The subject with its kind, for places that do not say it: `test "rejects bad date"`."""
        kind = _OWN_NAMES.get(self.phase)
        return f"{kind} {self.subject}" if kind else self.subject

    def kind(self, reason: Reason) -> str:
        """What kind of thing is wrong, in a word: a rule's id, `crash`, `test`, `server start`."""
        if self.phase == ENDED:
            return self.outcome.name
        if reason.rule:
            return reason.rule
        return _OWN_NAMES.get(self.phase) or reason.type.partition(".")[2] or self.phase


def judged(report: AnyReport) -> Iterator[Judged]:
    """Every outcome, in the order of the servers and of the phases."""
    for run in runs_of(report):
        for phase, outcomes in run.groups:
            for outcome in outcomes:
                yield Judged(run, phase, outcome)


def place_of(outcome: Outcome, reason: Reason) -> Place | None:
    """Where a reason shows: its own place, else the outcome's."""
    return reason.place or outcome.place


def pointer_of(reason: Reason) -> str:
    """The words ", at POINTER", where there is one that the message does not have."""
    told = not reason.pointer or reason.pointer in reason.message
    return "" if told else f", at {reason.pointer}"


def said_by(reason: Reason) -> str:
    """The message, with the pointer."""
    return reason.message + pointer_of(reason)


def is_said(stderr: str, reason: Reason) -> bool:
    """Whether the message quotes all that the server wrote to stderr: a single line."""
    return "\n" not in (line := stderr.strip()) and line in reason.message


def problems_of(outcome: Outcome) -> list[Reason]:
    """The reasons that count, the worst first; what is only worth knowing is left out."""
    found = [reason for reason in outcome.reasons if is_problem(reason)]
    return sorted(found, key=lambda reason: reason.severity.rank)


def notable(outcome: Outcome) -> list[Reason]:
    """The reasons that are at least a warning, the worst first."""
    return [reason for reason in problems_of(outcome) if reason.severity is not Severity.INFO]


def known_of(outcome: Outcome) -> list[Reason]:
    """The reasons that the baseline lets pass."""
    return [reason for reason in outcome.reasons if reason.known is not None]


def has_several_servers(report: AnyReport) -> bool:
    """Whether names of tools need their server's beside them."""
    return len(runs_of(report)) > 1


def cards_of(report: AnyReport) -> dict[str, RuleCard]:
    """What is known of each rule that a problem names, by its id."""
    return {
        card.id: card
        for run in runs_of(report)
        for section in run.sections
        if isinstance(section, CheckSection)
        for card in section.rules
    }


def home_of(run: RunReport) -> Place:
    """Where a finding shows that has no place of its own: the config's first line."""
    return run.error_place or Place(run.config_file or "toolproof.yaml", 1)
