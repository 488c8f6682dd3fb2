"""The shape that every phase's findings take, so that a reporter needs to know no phase."""

from collections.abc import Sequence
from enum import StrEnum
from typing import ClassVar, Protocol

from toolproof.records import record


class PhaseName(StrEnum):
    """The phases, in the order in which they run and in which a report shows them."""

    CHECKS = "checks"
    PROTOCOL = "protocol"
    TESTS = "tests"
    EVALS = "evals"
    BENCH = "bench"
    FUZZ = "fuzz"


class Severity(StrEnum):
    """How bad a problem is, the worst first."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"

    @property
    def rank(self) -> int:
        """0 for the worst."""
        return _RANKS[self]

    def at_least(self, limit: "Severity | None") -> bool:
        """Whether this is as bad as `limit`, or worse; None is a limit that nothing reaches."""
        return limit is not None and self.rank <= limit.rank


_RANKS = {severity: rank for rank, severity in enumerate(Severity)}


class Status(StrEnum):
    """A verdict. FAILED: judged and wrong. ERRORED: could not be judged. WARNED: has problems, all
    below the failing severity.
    """  # noqa: D205 - one sentence for each word

    PASSED = "passed"
    WARNED = "warned"
    FAILED = "failed"
    ERRORED = "errored"
    SKIPPED = "skipped"

    @property
    def fails(self) -> bool:
        return self in (Status.FAILED, Status.ERRORED)


@record
class Place:
    """A line of a file that an outcome is about.

    Attributes:
        file: Relative to the workspace, with `/`.
        line: From 1.
        by: How it was found: config, definition, description or override.
    """

    file: str
    line: int
    by: str = "config"


@record(kw_only=True)
class Reason:
    """One of the reasons why an outcome did not simply pass. Its text may be the server's: escape it.

    Attributes:
        message: One line or more; the first line can stand alone.
        type: What kind of reason, for machines: `checks.<rule>`, `fuzz.<kind>`, `tests.timeout`.
        rule: The id of the rule that was broken, if a rule was.
        family: What the rule is about: the check that it belongs to.
        pointer: A JSON pointer into the tool's definition, if it is about a part of it.
        fix: What to do about it, as an imperative sentence.
        place: Where it shows, if not where the outcome does.
        expected: What should have come, for a diff; likewise `got`.
        repeat: A command line that shows it again.
        fingerprint: The same for the same problem in every run (reports.md, section 6).
        known: Why the baseline lets it pass, if it does.
    """

    message: str
    severity: Severity = Severity.ERROR
    type: str = ""
    rule: str | None = None
    family: str | None = None
    pointer: str | None = None
    fix: str | None = None
    place: Place | None = None
    expected: str | None = None
    got: str | None = None
    repeat: str | None = None
    fingerprint: str = ""
    known: str | None = None


@record(kw_only=True)
class Outcome:
    """One thing that was judged, alike for every phase.

    Attributes:
        name: A tool (checks, fuzz), a test, an eval case or gate, a bench target.
        reasons: Why it did not simply pass, the worst first. For SKIPPED: why it was skipped.
        facts: Labelled measurements, already rendered with their units.
        place: The line of toolproof.yaml, or of the server's source, that it is about.
        stderr: The server's last lines, where they may explain a failure.
    """

    name: str
    status: Status
    reasons: tuple[Reason, ...] = ()
    facts: tuple[tuple[str, str], ...] = ()
    place: Place | None = None
    duration_ms: float | None = None
    stderr: str = ""


class Section(Protocol):
    """What one phase found."""

    phase: ClassVar[PhaseName]

    @property
    def duration_s(self) -> float:
        """Wall-clock time of the phase."""

    def outcomes(self, fail_on: Severity | None) -> Sequence[Outcome]:
        """Everything that was judged, in the order in which it ran.

        Args:
            fail_on: The lowest severity that fails; None where no problem fails.
        """


def worst_first(reasons: Sequence[Reason]) -> tuple[Reason, ...]:
    """Errors before warnings before infos, else in the order given."""
    return tuple(sorted(reasons, key=lambda reason: reason.severity.rank))


def status_of(reasons: Sequence[Reason], fail_on: Severity | None) -> Status:
    """FAILED where a reason that is not known is at or above the limit, WARNED where there are others."""
    open_reasons = [reason for reason in reasons if reason.known is None]
    if any(reason.severity.at_least(fail_on) for reason in open_reasons):
        return Status.FAILED
    if open_reasons and any(reason.severity is not Severity.INFO for reason in open_reasons):
        return Status.WARNED
    if reasons and not open_reasons:
        return Status.SKIPPED
    return Status.PASSED
