"""Whether a tools/call result has the shape that its revision asks for, and its data the type it says."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from toolproof.connection.wire import MODERN, REVISIONS
from toolproof.judgement.json_values import type_of
from toolproof.judgement.payloads import payload_flaw
from toolproof.records import record
from toolproof.text import quoted

RESULT_INVALID = "result-invalid"
CONTENT_DATA = "content-data"

_MOST_BLOCKS = 1_000
"""So many blocks of a result are looked at; a fault shows in the first few."""

_SINCE = {
    "text": "2024-11-05",
    "image": "2024-11-05",
    "resource": "2024-11-05",
    "audio": "2025-03-26",
    "resource_link": "2025-06-18",
}
"""Kinds of blocks, and the revision that brought them. Source: schema.json of each revision."""

_STRUCTURED_SINCE = "2025-06-18"


@record
class ContentFlaw:
    """One thing that is wrong with a result.

    Attributes:
        rule: `result-invalid` or `content-data`.
        pointer: JSON pointer into the result.
        message: What was found and what is expected; names the place.
    """

    rule: str
    pointer: str
    message: str


def content_flaws(result: Any, revision: str) -> Iterator[ContentFlaw]:
    """Everything that is wrong with the shape of a tools/call result and with the data inside.

    A result of another type than `complete` (2026-07-28: `input_required`) has no content to judge.

    Args:
        result: The `result` member as it came, of whatever type.
        revision: The agreed one; an unknown one is read as the newest.
    """
    if not isinstance(result, Mapping):
        yield _invalid("", f"the result is {_a(result)}, an object is due")
        return
    if result.get("resultType", "complete") != "complete":
        return
    yield from _members(result, revision)
    content = result.get("content")
    if "content" not in result:
        yield _invalid("", "the result has no content; an array of blocks is due")
    elif not isinstance(content, list):
        yield _invalid("/content", f"content is {_a(content)}, an array of blocks is due")
    else:
        for index, block in enumerate(content[:_MOST_BLOCKS]):
            yield from _block(block, f"/content/{index}", revision)


def message_flaws(messages: Any, revision: str) -> Iterator[ContentFlaw]:
    """What is wrong with the `messages` of a prompts/get result; nothing is said of its data."""
    if not isinstance(messages, list) or not messages:
        yield _invalid("", "its result has no messages")
        return
    for index, message in enumerate(messages[:_MOST_BLOCKS]):
        at = f"/messages/{index}"
        if not isinstance(message, dict):
            yield _invalid(at, f"{at} is {_a(message)}, an object is due")
            continue
        role = message.get("role")
        if role not in ("user", "assistant"):
            found = quoted(role, 40) if "role" in message else "missing"
            yield _invalid(f"{at}/role", f"{at}/role is {found}, user or assistant is due")
        content = message.get("content")
        if isinstance(content, dict):
            found_in = _block(content, f"{at}/content", revision)
            yield from (flaw for flaw in found_in if flaw.rule == RESULT_INVALID)
        else:
            found = _a(content) if "content" in message else "missing"
            yield _invalid(f"{at}/content", f"{at}/content is {found}, one content block is due")


def _members(result: Mapping[str, Any], revision: str) -> Iterator[ContentFlaw]:
    is_error = result.get("isError")
    if is_error is not None and not isinstance(is_error, bool):
        yield _invalid("/isError", f"isError is {quoted(is_error, 40)}, a boolean is due")
    structured = result.get("structuredContent")
    if (
        structured is not None
        and not isinstance(structured, dict)
        and revision != MODERN
        and _age(revision) >= _age(_STRUCTURED_SINCE)
    ):
        message = f"structuredContent is {_a(structured)}, an object is due before {MODERN}"
        yield _invalid("/structuredContent", message)


def _block(block: Any, pointer: str, revision: str) -> Iterator[ContentFlaw]:
    if not isinstance(block, dict):
        yield _invalid(pointer, f"{pointer} is {_a(block)}, a content block is an object")
        return
    kind = block.get("type")
    if not isinstance(kind, str):
        found = f"is {_a(kind)}" if "type" in block else "is missing"
        yield _invalid(
            f"{pointer}/type", f"type of the block at {pointer} {found}, a string is due"
        )
        return
    since = _SINCE.get(kind)
    if since is None:
        yield _invalid(f"{pointer}/type", f"{quoted(kind, 40)} at {pointer} is no type of a block")
        return
    if _age(revision) < _age(since):
        message = f"a block of type {kind} at {pointer} exists only from {since} on"
        yield _invalid(f"{pointer}/type", message)
    yield from _annotations(block, pointer)
    yield from _KINDS[kind](block, pointer)


def _annotations(block: Mapping[str, Any], pointer: str) -> Iterator[ContentFlaw]:
    annotations = block.get("annotations")
    if annotations is None:
        return
    at = f"{pointer}/annotations"
    if not isinstance(annotations, dict):
        yield _invalid(at, f"{at} is {_a(annotations)}, an object is due")
        return
    audience, priority = annotations.get("audience"), annotations.get("priority")
    roles = audience if isinstance(audience, list) else [audience]
    if audience is not None and (
        not isinstance(audience, list) or any(role not in ("user", "assistant") for role in roles)
    ):
        message = f"{at}/audience is {quoted(audience, 40)}, a list of user and assistant is due"
        yield _invalid(f"{at}/audience", message)
    number = isinstance(priority, int | float) and not isinstance(priority, bool)
    if priority is not None and not (number and 0 <= priority <= 1):
        message = f"{at}/priority is {quoted(priority, 40)}, a number from 0 to 1 is due"
        yield _invalid(f"{at}/priority", message)


def _text(block: Mapping[str, Any], pointer: str) -> Iterator[ContentFlaw]:
    yield from _strings(block, pointer, "text block", "text")


def _media(block: Mapping[str, Any], pointer: str) -> Iterator[ContentFlaw]:
    yield from _strings(block, pointer, f"{block['type']} block", "data", "mimeType")
    yield from _payload(block, "data", pointer, f"{block['type']} block")


def _link(block: Mapping[str, Any], pointer: str) -> Iterator[ContentFlaw]:
    yield from _strings(block, pointer, "resource_link block", "uri", "name")


def _resource(block: Mapping[str, Any], pointer: str) -> Iterator[ContentFlaw]:
    resource = block.get("resource")
    at = f"{pointer}/resource"
    if not isinstance(resource, dict):
        found = f"is {_a(resource)}" if "resource" in block else "is missing"
        yield _invalid(at, f"{at} {found}, an object is due")
        return
    yield from resource_flaws(resource, at)


def resource_flaws(resource: Mapping[str, Any], at: str) -> Iterator[ContentFlaw]:
    """What is wrong with the contents of one resource: `uri`, and `text` or `blob`."""
    yield from _strings(resource, at, "resource", "uri")
    held = [member for member in ("text", "blob") if member in resource]
    if not held:
        yield _invalid(at, f"the resource at {at} has neither text nor blob")
    yield from _strings(resource, at, "resource", *held)
    if resource.get("mimeType") is not None:
        yield from _strings(resource, at, "resource", "mimeType")
    yield from _payload(resource, "blob", at, "blob")


_KINDS: Mapping[str, Callable[[Mapping[str, Any], str], Iterator[ContentFlaw]]] = {
    "text": _text,
    "image": _media,
    "audio": _media,
    "resource": _resource,
    "resource_link": _link,
}


def _strings(
    holder: Mapping[str, Any], pointer: str, what: str, *members: str
) -> Iterator[ContentFlaw]:
    for member in members:
        value = holder.get(member)
        if not isinstance(value, str):
            found = f"is {_a(value)}" if member in holder else "is missing"
            message = f"{member} of the {what} at {pointer} {found}, a string is due"
            yield _invalid(f"{pointer}/{member}", message)


def _payload(
    holder: Mapping[str, Any], member: str, pointer: str, what: str
) -> Iterator[ContentFlaw]:
    data, declared = holder.get(member), holder.get("mimeType")
    if isinstance(data, str):
        flaw = payload_flaw(data, declared if isinstance(declared, str) else None)
        if flaw:
            message = f"{member} of the {what} at {pointer} {flaw}"
            yield ContentFlaw(CONTENT_DATA, f"{pointer}/{member}", message)


def _invalid(pointer: str, message: str) -> ContentFlaw:
    return ContentFlaw(RESULT_INVALID, pointer, message)


def _a(value: Any) -> str:
    """The JSON type with its article: `a string`, `an array`, `null`."""
    kind = type_of(value)
    if kind == "null":
        return kind
    return f"{'an' if kind[0] in 'aou' else 'a'} {kind}"


def _age(revision: str) -> int:
    """The place of a revision among all; the newest for one that is not known."""
    return REVISIONS.index(revision) if revision in REVISIONS else len(REVISIONS)
