"""Which tools mean the same, from vectors of their texts that any model made. Pure."""

import math
import re
from collections.abc import Sequence
from itertools import combinations
from operator import mul
from statistics import fmean, pstdev

from toolproof.report import Tool

MOST_TOOLS = 300
"""All are compared with all, which is quadratic: 45,000 pairs take some seconds with long vectors."""
MOST_CHARACTERS = 1000
"""Of a text: small models read no more than some 250 tokens."""
DEVIATIONS = 2.5
"""How far above what unrelated tools come to a pair must be, in their standard deviations.

A cosine means something else with every model, so each is held against its own: that of the pairs
among `references`, tools that are known to have nothing in common. Found with three models
(all-MiniLM-L6-v2, static vectors distilled from it, and those of wordllama 0.4, whose unrelated
tools come to 0.14, 0.47 and 0.07 as they are) on 16 pairs of tools in each other's words and on 12
published servers: of the 496 pairs of the former 14, 9 and 12 that are meant were found, and 1, 3
and 3 others; BM25 finds none. At 2.0 two unrelated tools alone were called alike.
"""
SLACK = 0.5
"""By how many of those deviations another tool may be nearer, so that three of a kind are all told.

What all tools of a server have in common, such as its subject, makes no two of them confusable: a
pair counts only where each is as near to the other as anything is. Without it a server about one
thing had 35 pairs among 20 tools, with it 5 to 8.
"""
_LEAST_DEVIATION = 1e-3
_ALL_BUT = 1 - 1e-6
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_JOINTS = re.compile(r"[_./:\s-]+")
_END = re.compile(r"(?<=[.!?])\s")

Vector = Sequence[float]


def text_of(tool: Tool) -> str:
    """What is compared: the name as words, and the first sentence of the description.

    What follows is often said of all tools alike ("Only works within allowed directories"), and
    made the 91 pairs of a file server's tools all look the same. No half characters: not every
    tokenizer takes those.
    """
    name = _JOINTS.sub(" ", _HUMP.sub(" ", tool.name[:MOST_CHARACTERS])).strip().lower()
    description = " ".join(tool.description[: 4 * MOST_CHARACTERS].split())
    sentence = _END.split(description, maxsplit=1)[0]
    text = f"{name or tool.name}. {sentence}" if sentence else name or tool.name
    return text[:MOST_CHARACTERS].encode("utf-8", "replace").decode("utf-8")


def checked(raw: object, wanted: int) -> list[list[float]]:
    """Vectors as a library or an API gave them, each of length 1; those of no length stay so.

    Args:
        raw: Of any type.
        wanted: How many there must be.

    Raises:
        ValueError: They are not that many lists of equally many finite numbers.
    """
    if not isinstance(raw, list) or len(raw) != wanted:
        given = f"{len(raw)} vectors" if isinstance(raw, list) else "no list of vectors"
        raise ValueError(f"it gave {given} for {wanted} texts")
    vectors = [_numbers(vector, index) for index, vector in enumerate(raw)]
    lengths = sorted({len(vector) for vector in vectors})
    if len(lengths) > 1:
        raise ValueError(f"its vectors have {lengths[0]} and {lengths[-1]} numbers")
    return [_unit(vector) for vector in vectors]


def _numbers(vector: object, index: int) -> list[float]:
    if not isinstance(vector, list) or not vector:
        raise ValueError(f"vector {index + 1} is no list of numbers")
    numbers = [_finite(value) for value in vector]
    if None in numbers:
        raise ValueError(f"vector {index + 1} holds what is no finite number")
    return [number for number in numbers if number is not None]


def _finite(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        number = float(value)
    except OverflowError:  # a whole number beyond all floats
        return None
    return number if math.isfinite(number) else None


def _unit(vector: Vector) -> list[float]:
    """The same direction, length 1; scaled twice, for squares must neither vanish nor overflow."""
    largest = max(map(abs, vector))
    if largest == 0:
        return list(vector)
    scaled = [value / largest for value in vector]
    length = math.sqrt(_dot(scaled, scaled))
    return [value / length for value in scaled]


def _dot(left: Vector, right: Vector) -> float:
    total: float = sum(map(mul, left, right))
    return total


def near(vectors: Sequence[Vector], references: Sequence[Vector]) -> dict[tuple[int, int], float]:
    """The pairs that mean the same, by their places, with how alike they are, up to 1.

    Args:
        vectors: One for each tool, of length 1; one of length 0 is like no other.
        references: Those of tools that have nothing in common, at least three.

    Raises:
        ValueError: The model does not tell the references apart.
    """
    middle = [fmean(column) for column in zip(*vectors, *references, strict=True)]
    away = [_from(vector, middle) for vector in vectors]
    unrelated = [_dot(a, b) for a, b in combinations([_from(v, middle) for v in references], 2)]
    deviation = pstdev(unrelated)
    if deviation < _LEAST_DEVIATION:
        raise ValueError("it gives texts that have nothing in common the same vector")
    least = min(fmean(unrelated) + DEVIATIONS * deviation, _ALL_BUT)
    likeness: dict[tuple[int, int], float] = {}
    nearest = [0.0] * len(away)
    for (i, one), (j, other) in combinations(enumerate(away), 2):
        alike = _dot(one, other)
        nearest[i], nearest[j] = max(nearest[i], alike), max(nearest[j], alike)
        if alike >= least:
            likeness[i, j] = min(1.0, alike)
    slack = SLACK * deviation
    return {
        (i, j): alike
        for (i, j), alike in likeness.items()
        if alike > 0 and alike >= max(nearest[i], nearest[j]) - slack - 1e-9
    }


def _from(vector: Vector, middle: Vector) -> list[float]:
    """Its direction seen from the middle of all: most models crowd all texts into one corner."""
    if not any(vector):
        return list(vector)
    moved = [value - center for value, center in zip(vector, middle, strict=True)]
    return _unit(moved) if math.sqrt(_dot(moved, moved)) > 1e-9 else [0.0] * len(moved)
