"""GitLab's code quality report: what checks and fuzzing found, on lines of a merge request."""

from collections.abc import Iterator
from typing import Any

from toolproof.report import AnyReport, Reason
from toolproof.reporters.causes import Finding, findings, is_open
from toolproof.reporters.escape import one_line
from toolproof.reporters.json_text import json_document
from toolproof.reporters.view import CODE_PHASES, Judged, home_of, said_by
from toolproof.text import shorten

_SEVERITIES = {"error": "major", "warning": "minor", "info": "info"}
_CRITICAL = frozenset({"fuzz.crash", "fuzz.hang"})
_DESCRIPTION = 1000


def render(report: AnyReport) -> str:
    """A JSON array; empty where all is well, since GitLab else keeps the entries of before."""
    entries = {entry["fingerprint"]: entry for entry in reversed(list(_entries(report)))}
    listed = list(reversed(entries.values()))
    return json_document(listed)


def _entries(report: AnyReport) -> Iterator[dict[str, Any]]:
    for finding in findings(report, _is_of_code, together=False):
        place = finding.place or home_of(finding.run)
        yield {
            "description": _description(finding),
            "check_name": one_line(finding.kind),
            "fingerprint": finding.fingerprint,
            "severity": _severity(finding.reason),
            "location": {
                "path": one_line(place.file).removeprefix("./"),
                "lines": {"begin": place.line},
            },
        }


def _is_of_code(one: Judged, reason: Reason) -> bool:
    return one.phase in CODE_PHASES and is_open(one, reason)


def _description(finding: Finding) -> str:
    said = shorten(one_line(said_by(finding.reason)), _DESCRIPTION)
    return f"{finding.subject}: {said}" if finding.subject else said


def _severity(reason: Reason) -> str:
    return "critical" if reason.type in _CRITICAL else _SEVERITIES[str(reason.severity)]
