"""What is worth saying of a server and no problem: shown, never failing."""

from collections.abc import Iterator

from toolproof.connection.observations import Kind
from toolproof.judgement.rpc import error_code_flaw
from toolproof.judgement.wording import is_environment, mask_cause
from toolproof.phases.checks.rule import Evidence
from toolproof.report import CallSeen, Note, RpcError
from toolproof.text import count, listed, one_line, quoted, shorten

_SEEN = {
    Kind.UNDECLARED_REQUEST: "the server asks for what the client did not declare",
    Kind.PROGRESS_INVALID: "a progress notification is not as the protocol wants it",
    Kind.DUPLICATE_KEYS: "a JSON object names a member twice, the last one counts",
    Kind.ENDS_AT_PROBE: "the server ended at the first request and was started anew",
    Kind.EXIT_STATUS: "the server did not end with status 0",
    Kind.HTTP_STATUS: "a request was answered with an odd status",
}
"""Kinds that no rule is about, and what they mean."""

_MOST = 160


def notes_of(evidence: Evidence) -> Iterator[Note]:
    """Each trait of the server once, however many calls and tools show it."""
    for kind, words in _SEEN.items():
        seen = evidence.observations.of(kind)
        if seen:
            times = sum(one.count for one in seen)
            detail = shorten(one_line(seen[0].first.detail), _MOST)
            more = f", {times:,} times" if times > 1 else ""
            yield Note(f"{words}{more}: {detail}")
    yield from _environment(evidence)
    yield from _codes(evidence)


def _environment(evidence: Evidence) -> Iterator[Note]:
    """Calls that failed for want of a network or a login: one line for each of the two."""
    lacking: dict[str, list[CallSeen]] = {}
    for call in evidence.calls:
        if call.result.is_error and (what := is_environment(call.result.text)):
            lacking.setdefault(what, []).append(call)
    for what, calls in lacking.items():
        tools = dict.fromkeys(call.result.tool for call in calls)
        said = quoted(mask_cause(calls[0].result.text), _MOST)
        yield Note(
            f"{count(len(calls), 'call')} of {count(len(tools), 'tool')} "
            f"({listed(map(one_line, tools), most=3)}) failed for want of {what}: {said}"
        )


def _codes(evidence: Evidence) -> Iterator[Note]:
    """Error codes that do not exist, each once for the whole server."""
    told: dict[str, list[CallSeen]] = {}
    for call in evidence.calls:
        if isinstance(call.result.reply, RpcError):
            flaw = error_code_flaw(call.result.reply.code, evidence.revision)
            if flaw:
                told.setdefault(flaw, []).append(call)
    for flaw, calls in told.items():
        said = quoted(calls[0].result.text, _MOST)
        yield Note(f"{flaw} (on {count(len(calls), 'call')}, the first: {said})")
