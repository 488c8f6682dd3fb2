"""Several runs in one report: of several servers, or merged from shards."""

from collections.abc import Sequence

from toolproof.records import record
from toolproof.report.run import RunReport
from toolproof.report.section import Status


@record
class Collection:
    """The reports of several servers, in the order of the file."""

    reports: tuple[RunReport, ...]

    @property
    def passed(self) -> bool:
        """Whether there is a report, and all of them passed."""
        return bool(self.reports) and all(report.passed for report in self.reports)

    @property
    def exit_code(self) -> int:
        """The highest of the reports' codes; 2 where there is none."""
        return max((report.exit_code for report in self.reports), default=2)

    @property
    def outcome(self) -> str:
        """The exit code as a word: passed, failed or error."""
        return {0: "passed", 1: "failed"}.get(self.exit_code, "error")

    @property
    def verdict(self) -> Status:
        """The verdict of the report with the highest exit code."""
        worst = max(self.reports, key=lambda report: report.exit_code, default=None)
        return worst.verdict if worst else Status.SKIPPED

    @property
    def duration_s(self) -> float:
        """Of all the runs together, in seconds."""
        return sum(round(report.duration_s, 6) for report in self.reports)


AnyReport = RunReport | Collection
"""What every reporter takes."""


def runs_of(report: AnyReport) -> Sequence[RunReport]:
    """The runs in a report: one, or those of the collection."""
    return report.reports if isinstance(report, Collection) else (report,)
