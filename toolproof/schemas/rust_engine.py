"""Values judged by jsonschema-rs."""

import functools
from collections.abc import Iterator
from typing import Any

import jsonschema_rs

from toolproof.schemas.dialects import Dialect
from toolproof.schemas.findings import Finding
from toolproof.schemas.pointers import Path

_CLASSES = {
    Dialect.DRAFT_4: jsonschema_rs.Draft4Validator,
    Dialect.DRAFT_6: jsonschema_rs.Draft6Validator,
    Dialect.DRAFT_7: jsonschema_rs.Draft7Validator,
    Dialect.DRAFT_2019_09: jsonschema_rs.Draft201909Validator,
    Dialect.DRAFT_2020_12: jsonschema_rs.Draft202012Validator,
}
_GAVE_UP = (
    jsonschema_rs.ValidationErrorKind.BacktrackLimitExceeded,
    jsonschema_rs.ValidationErrorKind.RegexEngineFailure,
)
_BACKTRACKS = 100_000
"""Steps for one pattern on one string: about 3 ms, then nothing is claimed."""


class RustEngine:
    """One compiled schema."""

    def __init__(self, validator: jsonschema_rs.Validator) -> None:
        self._validator = validator

    def fits(self, value: Any) -> bool:
        """Whether it fits; a string on which a pattern was given up counts as one that does not."""
        return bool(self._validator.is_valid(value))

    def findings(self, value: Any) -> Iterator[Finding]:
        """What does not fit."""
        for error in self._validator.iter_errors(value):
            yield _finding(error)


def compiled(schema: Any, dialect: Dialect, *, formats: bool) -> RustEngine | None:
    """The compiled schema; None where the engine refuses it."""
    try:
        validator = _CLASSES[dialect](
            schema,
            validate_formats=formats,
            ignore_unknown_formats=True,
            retriever=_nothing_is_fetched,
            pattern_options=jsonschema_rs.FancyRegexOptions(backtrack_limit=_BACKTRACKS),
            mask="the value",
        )
    except (ValueError, jsonschema_rs.ReferencingError):
        return None
    return RustEngine(validator)


@functools.cache
def meta_engine(dialect: Dialect) -> RustEngine:
    """The meta-schema of a dialect; formats are not asserted, as the dialects leave that open."""
    engine = compiled({"$ref": dialect.value}, dialect, formats=False)
    if engine is None:
        raise RuntimeError(f"jsonschema-rs has no meta-schema of {dialect}")
    return engine


def _nothing_is_fetched(uri: str) -> Any:
    raise LookupError(uri)


def _finding(error: jsonschema_rs.ValidationError) -> Finding:
    kind = error.kind
    way: Path = tuple(error.evaluation_path)
    if isinstance(kind, jsonschema_rs.ValidationErrorKind.PropertyNames):
        way = way[: way.index("propertyNames") + 1]
        return Finding(tuple(error.instance_path), way, name=str(kind.error.instance))
    branches = [[_finding(inner) for inner in branch] for branch in getattr(kind, "context", ())]
    return Finding(tuple(error.instance_path), way, branches, undecided=isinstance(kind, _GAVE_UP))
