"""The JSON Schema of toolproof.yaml, so that editors complete and check it."""

import inspect
import re
from collections.abc import Iterator
from typing import Any

from pydantic import BaseModel

from toolproof.config.model import Config
from toolproof.config.strict import Strict, keys_of

DIALECT = "https://json-schema.org/draft/2020-12/schema"

_ATTRIBUTE = re.compile(r"^ {4}(\w+): (.*(?:\n {8}.*)*)", re.MULTILINE)


def config_schema() -> dict[str, Any]:
    """The schema; descriptions are those of the models' docstrings."""
    made = Config.model_json_schema()
    definitions = made.pop("$defs")
    models = {model.__name__: model for model in _models(Strict)}
    for name, definition in list(definitions.items()):
        _describe(definition, models[name])
        if (short := models[name].SHORT_FORM) is not None:
            definitions[name] = {"anyOf": [definition, dict(short)]}
    _describe(made, Config)
    return {
        "$schema": DIALECT,
        "title": "toolproof.yaml",
        "description": made.pop("description"),
        "type": made.pop("type"),
        "properties": made.pop("properties"),
        "additionalProperties": False,
        "oneOf": [{"required": ["server"]}, {"required": ["servers"]}],
        "$defs": definitions,
    }


def _models(base: type[Strict]) -> Iterator[type[Strict]]:
    for model in base.__subclasses__():
        yield model
        yield from _models(model)


def _describe(definition: dict[str, Any], model: type[BaseModel]) -> None:
    """Put what the docstring says of each key beside it, and leave out what code alone may set."""
    texts = descriptions(model)
    definition["description"] = summary(model)
    definition.pop("title", None)
    properties = definition["properties"]
    definition["properties"] = {
        key: _property(properties[key], texts[key]) for key in keys_of(model)
    }


def _property(made: dict[str, Any], text: str) -> dict[str, Any]:
    made.pop("title", None)
    if made.get("default") == "":
        del made["default"]
    return {"description": text, **made}


def summary(model: type[BaseModel]) -> str:
    """The first sentence of a section's docstring."""
    return (inspect.getdoc(model) or "").partition("\n")[0]


def descriptions(model: type[BaseModel]) -> dict[str, str]:
    """What each key means."""
    found: dict[str, str] = {}
    for part in reversed(model.__mro__):
        if not issubclass(part, Strict) or part is Strict:
            continue
        text = inspect.cleandoc(part.__doc__ or "")
        _before, _header, attributes = text.partition("\nAttributes:\n")
        found |= {
            match[1]: re.sub(r"\s+", " ", match[2]) for match in _ATTRIBUTE.finditer(attributes)
        }
    return found
