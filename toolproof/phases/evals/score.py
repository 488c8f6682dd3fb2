"""Held against what a case wants: the calls that a model made."""

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from toolproof.config import ArgMatcher, EvalCase
from toolproof.phases.evals.providers.provider import Pick
from toolproof.schemas import Validator
from toolproof.text import shorten

RELATIVE_TOLERANCE = 1e-6
"""Of `approx` without a `tolerance`."""


def failures(case: EvalCase, picks: Sequence[Pick]) -> Iterator[str]:
    """Why these calls are not what the case wants; nothing where they are.

    Several calls at once are fine as long as each is wanted or acceptable.
    """
    names = [pick.tool for pick in picks]
    for name in case.forbid_tools:
        if name in names:
            yield f"called {name!r}, which is forbidden here"
    if case.expects_none:
        if names:
            yield f"expected no tool, picked {names[0]!r}"
        return
    if case.expect_tool is None and not case.acceptable_tools:
        return
    wanted = [name for name in (case.expect_tool, *case.acceptable_tools) if name is not None]
    if not names:
        yield f"expected {_or(wanted)}, picked no tool"
        return
    for name in dict.fromkeys(names):
        if name not in wanted and name not in case.forbid_tools:
            yield f"expected {_or(wanted)}, went to {name!r} instead"
    if case.expect_tool in names and case.expect_args:
        of_tool = [pick for pick in picks if pick.tool == case.expect_tool]
        attempts = [list(wrong_arguments(case.expect_args, pick.arguments)) for pick in of_tool]
        yield from min(attempts, key=len)


def chosen(case: EvalCase, picks: Sequence[Pick]) -> Pick | None:
    """The call that stands for the answer: the wanted tool's where there is one, else the first."""
    wanted = [pick for pick in picks if pick.tool == case.expect_tool]
    found = wanted or picks
    return found[0] if found else None


def wrong_arguments(
    wanted: Mapping[str, ArgMatcher], arguments: Mapping[str, Any]
) -> Iterator[str]:
    """Arguments that are missing or not as they should be; those that nobody asked for are free."""
    for name, matcher in wanted.items():
        if name not in arguments:
            if not matcher.optional:
                yield f"argument {name!r} is missing"
            continue
        for message in _mismatches(matcher, arguments[name]):
            yield f"argument {name!r}: {message}"


def _mismatches(matcher: ArgMatcher, value: Any) -> Iterator[str]:
    said = matcher.model_fields_set
    shown = shorten(repr(value), 200)
    if "equals" in said and not _same(value, matcher.equals):
        yield f"expected {matcher.equals!r}, got {shown}"
    if matcher.one_of is not None and not any(_same(value, one) for one in matcher.one_of):
        yield f"expected one of {list(matcher.one_of)!r}, got {shown}"
    for pattern in matcher.regex or ():
        if not isinstance(value, str) or re.search(pattern, value) is None:
            yield f"expected a text that matches /{pattern}/, got {shown}"
    if matcher.approx is not None and not _near(value, matcher.approx, matcher.tolerance):
        yield f"expected about {matcher.approx:g}, got {shown}"
    if matcher.json_schema is not None:
        for breach in Validator(matcher.json_schema).breaches(value):
            yield breach.message


def _near(value: Any, wanted: float, tolerance: float | None) -> bool:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    margin = abs(wanted) * RELATIVE_TOLERANCE if tolerance is None else tolerance
    return math.isfinite(value) and abs(value - wanted) <= margin


def _same(left: Any, right: Any) -> bool:
    """Equal as JSON; a text also where only case and outer blanks differ, as models vary them."""
    if isinstance(left, bool) or isinstance(right, bool):
        return left is right
    if isinstance(left, str) and isinstance(right, str):
        return left.strip().casefold() == right.strip().casefold()
    if isinstance(left, Mapping) and isinstance(right, Mapping):
        return left.keys() == right.keys() and all(_same(left[key], right[key]) for key in left)
    if isinstance(left, list | tuple) and isinstance(right, list | tuple):
        return len(left) == len(right) and all(map(_same, left, right))
    return bool(left == right)


def _or(names: Sequence[str]) -> str:
    return " or ".join(repr(name) for name in names)
