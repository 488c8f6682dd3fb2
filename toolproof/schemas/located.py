"""From the way an engine took to a keyword to the place where that keyword stands."""

import functools
from collections.abc import Mapping
from typing import Any

from toolproof.records import record
from toolproof.schemas.dialects import Dialect
from toolproof.schemas.pointers import Path, value_at
from toolproof.schemas.references import REFERENCES, References
from toolproof.schemas.walk import NAMED


@record
class Place:
    """Where a keyword stands.

    Attributes:
        path: From the root of the document, references followed. Where a schema is `false`, it
            leads to that schema.
        keyword: The keyword, or the one that holds the schema that is `false`; empty for the root.
        node: The schema that has the keyword.
    """

    path: Path
    keyword: str
    node: Mapping[str, Any]


_BOUNDS = {"exclusiveMinimum": "minimum", "exclusiveMaximum": "maximum"}


class Locator:
    """Finds places in one document."""

    def __init__(self, schema: Any, dialect: Dialect) -> None:
        self._schema = schema
        self._dialect = dialect

    def place(self, way: Path) -> Place:
        """The place that an evaluation path leads to: `("properties", "a", "$ref", "type")`."""
        at: Path = ()  # of the schema that has the keyword
        rest = list(reversed(way))
        while rest:
            keyword = str(rest.pop())
            if keyword in REFERENCES and rest:
                at = self._targets.get((at, keyword), at)
                continue
            below: Path = (keyword,)
            if rest and (keyword in NAMED or isinstance(rest[-1], int)):
                below = (keyword, rest.pop())
            if not rest:
                return self._said(Place(at + below, keyword, self._node(at)))
            at += below
        return Place(at, "", {})

    def _said(self, place: Place) -> Place:
        """In draft-04 a strict bound is one keyword beside another: the one with the number."""
        bound = _BOUNDS.get(place.keyword)
        if bound is None or not isinstance(place.node.get(place.keyword), bool):
            return place
        return Place((*place.path[:-1], bound), bound, place.node)

    @functools.cached_property
    def _targets(self) -> Mapping[tuple[Path, str], Path]:
        references = References(self._schema, self._dialect)
        return {(r.path, r.keyword): r.target for r in references if r.target is not None}

    def _node(self, path: Path) -> Mapping[str, Any]:
        try:
            node = value_at(self._schema, path)
        except LookupError:  # an engine that counts its way otherwise
            return {}
        return node if isinstance(node, dict) else {}
