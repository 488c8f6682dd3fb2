"""The dialects of JSON Schema that are known, and which one a schema declares."""

from enum import StrEnum
from typing import Any


class Dialect(StrEnum):
    """The dialects that are known, by the URI that `$schema` gives (without a final `#`)."""

    DRAFT_4 = "http://json-schema.org/draft-04/schema"
    DRAFT_6 = "http://json-schema.org/draft-06/schema"
    DRAFT_7 = "http://json-schema.org/draft-07/schema"
    DRAFT_2019_09 = "https://json-schema.org/draft/2019-09/schema"
    DRAFT_2020_12 = "https://json-schema.org/draft/2020-12/schema"

    @property
    def label(self) -> str:
        """What people call it: `draft-07`, `2020-12`."""
        return self.value.split("/")[-2]

    @property
    def is_draft(self) -> bool:
        """Whether it is draft-04, -06 or -07, where `$ref` hides what stands beside it."""
        return self in _DRAFTS

    @property
    def is_old(self) -> bool:
        """Whether today's clients no longer read it: draft-04 and draft-06."""
        return self in _OLD


_OLD = frozenset({Dialect.DRAFT_4, Dialect.DRAFT_6})
_DRAFTS = _OLD | {Dialect.DRAFT_7}
_BY_URI = {dialect.value: dialect for dialect in Dialect}

DEFAULT = Dialect.DRAFT_2020_12
"""The dialect of a schema that declares none. Source: MCP 2026-07-28 basic, JSON Schema Usage."""


def dialect_of(schema: Any) -> Dialect | None:
    """The dialect that the schema declares, 2020-12 if it declares none; None for an unknown one.

    A `$schema` that is no string declares nothing: the meta-schema of 2020-12 refuses it.
    """
    declared = schema.get("$schema") if isinstance(schema, dict) else None
    if not isinstance(declared, str):
        return DEFAULT
    return _BY_URI.get(declared.removesuffix("#"))
