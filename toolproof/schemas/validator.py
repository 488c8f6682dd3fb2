"""A schema that values are judged by, whichever engine does it."""

import functools
from collections.abc import Iterator
from typing import Any, NamedTuple

from toolproof.schemas import engines
from toolproof.schemas.breach import Breach, SchemaError
from toolproof.schemas.dialects import Dialect, dialect_of
from toolproof.schemas.effort import Effort
from toolproof.schemas.explaining import Explainer
from toolproof.schemas.findings import Finding
from toolproof.schemas.metaschema import breaches_of_schema
from toolproof.schemas.pattern_text import ecma_to_python, ecma_to_rust, searchable_length
from toolproof.schemas.patterns import ecma_regex_error
from toolproof.schemas.plain import DEEPEST, Shape, look_through, shape_of
from toolproof.schemas.pointers import Path, pointer_of
from toolproof.schemas.references import References, RefKind
from toolproof.schemas.rewriting import Outline, outline_of, rewritten
from toolproof.schemas.wording import found


class Validator:
    """One schema, compiled.

    What cannot be decided counts as fitting, so that no verdict rests on it: a value nested more
    than 200 levels deep, a string on which a pattern took too long, a value for which the branches
    of a recursive schema multiply without end.

    Args:
        schema: An object or a boolean.
        dialect: Where it is not the one that the schema declares.
        formats: Whether `format` is asserted, not only noted.

    Raises:
        SchemaError: No value can be judged by it: an unknown dialect, a breach of the meta-schema,
            a reference that dangles or leads to another document, a pattern that is no ECMA-262
            expression, more than 200 levels, references that multiply without end.
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
        self._effort = Effort(schema, known) if self._outline.refers else None
        if self._steps(0) > _MOST_STEPS:
            raise SchemaError(f"its references multiply to more than {_MOST_STEPS:,} schemas")
        self._rust = None if shape is Shape.ODD else self._in_rust()

    @property
    def is_compiled(self) -> bool:
        """Whether jsonschema-rs has it; else values take 30 to 100 times as long."""
        return self._rust is not None

    def fits(self, value: Any) -> bool:
        """Whether the value fits. It never raises."""
        shape, depth = look_through(value)
        compiled = self._able(shape, depth)
        if compiled is None or compiled.engine.fits(value):
            return True
        if not self._outline.patterns:
            return False
        return self._steps(depth) <= _MOST_TOLD and not any(compiled.findings(value))

    def verdict(self, value: Any) -> bool | None:
        """Whether the value fits; None where that cannot be decided. It never raises."""
        shape, depth = look_through(value)
        compiled = self._able(shape, depth)
        if compiled is None or (compiled is not self._rust and self._is_too_long(value)):
            return None
        if compiled.engine.fits(value):
            return True
        if not self._outline.patterns:
            return False
        decided = self._steps(depth) <= _MOST_TOLD and any(compiled.findings(value))
        return False if decided else None

    def breaches(self, value: Any) -> Iterator[Breach]:
        """How the value does not fit; nothing where it does. It never raises."""
        shape, depth = look_through(value)
        compiled = self._able(shape, depth)
        if compiled is None or self.fits(value):
            return
        if self._steps(depth) > _MOST_TOLD:
            said = f"found {found(value)}, which fits none of too many branches to name one"
            yield Breach("", "", said, value)
            return
        told: set[tuple[Path, Path, str | None]] = set()
        for finding in compiled.findings(value):
            key = finding.path, finding.schema_path, finding.name
            if key not in told:
                told.add(key)
                yield compiled.explainer.breach(finding, value)

    def _able(self, shape: Shape, depth: int) -> "_Compiled | None":
        """The engine that can judge such a value in bounded time; None if there is none."""
        if shape is Shape.DEEP:
            return None
        if shape is Shape.PLAIN and self._rust is not None:
            return self._rust if self._steps(depth) <= _MOST_STEPS else None
        effort = self._effort_of_python
        if effort.loops or effort.height(depth) > _DEEPEST_OF_PYTHON:
            return None  # jsonschema would meet the limit on recursion, and not survive it
        return self._python if effort.at(depth) <= _MOST_STEPS_OF_PYTHON else None

    @functools.cached_property
    def _effort_of_python(self) -> Effort:
        return self._effort or Effort(self.schema, self.dialect)

    def _is_too_long(self, value: Any) -> bool:
        """Whether it has a string on which jsonschema does not try some pattern."""
        if not self._outline.patterns:
            return False
        lengths = [searchable_length(pattern.text) for pattern in self._outline.patterns]
        return any(len(text) > min(lengths) for text in _strings(value))

    def _steps(self, depth: int) -> int:
        return self._effort.at(depth) if self._effort else 1

    def _in_rust(self) -> "_Compiled | None":
        """The schema in jsonschema-rs; None where that is missing or cannot take it."""
        rust = engines.rust()
        words = rewritten(self.schema, self._outline, ecma_to_rust) if rust else None
        if rust is None or words is None:
            return None
        engine = rust.compiled(words.schema, self.dialect, formats=self._formats)
        if engine is None:
            return None
        return _Compiled(engine, Explainer(self.schema, self.dialect, words))

    @functools.cached_property
    def _python(self) -> "_Compiled | None":
        """The schema in jsonschema; None where Python cannot search for a pattern, or not fast."""
        words = rewritten(self.schema, self._outline, _searchable)
        patterns = self._outline.patterns
        lengths = {_searchable(p.text) or "": searchable_length(p.text) for p in patterns}
        keys = [searchable_length(pattern.text) for pattern in patterns if pattern.is_key]
        if words is None or min(keys, default=_LONGEST_KEY) < _LONGEST_KEY:
            return None
        engine = engines.python(words.schema, self.dialect, formats=self._formats, lengths=lengths)
        return _Compiled(engine, Explainer(self.schema, self.dialect, words))


class _Compiled(NamedTuple):
    """A schema in an engine."""

    engine: engines.Engine
    explainer: Explainer

    def findings(self, value: Any) -> Iterator[Finding]:
        """What the engine finds, but for what it gave up."""
        return (one for one in self.engine.findings(value) if not _is_undecided(one))


_MOST_STEPS = 10_000_000  # about 20 ns each
_MOST_STEPS_OF_PYTHON = 100_000  # about 5 µs each
_DEEPEST_OF_PYTHON = 100  # steps in steps, of some five frames each
_MOST_TOLD = 20_000  # each finding of a branch takes about 100 µs to hand over
_LONGEST_KEY = 3_000  # characters of a name that an object may have


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


def _strings(value: Any) -> Iterator[str]:
    stack = [value]
    while stack:
        part = stack.pop()
        if isinstance(part, str):
            yield part
        elif isinstance(part, dict):
            stack += [*part, *part.values()]
        elif isinstance(part, list):
            stack += part


def _is_undecided(finding: Finding) -> bool:
    """Whether the engine gave up on it, or on all that a branch found."""
    stack = [finding]
    while stack:
        one = stack.pop()
        if one.undecided:
            return True
        stack += [inner for branch in one.branches for inner in branch]
    return False
