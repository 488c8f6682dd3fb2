"""From what a call gave to what is wrong with it (pure; linear in the size of the answer)."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from toolproof.connection.wire import Failure, JsonObject, Outcome
from toolproof.judgement.content import CONTENT_DATA, content_flaws
from toolproof.judgement.fitting import output_mismatch
from toolproof.judgement.rpc import (
    INTERNAL_ERROR,
    INVALID_PARAMS,
    STANDARD,
    error_code_flaw,
    error_text,
)
from toolproof.judgement.strings import strings_in
from toolproof.judgement.traces import stack_trace, unhandled_exception
from toolproof.judgement.wording import is_environment, mask_cause, reads_like_failure
from toolproof.phases.fuzz.generate import ARGUMENTS, Case, Plan, Stage
from toolproof.phases.fuzz.invalid import accepted
from toolproof.phases.fuzz.leaks import credentials, is_confined, traversal
from toolproof.phases.fuzz.verdict import Kind, Verdict, verdict
from toolproof.phases.fuzz.words import is_internal, is_masked, is_of_the_application, is_refusal
from toolproof.report import Severity, Tool
from toolproof.report.fuzz import InputMode
from toolproof.text import quoted, shorten

_MOST_FLAWS = 20
_HOSTILE = frozenset({Stage.DICTIONARY, Stage.RANDOM})
"""Stages whose inputs a tool may well refuse, though its schema does not say so."""
_FAILURE = re.compile(r"error|fail|exception|traceback", re.IGNORECASE)
_SHORT = 1_000
_MOST_CLEAN = 500
_ECHO = 8
"""Shorter texts of the input hold no exception."""
_GENERIC = 24
"""A message of fewer characters tells too little to be the same fault in two tools."""


@dataclass(slots=True)
class Judged:
    """What is known of a call.

    Attributes:
        verdicts: What is wrong.
        succeeded: Whether a result without isError came, that does not tell of a failure.
        environment: What the server lacked, in words: "the network", "a login"; "" if nothing.
        said: The error's text, or that of a result; for notes, and to learn from.
        odd_code: What is wrong with the code of an error that is none otherwise.
        told_as_success: Whether a failure came without isError, for a valid input.
    """

    verdicts: list[Verdict] = field(default_factory=list)
    succeeded: bool = False
    refused: bool = False
    environment: str = ""
    said: str = ""
    odd_code: str = ""
    told_as_success: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Strictness:
    """What the config asks for.

    Attributes:
        valid_must_succeed: Whether an error for an input that fits the schema is a finding.
        invalid_must_fail: Whether success for an input that does not fit is one.
    """

    valid_must_succeed: bool = False
    invalid_must_fail: bool = True


def _nothing() -> str:
    return ""


class Judge:
    """Judges the calls of one tool.

    Args:
        plan: For the labels, and for what is wrong with an input.
        revision: The agreed one.
    """

    def __init__(
        self, tool: Tool, plan: Plan, revision: str, strictness: Strictness | None = None
    ) -> None:
        self.tool = tool
        self.plan = plan
        self._revision = revision
        self._strictness = strictness or Strictness()
        self._clean: set[str] = set()  # texts with nothing in them that any input could explain
        self._labelled = plan.problem is None
        self._typed = tool.output_schema is not None
        self._confined = is_confined(f"{tool.description} {_descriptions(tool.input_schema)}")

    def judge(self, case: Case, outcome: Outcome, stderr: Callable[[], str] = _nothing) -> Judged:
        """Everything that is wrong with the answer to a case; a lost or a late one is not judged here.

        Args:
            stderr: Gives what the server wrote there during the call.
        """
        judged = Judged()
        if outcome.result is not None:
            self._result(case, outcome.result, judged, stderr)
        elif outcome.error is not None:
            self._error(case, outcome.error, judged)
        elif outcome.failure is Failure.MALFORMED:
            judged.verdicts.append(
                verdict(
                    Kind.WIRE,
                    shorten(outcome.detail),
                    mask_cause(outcome.detail),
                    wide=True,
                    rule="response-invalid",
                )
            )
        return judged

    # Errors

    def _error(self, case: Case, error: JsonObject, judged: Judged) -> None:
        text = error_text(error)
        judged.said = text
        found = judged.verdicts
        found += credentials(text, case.arguments)
        judged.environment = is_environment(text) or ""
        if judged.environment:
            return
        found += self._trace(case, text)
        code = error.get("code")
        inside = self._inside(case, code, text)
        if inside:
            said = quoted(text, 160) if text else "no message"
            found.append(_wide(Kind.INTERNAL_ERROR, f"error {code}: {said}", text))
            return
        judged.odd_code = error_code_flaw(code, self._revision) or ""
        judged.refused = code == INVALID_PARAMS or is_refusal(text)
        if case.mode is InputMode.VALID:
            found += self._refusal_of_valid(case, text, judged, f"error {code}")

    def _inside(self, case: Case, code: Any, text: str) -> bool:
        """Whether it is a fault of the server rather than of the caller."""
        if _unhandled(case, text):
            return True
        if case.keyword == ARGUMENTS or (
            case.mode is InputMode.INVALID and is_of_the_application(text)
        ):
            return False
        if code == INTERNAL_ERROR:
            return True
        if type(code) is int and code in STANDARD:
            return False
        return (not text or is_internal(text)) and not is_of_the_application(text)

    # Results

    def _result(
        self, case: Case, result: JsonObject, judged: Judged, stderr: Callable[[], str]
    ) -> None:
        found = judged.verdicts
        rules: set[str] = set()
        for flaw in islice(content_flaws(result, self._revision), _MOST_FLAWS):
            if flaw.rule not in rules:
                rules.add(flaw.rule)
                severity = Severity.WARNING if flaw.rule == CONTENT_DATA else Severity.ERROR
                cause = f"{flaw.rule} {mask_cause(flaw.message)}"
                found.append(
                    verdict(
                        Kind.BAD_CONTENT,
                        flaw.message,
                        cause,
                        wide=True,
                        severity=severity,
                        rule=flaw.rule,
                    )
                )
        texts = texts_of(result)
        text = judged.said = "\n".join(texts)
        is_clean = text in self._clean
        if not is_clean:
            found += credentials(text, case.arguments)
            escaped = traversal(text, case.arguments, confined=self._confined)
            found += [escaped] if escaped else []
        if result.get("isError") is True:
            self._error_result(case, text, judged, stderr)
            return
        failure = None if is_clean else reads_like_failure(text)
        if not is_clean:
            found += self._trace(case, text, alone=True)
            if not found and failure is None and len(text) < _SHORT:
                self._remember(text)
        self._success(case, result, text, judged, failure)

    def _remember(self, text: str) -> None:
        """Nothing is in the text, so nothing need be looked for when it comes again."""
        if len(self._clean) >= _MOST_CLEAN:
            self._clean.clear()
        self._clean.add(text)

    def _error_result(
        self, case: Case, text: str, judged: Judged, stderr: Callable[[], str]
    ) -> None:
        judged.environment = is_environment(text) or ""
        if judged.environment:
            return
        traces = list(self._trace(case, text))
        if not traces and (inside := _unhandled(case, text)) and not is_refusal(text):
            traces = [
                _wide(Kind.UNHANDLED_EXCEPTION, f"isError result: {quoted(inside, 160)}", inside)
            ]
        if not traces and is_masked(text):
            traces = list(self._logged(text, stderr()))
        judged.verdicts += traces
        judged.refused = is_refusal(text)
        if case.mode is InputMode.VALID and not traces:
            judged.verdicts += self._refusal_of_valid(case, text, judged, "isError result")

    def _success(
        self, case: Case, result: JsonObject, text: str, judged: Judged, failure: str | None
    ) -> None:
        if failure and any(_FAILURE.search(part) for part in strings_in(case.arguments)):
            failure = None  # it was asked to speak of one
        if failure:
            judged.environment = is_environment(text) or ""
        judged.succeeded = failure is None
        found = judged.verdicts
        if case.mode is InputMode.INVALID:
            if self._strictness.invalid_must_fail and self._labelled:
                found += accepted(
                    case, text, self.plan, self.tool.input_schema, failed=bool(failure)
                )
            return
        judged.told_as_success = failure is not None
        if self._typed:
            mismatch = next(iter(output_mismatch(self.tool, result, self._revision)), None)
            if mismatch:
                where = f"{mismatch.keyword} {mismatch.schema_pointer}"
                found.append(
                    verdict(
                        Kind.OUTPUT_SCHEMA,
                        mismatch.message,
                        where.strip() or "none",
                        wide=not mismatch.keyword,
                    )
                )

    def _refusal_of_valid(
        self, case: Case, text: str, judged: Judged, how: str
    ) -> Iterator[Verdict]:
        if not self._labelled:
            return
        strict = self._strictness.valid_must_succeed
        if judged.refused and (strict or case.stage not in _HOSTILE):
            severity = Severity.ERROR if strict else Severity.INFO
            detail = f"{how}: {quoted(text, 160)}"
            yield verdict(Kind.REJECTED_VALID, detail, mask_cause(text), severity=severity)
        elif strict:
            yield verdict(Kind.UNEXPECTED_ERROR, f"{how}: {quoted(text, 160)}", mask_cause(text))

    # Traces

    def _trace(self, case: Case, text: str, *, alone: bool = False) -> Iterator[Verdict]:
        trace = stack_trace(text, without=_Sent(case.arguments), alone=alone)
        if trace is not None:
            cause = f" of {quoted(trace.cause, 100)}" if trace.cause else ""
            detail = f"a {trace.language} stack trace{cause}, at {quoted(trace.frame, 120)}"
            yield verdict(Kind.UNHANDLED_EXCEPTION, detail, mask_frame(trace.frame), wide=True)

    def _logged(self, text: str, stderr: str) -> Iterator[Verdict]:
        """An exception of which the client learns nothing, while stderr has its trace."""
        trace = stack_trace(stderr)
        if trace is not None:
            cause = quoted(trace.cause or trace.frame, 120)
            detail = f"the client is told {quoted(text, 60)}, the cause is only on stderr: {cause}"
            yield verdict(Kind.UNHANDLED_EXCEPTION, detail, mask_frame(trace.frame), wide=True)


class _Sent:
    """The strings of the arguments, looked for only where a trace was found."""

    def __init__(self, arguments: Any) -> None:
        self._arguments = arguments

    def __iter__(self) -> Iterator[str]:
        return strings_in(self._arguments)


def _unhandled(case: Case, text: str) -> str | None:
    """What a runtime says of an exception that nobody caught, unless the input says it."""
    inside = unhandled_exception(text)
    if inside is None:
        return None
    for sent in strings_in(case.arguments):
        if len(sent) > _ECHO and sent in text:
            text = text.replace(sent, "")
    return unhandled_exception(text)


def texts_of(result: JsonObject) -> Sequence[str]:
    """Every text of a result that a model reads: of blocks, resources, and structured content."""
    texts: list[str] = []
    content = result.get("content")
    for block in content if isinstance(content, list) else ():
        if isinstance(block, dict):
            holder = block.get("resource") if block.get("type") == "resource" else block
            text = holder.get("text") if isinstance(holder, dict) else None
            if isinstance(text, str):
                texts.append(text)
    structured = result.get("structuredContent")
    if structured is not None:
        texts += (part for part in strings_in(structured) if len(part) > _GENERIC)
    return texts


def mask_frame(frame: str) -> str:
    """A frame without the folders before the file, which differ between machines."""
    return mask_cause(frame.rpartition("/")[2] or frame)


def _wide(kind: Kind, detail: str, text: str) -> Verdict:
    skeleton = mask_cause(text)
    generic = len(skeleton) < _GENERIC or is_masked(text)
    return verdict(kind, detail, skeleton or "none", wide=not generic)


def _descriptions(schema: Any) -> str:
    fields = schema.get("properties") if isinstance(schema, dict) else None
    found = []
    for one in fields.values() if isinstance(fields, dict) else ():
        text = one.get("description") if isinstance(one, dict) else None
        found.append(text if isinstance(text, str) else "")
    return " ".join(found)
