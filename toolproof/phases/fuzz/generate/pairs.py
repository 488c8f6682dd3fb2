"""Every pair of choices for two fields at least once, in few arguments."""

from collections.abc import Container, Iterator, Mapping, Sequence
from typing import Any

from toolproof.phases.fuzz.generate.drafts import Draft, whole
from toolproof.phases.fuzz.generate.showing import label
from toolproof.phases.fuzz.generate.slots import Form
from toolproof.phases.fuzz.generate.values import Values

_MOST_FIELDS = 16
_MOST_LEVELS = 6
_LEFT_OUT = object()

Level = tuple[Any, str]
"""A value of a field, and a word for it."""

Pair = tuple[int, int, int, int]
"""A factor, its level, a later factor, and its level."""


def pair_drafts(values: Values, forms: Sequence[Form]) -> Iterator[Draft]:
    """Arguments in which each two choices of two fields meet."""
    for form in forms:
        names, levels = _factors(values, form)
        if len(names) < 2:
            continue
        for row in covering_rows([len(some) for some in levels]):
            chosen = [levels[index][level] for index, level in enumerate(row)]
            made = dict(form.value)
            for name, (value, _) in zip(names, chosen, strict=True):
                if value is _LEFT_OUT:
                    made.pop(name, None)
                else:
                    made[name] = value
            words = [f"{label((n,))}={w}" for n, (_, w) in zip(names, chosen, strict=True)]
            yield whole(made, "pair", ", ".join(words[:3]) + (" ..." if len(words) > 3 else ""))


def _factors(values: Values, form: Form) -> tuple[list[str], list[list[Level]]]:
    names: list[str] = []
    levels: list[list[Level]] = []
    for name in list(form.shape.fields)[:_MOST_FIELDS]:
        choices = values.choices(form.shape.field_node(name, values.matches), name)
        some: list[Level] = []
        if name not in form.shape.facts.required:
            some.append((_LEFT_OUT, "left out"))
        one_of_each = {choice.kind: choice for choice in reversed(choices)}
        likely = [one_of_each[c.kind] for c in choices if one_of_each[c.kind] is c]
        for choice in (*likely, *(c for c in choices if c.kind == "enum"))[:_MOST_LEVELS]:
            if (choice.value, choice.word) not in some:
                some.append((choice.value, choice.word))
        if len(some) > 1:
            names.append(name)
            levels.append(some[:_MOST_LEVELS])
    return names, levels


def covering_rows(counts: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Rows of levels, one for each factor, so that each pair of levels is in some row.

    Greedy: each row begins with a pair that is still missing; each further factor takes the level
    that meets most of what is missing. Deterministic; about the square of the largest count times
    the logarithm of the number of factors in rows.

    Args:
        counts: How many levels each factor has.
    """
    missing = dict.fromkeys(
        sorted(
            (
                (one, level, other, second)
                for one in range(len(counts))
                for other in range(one + 1, len(counts))
                for level in range(counts[one])
                for second in range(counts[other])
            ),
            key=_usualness,
        )
    )
    while missing:
        one, level, other, second = next(iter(missing))
        row: dict[int, int] = {one: level, other: second}
        for factor in range(len(counts)):
            if factor not in row:
                row[factor] = _best(factor, counts[factor], row, missing)
        whole = tuple(row[factor] for factor in range(len(counts)))
        for factor, some in enumerate(whole):
            for later in range(factor + 1, len(whole)):
                missing.pop((factor, some, later, whole[later]), None)
        yield whole


def _usualness(pair: Pair) -> tuple[bool, int]:
    """First what no stage before has: two levels that are both not the first ones."""
    _, level, _, second = pair
    return min(level, second) == 0, level + second


def _best(factor: int, count: int, row: Mapping[int, int], missing: Container[Pair]) -> int:
    """The level of a factor that meets most of what is missing; of equals one by turns."""
    met = [
        sum(_pair(factor, level, known, chosen) in missing for known, chosen in row.items())
        for level in range(count)
    ]
    equal = [level for level in range(count) if met[level] == max(met)]
    return equal[sum(row.values()) % len(equal)]


def _pair(one: int, level: int, other: int, second: int) -> Pair:
    return (one, level, other, second) if one < other else (other, second, one, level)
