"""SARIF 2.1.0: what checks, protocol and fuzzing found, for code scanning (reports.md, section 11)."""

import zlib
from collections.abc import Sequence
from typing import Any
from urllib.parse import quote

from toolproof.report import AnyReport, Reason, RuleCard, RunReport, Severity, Status, runs_of
from toolproof.report.totals import NOT_COUNTED
from toolproof.reporters.causes import Finding, findings
from toolproof.reporters.escape import identifier, markdown_text, one_line, visible
from toolproof.reporters.json_text import json_document
from toolproof.reporters.view import CODE_PHASES, ENDED, Judged, cards_of, home_of, said_by
from toolproof.text import count, shorten

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
HOME = "https://github.com/toolproof/toolproof"

_MOST_RUNS = 20
_MOST_RESULTS = 25_000
_MOST_GZIPPED = 10 * 1000 * 1000
_MESSAGE = 1000
_ROOT = "%SRCROOT%"
_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}


def render(
    report: AnyReport, *, most_results: int = _MOST_RESULTS, most_gzipped: int = _MOST_GZIPPED
) -> str:
    """A run for each server.

    Args:
        report: What was found.
        most_results: Readers take no more of a run; the worst are kept.
        most_gzipped: Bytes of the compressed file that readers take.
    """
    runs = runs_of(report)
    shown = runs[:_MOST_RUNS]
    while True:
        text = _document(shown, len(runs) - len(shown), most_results)
        small = len(text) * 4 <= most_gzipped or len(zlib.compress(text.encode())) <= most_gzipped
        if small or most_results <= 1:
            return text
        most_results //= 2


def _document(runs: Sequence[RunReport], left_out: int, most_results: int) -> str:
    document = {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [_run(run, most_results, left_out if not at else 0) for at, run in enumerate(runs)],
    }
    return json_document(document)


def _run(run: RunReport, most_results: int, servers_left_out: int) -> dict[str, Any]:
    found = findings(run, _is_of_code, together=False)
    shown = found[:most_results]
    rules = list(dict.fromkeys(one.kind for one in shown))
    index = {rule: at for at, rule in enumerate(rules)}
    cards = cards_of(run)
    driver: dict[str, Any] = {
        "name": "toolproof",
        "informationUri": HOME,
        "rules": [_rule(rule, cards.get(rule)) for rule in rules],
    }
    if run.toolproof_version:
        driver["semanticVersion"] = one_line(run.toolproof_version)
    return {
        "tool": {"driver": driver},
        "automationDetails": {"id": f"toolproof/{identifier(run.label[:100])}/"},
        "invocations": [_invocation(run, len(found) - len(shown), servers_left_out)],
        "columnKind": "utf16CodeUnits",
        "results": [_result(one, index[one.kind]) for one in shown],
    }


def _is_of_code(one: Judged, reason: Reason) -> bool:
    """Known problems too: they are told as suppressed, unless nothing but the new is asked for."""
    if reason.known is not None and one.run.only_new:
        return False
    if one.phase not in CODE_PHASES or one.phase == ENDED or reason.type in NOT_COUNTED:
        return False
    return one.outcome.status is not Status.SKIPPED or reason.known is not None


def _invocation(run: RunReport, left_out: int, servers_left_out: int) -> dict[str, Any]:
    done = run.exit_code in (0, 1)
    invocation: dict[str, Any] = {"executionSuccessful": done, "exitCode": run.exit_code}
    notes = []
    if left_out:
        words = f"{count(left_out, 'more result')} are left out: see the other reports"
        notes.append({"level": "note", "message": {"text": words}})
    if servers_left_out:
        words = f"{count(servers_left_out, 'more server')} are left out: see the other reports"
        notes.append({"level": "note", "message": {"text": words}})
    if not done:
        reasons = [
            reason
            for phase, outcomes in run.groups
            if phase == ENDED
            for outcome in outcomes
            for reason in outcome.reasons
        ]
        notes += [
            {"level": "error", "message": {"text": _plain(visible(reason.message))}}
            for reason in reasons
        ]
    if notes:
        invocation["toolExecutionNotifications"] = notes
    return invocation


def _rule(rule: str, card: RuleCard | None) -> dict[str, Any]:
    """What a reader shows of a rule."""
    title = card.title if card else rule.replace("-", " ").capitalize()
    described: dict[str, Any] = {
        "id": one_line(rule),
        "name": "".join(word.capitalize() for word in identifier(rule).split("-")),
        "shortDescription": {"text": _plain(title or rule)},
        "fullDescription": {"text": _plain((card.why if card else "") or title or rule)},
    }
    tags = ["mcp"]
    if card:
        why, fix, source = (markdown_text(text) for text in (card.why, card.fix, card.source))
        described["help"] = {
            "text": _plain(f"{card.why}\nFix: {card.fix}\nSource: {card.source}"),
            "markdown": f"{why}\n\n**Fix:** {fix}\n\n**Source:** {source}",
        }
        if card.url.startswith("https://"):
            described["helpUri"] = quote(card.url, safe=":/#?&=%~+-._")
        described["defaultConfiguration"] = {"level": _LEVELS[card.severity]}
        tags.append(str(card.check))
    return described | {"properties": {"tags": tags}}


def _result(finding: Finding, rule_index: int) -> dict[str, Any]:
    reason = finding.reason
    place = finding.place or home_of(finding.run)
    words = [said_by(reason), *([f"Fix: {reason.fix}"] if reason.fix else [])]
    if reason.repeat:
        words.append(f"Repeat: {reason.repeat}")
    result: dict[str, Any] = {
        "ruleId": one_line(finding.kind),
        "ruleIndex": rule_index,
        "level": _LEVELS[finding.severity],
        "message": {"text": _plain("\n".join(words))},
        "locations": [
            {
                "physicalLocation": {
                    "artifactLocation": {
                        "uri": quote(visible(place.file).lstrip("/") or "toolproof.yaml", safe="/"),
                        "uriBaseId": _ROOT,
                    },
                    "region": {"startLine": max(place.line, 1)},
                },
                "logicalLocations": [
                    {"name": finding.subject.strip('"') or "(server)", "kind": "function"},
                ],
            }
        ],
        "partialFingerprints": {"toolproof/v1": finding.fingerprint},
    }
    if reason.known is not None:
        result["suppressions"] = [
            {"kind": "external", "justification": _plain(reason.known or "known")}
        ]
    return result


def _plain(text: str) -> str:
    """A message's text: in SARIF `[words](target)` would be a link, also in plain text."""
    return shorten(visible(text), _MESSAGE).replace("](", "] (") or "-"
