"""Which properties an object declares, in all the parts that are held against the same value."""

import functools
import re
from collections.abc import Iterator, Sequence
from typing import Any

from toolproof.phases.checks.definitions import Node, SchemaView
from toolproof.records import record
from toolproof.schemas import ecma_to_python

_BRANCHES = ("allOf", "anyOf", "oneOf")
_CONDITIONS = ("if", "then", "else")


@record
class _Declared:
    """What the parts say together: names, patterns of names (None: one that nobody can read)."""

    names: frozenset[str]
    patterns: Sequence[re.Pattern[str] | None]

    def has(self, name: str) -> bool:
        return name in self.names or any(p is None or p.search(name) for p in self.patterns)


class Declarations:
    """The properties that the objects of one schema declare.

    A name is declared by `properties` or `patternProperties` of a schema, of the schemas that it is
    a branch of, and of their branches, references followed: `required` often stands in a branch of
    its own.
    """

    def __init__(self, view: SchemaView) -> None:
        self._view = view
        self._by_schema: dict[int, _Declared] = {}

    def missing(self, node: Node) -> Sequence[str]:
        """The names in the schema's `required` that nothing declares, in their order, each once."""
        names = node.value("required")
        if not isinstance(names, list):
            return ()
        declared = self._declared(_whole(node))
        wanted = dict.fromkeys(name for name in names if isinstance(name, str))
        return [name for name in wanted if not declared.has(name)]

    def requires(self, node: Node) -> bool:
        """Whether the schema, or a branch of it, names anything in `required`."""
        return any(part.get("required") for part in self._parts(node.schema))

    def _declared(self, node: Node) -> _Declared:
        known = self._by_schema.get(id(node.schema))
        if known is None:
            names: set[str] = set()
            patterns: set[str] = set()
            for part in self._parts(node.schema):
                names.update(_keys(part.get("properties")))
                patterns.update(_keys(part.get("patternProperties")))
            known = _Declared(frozenset(names), [ecma_to_python(text) for text in patterns])
            self._by_schema[id(node.schema)] = known
        return known

    def _parts(self, schema: Any) -> Iterator[dict[str, Any]]:
        """The schema with all that it applies to the same value."""
        seen: set[int] = set()
        stack = [schema]
        while stack:
            part = stack.pop()
            if not isinstance(part, dict) or id(part) in seen:
                continue
            seen.add(id(part))
            yield part
            for keyword in _BRANCHES:
                below = part.get(keyword)
                stack += below if isinstance(below, list) else ()
            stack += [part[keyword] for keyword in _CONDITIONS if keyword in part]
            dependent = part.get("dependentSchemas")
            stack += dependent.values() if isinstance(dependent, dict) else ()
            if isinstance(part.get("$ref"), str):
                stack.append(self._targets.get(id(part)))

    @functools.cached_property
    def _targets(self) -> dict[int, Any]:
        """The schema that a `$ref` leads to, by the schema that has it."""
        return {
            id(self._view.at(reference.path)): self._view.at(reference.target)
            for reference in self._view.references
            if reference.keyword == "$ref" and reference.target is not None
        }


def _whole(node: Node) -> Node:
    """The topmost schema that is held against the same value."""
    while node.is_of_same_value and node.parent is not None:
        node = node.parent
    return node


def _keys(value: Any) -> Iterator[str]:
    return iter(value) if isinstance(value, dict) else iter(())
