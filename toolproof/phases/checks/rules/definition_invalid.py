"""Rule `definition-invalid`."""

from collections.abc import Iterator
from typing import Any

from toolproof.connection.wire import REVISIONS
from toolproof.phases.checks.definitions import Definition
from toolproof.phases.checks.examples import sample
from toolproof.phases.checks.rule import Flaw, each_tool, listing, rule
from toolproof.report import Check, Severity
from toolproof.text import quoted

_HINTS = ("readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint")
_THEMES = ("light", "dark")
_SUPPORT = ("forbidden", "optional", "required")

_SINCE = {
    "annotations": "2025-03-26",
    "title": "2025-06-18",
    "_meta": "2025-06-18",
    "icons": "2025-11-25",
    "execution": "2025-11-25",
}
"""The revision that brought a member; before, it is one that nobody knows, and may be anything."""


@rule(
    check=Check.PROTOCOL,
    severity=Severity.ERROR,
    title="A member of the definition has the wrong type",
    fix="Send the right type, or leave the member out.",
    source="MCP 2026-07-28 schema, Tool",
    bad=listing(sample(annotations={"readOnlyHint": "yes"})),
    good=listing(sample(annotations={"readOnlyHint": True})),
)
@each_tool
def definition_invalid(tool: Definition) -> Iterator[Flaw]:
    """Typed clients drop the whole list over it: all the other tools are gone, too."""
    given = tool.object
    if not isinstance(given.get("description", ""), str):
        yield _flaw("/description", given["description"], "a string")
    for member, judge in _JUDGES.items():
        if member in given and _is_known(member, tool.revision):
            yield from judge(given[member])


def _is_known(member: str, revision: str) -> bool:
    if member == "execution" and revision == REVISIONS[-1]:  # gone again
        return False
    known = REVISIONS.index(revision) if revision in REVISIONS else len(REVISIONS)
    return known >= REVISIONS.index(_SINCE[member])


def _title(value: Any) -> Iterator[Flaw]:
    if not isinstance(value, str):
        yield _flaw("/title", value, "a string")


def _meta(value: Any) -> Iterator[Flaw]:
    if not isinstance(value, dict):
        yield _flaw("/_meta", value, "an object")


def _annotations(value: Any) -> Iterator[Flaw]:
    if not isinstance(value, dict):
        yield _flaw("/annotations", value, "an object")
        return
    if not isinstance(value.get("title", ""), str):
        yield _flaw("/annotations/title", value["title"], "a string")
    for hint in _HINTS:
        if not isinstance(value.get(hint, False), bool):
            yield _flaw(f"/annotations/{hint}", value[hint], "a boolean")


def _icons(value: Any) -> Iterator[Flaw]:
    if not isinstance(value, list):
        yield _flaw("/icons", value, "a list of icons")
        return
    for index, icon in enumerate(value):
        if not isinstance(icon, dict):
            yield _flaw(f"/icons/{index}", icon, "an object with a src")
        elif not isinstance(icon.get("src"), str):
            found = quoted(icon["src"], 40) if "src" in icon else "missing"
            pointer = f"/icons/{index}/src" if "src" in icon else f"/icons/{index}"
            yield Flaw(f"src of the icon at /icons/{index} is {found}, a string is due", pointer)
        else:
            yield from _icon(icon, f"/icons/{index}")


def _icon(icon: dict[str, Any], pointer: str) -> Iterator[Flaw]:
    if not isinstance(icon.get("mimeType", ""), str):
        yield _flaw(f"{pointer}/mimeType", icon["mimeType"], "a string")
    sizes = icon.get("sizes", [])
    if not isinstance(sizes, list) or not all(isinstance(size, str) for size in sizes):
        yield _flaw(f"{pointer}/sizes", sizes, "a list of strings such as '48x48'")
    if icon.get("theme", _THEMES[0]) not in _THEMES:
        yield _flaw(f"{pointer}/theme", icon["theme"], f"one of {', '.join(_THEMES)}")


def _execution(value: Any) -> Iterator[Flaw]:
    if not isinstance(value, dict):
        yield _flaw("/execution", value, "an object")
    elif value.get("taskSupport", "forbidden") not in _SUPPORT:
        pointer = "/execution/taskSupport"
        yield _flaw(pointer, value["taskSupport"], f"one of {', '.join(_SUPPORT)}")


_JUDGES = {
    "title": _title,
    "annotations": _annotations,
    "icons": _icons,
    "execution": _execution,
    "_meta": _meta,
}


def _flaw(pointer: str, found: Any, due: str) -> Flaw:
    return Flaw(f"{pointer} is {quoted(found, 60)}, {due} is due", pointer)
