"""Which tools mean the same, from vectors of their texts that any model made. Pure."""

import math
import re
from collections.abc import Callable, Iterator, Sequence
from heapq import nlargest
from itertools import combinations
from operator import mul
from statistics import fmean, pstdev

from toolproof.records import record
from toolproof.report import Tool

FEWEST_TOOLS, MOST_TOOLS = 3, 300
"""Of two tools none stands out, whatever they share: all three published servers of two were told.

All are compared with all, which is quadratic: 45,000 pairs take some seconds with long vectors.
"""
MOST_CHARACTERS = 1000
"""Of a text: small models read no more than some 250 tokens."""
DEVIATIONS = 2.0
"""How far above what unrelated tools come to a pair must be, in their standard deviations.

A cosine means something else with every model, so each is held against its own: that of the pairs
among `references`, tools that are known to have nothing in common. They come to 0.14, 0.47 and 0.07
as they are with the three models of `STANDS_OUT`.
"""
NEIGHBORS = 7
STANDS_OUT = 0.1
"""How much nearer than to their neighbors two tools must be, beyond what they say in equal words.

What all tools of a server have in common, such as its subject, makes no two of them confusable: seen
from the middle of the list, two twins are near each other, and far from their `NEIGHBORS` nearest.
Source of the measure, cross-domain similarity local scaling: Conneau et al., Word Translation Without
Parallel Data (2018). What BM25 knows of a pair is taken off, as brothers ("add", "delete") share most
words, and every sentence with the same words looks alike to a model.

Found with 25 published servers (460 tools), 16 pairs of tools in each other's words put into seven of
them, 40 tools of theirs told anew in words that they do not use, and three models: all-MiniLM-L6-v2,
static vectors distilled from it, those of wordllama 0.4. Of the 112 pairs 96, 82 and 78 are found, of
the 40 tools 12, 8 and 6; of the published ones 33, 21 and 26 pairs are told beside the 101 of BM25, such
as `browser_take_screenshot` and `browser_snapshot`. BM25 finds none of the 112, and none of the 40. A
cosine alone, set so that it tells as many pairs, finds none of the 40 either: the subject of a server
outweighs all else.
"""
_LEAST_DEVIATION = 1e-3
_ALL_BUT = 1 - 1e-6
_NOTHING = 1e-20
"""Of a product of two squared lengths: shorter is what rounding leaves of a vector of no length."""
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


def near(
    vectors: Sequence[Vector],
    references: Sequence[Vector],
    words: Callable[[int, int], float] = lambda _i, _j: 0.0,
) -> dict[tuple[int, int], float]:
    """The pairs that mean the same, by their places, with how alike they are, up to 1.

    Args:
        vectors: One for each tool, of length 1; one of length 0 is like no other.
        references: Those of tools that have nothing in common, at least three.
        words: How alike two tools are in words, 0 to 1: so much of it needs no meaning.

    Raises:
        ValueError: The model does not tell the references apart.
    """
    tools = [at for at, vector in enumerate(vectors) if any(vector)]
    every = [vectors[at] for at in tools] + [vector for vector in references if any(vector)]
    products = _products(every)
    seen = _Middle.of(products, range(len(every)))
    among = range(len(tools), len(every))
    unrelated = [seen.cosine(i, j) for i, j in combinations(among, 2)]
    deviation = pstdev(unrelated) if unrelated else 0.0
    if deviation < _LEAST_DEVIATION:
        raise ValueError("it gives texts that have nothing in common the same vector")
    if len(tools) < FEWEST_TOOLS:
        return {}
    least = min(fmean(unrelated) + DEVIATIONS * deviation, _ALL_BUT)
    told: dict[tuple[int, int], float] = {}
    for (i, j), beyond in _standing_out(products, len(tools)):
        alike = seen.cosine(i, j)
        places = tools[i], tools[j]
        if alike >= max(least, 0.0) and beyond - words(*places) >= STANDS_OUT:
            told[places] = min(1.0, alike)
    return told


def _standing_out(
    products: Sequence[Sequence[float]], tools: int
) -> Iterator[tuple[tuple[int, int], float]]:
    """Pairs of tools that stand out at all, and by how much."""
    middle = _Middle.of(products, range(tools))
    cosines = [[middle.cosine(i, j) for j in range(tools)] for i in range(tools)]
    around = [
        fmean(nlargest(NEIGHBORS, (cosine for j, cosine in enumerate(row) if j != i)))
        for i, row in enumerate(cosines)
    ]
    for i, j in combinations(range(tools), 2):
        beyond = cosines[i][j] - (around[i] + around[j]) / 2
        if beyond >= STANDS_OUT:
            yield (i, j), beyond


def _products(vectors: Sequence[Vector]) -> list[list[float]]:
    """Of each with each; all else follows from them."""
    found = [[0.0] * len(vectors) for _ in vectors]
    for i, one in enumerate(vectors):
        for j in range(i, len(vectors)):
            found[i][j] = found[j][i] = _dot(one, vectors[j])
    return found


@record
class _Middle:
    """Where some vectors have their middle: most models crowd all texts into one corner.

    Attributes:
        products: Of each vector with each.
        with_middle: Of each vector with the middle.
        own: Of the middle with itself.
    """

    products: Sequence[Sequence[float]]
    with_middle: Sequence[float]
    own: float

    @staticmethod
    def of(products: Sequence[Sequence[float]], among: Sequence[int]) -> "_Middle":
        """The middle of those `among` them."""
        with_middle = [fmean(row[at] for at in among) if among else 0.0 for row in products]
        return _Middle(
            products, with_middle, fmean(with_middle[at] for at in among) if among else 0.0
        )

    def cosine(self, i: int, j: int) -> float:
        """How alike two are in their direction from there; 0 where one is the middle itself."""
        lengths = self._squared(i, i) * self._squared(j, j)
        return self._squared(i, j) / math.sqrt(lengths) if lengths > _NOTHING else 0.0

    def _squared(self, i: int, j: int) -> float:
        return self.products[i][j] - self.with_middle[i] - self.with_middle[j] + self.own
