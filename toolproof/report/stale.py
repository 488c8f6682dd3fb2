"""Entries of a baseline whose problem is gone: findings too, so that a baseline only shrinks."""

from collections.abc import Sequence

from toolproof.records import record
from toolproof.report.section import Outcome, Place, Reason, Status

GROUP = "baseline"
"""The group of outcomes that they make up."""

RULE = "baseline-stale"
FIX = "Remove it: toolproof baseline --prune"


@record(kw_only=True)
class StaleEntry:
    """An entry of the baseline whose problem did not occur, though its subject was judged.

    Attributes:
        phase: The phase that would have found it; likewise rule, subject and pointer.
        reason: Why it was let pass.
        place: Its line in the baseline file.
    """

    fingerprint: str
    phase: str
    rule: str
    subject: str
    pointer: str | None = None
    reason: str = ""
    place: Place | None = None

    @property
    def message(self) -> str:
        """What is wrong, in words."""
        what = " ".join(part for part in (self.phase, self.rule, self.subject) if part)
        where = f" at {self.pointer}" if self.pointer else ""
        why = f", known as {self.reason!r}" if self.reason else ""
        return f"the baseline lets pass what no longer occurs: {what}{where}{why}"


def stale_outcomes(entries: Sequence[StaleEntry]) -> Sequence[Outcome]:
    """A failed outcome for each."""
    return [
        Outcome(
            name=entry.subject or entry.rule or entry.fingerprint,
            status=Status.FAILED,
            reasons=(
                Reason(
                    message=entry.message,
                    type=RULE,
                    rule=RULE,
                    fix=FIX,
                    place=entry.place,
                    fingerprint=entry.fingerprint,
                ),
            ),
            place=entry.place,
        )
        for entry in entries
    ]
