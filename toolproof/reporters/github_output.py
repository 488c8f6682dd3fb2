"""What a step of a GitHub job gives to the steps after it: lines for `$GITHUB_OUTPUT`."""

import secrets
from collections.abc import Iterator, Mapping

from toolproof.report import AnyReport, PhaseName, Severity, runs_of
from toolproof.report.totals import Totals, is_problem, totals_by_phase
from toolproof.reporters.escape import one_line
from toolproof.reporters.view import judged

PATHS = ("junit", "json", "html", "sarif", "summary")
"""The reports whose paths are told."""


def github_output(
    report: AnyReport, paths: Mapping[str, str], *, delimiter: str | None = None
) -> str:
    """A block for each output, in the form that holds any value.

    Args:
        report: What was found.
        paths: Of the reports that were written, by name, relative to the workspace.
        delimiter: What ends a value; drawn anew if it is not given, as a known one can be forged.
    """
    end = delimiter or f"toolproof_{secrets.token_hex(16)}"
    return "".join(
        f"{name}<<{end}\n{one_line(value)}\n{end}\n" for name, value in _outputs(report, paths)
    )


def _outputs(report: AnyReport, paths: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    totals = sum(totals_by_phase(report).values(), Totals())
    yield "outcome", report.outcome
    yield "exit-code", str(report.exit_code)
    yield "tests", str(totals.all)
    yield "passed", str(totals.passed + totals.warned)
    yield "failed", str(totals.failed)
    yield "errors", str(totals.errored)
    yield "skipped", str(totals.skipped)
    for severity in Severity:
        yield f"check-{severity}s", str(_problems(report, PhaseName.CHECKS, severity))
    yield "fuzz-findings", str(sum(_problems(report, PhaseName.FUZZ, one) for one in Severity))
    seeds = dict.fromkeys(str(run.seed) for run in runs_of(report) if run.seed is not None)
    yield "seed", ", ".join(seeds)
    for name in PATHS:
        yield f"{name}-path", paths.get(name, "")
    yield "version", next((run.toolproof_version for run in runs_of(report)), "")


def _problems(report: AnyReport, phase: PhaseName, severity: Severity) -> int:
    return sum(
        reason.severity is severity and is_problem(reason)
        for one in judged(report)
        if one.phase == phase
        for reason in one.outcome.reasons
    )
