"""GitHub's expressions: the language between `${{` and `}}`, as the runner evaluates it.

Comparison ignores case; `null`, `''`, `0` and `false` are falsy; mixed types compare as numbers
(actions/runner at commit 258d6c8, Sdk/DTExpressions2/Expressions2/Sdk/EvaluationResult.cs). Names of
unknown contexts are errors.
"""

import json
import math
import re
from collections.abc import Callable, Mapping
from typing import Any

TOKEN = re.compile(
    r"\s*(?:(?P<number>-?(?:0x[0-9A-Fa-f]+|\d+(?:\.\d+)?(?:[eE][+-]?\d+)?))|'(?P<text>(?:[^']|'')*)'"
    r"|(?P<sign>==|!=|<=|>=|&&|\|\||[()!<>,.\[\]])|(?P<word>[A-Za-z_][\w-]*))"
)
EXPRESSION = re.compile(r"\$\{\{(.*?)\}\}", re.DOTALL)
STATUS_FUNCTION = re.compile(r"\b(success|failure|always|cancelled)\s*\(", re.IGNORECASE)


class ExpressionError(ValueError):
    """An expression that the runner would refuse."""


class Expression:
    """One expression, evaluated by recursive descent against contexts and functions."""

    def __init__(
        self, text: str, contexts: Mapping[str, Any], functions: Mapping[str, Callable[..., Any]]
    ) -> None:
        self.text, self.contexts, self.functions = text.strip(), contexts, functions
        self.tokens: list[tuple[str, str]] = []
        self.next = 0
        position = 0
        while position < len(self.text):
            match = TOKEN.match(self.text, position)
            if not match or not match.lastgroup:
                raise ExpressionError(f"unexpected {self.text[position:]!r} in {self.text!r}")
            self.tokens.append((match.lastgroup, match[match.lastgroup]))
            position = match.end()

    def value(self) -> Any:
        """Evaluate the whole text."""
        value = self._or()
        if self.next != len(self.tokens):
            raise ExpressionError(f"unexpected {self.tokens[self.next][1]!r} in {self.text!r}")
        return value

    def _take(self, sign: str) -> bool:
        if self.next < len(self.tokens) and self.tokens[self.next] == ("sign", sign):
            self.next += 1
            return True
        return False

    def _need(self, sign: str) -> None:
        if not self._take(sign):
            raise ExpressionError(f"expected {sign!r} in {self.text!r}")

    def _or(self) -> Any:
        value = self._and()
        while self._take("||"):
            other = self._and()
            value = value if truthy(value) else other
        return value

    def _and(self) -> Any:
        value = self._comparison()
        while self._take("&&"):
            other = self._comparison()
            value = other if truthy(value) else value
        return value

    def _comparison(self) -> Any:
        value = self._unary()
        for sign in ("==", "!=", "<=", ">=", "<", ">"):
            if self._take(sign):
                return compare(value, sign, self._unary())
        return value

    def _unary(self) -> Any:
        if self._take("!"):
            return not truthy(self._unary())
        if self._take("("):
            value = self._or()
            self._need(")")
            return value
        if self.next >= len(self.tokens):
            raise ExpressionError(f"{self.text!r} ends too early")
        kind, token = self.tokens[self.next]
        self.next += 1
        if kind == "number":
            return float(int(token, 16)) if "0x" in token.lower() else float(token)
        if kind == "text":
            return token.replace("''", "'")
        if kind == "sign":
            raise ExpressionError(f"unexpected {token!r} in {self.text!r}")
        if token in ("true", "false", "null"):
            return {"true": True, "false": False, "null": None}[token]
        return self._call(token) if self._take("(") else self._path(token)

    def _call(self, name: str) -> Any:
        arguments: list[Any] = []
        if not self._take(")"):
            arguments.append(self._or())
            while self._take(","):
                arguments.append(self._or())
            self._need(")")
        if name.lower() not in self.functions:
            raise ExpressionError(f"unrecognized function: {name!r}")
        return self.functions[name.lower()](*arguments)

    def _path(self, name: str) -> Any:
        if name.lower() not in self.contexts:
            raise ExpressionError(f"unrecognized named-value: {name!r}")
        value = self.contexts[name.lower()]
        while True:
            if self._take("."):
                key: Any = self.tokens[self.next][1] if self.next < len(self.tokens) else ""
                self.next += 1
            elif self._take("["):
                key = self._or()
                self._need("]")
            else:
                return value
            value = _member(value, key)


def _member(value: Any, key: Any) -> Any:
    if isinstance(value, Mapping):
        return next(
            (item for name, item in value.items() if name.lower() == text_of(key).lower()), None
        )
    if (
        isinstance(value, list)
        and isinstance(key, float)
        and key.is_integer()
        and 0 <= key < len(value)
    ):
        return value[int(key)]
    return None


def truthy(value: Any) -> bool:
    """Whether a condition holds. NaN, as in the runner, does not."""
    return value not in (None, "", 0, False) and not (
        isinstance(value, float) and math.isnan(value)
    )


def number_of(value: Any) -> float:
    """`value` as a number; NaN where it is none."""
    if value is None or value is False or value == "":
        return 0.0
    if value is True:
        return 1.0
    try:
        return float(value)
    except (TypeError, ValueError):
        return math.nan


def compare(left: Any, sign: str, right: Any) -> bool:
    """The runner's loose comparison."""
    if isinstance(left, str) and isinstance(right, str):
        left, right = left.upper(), right.upper()
    elif type(left) is not type(right):
        left, right = number_of(left), number_of(right)
    if sign == "==":
        return bool(left == right)
    if sign == "!=":
        return bool(left != right)
    if left is None or isinstance(left, Mapping | list):
        return sign in ("<=", ">=") and left is right
    return bool(
        {"<": left < right, "<=": left <= right, ">": left > right, ">=": left >= right}[sign]
    )


def text_of(value: Any) -> str:
    """`value` as it appears in a string."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return f"{value:.15g}"
    return value if isinstance(value, str) else "Object" if isinstance(value, Mapping) else "Array"


def _format(template: str, *arguments: Any) -> str:
    def one(match: re.Match[str]) -> str:
        return match[0][0] if match[1] is None else text_of(arguments[int(match[1])])

    return re.sub(r"\{\{|\}\}|\{(\d+)\}", one, template)


def _contains(where: Any, what: Any) -> bool:
    if isinstance(where, list):
        return any(compare(item, "==", what) for item in where)
    return text_of(what).lower() in text_of(where).lower()


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "format": _format,
    "contains": _contains,
    "startswith": lambda text, start: text_of(text).lower().startswith(text_of(start).lower()),
    "endswith": lambda text, end: text_of(text).lower().endswith(text_of(end).lower()),
    "join": lambda items, by=",": (
        by.join(map(text_of, items)) if isinstance(items, list) else text_of(items)
    ),
    "tojson": lambda value: json.dumps(value, indent=2, ensure_ascii=False),
    "fromjson": lambda text: json.loads(text, parse_int=float),
}
