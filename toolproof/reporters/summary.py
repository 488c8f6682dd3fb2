"""Markdown for the page of a CI job (reports.md, section 8)."""

from collections.abc import Callable, Iterator, Sequence

from toolproof.report import AnyReport, runs_of
from toolproof.report.totals import Totals, found_words, totals_of
from toolproof.reporters import summary_parts as parts
from toolproof.reporters.causes import findings
from toolproof.reporters.escape import markdown_code, markdown_name
from toolproof.reporters.facts import seconds
from toolproof.text import count

MOST_BYTES = 900_000
"""GitHub drops a step's whole summary above 1,048,576 bytes, and the step stays green."""

_DETAILED = 50
_LISTED = 200
_TITLES = {"checks": "static checks", "toolproof": "run"}
_COLUMNS = ("passed", "warned", "failed", "errored", "skipped")


def render(report: AnyReport, *, title: str = "", most_bytes: int = MOST_BYTES) -> str:
    """The report as Markdown; the same for GitHub, GitLab, Buildkite and Azure.

    Args:
        report: What was found.
        title: Words before the heading: a matrix leg's name.
        most_bytes: How much may be added to what the file already holds.
    """
    page = _Page(report, title)
    rungs: Sequence[Callable[[], Iterator[str]]] = (
        page.whole,
        page.without_passes,
        page.first_failures,
        page.listed_failures,
    )
    for rung in rungs:
        text = _joined(rung(), most_bytes)
        if text is not None:
            return text
    return _joined(page.counts(), 1 << 62) or ""


def _joined(blocks: Iterator[str], most_bytes: int) -> str | None:
    """The blocks with an empty line between them; None as soon as they are too many bytes."""
    kept: list[str] = []
    size = 0
    for block in blocks:
        size += len(block.encode()) + 2
        if size > most_bytes:
            return None
        kept.append(block)
    return "\n\n".join(kept) + "\n\n"


class _Page:
    """One report, and how much of it is told."""

    def __init__(self, report: AnyReport, title: str) -> None:
        self._report = report
        self._title = title
        self._found = findings(report)
        self._failures = [one for one in self._found if one.fails]

    def whole(self) -> Iterator[str]:
        """All there is; of a green run no more than the counts."""
        yield from self._head()
        if self._failures or self._report.exit_code:
            yield from self._details(len(self._failures))
            yield from parts.problems_by_rule(self._report)
            yield from parts.fuzz_findings(self._found)
            yield from parts.measurements(self._report)
            yield from parts.slowest_ones(self._report)
            yield from parts.known_ones(self._report)
        yield self._foot()

    def without_passes(self) -> Iterator[str]:
        """Every failure, and the counts of the rest."""
        yield from self._head()
        yield from self._details(len(self._failures))
        yield from parts.problems_by_rule(self._report)
        yield "Left out, to fit: measurements, the slowest, known problems."
        yield self._foot()

    def first_failures(self) -> Iterator[str]:
        """The first failures in full."""
        yield from self._head()
        yield from self._details(_DETAILED)
        yield self._left_out(_DETAILED)
        yield self._foot()

    def listed_failures(self) -> Iterator[str]:
        """The first failures in a line each."""
        yield from self._head()
        yield "### Failures"
        yield "\n".join(parts.one_liner(one) for one in self._failures[:_LISTED])
        yield self._left_out(_LISTED)
        yield self._foot()

    def counts(self) -> Iterator[str]:
        """The counts alone."""
        yield from self._head()
        yield "The details do not fit here: see the report."
        yield self._foot()

    def _left_out(self, shown: int) -> str:
        number = max(len(self._failures) - shown, 0)
        more = f"{count(number, 'more failure')}, " if number else ""
        return f"Left out, to fit: {more}warnings, measurements, the slowest, known problems: see the report."

    def _head(self) -> Iterator[str]:
        yield self._heading()
        table = list(self._table())
        if len(table) > 2:  # more than its head
            yield "\n".join(table)

    def _heading(self) -> str:
        runs = runs_of(self._report)
        name = count(len(runs), "server") if len(runs) != 1 else _shown_name(runs[0].label)
        found = found_words(self._report)
        before = f"{markdown_name(self._title)} · " if self._title else ""
        if self._report.exit_code == 0:
            return f"## ✅ {before}{name} passed{f': {found}' if found else ''}"
        what = parts.ending(self._report) or found or "failed"
        return f"## ❌ {before}{name}: {what}"

    def _table(self) -> Iterator[str]:
        runs = runs_of(self._report)
        server = "server | " if len(runs) > 1 else ""
        yield f"| {server}phase | {' | '.join(_COLUMNS)} | time |"
        yield f"|{'---|' if server else ''}---|{'--:|' * (len(_COLUMNS) + 1)}"
        for run in runs:
            times = {str(section.phase): section.duration_s for section in run.sections}
            for phase, outcomes in run.groups:
                label = f"{_shown_name(run.label)} | " if server else ""
                time = seconds(times[phase]) if phase in times else ""
                yield f"| {label}{_TITLES.get(phase, phase)} | {_cells(totals_of(outcomes))} | {time} |"

    def _details(self, most: int) -> Iterator[str]:
        if self._failures:
            yield "### Failures"
        for finding in self._failures[:most]:
            yield parts.detail(finding)

    def _foot(self) -> str:
        runs = runs_of(self._report)
        told = [
            ("toolproof", [run.toolproof_version for run in runs]),
            ("MCP", [run.server.protocol if run.server else "" for run in runs]),
            ("seed", ["" if run.seed is None else str(run.seed) for run in runs]),
            ("config", [run.config_file or "" for run in runs]),
        ]
        shown = [
            f"{word} {', '.join(map(markdown_code, values))}"
            for word, given in told
            if (values := list(dict.fromkeys(filter(None, given)))[:5])
        ]
        return f"<sub>{' · '.join([*shown, seconds(self._report.duration_s)])}</sub>"


def _shown_name(label: str) -> str:
    return markdown_name(parts.cut(label, 200))


def _cells(totals: Totals) -> str:
    numbers = (totals.passed, totals.warned, totals.failed, totals.errored, totals.skipped)
    return " | ".join(
        f"**{number:,}**" if at in (2, 3) and number else f"{number:,}"
        for at, number in enumerate(numbers)
    )
