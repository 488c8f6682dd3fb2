"""A schema that values are judged by, whichever engine does it."""

import functools
from collections.abc import Iterator
from typing import Any

from toolproof.schemas import engines
from toolproof.schemas.breach import Breach, SchemaError
from toolproof.schemas.closest import closest_of
from toolproof.schemas.dialects import Dialect, dialect_of
from toolproof.schemas.findings import Finding
from toolproof.schemas.located import Locator
from toolproof.schemas.metaschema import breaches_of_schema
from toolproof.schemas.pattern_text import ecma_to_python, ecma_to_rust, may_backtrack_long
from toolproof.schemas.patterns import ecma_regex_error
from toolproof.schemas.plain import DEEPEST, Shape, shape_of
from toolproof.schemas.pointers import Path, pointer_of, value_at
from toolproof.schemas.references import References, RefKind
from toolproof.schemas.rewriting import Outline, Rewritten, outline_of, rewritten
from toolproof.schemas.wording import choice_message, message_of, type_message


class Validator:
    """One schema, compiled.

    What cannot be decided counts as fitting, so that no verdict rests on it: a value nested more
    than 200 levels deep, a string on which a pattern took too long.

    Args:
        schema: An object or a boolean.
        dialect: Where it is not the one that the schema declares.
        formats: Whether `format` is asserted, not only noted.

    Raises:
        SchemaError: No value can be judged by it: an unknown dialect, a breach of the meta-schema,
            a reference that dangles or leads to another document, a pattern that is no ECMA-262
            expression, more than 200 levels.
    """

    def __init__(
        self, schema: Any, dialect: Dialect | None = None, *, formats: bool = False
    ) -> None:
        known = dialect or dialect_of(schema)
        if known is None:
            raise SchemaError("$schema names no known dialect", "/$schema")
        shape = shape_of(schema)
        if shape is Shape.DEEP:
            raise SchemaError(f"more than {DEEPEST} levels deep")
        self.schema = schema
        self.dialect = known
        self._formats = formats
        self._outline = outline_of(schema)
        _refuse(schema, known, self._outline, shape)
        self._locator = Locator(schema, known)
        self._rust = None if shape is Shape.ODD else self._in_rust()

    @property
    def is_compiled(self) -> bool:
        """Whether jsonschema-rs has it; else values take 30 to 100 times as long."""
        return self._rust is not None

    def fits(self, value: Any) -> bool:
        """Whether the value fits. It never raises."""
        shape = shape_of(value)
        if shape is Shape.DEEP:
            return True
        engine = self._engine(shape)
        if engine is None or engine[0].fits(value):
            return True
        return bool(self._outline.patterns) and not any(self._findings(engine[0], value))

    def breaches(self, value: Any) -> Iterator[Breach]:
        """How the value does not fit; nothing where it does. It never raises."""
        shape = shape_of(value)
        engine = None if shape is Shape.DEEP else self._engine(shape)
        if engine is None:
            return
        told: set[tuple[Path, Path]] = set()
        for finding in self._findings(engine[0], value):
            key = finding.path, finding.schema_path
            if key not in told or finding.name is not None:
                told.add(key)
                yield self._breach(finding, value, engine[1])

    def _engine(self, shape: Shape) -> tuple[engines.Engine, Rewritten] | None:
        return self._rust if shape is Shape.PLAIN and self._rust is not None else self._python

    def _in_rust(self) -> tuple[engines.Engine, Rewritten] | None:
        """The schema in jsonschema-rs; None where that is missing or cannot take it."""
        rust = engines.rust()
        words = rewritten(self.schema, self._outline, ecma_to_rust) if rust else None
        if rust is None or words is None:
            return None
        engine = rust.compiled(words.schema, self.dialect, formats=self._formats)
        return None if engine is None else (engine, words)

    @functools.cached_property
    def _python(self) -> tuple[engines.Engine, Rewritten] | None:
        """The schema in jsonschema; None where a pattern cannot be said in Python."""
        words = rewritten(self.schema, self._outline, _searchable)
        if words is None:
            return None
        texts = {pattern.text for pattern in self._outline.patterns}
        long = frozenset({_searchable(text) or "" for text in texts if may_backtrack_long(text)})
        engine = engines.python(
            words.schema, self.dialect, formats=self._formats, long_patterns=long
        )
        return engine, words

    def _findings(self, engine: engines.Engine, value: Any) -> Iterator[Finding]:
        return (finding for finding in engine.findings(value) if not _is_undecided(finding))

    def _breach(self, finding: Finding, value: Any, words: Rewritten) -> Breach:
        part = value_at(value, finding.path)
        place = self._locator.place(words.way(finding.schema_path))
        return Breach(
            pointer=pointer_of(finding.path),
            keyword=place.keyword,
            message=self._message(finding, value, words),
            value=part,
            schema_pointer=pointer_of(place.path),
        )

    def _message(self, finding: Finding, value: Any, words: Rewritten) -> str:
        part = value_at(value, finding.path)
        place = self._locator.place(words.way(finding.schema_path))
        if not finding.branches:
            return message_of(place, part, finding.name)
        by_type = self._types_of_branches(finding, words)
        if by_type:
            return type_message(part, by_type)
        closest = closest_of(finding)
        told = ""
        if closest is not None:
            below = self._locator.place(words.way(closest.schema_path))
            where = pointer_of(closest.path[len(finding.path) :])
            said = message_of(below, value_at(value, closest.path), closest.name)
            told = f"at {where} {said}" if where else said
        return choice_message(place, part, finding.branches, told)

    def _types_of_branches(self, finding: Finding, words: Rewritten) -> list[str]:
        """The types that the branches want, where each refuses the value for its type alone."""
        types: list[str] = []
        for branch in finding.branches:
            for one in branch[:1]:
                place = self._locator.place(words.way(one.schema_path))
                if place.keyword != "type" or one.path != finding.path:
                    return []
                wanted = place.node.get("type")
                types += [wanted] if isinstance(wanted, str) else wanted or ()
            if not branch:
                return []
        return types


def _refuse(schema: Any, dialect: Dialect, outline: Outline, shape: Shape) -> None:
    """Raises SchemaError where no value can be judged by the schema."""
    for breach in breaches_of_schema(schema, dialect, shape=shape):
        raise SchemaError(breach.message, breach.pointer)
    for pattern in outline.patterns:
        reason = ecma_regex_error(pattern.text)
        if reason is not None:
            raise SchemaError(reason, pointer_of(pattern.path))
    if outline.refers:
        for reference in References(schema, dialect):
            if reference.kind in {RefKind.DANGLING, RefKind.EXTERNAL}:
                raise SchemaError(f"the reference is {reference.kind}", reference.pointer)


def _searchable(pattern: str) -> str | None:
    compiled = ecma_to_python(pattern)
    return None if compiled is None else compiled.pattern


def _is_undecided(finding: Finding) -> bool:
    """Whether the engine gave up on it, or on all that a branch found."""
    stack = [finding]
    while stack:
        one = stack.pop()
        if one.undecided:
            return True
        stack += [inner for branch in one.branches for inner in branch]
    return False
