"""Schemas as servers might send them: mostly right, often wrong in one keyword, of every dialect."""

from typing import Any

from hypothesis import strategies as st

from toolproof.schemas import Dialect
from toolproof.schemas.walk import MANY, NAMED, ONE

SCALARS: st.SearchStrategy[Any] = st.one_of(
    st.none(),
    st.booleans(),
    st.sampled_from([-1, 0, 1, 2, 1.0, 1.5, -0.5, 2**53, 10**30]),
    st.sampled_from(["", "a", "b", "string", "object", "array", "integer", "null", "#", "^a", "é"]),
)
ANYTHING: st.SearchStrategy[Any] = st.recursive(
    SCALARS,
    lambda below: st.one_of(
        st.lists(below, max_size=3),
        st.dictionaries(st.sampled_from(["a", "b", "type", "items", "~/"]), below, max_size=3),
    ),
    max_leaves=6,
)
TYPES = ["array", "boolean", "integer", "null", "number", "object", "string"]
NAMES = st.sampled_from(["a", "b", "c", "^a", "x~/y"])
SIZES = st.integers(0, 3)
NUMBERS = st.sampled_from([-2, 0, 1, 2.5, 3, 10])

RIGHT: dict[str, st.SearchStrategy[Any]] = {
    "type": st.one_of(
        st.sampled_from(TYPES),
        st.lists(st.sampled_from(TYPES), min_size=1, max_size=3, unique=True),
    ),
    "enum": st.lists(ANYTHING, min_size=1, max_size=3),
    "const": ANYTHING,
    "required": st.lists(NAMES, max_size=2, unique=True),
    "minLength": SIZES,
    "maxLength": SIZES,
    "minItems": SIZES,
    "maxItems": SIZES,
    "minProperties": SIZES,
    "maxProperties": SIZES,
    "minimum": NUMBERS,
    "maximum": NUMBERS,
    "exclusiveMinimum": NUMBERS,
    "exclusiveMaximum": NUMBERS,
    "multipleOf": st.sampled_from([1, 2, 0.5, 0.01]),
    "uniqueItems": st.booleans(),
    "pattern": st.sampled_from(["^a", "a$", r"\d+", "[ab]", r"^\S$", r"é|\u{62}", "(?=a)a", "."]),
    "dependentRequired": st.dictionaries(
        NAMES, st.lists(NAMES, max_size=2, unique=True), max_size=2
    ),
    "minContains": SIZES,
    "maxContains": SIZES,
    "title": st.just("t"),
    "$comment": st.just("c"),
    "deprecated": st.booleans(),
    "examples": st.lists(ANYTHING, max_size=2),
}


def schemas(*, wrong: bool, boolean: bool = True) -> st.SearchStrategy[Any]:
    """Schemas of any dialect; with `wrong`, some keywords have values that no dialect allows."""
    leaves = st.fixed_dictionaries({}, optional=_keywords(wrong=wrong))
    base: st.SearchStrategy[Any] = st.one_of(st.booleans(), leaves) if boolean else leaves

    def deeper(below: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
        held: dict[str, st.SearchStrategy[Any]] = {}
        for keyword in ONE:
            held[keyword] = below
        for keyword in MANY:
            held[keyword] = st.lists(below, min_size=0 if wrong else 1, max_size=2)
        for keyword in NAMED:
            held[keyword] = st.dictionaries(NAMES, below, max_size=2)
        held["items"] = st.one_of(below, st.lists(below, max_size=2)) if wrong else below
        return st.fixed_dictionaries({}, optional=_keywords(wrong=wrong) | held).map(_thinned)

    return st.recursive(base, deeper, max_leaves=5)


def _keywords(*, wrong: bool) -> dict[str, st.SearchStrategy[Any]]:
    if not wrong:
        return RIGHT
    odd = {"$id", "$anchor", "$dynamicAnchor", "$vocabulary", "$schema", "format", "readOnly"}
    known = set(RIGHT) | odd | {"$recursiveAnchor", "contentEncoding", "dependencies", "$ref"}
    return {keyword: st.one_of(RIGHT.get(keyword, ANYTHING), ANYTHING) for keyword in sorted(known)}


def _thinned(schema: dict[str, Any]) -> dict[str, Any]:
    """At most six keywords, so that values still fit now and then."""
    return dict(list(schema.items())[:6])


DIALECTS = st.sampled_from(list(Dialect))
