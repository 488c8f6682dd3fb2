"""Rule `keyword-typo`."""

import functools
from collections.abc import Iterator

from toolproof.phases.checks.definitions import Definition, SchemaView, place_of
from toolproof.phases.checks.examples import CITY, sample, taking
from toolproof.phases.checks.rule import Flaw, each_tool, listing, rule
from toolproof.phases.checks.spelling import meant
from toolproof.phases.checks.vocabulary import KEYWORDS, KNOWN_BESIDE
from toolproof.report import Check, Severity
from toolproof.schemas import escape_token
from toolproof.text import quoted

_MEMBERS = frozenset(
    {
        "name",
        "title",
        "description",
        "inputSchema",
        "outputSchema",
        "annotations",
        "icons",
        "execution",
        "_meta",
    }
)
"""Source: MCP 2025-11-25 and 2026-07-28 schema, Tool."""

_SQUEEZED = {name.lower().strip("_"): name for name in _MEMBERS}
_OTHER_NAMES = {
    "parameters": "inputSchema",
    "params": "inputSchema",
    "inputs": "inputSchema",
    "schema": "inputSchema",
    "args": "inputSchema",
    "arguments": "inputSchema",
    "argsschema": "inputSchema",
    "parametersschema": "inputSchema",
    "returns": "outputSchema",
    "desc": "description",
}
"""What other libraries call these members, without case and signs."""

_GUESSED = _MEMBERS - {"_meta", "name"}
_SPELT = {keyword.lower(): keyword for keyword in KEYWORDS if len(keyword) >= 4}
_DOLLAR = frozenset(keyword for keyword in KEYWORDS if keyword.startswith("$"))
_PLAIN = KEYWORDS - _DOLLAR

_DAY = {"type": "string", "maxLength": 10, "descripton": "The day, such as 2026-07-28."}


@rule(
    check=Check.QUALITY,
    severity=Severity.WARNING,
    title="A keyword or member is misspelt",
    fix="Correct the spelling.",
    source="MCP 2026-07-28 schema, Tool; general practice",
    bad=listing(sample(inputSchema=taking(city=CITY, day=_DAY))),
    good=listing(
        sample(
            inputSchema=taking(
                city=CITY,
                day={"type": "string", "maxLength": 10, "description": _DAY["descripton"]},
            )
        )
    ),
)
@each_tool
def keyword_typo(tool: Definition) -> Iterator[Flaw]:
    """Nobody refuses an unknown member: it is dropped in silence, with all that it should have said."""
    for member in tool.object:
        wanted = None if member in _MEMBERS else _meant_member(tool, member)
        if wanted is not None and not _is_twin(tool, member, wanted):
            yield _flaw("member", member, wanted, "")
    for view in tool.schemas:
        if view.dialect is not None:
            yield from _keywords(view)


def _keywords(view: SchemaView) -> Iterator[Flaw]:
    for keyword, nodes in view.by_keyword.items():
        if keyword in KEYWORDS or keyword in KNOWN_BESIDE or keyword.startswith("x-"):
            continue
        wanted = _meant_keyword(keyword)
        if wanted is not None:
            for node in nodes:
                yield _flaw("keyword", keyword, wanted, node.pointer)


@functools.lru_cache(maxsize=4096)
def _meant_keyword(keyword: str) -> str | None:
    spelt = _SPELT.get(_squeezed(keyword))
    return spelt or meant(keyword, _DOLLAR if keyword.startswith("$") else _PLAIN)


def _meant_member(tool: Definition, member: str) -> str | None:
    squeezed = _squeezed(member)
    if squeezed in _OTHER_NAMES:
        wanted = _OTHER_NAMES[squeezed]
        return wanted if wanted not in tool.object or squeezed == "parameters" else None
    return _SQUEEZED.get(squeezed) or meant(member, _GUESSED)


def _squeezed(name: str) -> str:
    return name.replace("_", "").replace("-", "").lower() if len(name) < 40 else ""


def _is_twin(tool: Definition, member: str, wanted: str) -> bool:
    """Whether the member only repeats the right one, for readers of another library."""
    return wanted in tool.object and tool.object[member] == tool.object[wanted]


def _flaw(what: str, found: str, wanted: str, pointer: str) -> Flaw:
    where = f" at {place_of(pointer)}" if pointer else ""
    return Flaw(
        f"{what} {quoted(found, 40)}{where} is unknown, {wanted!r} is meant",
        f"{pointer}/{escape_token(found)}",
    )
