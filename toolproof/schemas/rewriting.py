"""A schema with its patterns in the words of an engine."""

from collections.abc import Callable, Mapping
from typing import Any

from toolproof.records import record
from toolproof.schemas.pointers import Path, value_at
from toolproof.schemas.references import REFERENCES
from toolproof.schemas.walk import subschemas

_REFERENCES = frozenset(REFERENCES)


@record
class Pattern:
    """One pattern of a schema.

    Attributes:
        path: To the value of `pattern`, or to the schema below a key of `patternProperties`.
        text: The expression.
        is_key: Whether it is such a key.
    """

    path: Path
    text: str
    is_key: bool


@record
class Outline:
    """What must be known of a schema before it is compiled: its patterns, and if it refers."""

    patterns: tuple[Pattern, ...]
    refers: bool


def outline_of(schema: Any) -> Outline:
    """Look through all subschemas once."""
    patterns: list[Pattern] = []
    refers = False
    stack: list[tuple[Any, Path]] = [(schema, ())]
    while stack:
        node, path = stack.pop()
        if not isinstance(node, dict):
            continue
        refers = refers or not _REFERENCES.isdisjoint(node)
        text = node.get("pattern")
        if isinstance(text, str):
            patterns.append(Pattern((*path, "pattern"), text, is_key=False))
        keyed = node.get("patternProperties")
        if isinstance(keyed, dict):
            patterns += [Pattern((*path, "patternProperties", k), k, is_key=True) for k in keyed]
        stack += [(sub, path + below) for below, sub in subschemas(node)]
    return Outline(tuple(patterns), refers)


@record
class Rewritten:
    """A schema for an engine.

    Attributes:
        originals: The keys of `patternProperties` as the schema has them, by what they became.
    """

    schema: Any
    originals: Mapping[str, str]

    def way(self, path: Path) -> Path:
        """A path through the rewritten schema as one through the original."""
        if not self.originals:
            return path
        return tuple(
            self.originals.get(token, token)
            if isinstance(token, str) and index and path[index - 1] == "patternProperties"
            else token
            for index, token in enumerate(path)
        )


def rewritten(
    schema: Any, outline: Outline, translate: Callable[[str], str | None]
) -> Rewritten | None:
    """The schema with each pattern translated; None where one cannot be."""
    words = {pattern.text: translate(pattern.text) for pattern in outline.patterns}
    if None in words.values():
        return None
    if all(text == word for text, word in words.items()):
        return Rewritten(schema, {})
    copy = _copied(schema)
    originals: dict[str, str] = {}
    # the deepest first: a renamed key would hide what is below it
    for pattern in sorted(outline.patterns, key=lambda pattern: -len(pattern.path)):
        word = words[pattern.text] or ""
        above = value_at(copy, pattern.path[:-1])
        if not pattern.is_key:
            above["pattern"] = word
        elif word != pattern.text:
            while word in above:
                word = f"(?:{word})"
            above[word] = above.pop(pattern.text)
            originals[word] = pattern.text
    return Rewritten(copy, originals)


def _copied(value: Any) -> Any:
    """A copy of JSON, which shares its scalars; the depth is bounded by the caller."""
    if isinstance(value, dict):
        return {key: _copied(part) for key, part in value.items()}
    if isinstance(value, list):
        return [_copied(part) for part in value]
    return value
