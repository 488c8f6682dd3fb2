"""Which engine judges: jsonschema-rs where it can be imported, else jsonschema."""

import functools
from collections.abc import Iterator, Mapping
from typing import Any, Protocol

from toolproof.schemas.dialects import Dialect
from toolproof.schemas.findings import Finding


class Engine(Protocol):
    """One compiled schema."""

    def fits(self, value: Any) -> bool: ...

    def findings(self, value: Any) -> Iterator[Finding]: ...


class Rust(Protocol):
    """The module rust_engine."""

    def compiled(self, schema: Any, dialect: Dialect, *, formats: bool) -> Engine | None:
        """The compiled schema; None where it refuses the schema."""

    def meta_engine(self, dialect: Dialect) -> Engine:
        """The meta-schema of a dialect."""


@functools.cache
def rust() -> Rust | None:
    """jsonschema-rs, imported when it is first needed, as that takes 40 ms; None without it."""
    try:
        from toolproof.schemas import rust_engine
    except ImportError:  # no wheel for this platform
        return None
    return rust_engine


def python(schema: Any, dialect: Dialect, *, formats: bool, lengths: Mapping[str, int]) -> Engine:
    """The schema in jsonschema, which is imported only here: that takes 100 ms.

    Args:
        lengths: The longest string that each pattern is tried on.
    """
    from toolproof.schemas.python_engine import PythonEngine

    return PythonEngine(schema, dialect, formats=formats, lengths=lengths)


def warm_up() -> None:
    """Import the engine and compile the meta-schema that most schemas need."""
    engine = rust()
    if engine is not None:
        engine.meta_engine(Dialect.DRAFT_2020_12)
