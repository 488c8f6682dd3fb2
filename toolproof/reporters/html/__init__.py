"""HTML: one page to read, to search and to pass on; it asks for nothing from the network."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from toolproof.records import record
from toolproof.report import AnyReport, BenchSection, Outcome, RunReport, Status, runs_of
from toolproof.report.totals import totals_of
from toolproof.reporters.escape import html_text, one_line
from toolproof.reporters.html import page
from toolproof.reporters.html.chart import chart, figures
from toolproof.reporters.html.outcomes import Blocks, Room
from toolproof.reporters.view import Judged
from toolproof.text import count, shorten

MOST_BYTES = 5 * 1000 * 1000
"""A longer page opens slowly; it tells less of what passed, then of what failed."""

_MANY = 300  # outcomes; of more, the browser draws only those in view

_ORDER = {
    Status.ERRORED: 0,
    Status.FAILED: 0,
    Status.WARNED: 1,
    Status.SKIPPED: 2,
    Status.PASSED: 3,
}


@record
class _Rung:
    """How much is told; the first that fits is taken.

    Attributes:
        most: Outcomes that are told of each phase, the worst first.
        worst: The last place in the order of statuses that is told.
    """

    room: Room
    most: int = 1 << 60
    worst: int = 3
    said: str = ""


_SHORT = Room(text=1000, stderr=0, facts=False)
_LADDER = (
    _Rung(Room()),
    _Rung(_SHORT, said="To keep this page small, long texts are cut."),
    _Rung(
        _SHORT,
        worst=2,
        said="To keep this page small, long texts are cut and what passed is left out.",
    ),
    _Rung(
        replace(_SHORT, text=400),
        most=1000,
        worst=1,
        said="To keep this page small, only the worst 1,000 outcomes of each phase are told, in short.",
    ),
    _Rung(
        replace(_SHORT, text=200),
        most=200,
        worst=0,
        said="To keep this page small, only the first 200 failures of each phase are told, in short.",
    ),
    _Rung(
        _SHORT,
        most=0,
        said="To keep this page small, it has the totals alone: see the JSON report.",
    ),
)


def render(report: AnyReport, *, most_bytes: int = MOST_BYTES) -> str:
    """The report as one file, with its style and script inside."""
    blocks = Blocks(report)
    for rung in _LADDER[:-1]:
        text = _joined(_parts(report, blocks, rung), most_bytes)
        if text is not None:
            return text
    return "".join(_parts(report, blocks, _LADDER[-1]))


def _joined(parts: Iterator[str], most_bytes: int) -> str | None:
    kept: list[str] = []
    size = 0
    for part in parts:
        size += len(part) if part.isascii() else len(part.encode())
        if size > most_bytes:
            return None
        kept.append(part)
    return "".join(kept)


def _parts(report: AnyReport, blocks: Blocks, rung: _Rung) -> Iterator[str]:
    runs = runs_of(report)
    yield page.head(report)
    yield page.verdict(report, blocks)
    yield page.tools(report, many=sum(len(o) for run in runs for _, o in run.groups) > _MANY)
    if rung.said:
        yield f'<p class="none">{rung.said}</p>\n'
    if rung.most:
        yield page.causes(blocks)
    for run in runs:
        if len(runs) > 1:
            yield f'<h2 class="server whole">{html_text(shorten(one_line(run.label), 200))}</h2>\n'
        for phase, outcomes in page.filled(run):
            anchor = blocks.part(run, phase)
            level = "h3" if len(runs) > 1 else "h2"
            yield page.section_head(phase, outcomes, anchor, level)
            yield from _section(run, phase, outcomes, blocks, rung)
            yield "</section>\n"
    yield page.notes(report)
    yield page.rules(blocks)
    yield page.end(report)


def _section(
    run: RunReport, phase: str, outcomes: Sequence[Outcome], blocks: Blocks, rung: _Rung
) -> Iterator[str]:
    extras = _charts(run, phase, outcomes) if rung.room.facts else {}
    told = sorted(outcomes, key=lambda one: _ORDER[one.status])
    told = [one for one in told if _ORDER[one.status] <= rung.worst][: rung.most]
    groups: dict[bool, list[Outcome]] = {False: [], True: []}
    for outcome in told:
        quiet = outcome.status in (Status.PASSED, Status.SKIPPED) and id(outcome) not in extras
        groups[quiet].append(outcome)
    for outcome in groups[False]:
        yield blocks.block(
            Judged(run, phase, outcome), rung.room, extra=extras.get(id(outcome), "")
        )
    if groups[True]:
        yield f'<details class="rest"><summary>{_rest_words(groups[True])}</summary>\n'
        for outcome in groups[True]:
            yield blocks.block(Judged(run, phase, outcome), rung.room)
        yield "</details>\n"
    left_out = len(outcomes) - len(told)
    if left_out:
        yield f'<p class="none">{count(left_out, "more outcome")} left out.</p>\n'


def _rest_words(outcomes: Sequence[Outcome]) -> str:
    totals = totals_of(outcomes)
    parts = [f"what passed ({totals.passed:,})"] if totals.passed else []
    parts += [f"what was skipped ({totals.skipped:,})"] if totals.skipped else []
    return f"Show {' and '.join(parts)}"


def _charts(run: RunReport, phase: str, outcomes: Sequence[Outcome]) -> dict[int, str]:
    """The picture of each benchmarked target, by the identity of its outcome."""
    if phase != BenchSection.phase or len(run.bench) != len(outcomes):
        return {}
    both = zip(outcomes, run.bench, strict=True)
    return {
        id(outcome): chart(target) + figures(target) for outcome, target in both if target.calls
    }
