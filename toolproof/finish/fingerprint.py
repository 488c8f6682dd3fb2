"""A name for every problem, the same in every run: for baselines, SARIF and Code Quality."""

import re
from dataclasses import replace

from toolproof.report import (
    BenchSection,
    EvalSection,
    FuzzFinding,
    FuzzSection,
    PhaseName,
    RunReport,
    Section,
    ToolTestSection,
)
from toolproof.report.fingerprint import fingerprint

CASE, GATE, LIMIT = "case", "gate", "limit"
"""In place of a rule: of an eval's case, an eval's gate, a bench target's limits."""

_QUOTED = re.compile(r"'[^'\n]{0,300}'|\"[^\"\n]{0,300}\"|`[^`\n]{0,300}`")
_NUMBER = re.compile(r"0x[0-9a-fA-F]+|\b[0-9a-fA-F]{8,}\b|\d+(?:[.,]\d+)*")
_MOST = 200


def named_server(report: RunReport) -> str:
    """The server's name in fingerprints: in toolproof.yaml, else its own; empty where it has none.

    Never its command or address, which differ between machines.
    """
    if report.alias is not None and report.alias != report.target:
        return report.alias
    return report.server_name or ""


def with_fingerprints(report: RunReport) -> RunReport:
    """The report in which every problem has its fingerprint; checks have theirs from their rules."""
    server = named_server(report)
    sections = tuple(_marked(section, server) for section in report.sections)
    return replace(report, sections=sections)


def skeleton(detail: str) -> str:
    """What stays of the words for a cause when values, numbers and addresses are taken out."""
    first = detail.strip().partition("\n")[0][: 4 * _MOST]
    return _NUMBER.sub("N", _QUOTED.sub("'…'", first)).casefold()[:_MOST]


def _marked(section: Section, server: str) -> Section:
    match section:
        case ToolTestSection():
            tests = (
                replace(one, fingerprint=fingerprint(PhaseName.TESTS, "", server, one.name))
                for one in section.results
            )
            return replace(section, results=tuple(tests))
        case BenchSection():
            targets = (
                replace(one, fingerprint=fingerprint(PhaseName.BENCH, LIMIT, server, one.name))
                for one in section.results
            )
            return replace(section, results=tuple(targets))
        case EvalSection():
            return _marked_evals(section, server)
        case FuzzSection():
            tools = (
                replace(
                    tool,
                    findings=tuple(
                        finding
                        if finding.fingerprint
                        else replace(finding, fingerprint=_of_finding(finding, server, tool.tool))
                        for finding in tool.findings
                    ),
                )
                for tool in section.results
            )
            return replace(section, results=tuple(tools))
        case _:
            return section


def _marked_evals(section: EvalSection, server: str) -> EvalSection:
    cases = (
        replace(one, fingerprint=fingerprint(PhaseName.EVALS, CASE, server, one.name))
        for one in section.cases
    )
    gates = {
        name: fingerprint(PhaseName.EVALS, GATE, server, name) for name in section.broken_gates
    }
    return replace(section, cases=tuple(cases), fingerprints=gates)


def _of_finding(finding: FuzzFinding, server: str, tool: str) -> str:
    return fingerprint(PhaseName.FUZZ, finding.kind, server, tool, skeleton(finding.detail))
