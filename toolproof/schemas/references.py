"""Where a `$ref` leads, without ever fetching anything: pointers, anchors and `$id` bases."""

import functools
from collections.abc import Iterable, Iterator
from dataclasses import replace
from enum import StrEnum
from typing import Any
from urllib.parse import unquote, urldefrag, urljoin, urlsplit

from toolproof.records import record
from toolproof.schemas.cycles import on_a_cycle
from toolproof.schemas.dialects import DEFAULT, Dialect, dialect_of
from toolproof.schemas.pointers import Link, Path, path_of, pointer_of, value_at
from toolproof.schemas.walk import subschemas

REFERENCES = ("$ref", "$dynamicRef", "$recursiveRef")
"""The keywords whose value is a reference to a schema."""


_NAMING = frozenset({"id", "$id", "$anchor", "$dynamicAnchor"})
TELLING = _NAMING.union(REFERENCES)
"""Keywords of a schema that refers or can be referred to by name."""


class RefKind(StrEnum):
    """What a reference is.

    LOCAL leads to a schema of the same document, RECURSIVE to one from which it is reached again,
    DANGLING to nothing in the same document, EXTERNAL to another document.
    """

    LOCAL = "local"
    DANGLING = "dangling"
    EXTERNAL = "external"
    RECURSIVE = "recursive"


@record
class Resource:
    """A schema with a URI of its own: the root, or one with `$id`.

    Attributes:
        base: Its absolute URI, or what there is of one; without a fragment.
        path: From the root of the document.
    """

    base: str
    path: Path
    schema: Any


@record
class Reference:
    """One reference of a document.

    Attributes:
        path: Of the schema that holds it.
        keyword: `$ref`, `$dynamicRef` or `$recursiveRef`.
        ref: As it is written.
        kind: What it is.
        target: The path of the schema it leads to; None where it leads to none here.
    """

    path: Path
    keyword: str
    ref: str
    kind: RefKind
    target: Path | None

    @property
    def pointer(self) -> str:
        """The pointer of the keyword, from the root."""
        return pointer_of((*self.path, self.keyword))


class References:
    """All that one document can refer to; built in one pass over its subschemas.

    Args:
        places: The subschemas that have one of `TELLING`, in their order, where the caller knows
            them and none but the root has a URI of its own; else they are looked for.
    """

    def __init__(
        self,
        root: Any,
        dialect: Dialect | None = None,
        *,
        places: Iterable[tuple[Path, dict[str, Any]]] | None = None,
    ) -> None:
        self.root = root
        self.dialect = dialect or dialect_of(root) or DEFAULT
        self._id = "id" if self.dialect is Dialect.DRAFT_4 else "$id"
        self._resources: dict[str, Resource] = {}
        self._anchors: dict[tuple[str, str], tuple[Any, Path]] = {}
        self._dynamic: dict[str, tuple[Any, Path]] = {}  # of the outermost resource with the name
        self._found: list[tuple[Path, str, str, str]] = []  # path, keyword, ref, base
        self._resolved: dict[tuple[str, str], tuple[Any, Path] | None] = {}
        self._base = _text(root, self._id).partition("#")[0]
        self._resources[self._base] = Resource(self._base, (), root)
        if places is None:
            self._look_through()
        else:
            for path, schema in places:
                self._note(schema, path, self._base)

    def resolve(self, ref: str, base: str = "") -> tuple[Any, Path] | None:
        """The schema that `ref` leads to and its path; None where it is not in this document.

        Args:
            ref: As `$ref` has it.
            base: The base URI where it stands; empty for the one of the root.
        """
        key = ref, base
        if key not in self._resolved:
            self._resolved[key] = self._found_at(ref, base)
        return self._resolved[key]

    def _found_at(self, ref: str, base: str) -> tuple[Any, Path] | None:
        resource, fragment = self._resource(ref, base)
        if resource is None:
            return None
        if fragment == "":
            return resource.schema, resource.path
        if not fragment.startswith("/"):
            return self._anchors.get((resource.base, fragment))
        path = _path_of(fragment, resource.schema)
        if path is None:
            return None
        return value_at(resource.schema, path), resource.path + path

    def kind(self, ref: str, base: str = "") -> RefKind:
        """Local, dangling or external; recursion is told by `all`."""
        resource, _ = self._resource(ref, base)
        if resource is None:
            return RefKind.EXTERNAL
        return RefKind.LOCAL if self.resolve(ref, base) else RefKind.DANGLING

    def __iter__(self) -> Iterator[Reference]:
        """Every reference of the document, in its order."""
        return iter(self.all)

    @functools.cached_property
    def all(self) -> tuple[Reference, ...]:
        """Every reference of the document, in its order."""
        plain = [self._reference(*found) for found in self._found]
        recursive = on_a_cycle([(r.path, r.target) for r in plain if r.target is not None])
        return tuple(
            replace(r, kind=RefKind.RECURSIVE) if (r.path, r.target) in recursive else r
            for r in plain
        )

    def _reference(self, path: Path, keyword: str, ref: str, base: str) -> Reference:
        found = self.resolve(ref, base)
        if found is None:
            return Reference(path, keyword, ref, self.kind(ref, base), None)
        _, target = found
        if keyword == "$dynamicRef":
            name = urldefrag(ref).fragment
            if name in self._dynamic and name == _text(found[0], "$dynamicAnchor"):
                _, target = self._dynamic[name]
        return Reference(path, keyword, ref, RefKind.LOCAL, target)

    def _resource(self, ref: str, base: str) -> tuple[Resource | None, str]:
        whole = _join(base or self._base, ref)
        uri, _, fragment = whole.partition("#")
        return self._resources.get(uri), unquote(fragment)

    def _look_through(self) -> None:
        stack: list[tuple[Any, Link | None, str]] = [(self.root, None, self._base)]
        while stack:
            schema, link, base = stack.pop()
            if not isinstance(schema, dict):
                continue
            if not TELLING.isdisjoint(schema):
                base = self._note(schema, path_of(link), base)
            stack += reversed([(sub, (link, below), base) for below, sub in subschemas(schema)])

    def _note(self, schema: dict[str, Any], path: Path, base: str) -> str:
        """Note what the schema is called and what it refers to; the base URI inside it."""
        if not _NAMING.isdisjoint(schema):
            base = self._names(schema, path, base)
        self._refers(schema, path, base)
        return base

    def _refers(self, schema: dict[str, Any], path: Path, base: str) -> None:
        """Note the references that the schema has."""
        for keyword in REFERENCES:
            ref = schema.get(keyword)
            if isinstance(ref, str) and (keyword == "$ref" or not self.dialect.is_draft):
                self._found.append((path, keyword, ref, base))

    def _names(self, schema: dict[str, Any], path: Path, base: str) -> str:
        """Note what the schema can be called; the base URI inside it."""
        if self.dialect.is_draft and isinstance(schema.get("$ref"), str):
            return base  # what stands beside $ref does not count there
        named = _text(schema, self._id)
        if named.startswith("#"):
            if self.dialect.is_draft:  # an anchor, as draft-04 to -07 write it
                self._anchors.setdefault((base, named[1:]), (schema, path))
        elif named and path:
            base = _join(base, named).partition("#")[0]
            self._resources.setdefault(base, Resource(base, path, schema))
        if not self.dialect.is_draft:
            for keyword in ("$anchor", "$dynamicAnchor"):
                name = _text(schema, keyword)
                if name:
                    self._anchors.setdefault((base, name), (schema, path))
            dynamic = _text(schema, "$dynamicAnchor")
            if dynamic:
                self._dynamic.setdefault(dynamic, (schema, path))
        return base


def resolve(root: Any, ref: str, *, base: str = "") -> tuple[Any, str] | None:
    """The schema that `ref` leads to and its pointer; None where it is not in this document.

    Whoever has many references of one document keeps a `References`: this one indexes it anew.
    """
    found = References(root).resolve(ref, base)
    return None if found is None else (found[0], pointer_of(found[1]))


def ref_kind(root: Any, ref: str, *, base: str = "") -> RefKind:
    """Local, dangling, external, or recursive where the document has it on a cycle."""
    references = References(root)
    kind = references.kind(ref, base)
    on_a_cycle = any(r.ref == ref and r.kind is RefKind.RECURSIVE for r in references)
    return RefKind.RECURSIVE if kind is RefKind.LOCAL and on_a_cycle else kind


def _text(schema: Any, keyword: str) -> str:
    value = schema.get(keyword) if isinstance(schema, dict) else None
    return value if isinstance(value, str) else ""


def _join(base: str, ref: str) -> str:
    """The URI that `ref` means at `base`. Source: RFC 3986, 5.2; a `urn:` base has no paths."""
    if ref.startswith("#") or not ref:
        return base.partition("#")[0] + ref
    try:
        if urlsplit(ref).scheme:
            return ref
        return urljoin(base, ref) if urlsplit(base).netloc or not urlsplit(base).scheme else ref
    except ValueError:  # such as an address with one bracket
        return ref


def _path_of(fragment: str, schema: Any) -> Path | None:
    """The path of a pointer, with indices where lists are; None where it leads to no schema."""
    path: list[str | int] = []
    for token in fragment[1:].split("/"):
        name = token.replace("~1", "/").replace("~0", "~")
        is_list = isinstance(schema, list)
        try:
            schema = value_at(schema, (name,))
        except LookupError:
            return None
        path.append(int(name) if is_list else name)
    return tuple(path) if isinstance(schema, (dict, bool)) else None
