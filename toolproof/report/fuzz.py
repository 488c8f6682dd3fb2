"""What generated inputs brought to light."""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any, ClassVar

from toolproof.records import record
from toolproof.report.section import (
    Outcome,
    PhaseName,
    Place,
    Reason,
    Severity,
    Status,
    status_of,
    worst_first,
)
from toolproof.report.values import json_of
from toolproof.text import shorten


class InputMode(StrEnum):
    """Whether an input was made to fit the tool's schema."""

    VALID = "valid"
    INVALID = "invalid"


@record(kw_only=True)
class FuzzFinding:
    """One kind of misbehaviour, with the smallest input that showed it.

    Attributes:
        kind: What went wrong: "crash", "hang" and so on (phases.md, fuzz).
        mode: Whether the input fits the schema.
        input: The smallest arguments that showed it, an object in all but calls whose `arguments`
            are of a wrong type; None for a call without `arguments`.
        detail: What the server said or did.
        reason: How the input was made: "width=maximum", "day missing".
        reproducible: How often it showed in `replays` replays on a fresh server; None if not tried.
        repeat: One command line that repeats the call.
        also: Other tools that show the same cause.
        steps: Where one call does not show it: all that do, in order, as a test writes them.
        rule: The id of the rule that the kind stands for, if one does.
    """

    kind: str
    mode: InputMode
    input: Any
    detail: str
    severity: Severity = Severity.ERROR
    reason: str = ""
    rule: str | None = None
    reproducible: int | None = None
    replays: int = 3
    stderr: str = ""
    exit_status: str | None = None
    repeat: str | None = None
    also: tuple[str, ...] = ()
    steps: tuple[Mapping[str, Any], ...] = ()
    fingerprint: str = ""
    known: str | None = None


@record(kw_only=True)
class FuzzResult:
    """Everything that fuzzing found in one tool.

    Attributes:
        calls: How many inputs were called, once each.
        more_calls: Calls besides: replays, shrinking, repeated and chained calls.
        error: Why the tool could not be judged to the end: a fault of toolproof itself.
        empty: Whether no valid call succeeded, so that a pass would say nothing.
        skipped: Why the tool was not fuzzed, if it was not.
        notes: What is worth knowing and no finding: that every valid call failed, say.
    """

    tool: str
    calls: int = 0
    more_calls: int = 0
    empty: bool = False
    error: str | None = None
    findings: tuple[FuzzFinding, ...] = ()
    skipped: str | None = None
    notes: tuple[str, ...] = ()
    duration_s: float = 0.0
    place: Place | None = None

    @property
    def passed(self) -> bool:
        """Only errors fail; a skipped tool does not."""
        return self.error is None and not any(
            finding.severity is Severity.ERROR and finding.known is None
            for finding in self.findings
        )


@record(kw_only=True)
class FuzzSection:
    """The tools, in the order in which the server lists them.

    Attributes:
        seed: Gives the same inputs again.
        whole: In a shard: every tool that is fuzzed, of which only some belong to it; else empty.
    """

    phase: ClassVar[PhaseName] = PhaseName.FUZZ

    seed: int
    results: tuple[FuzzResult, ...] = ()
    whole: tuple[str, ...] = ()
    duration_s: float = 0.0

    def outcomes(self, fail_on: Severity | None) -> Sequence[Outcome]:
        return [_outcome(result, fail_on) for result in self.results]


def _outcome(result: FuzzResult, fail_on: Severity | None) -> Outcome:
    if result.skipped is not None:
        why = Reason(message=result.skipped, severity=Severity.INFO, type="fuzz.skipped")
        return Outcome(name=result.tool, status=Status.SKIPPED, reasons=(why,), place=result.place)
    reasons = worst_first([_reason(finding) for finding in result.findings])
    status = status_of(reasons, fail_on)
    if result.empty and status is Status.PASSED:
        status = Status.WARNED
    if result.error is not None and not status.fails:
        status = Status.ERRORED
        bug = f"toolproof failed on this tool, please report it: {result.error}"
        reasons = (Reason(message=bug, type="fuzz.internal-error"), *reasons)
    notes = tuple(
        Reason(message=note, severity=Severity.INFO, type="fuzz.note") for note in result.notes
    )
    return Outcome(
        name=result.tool,
        status=status,
        reasons=reasons + notes,
        facts=(("calls", f"{result.calls:,}"),),
        place=result.place,
        duration_ms=result.duration_s * 1000,
        stderr=next((f.stderr for f in result.findings if f.stderr), ""),
    )


def _reason(finding: FuzzFinding) -> Reason:
    shown = "no arguments"
    if finding.input is not None:
        shown = shorten(json_of(finding.input), 400)  # whole in the JSON report, and in `repeat`
    after = f", {finding.reason}" if finding.steps else ""
    return Reason(
        message=f"{finding.kind} on {finding.mode} input {shown}{after}: {finding.detail}",
        severity=finding.severity,
        type=f"fuzz.{finding.kind}",
        rule=finding.rule,
        repeat=finding.repeat,
        fingerprint=finding.fingerprint,
        known=finding.known,
    )
