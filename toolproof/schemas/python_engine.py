"""Values judged by jsonschema: where jsonschema-rs is missing, or cannot take the schema or value."""

import functools
import math
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import jsonschema
import jsonschema.protocols
import jsonschema.validators
from referencing.jsonschema import EMPTY_REGISTRY

from toolproof.schemas.dialects import Dialect
from toolproof.schemas.findings import Finding
from toolproof.schemas.plain import tamed
from toolproof.schemas.pointers import Path

_CLASSES = {
    Dialect.DRAFT_4: jsonschema.Draft4Validator,
    Dialect.DRAFT_6: jsonschema.Draft6Validator,
    Dialect.DRAFT_7: jsonschema.Draft7Validator,
    Dialect.DRAFT_2019_09: jsonschema.Draft201909Validator,
    Dialect.DRAFT_2020_12: jsonschema.Draft202012Validator,
}
Errors = Iterator[jsonschema.ValidationError]
_LONG = 30  # characters


class PythonEngine:
    """One schema whose meta-schema, references and patterns have been checked.

    Args:
        long_patterns: Those that are not tried on long strings, as they may backtrack for hours.
    """

    def __init__(
        self, schema: Any, dialect: Dialect, *, formats: bool, long_patterns: frozenset[str]
    ) -> None:
        base = _class_of(dialect)

        def pattern(validator: Any, regex: str, value: Any, node: Any) -> Errors:
            if isinstance(value, str) and not (len(value) > _LONG and regex in long_patterns):
                yield from base.VALIDATORS["pattern"](validator, regex, value, node)

        kind = _extended(base, {"pattern": pattern})
        checker = base.FORMAT_CHECKER if formats else None
        self._validator = kind(tamed(schema), registry=EMPTY_REGISTRY, format_checker=checker)

    def fits(self, value: Any) -> bool:
        """Whether it fits; so does what nests too deep to tell, and a reference without an end."""
        return next(self.findings(value), None) is None

    def findings(self, value: Any) -> Iterator[Finding]:
        """What does not fit."""
        try:
            for error in self._validator.iter_errors(tamed(value)):
                yield _finding(error)
        except (RecursionError, ArithmeticError, ValueError):
            return


_extended: Callable[[Any, dict[str, Any]], Any] = jsonschema.validators.extend


@functools.cache
def _class_of(dialect: Dialect) -> Any:
    changed: dict[str, Any] = {"multipleOf": _multiple_of}
    if dialect is Dialect.DRAFT_2020_12:
        changed["items"] = _items
    return _extended(_CLASSES[dialect], changed)


def _multiple_of(validator: Any, divisor: Any, value: Any, node: Any) -> Errors:  # noqa: ARG001 - jsonschema's signature
    """By decimal value, as jsonschema-rs does: 19.99 is a multiple of 0.01."""
    if not validator.is_type(value, "number") or _exact(divisor) in {None, 0}:
        return
    whole, part = _exact(value), _exact(divisor)
    if whole is not None and part is not None and whole % part != 0:
        yield jsonschema.ValidationError("not a multiple")


def _exact(number: Any) -> Fraction | None:
    if isinstance(number, float):
        return Fraction(repr(number)) if math.isfinite(number) else None
    return Fraction(number)


def _items(validator: Any, items: Any, value: Any, node: Any) -> Errors:
    """Each item behind `prefixItems` by itself, also where no more are allowed."""
    if validator.is_type(value, "array"):
        for index in range(len(node.get("prefixItems", ())), len(value)):
            yield from validator.descend(value[index], items, path=index)


def _finding(error: jsonschema.ValidationError) -> Finding:
    path: Path = tuple(error.absolute_path)
    schema_path = _tidied(tuple(error.absolute_schema_path))
    if schema_path and schema_path[-1] == "contains" and error.validator != "contains":
        schema_path = (*schema_path[:-1], str(error.validator))
    name = _below_names(schema_path)
    if name is not None:
        return Finding(path, schema_path[:name], name=str(error.instance))
    branches: list[list[Finding]] = []
    if error.validator in {"anyOf", "oneOf"} and isinstance(error.validator_value, list):
        branches = [[] for _ in error.validator_value]
        for inner in error.context or ():
            branches[int(inner.schema_path[0])].append(_finding(inner))
    return Finding(path, schema_path, branches)


def _tidied(path: Path) -> Path:
    """Without the `if` before the `then` or `else` that was broken."""
    return tuple(
        part
        for index, part in enumerate(path)
        if not (part == "if" and path[index + 1 : index + 2] in {("then",), ("else",)})
    )


def _below_names(path: Path) -> int | None:
    """The length of the path up to `propertyNames`, where that is a keyword of it."""
    for index, part in enumerate(path[:-1]):
        if part == "propertyNames" and (index == 0 or path[index - 1] not in _NAMED):
            return index + 1
    return None


_NAMED = frozenset({"properties", "patternProperties", "dependentSchemas", "dependencies"})
