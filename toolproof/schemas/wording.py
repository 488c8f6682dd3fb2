"""What a breach is called: what was found, and what the schema expects."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from toolproof.schemas.findings import Finding
from toolproof.schemas.located import Place
from toolproof.schemas.pattern_text import ecma_to_python
from toolproof.text import count, listed, quoted

_SHOWN = 60  # characters of a value in a message


def type_of(value: Any) -> str:
    """What JSON calls the type of a value: true is a boolean, 1.0 a number."""
    return "null" if value is None else _TYPES.get(type(value), type(value).__name__)


_TYPES = {
    bool: "boolean",
    int: "integer",
    float: "number",
    str: "string",
    list: "array",
    dict: "object",
}


def an(noun: str) -> str:
    """The noun with its article."""
    return noun if noun == "null" else f"{'an' if noun[:1] in 'aeio' else 'a'} {noun}"


def found(value: Any) -> str:
    """A value as messages show it: whole where it is small, else its type and size."""
    match value:
        case str() if len(value) > _SHOWN:
            return f"{quoted(value[:_SHOWN], _SHOWN)}… ({len(value):,} characters)"
        case list() if not _is_small(value):
            return f"an array of {count(len(value), 'item')}"
        case dict() if not _is_small(value):
            return f"an object of {count(len(value), 'property', 'properties')}"
        case _:
            return quoted(value, _SHOWN)


_FEW = 3


def _is_small(value: Any) -> bool:
    """Whether it is quickly written: it has few parts, and none of them is long."""
    stack = [value]
    for _ in range(4 * _FEW):
        if not stack:
            return True
        part = stack.pop()
        if isinstance(part, dict):
            stack += part
            stack += part.values()
        elif isinstance(part, list):
            stack += part
        elif isinstance(part, str) and len(part) > _SHOWN:
            return False
        if len(stack) > 4 * _FEW:
            return False
    return False


def message_of(place: Place, value: Any, name: str | None = None) -> str:
    """What was found and what is expected.

    Args:
        place: Where the keyword stands.
        value: The part of the value that breaks it.
        name: The property's name, where `propertyNames` refuses it.
    """
    if name is not None:
        return f"the name {quoted(name, _SHOWN)} is not one that 'propertyNames' allows"
    expected = place.node.get(place.keyword)
    say = _SAYS.get(place.keyword)
    if say is not None and len(place.path) and place.path[-1] == place.keyword:
        return say(value, expected, place.node)
    return f"found {found(value)}, expected nothing here: its schema is false"


def type_message(value: Any, types: Sequence[str]) -> str:
    """What is wrong where the value is of none of the types."""
    return f"found {found(value)}, expected {types_expected(types)}"


def choice_message(
    place: Place, value: Any, branches: Sequence[Sequence[Finding]], closest: str
) -> str:
    """What is wrong where none of several branches fits, or more than one.

    Args:
        closest: What the branch that comes closest says, with its pointer.
    """
    fitting = [str(index) for index, branch in enumerate(branches) if not branch]
    if len(fitting) > 1:
        return (
            f"found {found(value)}, which fits branches {listed(fitting)} of 'oneOf', expected one"
        )
    told = count(len(branches), "branch", "branches")
    return f"fits none of the {told} of {place.keyword!r}; the closest: {closest}"


def types_expected(types: Sequence[str]) -> str:
    """The types as a choice: "a string, an integer or null"."""
    named = [an(kind) for kind in dict.fromkeys(types)]
    return named[0] if len(named) == 1 else f"{', '.join(named[:-1])} or {named[-1]}"


def _type(value: Any, expected: Any, _: Mapping[str, Any]) -> str:
    types = [expected] if isinstance(expected, str) else [t for t in expected if isinstance(t, str)]
    return type_message(value, types)


def _enum(value: Any, expected: Any, _: Mapping[str, Any]) -> str:
    options = [quoted(option, 30) for option in expected[:_FEW]]
    more = len(expected) - len(options)
    told = ", ".join(options) + (f" and {more:,} more" if more else "")
    return f"found {found(value)}, expected one of {told}"


def _const(value: Any, expected: Any, _: Mapping[str, Any]) -> str:
    return f"found {found(value)}, expected {found(expected)}"


def _bound(words: str) -> Callable[[Any, Any, Mapping[str, Any]], str]:
    return lambda value, bound, _: f"found {found(value)}, expected {words} {found(bound)}"


def _inclusive(
    words: str, keyword: str, strict: str
) -> Callable[[Any, Any, Mapping[str, Any]], str]:
    """A bound that draft-04 makes strict by a boolean beside it."""
    return lambda value, bound, node: (
        f"found {found(value)}, expected "
        f"{strict if node.get(keyword) is True else words} {found(bound)}"
    )


def _size(noun: str, plural: str, words: str) -> Callable[[Any, Any, Mapping[str, Any]], str]:
    return lambda value, bound, _: (
        f"found {count(len(value), noun, plural)}, expected {words} {found(bound)}"
    )


def _required(value: Any, expected: Any, _: Mapping[str, Any]) -> str:
    missing = [quoted(name, 40) for name in expected if name not in value]
    return f"{listed(missing)} {'is' if len(missing) == 1 else 'are'} required and missing"


def _additional(value: Any, _: Any, node: Mapping[str, Any]) -> str:
    known = node.get("properties")
    known = known if isinstance(known, dict) else {}
    patterns = node.get("patternProperties")
    regexes = [ecma_to_python(key) for key in patterns] if isinstance(patterns, dict) else []
    extra = [
        quoted(name, 40)
        for name in value
        if name not in known and not any(r is not None and r.search(name) for r in regexes)
    ]
    return f"{listed(extra) or 'a property'} {'is' if len(extra) < 2 else 'are'} not allowed here"


def _dependent(value: Any, expected: Any, _: Mapping[str, Any]) -> str:
    for name, wanted in expected.items():
        if name in value and isinstance(wanted, list):
            missing = [quoted(other, 40) for other in wanted if other not in value]
            if missing:
                return f"{listed(missing)} must come with {quoted(name, 40)}"
    return "properties are missing that others require"


_SAYS: Mapping[str, Callable[[Any, Any, Mapping[str, Any]], str]] = {
    "type": _type,
    "enum": _enum,
    "const": _const,
    "minimum": _inclusive("at least", "exclusiveMinimum", "more than"),
    "maximum": _inclusive("at most", "exclusiveMaximum", "less than"),
    "exclusiveMinimum": _bound("more than"),
    "exclusiveMaximum": _bound("less than"),
    "multipleOf": _bound("a multiple of"),
    "minLength": _size("character", "characters", "at least"),
    "maxLength": _size("character", "characters", "at most"),
    "minItems": _size("item", "items", "at least"),
    "maxItems": _size("item", "items", "at most"),
    "minProperties": _size("property", "properties", "at least"),
    "maxProperties": _size("property", "properties", "at most"),
    "pattern": _bound("a match of"),
    "format": _bound("the format"),
    "required": _required,
    "additionalProperties": _additional,
    "dependentRequired": _dependent,
    "dependencies": _dependent,
    "uniqueItems": lambda value, _, __: (
        f"found equal items in {found(value)}, expected all to differ"
    ),
    "contains": lambda value, _, __: f"found no item in {found(value)} that fits 'contains'",
    "minContains": lambda _, bound, __: (
        f"found fewer items that fit 'contains' than {found(bound)}"
    ),
    "maxContains": lambda _, bound, __: f"found more items that fit 'contains' than {found(bound)}",
    "unevaluatedProperties": lambda value, _, __: (
        f"found properties in {found(value)} that no part of the schema allows"
    ),
    "unevaluatedItems": lambda value, _, __: (
        f"found items in {found(value)} that no part of the schema allows"
    ),
    "additionalItems": lambda value, _, __: f"found more items in {found(value)} than are allowed",
    "not": lambda value, _, __: f"found {found(value)}, which 'not' rules out",
}
