"""Values judged by jsonschema: where jsonschema-rs is missing, or cannot take the schema or value."""

import functools
import math
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from typing import Any

import jsonschema
import jsonschema.protocols
import jsonschema.validators
from referencing.exceptions import Unresolvable
from referencing.jsonschema import EMPTY_REGISTRY

from toolproof.schemas.dialects import Dialect
from toolproof.schemas.equality import first_repeated
from toolproof.schemas.findings import Finding
from toolproof.schemas.plain import tamed
from toolproof.schemas.pointers import Path, value_at
from toolproof.schemas.walk import NAMED, subschemas

_CLASSES = {
    Dialect.DRAFT_4: jsonschema.Draft4Validator,
    Dialect.DRAFT_6: jsonschema.Draft6Validator,
    Dialect.DRAFT_7: jsonschema.Draft7Validator,
    Dialect.DRAFT_2019_09: jsonschema.Draft201909Validator,
    Dialect.DRAFT_2020_12: jsonschema.Draft202012Validator,
}
Errors = Iterator[jsonschema.ValidationError]


class PythonEngine:
    """One schema whose meta-schema, references and patterns have been checked.

    Args:
        lengths: The longest string that each pattern is tried on; a longer one counts as matched.
    """

    def __init__(
        self, schema: Any, dialect: Dialect, *, formats: bool, lengths: Mapping[str, int]
    ) -> None:
        base = _class_of(dialect)

        def pattern(validator: Any, regex: str, value: Any, node: Any) -> Errors:
            if isinstance(value, str) and len(value) <= lengths[regex]:
                yield from base.VALIDATORS["pattern"](validator, regex, value, node)

        kind = _extended(base, {"pattern": pattern})
        checker = base.FORMAT_CHECKER if formats else None
        marked = _marked(tamed(schema))
        self._validator = kind(marked, registry=EMPTY_REGISTRY, format_checker=checker)

    def fits(self, value: Any) -> bool:
        """Whether it fits; so does what nests too deep to tell, and a reference without an end."""
        return next(self.findings(value), None) is None

    def findings(self, value: Any) -> Iterator[Finding]:
        """What does not fit."""
        try:
            for error in self._validator.iter_errors(tamed(value)):
                yield _finding(error)
        except (RecursionError, ArithmeticError, ValueError, Unresolvable):
            return


_extended: Callable[[Any, dict[str, Any]], Any] = jsonschema.validators.extend


@functools.cache
def _class_of(dialect: Dialect) -> Any:
    base = _CLASSES[dialect]
    changed: dict[str, Any] = {
        _NOTHING: _nothing,
        "multipleOf": _multiple_of,
        "oneOf": _one_of,
        "uniqueItems": _unique_items,
        "$ref": _telling(base.VALIDATORS["$ref"], "$ref"),
    }
    if not dialect.is_draft:
        changed["contains"] = _contains
    if dialect is Dialect.DRAFT_2020_12:
        changed["items"] = _items
    return _extended(base, changed)


def _marked(schema: Any) -> Any:
    """The schema, changed in place, with a keyword of ours where a subschema is `false`.

    jsonschema forgets where in the value it was when it comes to a schema that is false.
    """
    stack = [schema]
    while stack:
        node = stack.pop()
        if not isinstance(node, dict):
            continue
        for path, below in list(subschemas(node)):
            if below is False and path not in _FALSE_IS_A_RULE:
                value_at(node, path[:-1])[path[-1]] = {_NOTHING: True}
            else:
                stack.append(below)
    return schema


_NOTHING = "\0nothing"  # no keyword of anyone's
_FALSE_IS_A_RULE = {
    ("additionalProperties",),
    ("additionalItems",),
    ("unevaluatedProperties",),
    ("unevaluatedItems",),
}


def _nothing(validator: Any, _: Any, value: Any, node: Any) -> Errors:  # noqa: ARG001 - jsonschema's signature
    yield jsonschema.ValidationError("nothing is allowed")


def _telling(rule: Callable[..., Any], keyword: str) -> Callable[..., Errors]:
    """The rule, with its keyword in the way to what it finds, where jsonschema leaves it out."""

    def told(*given: Any) -> Errors:
        for error in rule(*given) or ():
            error.schema_path.appendleft(keyword)
            yield error

    return told


def _multiple_of(validator: Any, divisor: Any, value: Any, node: Any) -> Errors:  # noqa: ARG001 - jsonschema's signature
    """By decimal value, as jsonschema-rs does: 19.99 is a multiple of 0.01."""
    if not validator.is_type(value, "number"):
        return
    whole, part = _exact(value), _exact(divisor)
    if whole is not None and part and whole % part != 0:
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


def _contains(validator: Any, contains: Any, value: Any, node: Any) -> Errors:
    """Told under the keyword that sets the number."""
    if not validator.is_type(value, "array"):
        return
    fits = validator.evolve(schema=contains).is_valid
    number = sum(1 for item in value if fits(item))
    if number < node.get("minContains", 1):
        keyword = "minContains" if "minContains" in node else "contains"
        yield jsonschema.ValidationError("too few", validator=keyword)
    if "maxContains" in node and number > node["maxContains"]:
        yield jsonschema.ValidationError("too many", validator="maxContains")


def _unique_items(validator: Any, unique: Any, value: Any, node: Any) -> Errors:  # noqa: ARG001 - jsonschema's signature
    """In linear time."""
    if unique and validator.is_type(value, "array") and first_repeated(value) is not None:
        yield jsonschema.ValidationError("not unique")


def _one_of(validator: Any, branches: Any, value: Any, node: Any) -> Errors:  # noqa: ARG001 - jsonschema's signature
    """With what each branch finds also where too many fit."""
    found = [
        list(validator.descend(value, branch, schema_path=index))
        for index, branch in enumerate(branches)
    ]
    if sum(1 for errors in found if not errors) != 1:
        context = [error for errors in found for error in errors]
        yield jsonschema.ValidationError("not exactly one", context=context)


def _finding(error: jsonschema.ValidationError) -> Finding:
    path: Path = tuple(error.absolute_path)
    way: Path = tuple(error.absolute_schema_path)
    if way and way[-1] == "contains":
        way = (*way[:-1], str(error.validator))
    elif way and way[-1] == _NOTHING:
        way = way[:-1]
    names = _below_names(way)
    if names is not None:
        return Finding(path, way[:names], name=str(error.instance))
    branches: list[list[Finding]] = []
    if error.validator in {"anyOf", "oneOf"} and isinstance(error.validator_value, list):
        branches = [[] for _ in error.validator_value]
        for inner in error.context or ():
            branches[int(inner.schema_path[0])].append(_finding(inner))
    return Finding(path, way, branches)


def _below_names(way: Path) -> int | None:
    """The length of the way up to `propertyNames`, where that is a keyword of it."""
    for index, part in enumerate(way):
        if part == "propertyNames" and (index == 0 or way[index - 1] not in NAMED):
            return index + 1
    return None
