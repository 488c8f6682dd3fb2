"""Values in results that other tools ask for: ids, names, handles (pure)."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from toolproof.connection.wire import JsonObject
from toolproof.judgement.naming import name_words, stem
from toolproof.report import Tool

Path = tuple[str | int, ...]

_MOST_FOUND = 200
_MOST_DEPTH = 8
_LONGEST = 200
_LARGEST_TEXT = 200_000

_LABELLED = re.compile(
    r"\b(?P<name>[A-Za-z][A-Za-z_ -]{0,30}?)[\"'`]?\s?(?:[:=#]|is)\s?[\"'`]?(?P<value>[A-Za-z0-9][\w.-]{0,80})"
)
_UUID = re.compile(r"\b[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}\b")
_TOKEN = re.compile(r"(?<![\w-])[A-Za-z]{1,12}[-_][A-Za-z0-9][\w-]{0,60}(?![\w-])")
"""A word as ids are often made: `b-1`, `task_69d2`."""

NAMING = frozenset(
    "id ids uuid guid key ref reference handle token slug code number no".split()  # noqa: SIM905
)
"""Words of a field that names something: it can be had only from another tool."""
_NAMED = NAMING | {"name", "uri", "url", "path", "title", "session", "cursor"}
_MAKING = frozenset(
    """
    acquire add allocate begin book borrow build clone connect create copy fork generate insert lock
    login make mount new open order post prepare put queue register rent reserve save schedule spawn
    start store submit subscribe take upload
    """.split()  # noqa: SIM905
)
_ENDING = frozenset(
    """
    abort cancel close delete destroy detach disconnect discard drop end erase expire finish free give
    invalidate kill logout purge release remove return revoke stop terminate unlock unmount unregister
    unsubscribe
    """.split()  # noqa: SIM905
)


@dataclass(frozen=True, slots=True)
class Found:
    """One value of a result.

    Attributes:
        words: Of the name that it goes by there; empty where it has none.
        value: A text or a number.
        path: Where it is: in the data, or the how-manyth of the text.
        jsonpath: The same for a test; None where it is not in JSON.
    """

    words: tuple[str, ...]
    value: str | int
    path: Path
    jsonpath: str | None = None


def found_in(result: JsonObject) -> Sequence[Found]:
    """The values that might be asked for elsewhere, in order."""
    data = _data(result)
    if data is not None:
        return list(_in_data(data))
    text = _text(result)
    return list(_in_text(text[:_LARGEST_TEXT]))[:_MOST_FOUND]


def _data(result: JsonObject) -> Any:
    structured = result.get("structuredContent")
    if structured is not None:
        return structured
    text = _text(result)
    if text[:1] in ("{", "[") and len(text) <= _LARGEST_TEXT:
        try:
            return json.loads(text)
        except (ValueError, RecursionError):
            return None
    return None


def _text(result: JsonObject) -> str:
    content = result.get("content")
    texts = (
        [block.get("text") for block in content if isinstance(block, dict)]
        if isinstance(content, list)
        else []
    )
    return "\n".join(text for text in texts if isinstance(text, str))


def _in_data(data: Any) -> Iterator[Found]:
    stack: list[tuple[Path, tuple[str, ...], Any]] = [((), (), data)]
    left = _MOST_FOUND
    while stack and left:
        path, words, item = stack.pop()
        if isinstance(item, dict) and len(path) < _MOST_DEPTH:
            stack += [
                ((*path, key), tuple(name_words(key)), inner)
                for key, inner in reversed(list(item.items()))
                if isinstance(key, str)
            ]
        elif isinstance(item, list) and len(path) < _MOST_DEPTH:
            stack += [
                ((*path, at), words, inner) for at, inner in reversed(list(enumerate(item[:20])))
            ]
        elif _is_name(item) and path:
            left -= 1
            yield Found(words, item, path, _jsonpath(path))


def _is_name(value: Any) -> bool:
    if isinstance(value, str):
        return 0 < len(value) <= _LONGEST
    return type(value) is int


def _jsonpath(path: Path) -> str:
    return "$" + "".join(f"[{json.dumps(step)}]" for step in path)


def _in_text(text: str) -> Iterator[Found]:
    told: set[str] = set()
    number = 0
    for pattern in (_LABELLED, _UUID, _TOKEN):
        for match in pattern.finditer(text):
            labelled = pattern is _LABELLED
            value = match["value"] if labelled else match[0]
            words = tuple(name_words(match["name"])[-2:]) if labelled else ()
            if labelled and not _NAMED & set(words):
                continue
            if value not in told:
                told.add(value)
                yield Found(words, value, ("text", number))
                number += 1


def asks_for(tool: Tool) -> Mapping[str, tuple[str, ...]]:
    """The fields of a tool that name something that must exist, with the words of their names."""
    fields = tool.input_schema.get("properties")
    found: dict[str, tuple[str, ...]] = {}
    for name, field in fields.items() if isinstance(fields, dict) else ():
        words = tuple(name_words(name))
        plain = isinstance(field, dict) and not {"enum", "const"} & field.keys()
        kind = field.get("type") if isinstance(field, dict) else None
        if (
            plain
            and kind in ("string", "integer", "number", None)
            and words
            and _NAMED & set(words)
        ):
            found[name] = words
    return found


def fits(asked: tuple[str, ...], user: Tool, found: Found, maker: Tool) -> int:
    """How well a value answers what a field asks for: 0 for not at all.

    `book_id` is answered by `book_id` anywhere, by `id` where the maker speaks of books, and by a
    nameless word of its text.
    """
    have = found.words
    if not have:
        return 1 if NAMING & set(asked) else 0
    if have == asked:
        return 4 if len(asked) > 1 else 2 + _kin(user, maker)
    if have[-1] == asked[-1] and (len(have) == 1 or len(asked) == 1):
        other = asked[:-1] or have[:-1]
        speaks = {stem(word) for word in name_words(maker.name if len(have) == 1 else user.name)}
        return 3 if {stem(word) for word in other} & speaks else 1
    if set(asked) & NAMING and have[-1] in NAMING and set(asked[:-1]) & set(have[:-1]):
        return 2
    return 0


def _kin(one: Tool, other: Tool) -> int:
    """1 where the names of two tools share a noun."""
    mine, theirs = ({stem(word) for word in name_words(tool.name)} for tool in (one, other))
    return 1 if mine & theirs else 0


def makes(tool: Tool) -> bool:
    """Whether its name, or its own word that it does not only read, says that something is new then."""
    acts = tool.annotations.get("readOnlyHint") is False and not ends(tool)
    return acts or bool(_MAKING & set(name_words(tool.name)))


def ends(tool: Tool) -> bool:
    """Whether its name says that something is gone afterwards."""
    return bool(_ENDING & set(name_words(tool.name)))
