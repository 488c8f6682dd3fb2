"""A tool's definition as rules read it: raw, of any type, and each schema walked once for all rules."""

import functools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from toolproof import schemas


@dataclass(frozen=True, slots=True)
class Node:
    """One subschema.

    Attributes:
        pointer: From the tool's definition: `/inputSchema/properties/ids`.
        schema: As it came; a dict, or a boolean.
        key: The keyword (or the property's name) that it stands under.
        depth: How many subschemas are above it.
    """

    pointer: str
    schema: Any
    key: str
    depth: int


class SchemaView:
    """One schema of a tool.

    Attributes:
        member: inputSchema or outputSchema.
        pointer: `/inputSchema` or `/outputSchema`.
        schema: As it came, an object.
        revision: The agreed revision.
    """

    def __init__(self, member: str, schema: dict[str, Any], revision: str) -> None:
        self.member = member
        self.pointer = f"/{member}"
        self.schema = schema
        self.revision = revision

    @property
    def is_input(self) -> bool:
        return self.member == "inputSchema"

    @functools.cached_property
    def dialect(self) -> schemas.Dialect | None:
        """The declared dialect, 2020-12 if none is; None for one that nobody knows."""
        return schemas.dialect_of(self.schema)

    @functools.cached_property
    def breaches(self) -> Sequence[schemas.Breach]:
        """How the schema breaks the meta-schema of its dialect; empty where it is sound or unknown."""
        return list(schemas.breaches_of_schema(self.schema)) if self.dialect else []

    @property
    def is_sound(self) -> bool:
        """Whether values can be judged by it: a known dialect, and valid in it."""
        return self.dialect is not None and not self.breaches

    @functools.cached_property
    def nodes(self) -> Sequence[Node]:
        """Every subschema, the root first, by the keywords of the dialect."""
        return list(schemas_nodes(self.schema, self.pointer))

    @functools.cached_property
    def by_keyword(self) -> Mapping[str, Sequence[Node]]:
        """The subschemas that have a keyword, so that a rule looks only at those it is about."""
        found: dict[str, list[Node]] = {}
        for node in self.nodes:
            if isinstance(node.schema, dict):
                for keyword in node.schema:
                    found.setdefault(keyword, []).append(node)
        return found

    def having(self, keyword: str) -> Sequence[Node]:
        """The subschemas that have this keyword."""
        return self.by_keyword.get(keyword, ())


def schemas_nodes(schema: Any, pointer: str) -> Iterator[Node]:
    """Every subschema below (and with) `schema`; see `schemas.subschemas` for what counts as one."""
    stack: list[Node] = [Node(pointer, schema, "", 0)]
    while stack:
        node = stack.pop()
        yield node
        if isinstance(node.schema, dict):
            below = [
                Node(f"{node.pointer}/{'/'.join(map(schemas.escape_token, path))}", sub, path[-1], node.depth + 1)
                for path, sub in schemas.subschemas(node.schema)
            ]
            stack += reversed(below)


class Definition:
    """One entry of tools/list.

    Attributes:
        raw: As it came, of whatever type.
        index: Its place in the list, from 0, over all pages.
    """

    def __init__(self, raw: Any, index: int, revision: str) -> None:
        self.raw = raw
        self.index = index
        self.revision = revision
        self.object: dict[str, Any] = raw if isinstance(raw, dict) else {}

    @property
    def name(self) -> str:
        """The name; empty where there is none that is a string with something in it."""
        name = self.object.get("name")
        return name if isinstance(name, str) and name.strip() else ""

    @property
    def label(self) -> str:
        """What reports call it: the name, else `<index N>`."""
        return self.name or f"<index {self.index}>"

    @property
    def description(self) -> str:
        """The description; empty where there is none that is a string."""
        description = self.object.get("description")
        return description if isinstance(description, str) else ""

    @functools.cached_property
    def input(self) -> SchemaView | None:
        """inputSchema, where it is an object."""
        return self._view("inputSchema")

    @functools.cached_property
    def output(self) -> SchemaView | None:
        """outputSchema, where it is an object."""
        return self._view("outputSchema")

    @property
    def schemas(self) -> Sequence[SchemaView]:
        """The schemas that are objects, inputSchema first."""
        return [view for view in (self.input, self.output) if view is not None]

    def _view(self, member: str) -> SchemaView | None:
        schema = self.object.get(member)
        return SchemaView(member, schema, self.revision) if isinstance(schema, dict) else None
