"""Paginated lists: follow the cursor to its end, and tell what is wrong on the way."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from toolproof.connection.observations import Kind
from toolproof.connection.replies import tell_repeated_members
from toolproof.connection.session import Session
from toolproof.connection.stamps import marked_parameters
from toolproof.connection.wire import Failure, Outcome
from toolproof.text import count, shorten

MOST_PAGES = 1000
PAGE_S = 30.0
"""How long one page may take."""
WHOLE_S = 120.0
"""How long a whole list may take."""

What = Literal["tools", "resources", "resource_templates", "prompts"]


@dataclass(frozen=True, slots=True)
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
    found = Walk()
    begun = session.now()
    params: dict[str, Any] = {}
    cursors: set[str] = set()
    known: set[str] = set()
    while True:
        limit = min(PAGE_S, begun + WHOLE_S - session.now())
        page = await session.request(listing.method, params, idle_s=limit, total_s=limit)
        found.took_ms = (session.now() - begun) * 1000
        found.pages += 1
        found.size += len(page.raw)
        if page.result is None:
            found.failed = page
            _tell_failure(session, listing, page, declared=declared)
            break
        tell_repeated_members(session.witness, listing.method, page.raw)
        entries = page.result.get(listing.member)
        if not isinstance(entries, list):
            _tell_invalid(session, listing, listing.member, "is not an array", page.result)
            entries = []
        cursor = page.result.get("nextCursor")
        again = isinstance(cursor, str) and _all_known(entries, known)
        if not again:
            found.entries += entries
        if "nextCursor" in page.result and not isinstance(cursor, str):
            _tell_invalid(session, listing, "nextCursor", "is not a string", page.result)
        if not isinstance(cursor, str):
            break
        if again or cursor in cursors or found.pages >= MOST_PAGES:
            _tell_loop(session, listing, found.pages, cursor, again=again)
            break
        cursors.add(cursor)
        params = {"cursor": cursor}
    if what == "tools":
        _keep_marks(session, found.entries)
        if found.entries and not declared:
            session.witness.log.add(
                Kind.CAPABILITY_UNDECLARED,
                f"tools/list gives {count(len(found.entries), 'tool')}, but the capability tools "
                "is not declared",
                method=listing.method,
                tools=len(found.entries),
            )
    return found


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


def _keep_marks(session: Session, tools: list[Any]) -> None:
    if session.over_http:
        for tool in tools:
            if isinstance(tool, dict) and isinstance(tool.get("name"), str):
                session.marked[tool["name"]] = marked_parameters(tool.get("inputSchema"))


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
    session: Session, listing: _Listing, member: str, words: str, result: dict[str, Any]
) -> None:
    shown = "missing"
    if member in result:
        value = result[member]
        shown = "null" if value is None else type(value).__name__
    names = {"dict": "an object", "str": "a string", "int": "a number", "list": "an array"}
    session.witness.log.add(
        Kind.LIST_RESULT_INVALID,
        f"in the result of {listing.method}, {member} {words} but {names.get(shown, shown)}",
        method=listing.method,
        request=listing.method,
        member=member,
    )


def _tell_loop(
    session: Session, listing: _Listing, pages: int, cursor: str, *, again: bool
) -> None:
    if again:
        words = f"page {pages} repeats entries of earlier pages and names a next one"
    elif pages >= MOST_PAGES:
        words = f"there is no end after {pages:,} pages"
    else:
        words = f"page {pages} gives the cursor {shorten(cursor, 60)!r}, which it gave before"
    session.witness.log.add(
        Kind.PAGINATION_LOOP,
        f"{listing.method}: {words}",
        method=listing.method,
        request=listing.method,
        pages=pages,
    )
