"""Paginated lists: follow the cursor to its end, and tell what is wrong on the way."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from toolproof.connection.handshake import tell_repeated_members
from toolproof.connection.messages import type_words
from toolproof.connection.observations import Kind
from toolproof.connection.session import Session
from toolproof.connection.stamps import marked_parameters
from toolproof.connection.wire import Failure, Outcome
from toolproof.records import record
from toolproof.text import count, shorten

MOST_PAGES = 1000
PAGE_S = 30.0
"""How long one page may take."""
WHOLE_S = 120.0
"""How long a whole list may take."""

What = Literal["tools", "resources", "resource_templates", "prompts"]


@record
class _Listing:
    method: str
    member: str
    capability: str


LISTS: Mapping[What, _Listing] = {
    "tools": _Listing("tools/list", "tools", "tools"),
    "resources": _Listing("resources/list", "resources", "resources"),
    "resource_templates": _Listing("resources/templates/list", "resourceTemplates", "resources"),
    "prompts": _Listing("prompts/list", "prompts", "prompts"),
}


@dataclass(slots=True)
class Walk:
    """A list as far as it could be read.

    Attributes:
        entries: As they came, of whatever type, over all pages.
        failed: The outcome that ended it early; None if it was read to its end.
        size: Bytes of all pages.
        took_ms: From the first request to the last answer.
    """

    entries: list[Any] = field(default_factory=list)
    failed: Outcome | None = None
    pages: int = 0
    size: int = 0
    took_ms: float = 0.0


async def walk(session: Session, what: What, *, declared: bool) -> Walk:
    """Read a whole list; nothing is raised, what is wrong is observed.

    Args:
        declared: Whether the server said that it has such a list.
    """
    listing = LISTS[what]
    found, begun = Walk(), session.now()
    params: dict[str, Any] = {}
    cursors: set[str] = set()
    known: set[str] = set()
    while True:
        page = await session.request(listing.method, params, idle_s=PAGE_S, total_s=PAGE_S)
        found.took_ms = (session.now() - begun) * 1000
        found.pages += 1
        found.size += len(page.raw)
        if page.result is None:
            found.failed = page
            _tell_failure(session, listing, page, declared=declared)
            break
        entries, cursor = _read(session, listing, page)
        again = cursor is not None and _all_known(entries, known)
        if not again:
            found.entries += entries
        if cursor is None:
            break
        endless = found.pages >= MOST_PAGES or session.now() - begun > WHOLE_S
        if again or endless or cursor in cursors:
            _tell_loop(session, listing, found.pages, cursor, again=again, endless=endless)
            break
        cursors.add(cursor)
        params = {"cursor": cursor}
    if what == "tools":
        _look_at_tools(session, found.entries, declared=declared)
    return found


def _read(session: Session, listing: _Listing, page: Outcome) -> tuple[list[Any], str | None]:
    """Entries and next cursor of a page; tells what is wrong with them."""
    result = page.result or {}
    tell_repeated_members(session.witness, listing.method, page.raw)
    entries = result.get(listing.member)
    if not isinstance(entries, list):
        _tell_invalid(session, listing, listing.member, "an array", result)
        entries = []
    cursor = result.get("nextCursor")
    if "nextCursor" in result and not isinstance(cursor, str):
        _tell_invalid(session, listing, "nextCursor", "a string", result)
        cursor = None
    return entries, cursor


def _all_known(entries: list[Any], known: set[str]) -> bool:
    """Does the page hold nothing but entries of earlier pages? Its own become known."""
    keys = [_key(entry) for entry in entries]
    again = bool(keys) and all(key in known for key in keys)
    known.update(key for key in keys if key)
    return again


def _key(entry: Any) -> str:
    """The entry as text; "" for one that cannot be compared."""
    try:
        return json.dumps(entry, sort_keys=True)
    except (ValueError, RecursionError):
        return ""


def _look_at_tools(session: Session, tools: list[Any], *, declared: bool) -> None:
    """Keep what calls over HTTP need to know; tell tools that clients do not ask for."""
    if session.over_http:
        for tool in tools:
            if isinstance(tool, dict) and isinstance(tool.get("name"), str):
                session.marked[tool["name"]] = marked_parameters(tool.get("inputSchema"))
    if tools and not declared:
        session.witness.log.add(
            Kind.CAPABILITY_UNDECLARED,
            f"tools/list gives {count(len(tools), 'tool')}, but the capability tools "
            "is not declared",
            method="tools/list",
            tools=len(tools),
        )


def _tell_failure(session: Session, listing: _Listing, page: Outcome, *, declared: bool) -> None:
    """A declared list that does not work. Templates need not exist where resources do."""
    if not declared or (listing.member == "resourceTemplates" and page.error is not None):
        return
    if page.failure in (Failure.LOST, Failure.MALFORMED):  # told by whoever saw it
        return
    if page.error is not None:
        said = f"error {page.error.get('code')}: {shorten(str(page.error.get('message')), 120)}"
    else:
        said = page.detail
    session.witness.log.add(
        Kind.CAPABILITY_NOT_DELIVERED,
        f"{listing.capability} is declared, but {listing.method} gives {said}",
        method=listing.method,
        request=listing.method,
    )


def _tell_invalid(
    session: Session, listing: _Listing, member: str, wanted: str, result: dict[str, Any]
) -> None:
    found = type_words(result[member]) if member in result else "missing"
    session.witness.log.add(
        Kind.LIST_RESULT_INVALID,
        f"in the result of {listing.method}, {member} is {found}, not {wanted}",
        method=listing.method,
        request=listing.method,
        member=member,
    )


def _tell_loop(  # noqa: PLR0913 - what is known of it
    session: Session, listing: _Listing, pages: int, cursor: str, *, again: bool, endless: bool
) -> None:
    if again:
        words = f"page {pages} repeats entries of earlier pages and names a next one"
    elif endless:
        words = f"there is no end after {count(pages, 'page')}"
    else:
        words = f"page {pages} gives the cursor {shorten(cursor, 60)!r}, which it gave before"
    session.witness.log.add(
        Kind.PAGINATION_LOOP,
        f"{listing.method}: {words}",
        method=listing.method,
        request=listing.method,
        pages=pages,
    )
