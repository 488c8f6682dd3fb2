"""What a word without quotes stands for in YAML 1.1."""

import re
from collections.abc import Callable
from typing import Any

from toolproof.config.scalars import Kind, Odd

MOST_DIGITS = 4_000
"""Longer numbers are refused: Python turns no more than 4,300 digits into text."""

_ODD = ("yes", "Yes", "YES", "on", "On", "ON", "no", "No", "NO", "off", "Off", "OFF")
_WORDS: dict[str, Any] = (
    dict.fromkeys(("", "~", "null", "Null", "NULL"))
    | {word: word.lower() == "true" for word in ("true", "True", "TRUE", "false", "False", "FALSE")}
    | {word: Odd.of(word, Kind.BOOLEAN, word.lower() in ("yes", "on")) for word in _ODD}
)
_MAY_BE_MORE = re.compile(r"[-+.0-9]")


def value_of(word: str) -> Any:
    """The value of a plain scalar: as YAML 1.1 has it, with the exponents of JSON.

    What is not read alike by everyone is an `Odd`.

    Raises:
        ValueError: It is a number of more than 4,000 digits.

    Source: https://yaml.org/type/, and JSON's grammar of numbers, RFC 8259.
    """
    if word in _WORDS:
        return _WORDS[word]
    return _number(word) if _MAY_BE_MORE.match(word) else word


def _number(word: str) -> Any:
    """The number or date that a word stands for; the word, if it is neither."""
    for pattern, kind, read in _NUMBERS:
        if pattern.fullmatch(word):
            if len(word) > MOST_DIGITS:
                raise ValueError(word[:10])
            value = read(word.replace("_", ""))
            if kind is Kind.NUMBER and str(value) == word:
                return value
            return Odd.of(word, kind, value)
    return word


def _in_base(base: int) -> Callable[[str], int]:
    return lambda word: int(re.sub(r"0[xbo]?", "", word, count=1), base)


def _sixties(word: str) -> float:
    total = 0.0
    for part in word.lstrip("+-").split(":"):
        total = total * 60 + float(part)
    total = -total if word.startswith("-") else total
    return int(total) if total.is_integer() else total


def _infinite(word: str) -> float:
    return float(word.replace(".", ""))


_NUMBERS: tuple[tuple[re.Pattern[str], Kind, Callable[[str], Any]], ...] = (
    (re.compile(r"[-+]?(0|[1-9][0-9_]*)"), Kind.NUMBER, int),
    (re.compile(r"[-+]?0[0-7_]+"), Kind.OCTAL, _in_base(8)),
    (re.compile(r"[-+]?0o[0-7]+"), Kind.OCTAL, _in_base(8)),
    (re.compile(r"[-+]?([0-9][0-9_]*)?\.[0-9_]*[0-9]([eE][-+]?[0-9]+)?"), Kind.NUMBER, float),
    (re.compile(r"[-+]?[0-9][0-9_]*\.?([eE][-+]?[0-9]+)"), Kind.NUMBER, float),
    (re.compile(r"[-+]?[0-9][0-9_]*\."), Kind.NUMBER, float),
    (re.compile(r"[-+]?0x[0-9a-fA-F_]+"), Kind.NUMBER, _in_base(16)),
    (re.compile(r"[-+]?0b[01_]+"), Kind.NUMBER, _in_base(2)),
    (re.compile(r"[-+]?[1-9][0-9_]*(:[0-5]?[0-9])+(\.[0-9_]*)?"), Kind.SIXTIES, _sixties),
    (re.compile(r"[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)"), Kind.NUMBER, _infinite),
    (re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}"), Kind.DATE, str),
    (
        re.compile(
            r"[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}([Tt]|[ \t]+)[0-9]{1,2}:[0-9]{2}:[0-9]{2}(\.[0-9]*)?"
            r"([ \t]*(Z|[-+][0-9]{1,2}(:?[0-9]{2})?))?"
        ),
        Kind.DATE,
        str,
    ),
)
