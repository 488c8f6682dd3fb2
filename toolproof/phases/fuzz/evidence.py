"""Calls that rules without a kind of finding shall judge: those go to `checks` (pure)."""

from collections.abc import Iterator
from typing import Any

from toolproof.connection.results import call_result
from toolproof.connection.wire import Outcome
from toolproof.judgement.numbers import unsafe_integers
from toolproof.judgement.tokens import json_size, tokens_of
from toolproof.phases.fuzz.generate import ABSENT, Case
from toolproof.phases.fuzz.judge import Judged
from toolproof.phases.fuzz.subject import Subject
from toolproof.report import CallSeen
from toolproof.report.fuzz import InputMode

_MOST_TOKENS = 25_000
"""A larger result is one that the rule `result-size` tells."""
_ECHO = 8
"""A result that is no more than so many times as large as its input is what was asked for."""


def evidence_of(subject: Subject, case: Case, judged: Judged, outcome: Outcome) -> CallSeen | None:
    """The call, if a rule that has no kind of finding will say something new of its tool."""
    if case.mode is not InputMode.VALID or outcome.result is None or judged.verdicts:
        return None
    rules = set(_broken(case, judged, outcome)) - subject.told_rules
    if not rules:
        return None
    subject.told_rules |= rules
    sent = None if case.arguments is ABSENT else case.arguments
    result = call_result(subject.name, sent, outcome, 0.0)
    return CallSeen(tool=subject.tool, result=result, valid=True)


def _broken(case: Case, judged: Judged, outcome: Outcome) -> Iterator[str]:
    """The rules, by a quick look: they judge themselves later."""
    result: dict[str, Any] = outcome.result or {}
    if judged.told_as_success:
        yield "error-as-success"
    size = len(outcome.raw)
    large = size > _MOST_TOKENS and tokens_of(judged.said) > _MOST_TOKENS
    if large and size > _ECHO * json_size(case.arguments):
        yield "result-size"
    structured = result.get("structuredContent")
    if structured is not None:
        sent = {number for _, number in unsafe_integers(case.arguments)}
        if any(number not in sent for _, number in unsafe_integers(structured)):
            yield "unsafe-integer"
