"""A tool's definition as rules read it: raw, of any type, and each schema walked once for all rules."""

import functools
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from toolproof import schemas
from toolproof.report import Check
from toolproof.schemas.plain import Shape
from toolproof.schemas.pointers import Path
from toolproof.schemas.references import TELLING
from toolproof.schemas.walk import MANY, NAMED, ONE
from toolproof.text import one_line, shorten

DEEPEST = 500
"""Subschemas in subschemas; what is deeper is not looked at. JSON is rarely read that deep."""

_APPLIED_TO_THE_SAME = frozenset({"allOf", "anyOf", "oneOf", "not", "if", "then", "else"})


class Node:
    """One subschema.

    Attributes:
        schema: As it came; a dict, or a boolean.
        step: What leads to it from the schema above: `("properties", "ids")`, `("items",)`.
        keyword: The first of that: `properties`, `items`; empty for the root.
        depth: How many subschemas are above it.
        number: Its place among the subschemas of the whole schema.
        parent: The subschema above it; None for the root.
    """

    __slots__ = ("_pointer", "depth", "keyword", "number", "parent", "schema", "step")

    def __init__(
        self, schema: Any, step: Path = (), parent: "Node | None" = None, pointer: str = ""
    ) -> None:
        self.schema = schema
        self.step = step
        self.parent = parent
        if parent is None:
            self.keyword = ""
            self.depth = 0
        else:
            self.keyword = str(step[0])
            self.depth = parent.depth + 1
        self.number = 0
        self._pointer = pointer

    @property
    def key(self) -> str | int:
        """What leads to it: the property's name or the index, else the keyword."""
        return self.step[-1] if self.step else ""

    @property
    def pointer(self) -> str:
        """From the tool's definition: `/inputSchema/properties/ids`.

        Made only for the few nodes that a rule has something to say about.
        """
        way: list[Node] = []
        node = self
        while not node._pointer and node.parent is not None:
            way.append(node)
            node = node.parent
        pointer = node._pointer  # noqa: SLF001
        for below in reversed(way):
            pointer += schemas.pointer_of(below.step)
        self._pointer = pointer
        return pointer

    @property
    def path(self) -> Path:
        """From the schema's root: `("properties", "ids")`."""
        steps: list[Path] = []
        node = self
        while node.parent is not None:
            steps.append(node.step)
            node = node.parent
        return tuple(token for step in reversed(steps) for token in step)

    @property
    def place(self) -> str:
        """The pointer as a message shows it."""
        return place_of(self.pointer)

    @property
    def is_of_same_value(self) -> bool:
        """Whether it is held against the same value as the schema above: a branch of a choice."""
        return self.keyword in _APPLIED_TO_THE_SAME or self.keyword == "dependentSchemas"

    @property
    def types(self) -> tuple[str, ...]:
        """The types that `type` allows; empty where it says none."""
        return types_of(self.schema)

    def value(self, keyword: str) -> Any:
        """A keyword's value; None where it has none, or is a boolean."""
        return self.schema.get(keyword) if isinstance(self.schema, dict) else None


def place_of(pointer: str) -> str:
    """A pointer as a message shows it: on one line, shortened, nothing hidden in it."""
    return shorten(one_line(pointer), _SHOWN)


_SHOWN = 90  # characters of a pointer in a message of 200


def types_of(schema: Any) -> tuple[str, ...]:
    """The types that a schema's `type` allows, a string or a list of them; empty for all else."""
    kind = schema.get("type") if isinstance(schema, dict) else None
    if isinstance(kind, str):
        return (kind,)
    return tuple(one for one in kind if isinstance(one, str)) if isinstance(kind, list) else ()


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
        if self.dialect is None:
            return []
        shape = Shape.PLAIN if self._walked.deepest < _SHALLOW else None
        return list(schemas.breaches_of_schema(self.schema, self.dialect, shape=shape))

    @property
    def is_sound(self) -> bool:
        """Whether values can be judged by it: a known dialect, and valid in it."""
        return self.dialect is not None and not self.breaches

    @functools.cached_property
    def references(self) -> Sequence[schemas.Reference]:
        """Every reference of the schema, with where it leads."""
        if self.dialect is None or not any(map(self.having, schemas.REFERENCES)):
            return ()
        telling = [node for keyword in TELLING for node in self.having(keyword)]
        named = [*self.having("$id"), *self.having("id")]
        if any(node.parent is not None for node in named):
            return schemas.References(self.schema, self.dialect).all
        nodes = sorted(set(telling), key=lambda node: node.number)
        places = [(node.path, node.schema) for node in nodes]
        return schemas.References(self.schema, self.dialect, places=places).all

    @property
    def check(self) -> Check:
        """The family that a fault of this schema belongs to."""
        return Check.INPUT_SCHEMA if self.is_input else Check.OUTPUT_SCHEMA

    @property
    def root(self) -> Node:
        return self.nodes[0]

    def at(self, path: Sequence[str | int]) -> Any:
        """What stands at a path from the schema's root."""
        return schemas.value_at(self.schema, path)

    @property
    def nodes(self) -> Sequence[Node]:
        """Every subschema, the root first, by the keywords that hold schemas in any dialect."""
        return self._walked.nodes

    @property
    def by_keyword(self) -> Mapping[str, Sequence[Node]]:
        """The subschemas that have a keyword, so that a rule looks only at those it is about."""
        return self._walked.by_keyword

    def having(self, keyword: str) -> Sequence[Node]:
        """The subschemas that have this keyword, in the order of the schema."""
        return self._walked.by_keyword.get(keyword, ())

    @functools.cached_property
    def _walked(self) -> "_Walked":
        """One pass without recursion: the subschemas, and which of them have which keyword."""
        nodes: list[Node] = []
        index: defaultdict[str, list[Node]] = defaultdict(list)
        deepest = 0
        stack = [Node(self.schema, pointer=self.pointer)]
        while stack:
            node = stack.pop()
            node.number = len(nodes)
            nodes.append(node)
            schema = node.schema
            if schema is True or schema is False:
                continue
            below: list[Node] = []
            for keyword, value in schema.items():
                index[keyword].append(node)
                find = _FINDERS.get(keyword)
                if find is not None:
                    below += find(node, keyword, value)
            if below:
                if node.depth >= DEEPEST:
                    continue
                deepest = max(deepest, node.depth + 1)
                below.reverse()
                stack += below
        return _Walked(nodes, dict(index), deepest)


class _Walked(NamedTuple):
    """What one pass over a schema gives."""

    nodes: Sequence[Node]
    by_keyword: Mapping[str, Sequence[Node]]
    deepest: int


_SHALLOW = 90  # subschemas in subschemas; two levels of JSON each


def _one(node: Node, keyword: str, value: Any) -> Sequence[Node]:
    return [Node(value, (keyword,), node)] if isinstance(value, (dict, bool)) else ()


def _many(node: Node, keyword: str, value: Any) -> Sequence[Node]:
    if not isinstance(value, list):
        return ()
    return [
        Node(sub, (keyword, index), node)
        for index, sub in enumerate(value)
        if isinstance(sub, (dict, bool))
    ]


def _named(node: Node, keyword: str, value: Any) -> Sequence[Node]:
    if not isinstance(value, dict):
        return ()
    return [
        Node(sub, (keyword, name), node)
        for name, sub in value.items()
        if isinstance(sub, (dict, bool))
    ]


def _one_or_many(node: Node, keyword: str, value: Any) -> Sequence[Node]:
    return (_many if isinstance(value, list) else _one)(node, keyword, value)


_FINDERS: Mapping[str, Callable[[Node, str, Any], Sequence[Node]]] = {
    # the same that `schemas.subschemas` gives
    **dict.fromkeys(ONE, _one),
    **dict.fromkeys(MANY, _many),
    **dict.fromkeys(NAMED, _named),
    "items": _one_or_many,
}


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

    @functools.cached_property
    def schemas(self) -> Sequence[SchemaView]:
        """The schemas that can be looked into, inputSchema first.

        They are objects, and of a known dialect: of any other, nobody can say what it means.
        """
        views = (self.input, self.output)
        return [view for view in views if view is not None and view.dialect is not None]

    def _view(self, member: str) -> SchemaView | None:
        schema = self.object.get(member)
        return SchemaView(member, schema, self.revision) if isinstance(schema, dict) else None
