"""What a test expects, one small function per key of `expect:`."""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from toolproof.judgement.fitting import output_mismatch
from toolproof.phases.tests.match import mismatches_of_path, same
from toolproof.report import Answer, CallResult, Failure, Tool
from toolproof.schemas import Validator
from toolproof.text import count, shorten

SHOWN = 2_000
"""So many characters of a result are shown in a failure."""


def _strings(wanted: str | Sequence[str]) -> Sequence[str]:
    return [wanted] if isinstance(wanted, str) else wanted


def as_text(value: Any) -> str:
    """A value as indented JSON, for people and diffs."""
    try:
        return json.dumps(value, indent=2, ensure_ascii=False, sort_keys=False)
    except (ValueError, RecursionError):
        return shorten(str(value), SHOWN)


def is_error(result: CallResult, wanted: bool, _tool: Tool | None) -> Iterator[Failure]:  # noqa: FBT001
    if wanted and not result.is_error:
        yield Failure(
            message="expected an error, got a result",
            got=shorten(result.text, SHOWN) or "(no text)",
        )
    elif not wanted:
        yield from must_succeed(result)


def error_code(result: CallResult, wanted: int, _tool: Tool | None) -> Iterator[Failure]:
    if result.error_code != wanted:
        got = "a result" if not result.is_error else "an error result (isError)"
        if result.error_code is not None:
            got = f"error code {result.error_code}"
        yield Failure(
            message=f"expected a JSON-RPC error with code {wanted}, got {got}",
            got=shorten(result.text, SHOWN),
        )


def equals(result: CallResult, wanted: Any, _tool: Tool | None) -> Iterator[Failure]:
    got = result.text if isinstance(wanted, str) else result.data
    if isinstance(wanted, str) and result.structured is not None and result.structured == wanted:
        return
    if not same(got, wanted):
        yield Failure(
            message="the result does not equal what is expected",
            expected=wanted if isinstance(wanted, str) else as_text(wanted),
            got=shorten(got, SHOWN) if isinstance(got, str) else shorten(as_text(got), SHOWN),
        )


def contains(result: CallResult, wanted: Any, _tool: Tool | None) -> Iterator[Failure]:
    text = _all_text(result)
    for needle in _strings(wanted):
        if needle not in text:
            yield Failure(
                message=f"the result does not contain {needle!r}", got=shorten(text, SHOWN)
            )


def not_contains(result: CallResult, wanted: Any, _tool: Tool | None) -> Iterator[Failure]:
    text = _all_text(result)
    for needle in _strings(wanted):
        if (at := text.find(needle)) >= 0:
            around = text[max(0, at - 40) : at + len(needle) + 40]
            yield Failure(message=f"the result contains {needle!r}", got=around)


def regex(result: CallResult, wanted: Any, _tool: Tool | None) -> Iterator[Failure]:
    text = _all_text(result)
    for pattern in _strings(wanted):
        if re.search(pattern, text) is None:
            yield Failure(
                message=f"the result does not match /{pattern}/", got=shorten(text, SHOWN)
            )


def jsonpath(
    result: CallResult, wanted: Mapping[str, Any], _tool: Tool | None
) -> Iterator[Failure]:
    data = result.data
    if data is None and result.structured is None:
        yield Failure(
            message="the result has no JSON to look into: no structuredContent, and its text is none",
            got=shorten(result.text, SHOWN),
        )
        return
    for path, matcher in wanted.items():
        for message in mismatches_of_path(data, path, matcher):
            yield Failure(message=f"{path}: {message}")


def schema(result: CallResult, wanted: Any, _tool: Tool | None) -> Iterator[Failure]:
    data = result.data if result.data is not None else result.text
    for breach in Validator(wanted).breaches(data):
        where = f"at {breach.pointer}: " if breach.pointer else ""
        yield Failure(message=f"the result does not fit the schema: {where}{breach.message}")


def content(
    result: CallResult, wanted: Sequence[Mapping[str, Any]], _tool: Tool | None
) -> Iterator[Failure]:
    blocks = result.reply.raw.get("content") if isinstance(result.reply, Answer) else None
    blocks = [b for b in blocks if isinstance(b, dict)] if isinstance(blocks, list) else []
    if len(blocks) < len(wanted):
        yield Failure(
            message=f"expected {count(len(wanted), 'content block')}, got {len(blocks)}",
        )
    for index, (expected, block) in enumerate(zip(wanted, blocks, strict=False)):
        for key, value in expected.items():
            member = "mimeType" if key == "mime_type" else key
            if not same(block.get(member), value):
                yield Failure(
                    message=f"content block {index}: expected {member} {value!r}, "
                    f"got {block.get(member)!r}"
                )


def max_latency_ms(result: CallResult, wanted: float, _tool: Tool | None) -> Iterator[Failure]:
    if result.latency_ms > wanted:
        yield Failure(message=f"took {result.latency_ms:.0f} ms, the limit is {wanted:g} ms")


def max_tokens(result: CallResult, wanted: int, _tool: Tool | None) -> Iterator[Failure]:
    tokens = len(result.text) // 4
    if tokens > wanted:
        yield Failure(
            message=f"the result has about {tokens:,} tokens, the limit is {wanted:,} "
            "(a quarter of its characters)"
        )


Expectation = Callable[[CallResult, Any, Tool | None], Iterator[Failure]]

EXPECTATIONS: Mapping[str, Expectation] = {
    "is_error": is_error,
    "error_code": error_code,
    "equals": equals,
    "contains": contains,
    "not_contains": not_contains,
    "regex": regex,
    "jsonpath": jsonpath,
    "schema": schema,
    "content": content,
    "max_latency_ms": max_latency_ms,
    "max_tokens": max_tokens,
}
"""By their key in the file. `snapshot` needs a file and is in `snapshots.py`; `output_schema` is what
holds unless it is false."""


def must_succeed(result: CallResult) -> Iterator[Failure]:
    """The call gave a result that is no error."""
    if result.transport_error is not None:
        yield Failure(message=result.transport_error)
    elif result.protocol_error:
        yield Failure(
            message=f"expected a result, got JSON-RPC error {result.error_code}: "
            f"{shorten(result.text, 500)}"
        )
    elif result.is_error:
        yield Failure(
            message=f"expected a result, got an error result: {shorten(result.text, 500)}"
        )


def fits_output_schema(result: CallResult, tool: Tool | None, revision: str) -> Iterator[Failure]:
    """A declared outputSchema: structuredContent is there, and fits."""
    if isinstance(result.reply, Answer):
        for mismatch in output_mismatch(tool, result.reply.raw, revision):
            yield Failure(message=mismatch.message)


def mismatches(
    result: CallResult, expect: Mapping[str, Any], tool: Tool | None, revision: str
) -> Iterator[Failure]:
    """Why the result is not what was expected; nothing if it is.

    Args:
        result: What the call gave.
        expect: What the file says, by key; a key that is not there expects nothing.
        tool: The definition of the tool, for its outputSchema.
        revision: The one that was agreed on.
    """
    if result.transport_error is not None:
        yield Failure(message=result.transport_error)
        return  # nothing came: no other expectation can say more
    wants_error = expect.get("is_error") is True or "error_code" in expect
    if not wants_error:
        failed = list(must_succeed(result))
        yield from failed
        if failed:
            return
        if expect.get("output_schema") is not False:
            yield from fits_output_schema(result, tool, revision)
    for name, wanted in expect.items():
        if name in EXPECTATIONS and not (name == "is_error" and wanted is False):
            yield from EXPECTATIONS[name](result, wanted, tool)


def _all_text(result: CallResult) -> str:
    """What `contains` and `regex` look at: the text, and structured content that has no text."""
    if result.text or result.structured is None:
        return result.text
    return as_text(result.structured)
