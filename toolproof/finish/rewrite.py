"""A baseline after another run: what is new comes in, what is gone may go, the rest stays."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date

from toolproof.finish.baseline import Baseline, Entry, entry_of, stale_entries
from toolproof.finish.fingerprint import named_server
from toolproof.finish.problems import problems_of
from toolproof.report import AnyReport, Severity, runs_of
from toolproof.text import count


@dataclass(frozen=True, slots=True, kw_only=True)
class Rewritten:
    """A new baseline, and how it came about.

    Attributes:
        entries: All of it.
        new: How many entries are new.
        renewed: How many had expired and got the new reason.
        gone: How many entries have no problem any more.
        nameless: How many problems got no entry, as there is no reason for them.
    """

    entries: Sequence[Entry]
    new: int
    renewed: int
    gone: int
    pruned: bool
    nameless: int

    @property
    def told(self) -> str:
        """All of it in words."""
        parts = [
            f"{self.new:,} new" if self.new else "",
            f"{self.renewed:,} renewed" if self.renewed else "",
            f"{self.gone:,} {'taken out' if self.pruned else 'without their problem'}"
            if self.gone
            else "",
        ]
        words = ", ".join(filter(None, parts))
        whole = count(len(self.entries), "known problem")
        left = f"; {self.told_nameless} no entry, as there is no --reason" if self.nameless else ""
        return f"{whole}{f' ({words})' if words else ''}{left}"

    @property
    def told_nameless(self) -> str:
        """How many problems have no entry: "1 problem has"."""
        return f"{count(self.nameless, 'problem')} {'has' if self.nameless == 1 else 'have'}"


def rewritten(  # noqa: PLR0913 - what a user may say of it
    report: AnyReport,
    old: Baseline,
    *,
    reason: str,
    expires: date | None,
    today: date,
    least: Severity,
    prune: bool,
    live: Callable[[str], bool],
) -> Rewritten:
    """The baseline for what the report found.

    Args:
        report: What there is now.
        old: What was known before: it keeps its reasons and its days.
        reason: Of new entries, and of those that had expired; without one there are none.
        expires: The last day of new entries.
        today: For entries that have expired.
        least: The lowest severity that gets an entry.
        prune: Whether entries without their problem are taken out.
        live: As for `held_against`.
    """
    of: dict[str, list[Entry]] = defaultdict(list)
    for entry in reversed(old.entries):
        of[entry.fingerprint].append(entry)
    kept: list[Entry] = []
    new = renewed = nameless = 0
    for run in runs_of(report):
        server = named_server(run)
        for found in problems_of(run):
            before = of[found.fingerprint].pop() if of.get(found.fingerprint) else None
            now = replace(entry_of(found, server), reason=reason, expires=expires)
            if before is not None:
                expired = before.expires is not None and before.expires < today
                renews = expired and bool(reason)
                renewed += renews
                kept.append(
                    now if renews else replace(now, reason=before.reason, expires=before.expires)
                )
            elif not found.severity.at_least(least) or not found.fingerprint:
                continue
            elif reason:
                new += 1
                kept.append(now)
            else:
                nameless += 1
    gone = {id(entry) for entry in stale_entries(report, old, live)}
    for entries in of.values():
        kept += [entry for entry in entries if not (prune and id(entry) in gone)]
    return Rewritten(
        entries=sorted(kept, key=lambda entry: entry.order),
        new=new,
        renewed=renewed,
        gone=len(gone),
        pruned=prune,
        nameless=nameless,
    )
