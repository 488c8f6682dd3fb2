"""The JSON Schema of the records' JSON: from the same hints as `records.py`, words from docstrings."""

import inspect
import typing
from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import Any

from toolproof.report.forms import Form, form_of, inside
from toolproof.report.records import EXACT, SPECIALS, keys_of

_TYPES: Mapping[Any, Any] = {bool: "boolean", int: "integer", float: ["number", "null"]}
_NAME_INDENT = 4  # spaces before a name in the `Attributes:` of a docstring


def schema_of(hint: Any, definitions: dict[str, Any]) -> dict[str, Any]:
    """The JSON Schema of what `dumper(hint)` makes; records go to `definitions` by name."""
    match form_of(hint):
        case Form.FREE:
            return {}
        case Form.CHOICE:
            return {"enum": list(typing.get_args(hint))}
        case Form.RECORD:
            return _reference(hint, definitions)
        case Form.SCALAR:
            return _scalar(hint)
        case form:
            return _holder(form, schema_of(inside(hint), definitions))


def _holder(form: Form, inner: dict[str, Any]) -> dict[str, Any]:
    if form is Form.OPTIONAL:
        return {"anyOf": [inner, {"type": "null"}]}
    if form is Form.LIST:
        return {"type": "array", "items": inner}
    return {"type": "object", "additionalProperties": inner}


def _scalar(hint: Any) -> dict[str, Any]:
    if isinstance(hint, type) and issubclass(hint, StrEnum):
        return {"enum": [str(member) for member in hint]}
    return {"type": _TYPES.get(hint, "string")}


def _reference(cls: type, definitions: dict[str, Any]) -> dict[str, Any]:
    if cls.__name__ not in definitions:
        definitions[cls.__name__] = {}  # a record may hold its like
        special = SPECIALS.get(cls)
        found = dict(special.schema) if special else record_schema(cls, definitions)
        definitions[cls.__name__] = found
    return {"$ref": f"#/$defs/{cls.__name__}"}


def record_schema(cls: type, definitions: dict[str, Any]) -> dict[str, Any]:
    """The schema of one record's object. Unknown keys are allowed: a later MINOR may add some."""
    told = dict(_told(cls))
    properties: dict[str, Any] = {}
    for key in keys_of(cls):
        words = {"description": told[key.name]} if key.name in told else {}
        properties[key.name] = words | schema_of(key.hint, definitions)
        if key.free:
            properties[key.name + EXACT] = exact_schema(key.name)
    return {
        "description": " ".join(_paragraphs(cls)[0].split()),
        "type": "object",
        "properties": properties,
        "required": [key.name for key in keys_of(cls) if not key.optional],
    }


def exact_schema(name: str) -> dict[str, Any]:
    """The schema of the key that holds another one's exact text."""
    words = f"The exact JSON text of `{name}`, where not every reader could hold it."
    return {"description": words, "type": "string"}


def _paragraphs(cls: type) -> list[str]:
    return inspect.cleandoc(cls.__doc__ or "").split("\n\n")


def _told(cls: type) -> Iterator[tuple[str, str]]:
    """What docstrings say of each key: the class's of its attributes, a property's of itself."""
    for key in keys_of(cls):
        words = None if key.stored else getattr(cls, key.name).__doc__
        if words:
            yield key.name, " ".join(words.split()).removeprefix("Internal; ")
    attributes = next((text for text in _paragraphs(cls) if text.startswith("Attributes:")), "")
    name, words = "", ""
    for line in attributes.splitlines()[1:]:
        start, colon, rest = line.strip().partition(":")
        if colon and start.isidentifier() and len(line) - len(line.lstrip()) == _NAME_INDENT:
            if name:
                yield name, words
            name, words = start, rest.strip().removeprefix("Internal; ")
        else:
            words = f"{words} {line.strip()}"
    if name:
        yield name, words
