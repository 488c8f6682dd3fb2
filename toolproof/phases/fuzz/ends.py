"""Verdicts on what is no answer: how a process ended, what the wire saw, what was never answered (pure)."""

import re
from collections.abc import Iterator
from typing import Any

from toolproof.connection.observations import Kind as Seen
from toolproof.connection.observations import Observation
from toolproof.judgement.strings import strings_in
from toolproof.judgement.traces import stack_trace
from toolproof.judgement.wording import mask_cause
from toolproof.phases.fuzz.generate import case_key
from toolproof.phases.fuzz.judge import mask_frame
from toolproof.phases.fuzz.verdict import WIRE, Kind, Verdict, verdict
from toolproof.text import one_line, quoted, shorten

_SURROGATE = re.compile("[\ud800-\udfff]")
_TIME = re.compile(
    r"duration|delay|sleep|wait|timeout|time_?out|interval|seconds?\b|millis|\bsecs?\b|\bms\b|ttl|minutes"
    r"|hours|pause|linger|hold",
    re.IGNORECASE,
)
_MILLISECONDS = re.compile(r"millis|(?:^|[_\W])ms\b|Ms\b|_ms", re.IGNORECASE)


_SENT_SURROGATE = "\ud800"
_ENDLESS = "wrote a line of more than"
_LARGE = re.compile(r"(?<![\w\"])\d{4}")
"""A number of four digits or more, in JSON."""
_BY_SURROGATES = frozenset({Seen.LONE_SURROGATE, Seen.WRONG_RESPONSE_ID, Seen.RESPONSE_INVALID})
"""What a lone surrogate in a call may lead to: many parsers of JSON refuse the message as a whole."""
_DEEP = 64
"""Levels of nesting that a reader of JSON need not go down, so that it cannot tell a request's id.

Source: RFC 8259, section 9, lets a parser limit the depth; 64 is the least of the usual limits, that
of .NET's System.Text.Json. JSON-RPC 2.0, section 5: the id is null where it could not be detected.
"""


def _is_deep(value: Any) -> bool:
    """Whether a value is nested deeper than `_DEEP` levels."""
    level = [value]
    for _ in range(_DEEP):
        level = [
            inner
            for one in level
            if isinstance(one, dict | list)
            for inner in (one.values() if isinstance(one, dict) else one)
        ]
    return any(isinstance(one, dict | list) for one in level)


def holds_surrogate(arguments: Any) -> bool:
    """Whether an unpaired surrogate stands in it, which no text of a model can hold.

    Source: RFC 8259, section 8.2: what a receiver makes of it is unpredictable.
    """
    return any(
        not part.isascii() and _SURROGATE.search(part) is not None for part in strings_in(arguments)
    )


def is_our_surrogate(seen: Observation, result: Any) -> bool:
    """Whether all unpaired surrogates of a result are the one that the fuzzer sends.

    A tool that writes may have kept it, in a file even over runs. Where a server cuts an emoji in
    two, others are left: those of the emoji.
    """
    if seen.kind is not Seen.LONE_SURROGATE:
        return False
    found = {letter for part in strings_in(result) for letter in _SURROGATE.findall(part)}
    return found == {_SENT_SURROGATE}


def asked_for_much(detail: str, arguments: Any) -> bool:
    """Whether the connection was given up at a line that is as long as was asked for."""
    return _ENDLESS in detail and _LARGE.search(case_key(arguments)) is not None


def crash(detail: str, exit_status: str | None, stderr: str) -> Verdict:
    """The server ended during a call, or the connection to it was lost."""
    trace = stack_trace(stderr)
    lines = [line.strip() for line in stderr.splitlines() if line.strip()]
    last = (trace.cause or trace.frame) if trace else (lines[-1] if lines else "")
    how = f"the server ended with {exit_status}" if exit_status else shorten(one_line(detail), 200)
    said = f"; stderr: {quoted(last, 160)}" if last else ""
    cause = mask_frame(trace.frame) if trace else mask_cause(last)
    return verdict(
        Kind.CRASH, how + said, f"{exit_status or 'lost'} {cause}".strip(), wide=bool(last)
    )


def hang(limit_s: float, first_s: float, *, blocked: bool) -> Verdict:
    """No answer, neither among other calls nor alone."""
    stuck = "; the server answered nothing else meanwhile" if blocked else ""
    detail = (
        f"no answer within {first_s:.2g} s, nor alone on a fresh server within {limit_s:.3g} s, "
        f"and no progress{stuck}"
    )
    return verdict(Kind.HANG, detail, "no answer")


def seen_on_the_wire(observation: Observation, arguments: Any) -> Iterator[Verdict]:
    """What the wire saw, less what the call itself had sent."""
    detail = shorten(one_line(observation.detail), 240)
    if observation.kind is Seen.SECRET_LEAK:
        yield verdict(Kind.SECRET_LEAK, f"{detail}; it is shown as ***", "configured", wide=True)
        return
    if observation.kind in _BY_SURROGATES and holds_surrogate(arguments):
        return
    if (
        observation.kind is Seen.WRONG_RESPONSE_ID
        and observation.facts.get("id") == "null"
        and _is_deep(arguments)
    ):
        return
    rule, severity = WIRE[observation.kind]
    line = observation.facts.get("line")
    if isinstance(line, str) and line.strip() and line.strip()[:20] not in detail:
        detail += f": {quoted(line, 120)}"
    cause = f"{rule} {mask_cause(detail)}"
    yield verdict(Kind.WIRE, detail, cause, wide=True, severity=severity, rule=rule)


def asked_to_wait(schema: Any, arguments: Any, limit_s: float) -> bool:
    """Whether an argument, or the default of one that is left out, asks for so long a wait."""
    fields = schema.get("properties") if isinstance(schema, dict) else None
    if not isinstance(fields, dict):
        return False
    given = arguments if isinstance(arguments, dict) else {}
    for name, field in fields.items():
        told = field.get("description") if isinstance(field, dict) else None
        words = f"{name} {told if isinstance(told, str) else ''}"
        if not _TIME.search(words):
            continue
        default = field.get("default") if isinstance(field, dict) else None
        value = given.get(name, default)
        if isinstance(value, int | float) and not isinstance(value, bool):
            seconds = value / 1_000 if _MILLISECONDS.search(words) else value
            if seconds >= limit_s / 2:
                return True
    return False
