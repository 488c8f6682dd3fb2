"""What judges values while they are made: the whole schema, single subschemas, single patterns."""

import json
from collections.abc import Hashable, Mapping
from typing import Any
from urllib.parse import quote

from toolproof.judgement.document import Document, Spot
from toolproof.phases.fuzz.generate.limits import LARGEST_LOCAL, MOST_LOCAL
from toolproof.phases.fuzz.generate.shape import Node
from toolproof.phases.fuzz.generate.trim import holds_any, trimmed, without_keywords
from toolproof.schemas import Dialect, SchemaError, Validator

_KEPT = frozenset({"enum", "const", "default", "examples", "example"})
"""Keywords whose value holds no schema: nothing in there is a reference."""


_CONTENT = frozenset({"contentEncoding", "contentMediaType"})
_UNSURE: Mapping[Dialect, frozenset[str]] = {
    Dialect.DRAFT_4: frozenset(),
    Dialect.DRAFT_6: frozenset(),
    Dialect.DRAFT_7: _CONTENT,  # "implementations MAY": draft-07 validation, 8.3
    Dialect.DRAFT_2019_09: frozenset({"dependencies"}),  # replaced by two others, often still read
    Dialect.DRAFT_2020_12: frozenset({"dependencies"}),
}
"""Keywords that some validators heed and others do not, each rightly."""


class Checker:
    """Validators for one schema; each is compiled when it is first asked for.

    Attributes:
        document: The schema, with long enums cut short.
        cut: Where they were, and how many values they had.

    Raises:
        SchemaError: No value can be judged by the schema.
    """

    def __init__(self, schema: Any) -> None:
        short = trimmed(schema)
        self.document = Document(short.schema)
        self.cut = short.cut
        self._dropped = short.dropped
        self._whole = Validator(schema, formats=True)
        self._short = Validator(short.schema, formats=True) if short.dropped else self._whole
        lax = without_keywords(schema, _UNSURE[self.document.dialect])
        self._lax = None if lax is schema else Validator(lax, formats=True)
        self._local: dict[Hashable, tuple[Spot, Validator | None]] = {}
        self._patterns: dict[str, Validator | None] = {}
        self._matches: dict[tuple[str, str], bool] = {}
        self._spare = LARGEST_LOCAL * 20  # characters that may be compiled for subschemas
        self._inner: Any = None
        self._size = 0

    @property
    def validator(self) -> Validator:
        """The validator of the whole schema, with formats asserted."""
        return self._whole

    def fits(self, value: Any) -> bool:
        """Whether the value fits the whole schema; no where that cannot be decided."""
        return self._judge(value).verdict(value) is True

    def breaks(self, value: Any) -> bool:
        """Whether the value breaks the whole schema, by whatever reading of the specification.

        Some keywords bind by one reading and not by another; what breaks nothing else is neither
        right nor wrong. (`format` is taken to bind.)
        """
        if self._judge(value).verdict(value) is not False:
            return False
        return self._lax is None or self._lax.verdict(value) is False

    def _judge(self, value: Any) -> Validator:
        is_cut = bool(self._dropped) and holds_any(value, self._dropped)
        return self._whole if is_cut else self._short

    def fits_node(self, node: Node, value: Any) -> bool:
        """Whether the value fits the claims, as far as they have validators of their own."""
        for spot, holds in node:
            if isinstance(spot.schema, bool):
                if spot.schema is not holds:
                    return False
                continue
            validator = self._validator(spot)
            if validator is not None and validator.verdict(value) is not holds:
                return False
        return True

    def matches(self, pattern: str, text: str) -> bool:
        """Whether an ECMA-262 expression is found in the text; no for one that cannot be read."""
        key = (pattern, text)
        if key not in self._matches:
            if pattern not in self._patterns:
                self._patterns[pattern] = _compiled({"pattern": pattern})
            validator = self._patterns[pattern]
            self._matches[key] = validator is not None and validator.verdict(text) is True
        return self._matches[key]

    def _validator(self, spot: Spot) -> Validator | None:
        key = id(spot.schema)
        if key not in self._local:
            self._local[key] = (spot, None)  # the spot keeps the id; a circle of references ends
            if len(self._local) < MOST_LOCAL:
                self._local[key] = (spot, self._make(spot))
        return self._local[key][1]

    def _make(self, spot: Spot) -> Validator | None:
        if not isinstance(spot.schema, dict):
            return None
        if spot.schema.keys() <= _ONLY_REF:  # many refer to one
            targets = self.document.targets(spot)
            return self._validator(targets[0]) if targets and targets[0] != spot else None
        text = _text_of([spot.schema, spot.path])
        if text is None or len(text) > self._spare:
            return None
        self._spare -= len(text)
        if '"$' not in text:
            return _compiled(spot.schema, self.document)
        return self._in_its_document(spot)

    def _in_its_document(self, spot: Spot) -> Validator | None:
        """The subschema with all that its references may lead to."""
        root = self.document.root.schema
        if self._inner is None:
            self._inner = root if isinstance(root.get("$id"), str) else _moved(root)
            self._size = len(_text_of(root) or "") or LARGEST_LOCAL + 1
        if self._size > min(LARGEST_LOCAL, self._spare):
            return None
        self._spare -= self._size
        return _compiled(
            {_HOME: {"root": self._inner}, "$ref": f"#/{_HOME}/root{quote(spot.pointer)}"},
            self.document,
        )


_ONLY_REF = frozenset({"$ref", "title", "description", "default", "examples"})
_HOME = "definitions"  # a reference finds it in every dialect


def _moved(schema: Any) -> Any:
    """The schema with its references to the root led to its new place below it."""
    if isinstance(schema, list):
        return [_moved(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    made = {key: item if key in _KEPT else _moved(item) for key, item in schema.items()}
    for keyword in ("$ref", "$dynamicRef", "$recursiveRef"):
        ref = made.get(keyword)
        if isinstance(ref, str) and (ref == "#" or ref.startswith("#/")):
            made[keyword] = f"#/{_HOME}/root{ref[1:]}"
    return made


def _compiled(schema: Any, document: Document | None = None) -> Validator | None:
    try:
        return Validator(schema, document.dialect if document else None, formats=True)
    except (SchemaError, RecursionError):
        return None  # then the whole schema decides alone


def _text_of(schema: Any) -> str | None:
    try:
        return json.dumps(schema)
    except (ValueError, TypeError, RecursionError):
        return None
