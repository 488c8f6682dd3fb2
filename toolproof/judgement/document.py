"""One schema document: its subschemas by their place, and where its references lead."""

import functools
from collections.abc import Mapping
from typing import Any, NamedTuple

from toolproof.schemas.dialects import DEFAULT, dialect_of
from toolproof.schemas.pointers import Path, pointer_of, value_at
from toolproof.schemas.references import REFERENCES, References


class Spot(NamedTuple):
    """One subschema and its place.

    Attributes:
        schema: As it came, of any type.
        path: From the root of the document.
    """

    schema: Any
    path: Path

    @property
    def pointer(self) -> str:
        """JSON pointer from the root of the document; empty for the root."""
        return pointer_of(self.path)

    def below(self, *path: str | int) -> "Spot":
        """The subschema at a path from here, which must be there."""
        return Spot(value_at(self.schema, path), self.path + path)


class Document:
    """A schema with all that it can refer to."""

    def __init__(self, root: Any) -> None:
        self.root = Spot(root, ())
        self.dialect = dialect_of(root) or DEFAULT

    @property
    def ref_hides(self) -> bool:
        """Whether what stands beside a `$ref` does not count, as up to draft-07."""
        return self.dialect.is_draft

    def targets(self, spot: Spot) -> list[Spot]:
        """The schemas that the references of this one lead to, within the document."""
        if not isinstance(spot.schema, dict):
            return []
        found: list[Spot] = []
        for keyword in REFERENCES:
            path = self._targets.get((spot.path, keyword)) if keyword in spot.schema else None
            if path is not None:
                found.append(Spot(value_at(self.root.schema, path), path))
        return found

    @functools.cached_property
    def _targets(self) -> Mapping[tuple[Path, str], Path]:
        references = References(self.root.schema, self.dialect)
        return {(r.path, r.keyword): r.target for r in references if r.target is not None}
