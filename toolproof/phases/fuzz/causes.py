"""One finding for each cause: over the inputs of a tool, over all tools, less the habits of an SDK (pure)."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from toolproof.phases.fuzz.generate.simpler import weight
from toolproof.phases.fuzz.subject import Hit, Subject
from toolproof.phases.fuzz.verdict import Kind
from toolproof.report import Severity
from toolproof.text import listed

MOST_WAYS = 3
"""A tool that accepts more sorts of wrong input than this is told once: it does not validate."""


@dataclass(eq=False, slots=True)
class Cause:
    """One fault, with the tool and the input that stand for it.

    Attributes:
        also: Other tools that show the same.
        more: What else the finding says.
    """

    subject: Subject
    hit: Hit
    also: list[str] = field(default_factory=list)
    more: str = ""

    @property
    def kind(self) -> Kind:
        return self.hit.verdict.kind


def causes_of(subjects: Sequence[Subject], habits: Collection[str]) -> list[Cause]:
    """The distinct faults, in the order of the tools, the worst first for each.

    Args:
        habits: Traits of the whole server, which are no finding of a tool.
    """
    wide: dict[tuple[Kind, str], Cause] = {}
    found: list[Cause] = []
    for subject in subjects:
        for cause in _of_tool(subject, habits):
            verdict = cause.hit.verdict
            known = wide.get(verdict.key) if verdict.wide else None
            if known is not None:
                if subject.name not in (known.subject.name, *known.also):
                    known.also.append(subject.name)
                continue
            if verdict.wide:
                wide[verdict.key] = cause
            found.append(cause)
    return found


def _of_tool(subject: Subject, habits: Collection[str]) -> list[Cause]:
    """A tool's causes; wrong inputs that it accepts are told by sort, or all at once if there are many."""
    hits = [hit for hit in subject.hits.values() if hit.verdict.trait not in habits]
    accepted: dict[str, Hit] = {}
    others: list[Hit] = []
    for hit in hits:
        if hit.verdict.kind is not Kind.ACCEPTED_INVALID:
            others.append(hit)
            continue
        sort = hit.verdict.cause.partition(":")[0]
        known = accepted.get(sort)
        if known is None or _before(hit, known):
            accepted[sort] = hit
    causes = [Cause(subject, hit) for hit in others]
    serious = {
        sort: hit for sort, hit in accepted.items() if hit.verdict.severity is Severity.ERROR
    }
    if len(serious) > MOST_WAYS:
        first = min(serious.values(), key=lambda hit: weight(hit.case.arguments))
        rest = [sort for sort, hit in serious.items() if hit is not first]
        causes.append(Cause(subject, first, more=f"it also accepts what breaks {listed(rest)}"))
        accepted = {sort: hit for sort, hit in accepted.items() if sort not in serious}
    causes += [Cause(subject, hit) for hit in accepted.values()]
    return sorted(causes, key=lambda cause: cause.hit.verdict.severity.rank)


def _before(hit: Hit, known: Hit) -> bool:
    """Whether it tells more: a plain fault before what might be a habit, then the lighter one."""
    return _rank(hit) < _rank(known)


def _rank(hit: Hit) -> tuple[object, ...]:
    return bool(hit.verdict.trait), hit.verdict.severity.rank, weight(hit.case.arguments)


def settled(cause: Cause, hit: Hit) -> None:
    """Take up what replays and shrinking made of it."""
    cause.hit = hit
    cause.subject.hits[hit.verdict.key] = hit
