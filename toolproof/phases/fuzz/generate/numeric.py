"""Numbers that fit a range, at its ends and around zero, and numbers just outside."""

import math
from collections.abc import Iterator
from fractions import Fraction
from random import Random

from toolproof.judgement.facts import Facts, Limit, Number
from toolproof.phases.fuzz.generate.case import Choice
from toolproof.phases.fuzz.generate.limits import MOST_BITS

_SAFE = 2**53
_IN_RANGE, _WHOLE, _NEGATIVE = 0.7, 0.5, 0.3
_LARGEST = 1.7976931348623157e308
BIG = (
    (2**31 - 1, "2^31-1"),
    (2**31, "2^31"),
    (-(2**31), "-2^31"),
    (2**53 + 1, "2^53+1"),
    (2**63 - 1, "2^63-1"),
    (2**63, "2^63"),
    (-(2**63) - 1, "-2^63-1"),
    (2**64, "2^64"),
    (10**20, "10^20"),
)
"""Whole numbers at which the types of other languages end."""

FLOATS = (
    (-0.0, "-0.0"),
    (0.1, "0.1"),
    (1e-7, "1e-7"),
    (5e-324, "the smallest float"),
    (1e21, "1e21"),
    (1e308, "1e308"),
    (-1e308, "-1e308"),
)
"""Numbers at which floating point shows."""


def number_choices(facts: Facts, liked: Number) -> Iterator[Choice]:
    """Numbers that fit, most likely and simplest first; `liked` is tried as the plain one.

    Multiples and other schemas are not looked at beyond the first multiple: the caller checks.
    """
    step = _step(facts)
    least, most = ends(facts, step)
    plain = _plain(liked, step, least, most)
    yield Choice(plain, "base", "plain")
    yield Choice(_like(facts, 0), "zero", "0")
    if least is not None:
        yield Choice(least, "minimum", "minimum")
    if most is not None:
        yield Choice(most, "maximum", "maximum")
    yield Choice(_like(facts, -1), "negative", "-1")
    if facts.integral:
        if abs(plain) < _SAFE:
            yield Choice(float(plain), "decimal", str(float(plain)))
    else:
        yield Choice(_inside(0.5, least, most), "fraction", "with a fraction")
    if least is not None:
        yield Choice(least + step, "minimum+1", "minimum and a step")
    if most is not None:
        yield Choice(most - step, "maximum-1", "maximum less a step")


def wrong_numbers(facts: Facts) -> Iterator[Choice]:
    """Numbers just outside the range, or beside the multiples."""
    step = _step(facts)
    if facts.low is not None:
        yield from _beyond(facts.low, -1, facts, "below minimum")
    if facts.high is not None:
        yield from _beyond(facts.high, 1, facts, "above maximum")
    for multiple in facts.multiples:
        least, most = ends(facts, step)
        start = _inside(_snap(0, step), least, most)
        beside = start + (1 if type(multiple) is int and multiple > 1 else multiple / 2)
        yield Choice(beside, "multiple", f"no multiple of {_short(multiple)}", "multipleOf")


def random_number(facts: Facts, rng: Random) -> Number:
    """Some number in the range: most of them small, some at the ends of types."""
    step = _step(facts)
    least, most = ends(facts, step)
    if least is not None and most is not None and rng.random() < _IN_RANGE:
        share = rng.random()
        if facts.integral or step != 1:
            return _snap(least + (most - least) * Fraction(share), step)
        return _tidy(float(least) + (float(most) - float(least)) * share)
    if facts.integral or rng.random() < _WHOLE:
        made: Number = rng.getrandbits(rng.choice((3, 7, 10, 16, 31, 33, 53, 64)))
    else:
        made = rng.uniform(-1, 1) * 10.0 ** rng.randint(-6, 12)
    return _inside(_snap(-made if rng.random() < _NEGATIVE else made, step), least, most)


def ends(facts: Facts, step: Number) -> tuple[Number | None, Number | None]:
    """The smallest and the largest number that fit, where there are bounds."""
    return _end(facts.low, step, facts, 1), _end(facts.high, step, facts, -1)


def _step(facts: Facts) -> Number:
    """What lies between two numbers that fit; 1 where nothing says so."""
    if facts.multiples:
        return facts.multiples[0]
    return 1


def _end(limit: Limit | None, step: Number, facts: Facts, sign: int) -> Number | None:
    if limit is None:
        return None
    value = limit.value
    if facts.integral and step == 1 and type(value) is int:
        return value + sign * limit.excluded
    if facts.integral or facts.multiples:
        exact, width = Fraction(str(value)), Fraction(str(step))
        count = math.ceil(exact / width) if sign > 0 else math.floor(exact / width)
        if limit.excluded and count * width == exact:
            count += sign
        return _tidy(count * width)
    return _open(limit, facts, sign)


def _open(limit: Limit, facts: Facts, sign: int) -> Number:
    """The end of a range of any numbers: for an excluded one a number close to it."""
    value = limit.value
    if not limit.excluded:
        return value
    other = facts.high if sign > 0 else facts.low
    if other is not None and abs(other.value - value) <= 1:
        return _tidy(Fraction(value) + (Fraction(other.value) - Fraction(value)) / 2)
    return value + sign


def _beyond(limit: Limit, sign: int, facts: Facts, word: str) -> Iterator[Choice]:
    keyword = "minimum" if sign < 0 else "maximum"
    if limit.excluded:
        keyword = "exclusive" + keyword.capitalize()
        yield Choice(limit.value, keyword, word.split()[1] + " itself", keyword)
    else:
        step = _step(facts) if facts.integral or facts.multiples else 1
        yield Choice(limit.value + sign * step, keyword, word, keyword)
        if not facts.integral and not facts.multiples:
            yield Choice(_tidy(limit.value + sign * 0.001), keyword, word, keyword)
    yield Choice(_tidy(int(limit.value) + sign * 1_000_000), keyword, "far " + word, keyword)


def _snap(value: Number | Fraction, step: Number) -> Number:
    """The nearest multiple of the step, towards zero."""
    if step == 1 and not isinstance(value, Fraction):
        return value
    width = Fraction(str(step))
    return _tidy(int(Fraction(value) / width) * width)


def _inside(value: Number, least: Number | None, most: Number | None) -> Number:
    if least is not None and value < least:
        return least
    if most is not None and value > most:
        return most
    return value


def _plain(liked: Number, step: Number, least: Number | None, most: Number | None) -> Number:
    """What is liked, if it is in the range, else what is nearest to 1."""
    for number in (_snap(liked, step), _snap(1, step)):
        if _inside(number, least, most) == number:
            return number
    return _inside(_snap(1, step), least, most)


def _like(facts: Facts, value: int) -> Number:
    return value if facts.integral or not facts.multiples else _snap(value, facts.multiples[0])


def _tidy(value: Number | Fraction) -> Number:
    """As an int where it is whole; a float that JSON can hold otherwise."""
    if isinstance(value, Fraction):
        value = int(value) if value.denominator == 1 else float(value)
    if isinstance(value, float) and not math.isfinite(value):
        return math.copysign(_LARGEST, value)
    return value


def is_writable(value: Number) -> bool:
    """Whether Python and JSON can write it."""
    if isinstance(value, int):
        return value.bit_length() <= MOST_BITS
    return math.isfinite(value)


def _short(number: Number) -> str:
    return str(number) if not isinstance(number, int) or abs(number) < 10**12 else "its step"
