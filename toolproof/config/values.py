"""The values that keys take: text, numbers with their units, paths, patterns, JSON."""

import math
import re
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

from toolproof.config.mistakes import DEEPEST, Mistake, seen
from toolproof.config.scalars import Kind, Odd
from toolproof.config.value import Bounds, Unfit, Value, bounded, several


def _text(given: Any) -> str:
    if isinstance(given, str) and not isinstance(given, Odd):
        return given
    if isinstance(given, bool | int | float | Odd):
        raise Unfit(f'write "{given.shown if isinstance(given, Odd) else seen(given)}" in quotes')
    raise Unfit


def _filled(given: Any) -> str:
    text = _text(given)
    if not text.strip():
        raise Unfit
    return text


def _words(given: Any) -> str:
    """Text, or a number that can only have been meant as the text that was written."""
    if isinstance(given, Odd) and given.kind is Kind.NUMBER:
        return str(given)
    if isinstance(given, int | float) and not isinstance(given, bool | Odd):
        return seen(given)
    return _text(given)


def _flag(given: Any) -> bool:
    if isinstance(given, Odd) and given.kind is Kind.BOOLEAN:
        return bool(given.value)
    if isinstance(given, bool):
        return given
    if isinstance(given, str) and given.lower() in ("true", "false"):
        raise Unfit("write it without quotes")
    raise Unfit


def _number(given: Any) -> float:
    if isinstance(given, Odd):
        if given.kind is Kind.NUMBER and not isinstance(given.value, str):
            return given.value
        raise Unfit(f"write {given.plain}" if given.kind in (Kind.OCTAL, Kind.SIXTIES) else "")
    if isinstance(given, int | float) and not isinstance(given, bool):
        return given
    if isinstance(given, str) and re.fullmatch(r"-?\d+(\.\d+)?", given.strip()):
        raise Unfit("write it without quotes")
    raise Unfit


def _finite(given: Any) -> float:
    try:
        number = float(_number(given))
    except OverflowError:
        raise Unfit from None
    if not math.isfinite(number):
        raise Unfit
    return number


def _whole(given: Any) -> int:
    number = _number(given)
    if number % 1 != 0:  # of infinity and NaN too
        raise Unfit
    return int(number)


def _object(given: Any) -> dict[str, Any]:
    if not isinstance(given, Mapping):
        raise Unfit
    value: dict[str, Any] = _json(given)
    return value


def _json(given: Any) -> Any:
    """The value, of plain dicts and lists.

    Raises:
        Unfit: With a mistake for each part that is no JSON, or that YAML may have misread.
    """
    mistakes: list[Mistake] = []
    value = _plain(given, (), mistakes)
    if len(mistakes) == 1 and not mistakes[0].steps:
        raise Unfit(mistakes[0].message, whole=True)
    if mistakes:
        raise Unfit(inside=mistakes)
    return value


def _plain(given: Any, at: tuple[str | int, ...], mistakes: list[Mistake]) -> Any:
    wrong = ""
    match given:
        case _ if len(at) > DEEPEST:
            at, wrong = at[:8], f"nested more than {DEEPEST} levels deep"
        case Odd() if given.kind is Kind.NUMBER:
            return _plain(given.value, at, mistakes)
        case Odd():
            wrong = f'{given.reading}: write "{given.shown}" for the text'
            wrong += f", or {given.plain}" if given.plain else ""
        case float() if not math.isfinite(given):
            wrong = f"{given} is no number that JSON has"
        case None | bool() | int() | float() | str():
            return given
        case Mapping():
            for key in given:
                if not isinstance(key, str):
                    mistakes.append(Mistake(at, f"expected text as key, got {seen(key)}"))
            return {
                key: _plain(value, (*at, key), mistakes)
                for key, value in given.items()
                if isinstance(key, str)
            }
        case list() | tuple():
            return [_plain(value, (*at, index), mistakes) for index, value in enumerate(given)]
        case _:
            wrong = f"expected a JSON value, got {seen(given)}"
    mistakes.append(Mistake(at, wrong))
    return None


def _pattern(given: Any) -> str:
    pattern = _text(given)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what a later Python may read otherwise
            re.compile(pattern)
    except (re.error, OverflowError, RecursionError) as exc:
        raise Unfit(f"{seen(pattern)} is no regular expression: {exc}", whole=True) from None
    return pattern


def _json_path(given: Any) -> str:
    path = _text(given)
    if not path.startswith("$"):
        raise Unfit("a JSONPath starts with '$'")
    if _PLAIN_PATH.fullmatch(path):
        return path
    import jsonpath

    try:
        jsonpath.compile(path)
    except (jsonpath.JSONPathError, RecursionError) as exc:
        raise Unfit(str(exc).partition("\n")[0]) from None
    return path


# Most paths are such; only for others it is worth 0.1 s to import the library that reads them all.
_PLAIN_PATH = re.compile(r"\$(?:\.[A-Za-z_][A-Za-z0-9_]*|\[(?:-?[0-9]{1,9}|\*|'[^'\\]*')\]|\.\*)*")


def _schema(given: Any) -> Any:
    """A JSON Schema that is valid in its own dialect."""
    if isinstance(given, bool):
        return given
    if not isinstance(given, Mapping):
        raise Unfit
    schema = _json(given)
    from toolproof.schemas import breaches_of_schema

    mistakes = [
        Mistake(_steps(schema, breach.pointer), f"the schema is not valid: {breach.message}")
        for breach in breaches_of_schema(schema)
    ]
    if mistakes:
        raise Unfit(inside=mistakes)
    return schema


def _steps(value: Any, pointer: str) -> tuple[str | int, ...]:
    """The way to a value, from its JSON pointer."""
    steps: list[str | int] = []
    for token in pointer.split("/")[1:]:
        key = token.replace("~1", "/").replace("~0", "~")
        if isinstance(value, list) and key.isdecimal() and int(key) < len(value):
            steps.append(int(key))
            value = value[int(key)]
        else:
            steps.append(key)
            value = value.get(key) if isinstance(value, dict) else None
    return tuple(steps)


def _path(given: Any) -> Path:
    if isinstance(given, Path):
        return given
    text = _filled(given)
    if "\0" in text:
        raise Unfit
    return Path(text)


def number(
    unit: str = "",
    *,
    above: float | None = None,
    least: float | None = None,
    most: float | None = None,
) -> Value:
    """A number within bounds; a unit is part of what it is called."""
    name = f"a number of {unit}" if unit else "a number"
    return bounded(name, _finite, "number", Bounds(above, least, most))


def whole(unit: str = "", *, least: int | None = None, most: int | None = None) -> Value:
    """A whole number within bounds."""
    name = f"a whole number of {unit}" if unit else "a whole number"
    return bounded(name, _whole, "integer", Bounds(None, least, most))


TEXT = Value("text", _text, {"type": "string"})
FILLED = Value("text that is not empty", _filled, {"type": "string", "minLength": 1})
WORDS = Value("text", _words, {"type": ["string", "number"]})
FLAG = Value("true or false", _flag, {"type": "boolean"})
JSON = Value("a JSON value", _json)
OBJECT = Value("a mapping", _object, {"type": "object"})
PATTERN = Value("a regular expression", _pattern, {"type": "string", "format": "regex"})
JSON_PATH = Value("a JSONPath", _json_path, {"type": "string", "pattern": r"^\$"})
SCHEMA = Value("a JSON Schema", _schema, {"anyOf": [{"type": "object"}, {"type": "boolean"}]})
PATH = Value("a path", _path, {"type": "string", "minLength": 1})

Text = Annotated[str, TEXT]
Filled = Annotated[str, FILLED]
Words = Annotated[str, WORDS]
Flag = Annotated[bool, FLAG]
Json = Annotated[Any, JSON]
JsonObject = Annotated[dict[str, Any], OBJECT]
Schema = Annotated[Any, SCHEMA]
Pattern = Annotated[str, PATTERN]
JsonPath = Annotated[str, JSON_PATH]
PathText = Annotated[Path, PATH]
Milliseconds = Annotated[float, number("milliseconds", above=0)]
Seconds = Annotated[float, number("seconds", above=0)]
Share = Annotated[float, number(least=0, most=1)]
OneOrMoreWords = Annotated[tuple[str, ...], several(WORDS)]
OneOrMoreTexts = Annotated[tuple[str, ...], several(FILLED)]
OneOrMorePatterns = Annotated[tuple[str, ...], several(PATTERN)]
