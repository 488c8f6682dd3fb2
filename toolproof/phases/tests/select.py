"""Which tests run: `-k EXPR`, `--tag`, `--last-failed`, `--shard`."""

import re
from collections.abc import Callable, Iterator, Sequence

from toolproof.errors import ConfigError
from toolproof.report.shard import in_shard

__all__ = ["Matches", "in_shard", "keyword", "unique"]

_TOKEN = re.compile(r'\s*(?:(\()|(\))|"((?:[^"\\]|\\.)*)"|\'((?:[^\'\\]|\\.)*)\'|([^\s()"\']+))')
_OPERATORS = {"and", "or", "not"}

Matches = Callable[[Sequence[str]], bool]


def _tokens(expression: str) -> list[tuple[str, str]]:
    """Pairs of kind and text: ( ) and or not, and words; words side by side are one phrase."""
    found: list[tuple[str, str]] = []
    at = 0
    text = expression.strip()
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            raise ConfigError(f"-k: there is a quote without its end in {expression!r}")
        at = match.end()
        opening, closing, double, single, word = match.groups()
        if opening or closing:
            found.append((opening or closing, ""))
        elif word is not None and word.lower() in _OPERATORS:
            found.append((word.lower(), ""))
        else:
            quoted = double if double is not None else single
            phrase = re.sub(r"\\(.)", r"\1", quoted) if quoted is not None else word
            if found and found[-1][0] == "word" and quoted is None:
                found[-1] = ("word", f"{found[-1][1]} {phrase}")
            else:
                found.append(("word", phrase))
    return found


def keyword(expression: str) -> Matches:
    """Read a `-k` expression: words are looked for in the names, ignoring case.

    `and`, `or`, `not` and parentheses combine them; words side by side, or in quotes, are one
    phrase, so that a test's whole name is an expression.

    Raises:
        ConfigError: It cannot be read.
    """
    tokens = _tokens(expression)
    if not tokens:
        raise ConfigError("-k: the expression is empty", hint="Give a part of a test's name.")
    parser = _Parser(tokens, expression)
    matches = parser.either()
    parser.expect_end()
    return matches


class _Parser:
    def __init__(self, tokens: list[tuple[str, str]], expression: str) -> None:
        self.tokens = tokens
        self.expression = expression
        self.at = 0

    def peek(self) -> str:
        return self.tokens[self.at][0] if self.at < len(self.tokens) else "end"

    def take(self) -> tuple[str, str]:
        self.at += 1
        return self.tokens[self.at - 1]

    def refuse(self) -> ConfigError:
        return ConfigError(
            f"-k: cannot read {self.expression!r}",
            hint='Combine parts of names with and, or, not: -k "weather and not slow".',
        )

    def either(self) -> Matches:
        sides = [self.both()]
        while self.peek() == "or":
            self.take()
            sides.append(self.both())
        return lambda names: any(side(names) for side in sides)

    def both(self) -> Matches:
        sides = [self.one()]
        while self.peek() == "and":
            self.take()
            sides.append(self.one())
        return lambda names: all(side(names) for side in sides)

    def one(self) -> Matches:
        match self.peek():
            case "not":
                self.take()
                inner = self.one()
                return lambda names: not inner(names)
            case "(":
                self.take()
                inner = self.either()
                if self.peek() != ")":
                    raise self.refuse()
                self.take()
                return inner
            case "word":
                phrase = self.take()[1].casefold()
                return lambda names: any(phrase in name.casefold() for name in names)
            case _:
                raise self.refuse()

    def expect_end(self) -> None:
        if self.peek() != "end":
            raise self.refuse()


def unique(names: Sequence[str]) -> Iterator[str]:
    """The names, later twins with ` (2)`, ` (3)`: reports need each once."""
    seen: dict[str, int] = {}
    for name in names:
        seen[name] = seen.get(name, 0) + 1
        yield name if seen[name] == 1 else f"{name} ({seen[name]})"
