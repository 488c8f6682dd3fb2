"""Which tools are easily confused, from their definitions alone: BM25, and what they mean. Pure."""

import json
import math
import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

from toolproof.records import record
from toolproof.report import Tool

K1, B = 1.5, 0.75
"""The usual constants. Source: Robertson and Zaragoza, The Probabilistic Relevance Framework (2009)."""
CONFUSABLE = 0.5
"""Pairs whose texts are alike to this share of what a text is to itself."""
ALL_COMPARED = 300
"""Up to so many tools each is compared with each: 45,000 pairs take a second."""
MOST_WORDS, MOST_HOLDERS = 12, 50
"""Of more, a tool is compared with those that share one of so many rare words, which so many have.

It misses some: of the 101 pairs of 25 published servers 20, the likest with 88 %.
"""
_WORD = re.compile(r"[a-z]+|[0-9]+|[^\W\d_a-z]+", re.IGNORECASE)
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_FILLERS = frozenset(["a", "an", "and", "are", "as", "at", "be", "by", "can", "for", "from", "if", "in", "into", "is", "it", "its", "of", "on", "or", "that", "the", "this", "to", "use", "when", "which", "will", "with", "you", "your"])  # fmt: skip


@record
class Pair:
    """Two tools that a model may confuse.

    Attributes:
        likeness: 0 to 1, by the method that finds more of it.
        shared: The words that make them alike, those that say most first.
        only: Words that only the first, and only the second has.
        by_words: 0 to 1: how much of what tells one text from all others is in the other, too; None
            where words alone do not make a pair of them.
        by_meaning: 0 to 1, by a model of embeddings; None likewise.
    """

    first: str
    second: str
    likeness: float
    shared: tuple[str, ...]
    only: tuple[tuple[str, ...], tuple[str, ...]]
    by_words: float | None = None
    by_meaning: float | None = None


def named(tools: Sequence[Tool]) -> list[Tool]:
    """Those that can be compared, in their order: a tool without a name cannot be told of."""
    return [tool for tool in tools if tool.name]


def words_of(tool: Tool) -> list[str]:
    """What a model reads of a tool, as words: name, description, names and texts of arguments."""
    texts = [tool.name.replace("_", " "), tool.name.replace("_", " "), tool.description]
    properties = tool.input_schema.get("properties")
    for name, schema in properties.items() if isinstance(properties, dict) else ():
        texts.append(str(name).replace("_", " "))
        if isinstance(schema, dict) and isinstance(schema.get("description"), str):
            texts.append(schema["description"])
    joined = _HUMP.sub(" ", " ".join(texts))
    found = [_stem(word.casefold()) for word in _WORD.findall(joined)]
    return [word for word in found if word not in _FILLERS]


def _stem(word: str) -> str:
    """The singular, by the usual endings: "forecasts" and "forecast", "queries" and "query" are one word."""
    if len(word) <= 3 or not word.endswith("s") or word.endswith(("ss", "us", "is")):
        return word
    if word.endswith("ies") and len(word) > 5:
        return word[:-3] + "y"
    if word.endswith(("ches", "shes", "sses", "xes")) and word != "caches":
        return word[:-2]
    return word[:-1]


def confusable(
    tools: Sequence[Tool],
    least: float = CONFUSABLE,
    most: int = 20,
    near: Mapping[tuple[int, int], float] | None = None,
) -> list[Pair]:
    """The pairs that are most alike, the worst first.

    Args:
        tools: As listed; those without a name are left out.
        least: By words, in 0 to 1.
        most: How many pairs to give by each method.
        near: Likeness by meaning, by two places in `named(tools)`, the lower one first.
    """
    known = named(tools)
    texts = _Texts.of(known)
    bags, idf = texts.bags, texts.idf

    def order(pair: tuple[tuple[int, int], float]) -> tuple[float, str, str]:
        (first, second), likeness = pair
        return -likeness, known[first].name, known[second].name

    words = dict(sorted(_by_words(texts, least).items(), key=order)[:most])
    meaning = dict(sorted((near or {}).items(), key=order)[:most])
    best = {
        places: max(words.get(places, 0.0), meaning.get(places, 0.0))
        for places in {**words, **meaning}
    }
    return [
        Pair(
            first=known[i].name,
            second=known[j].name,
            likeness=likeness,
            shared=_telling(set(bags[i]) & set(bags[j]), idf),
            only=(
                _telling(set(bags[i]) - set(bags[j]), idf),
                _telling(set(bags[j]) - set(bags[i]), idf),
            ),
            by_words=words.get((i, j)),
            by_meaning=meaning.get((i, j)),
        )
        for (i, j), likeness in sorted(best.items(), key=order)
    ]


def alike_in_words(tools: Sequence[Tool]) -> Callable[[int, int], float]:
    """How alike two of these are in words, 0 to 1, by their places; nothing is compared before it is asked."""
    return _Texts.of(tools).alike


@record
class _Texts:
    """What a model reads of some tools, to be compared.

    Attributes:
        bags: The words of each, and how often it says them.
        frequency: How many say a word.
        idf: What a word tells: more, the fewer say it.
        mean: How many words they have.
        own: What each text is to itself.
    """

    bags: Sequence[Counter[str]]
    frequency: Counter[str]
    idf: Mapping[str, float]
    mean: float
    own: Sequence[float]

    @staticmethod
    def of(tools: Sequence[Tool]) -> "_Texts":
        bags = [Counter(words_of(tool)) for tool in tools]
        frequency = Counter(word for bag in bags for word in bag)
        idf = {
            word: math.log(1 + (len(bags) - n + 0.5) / (n + 0.5)) for word, n in frequency.items()
        }
        mean = sum(sum(bag.values()) for bag in bags) / (len(bags) or 1) or 1
        return _Texts(bags, frequency, idf, mean, [_score(bag, bag, idf, mean) for bag in bags])

    def alike(self, i: int, j: int) -> float:
        """How much of what tells one text from all others is in the other, too."""
        there = _score(self.bags[i], self.bags[j], self.idf, self.mean) / (self.own[i] or 1)
        back = _score(self.bags[j], self.bags[i], self.idf, self.mean) / (self.own[j] or 1)
        return min(1.0, math.sqrt(max(0.0, there * back)))


def _by_words(texts: _Texts, least: float) -> dict[tuple[int, int], float]:
    """Pairs of places whose words are alike enough, and how much they are."""
    holders: dict[str, list[int]] = {}
    for index, bag in enumerate(texts.bags):
        for word in bag:
            holders.setdefault(word, []).append(index)
    found: dict[tuple[int, int], float] = {}
    for index, bag in enumerate(texts.bags):
        for other in _others(index, bag, texts.frequency, holders, len(texts.bags)):
            likeness = texts.alike(index, other)
            if likeness >= least:
                found[index, other] = likeness
    return found


def _others(
    index: int,
    bag: Counter[str],
    frequency: Counter[str],
    holders: dict[str, list[int]],
    tools: int,
) -> Collection[int]:
    """Later tools; of many only those that share a word of some weight: all would take too long.

    What many say tells no two apart. A tool whose words are all common still has its rarest.
    """
    if tools <= ALL_COMPARED:
        return range(index + 1, tools)
    rare = sorted(bag, key=lambda word: frequency[word])[:MOST_WORDS]
    most = max(MOST_HOLDERS, tools // 20)
    telling = [word for word in rare if frequency[word] <= most] or rare[:1]
    found: set[int] = set()
    for word in telling:
        start = bisect_right(holders[word], index)
        found.update(holders[word][start : start + most])
    return found


def _score(query: Counter[str], text: Counter[str], idf: Mapping[str, float], mean: float) -> float:
    """BM25 of a text for a query."""
    length = sum(text.values())
    total = 0.0
    for word, times in query.items():
        here = text.get(word, 0)
        if here:
            weight = here * (K1 + 1) / (here + K1 * (1 - B + B * length / mean))
            total += times * idf[word] * weight
    return total


def _telling(words: set[str], idf: Mapping[str, float]) -> tuple[str, ...]:
    """Those that fewest tools have."""
    return tuple(sorted(words, key=lambda word: (-idf[word], word))[:5])


def suggestions(pairs: Sequence[Pair], tools: Sequence[Tool]) -> str:
    """An `evals` section for the pairs, for a person to edit: each tool of a pair gets a prompt."""
    lines = [
        "# Prompts for tools that are easily confused. EDIT each: say it as your users would, and",
        "# do not name the tool. Then take away the word EDIT.",
        "evals:",
        "  provider: anthropic        # or openai, or command",
        "  model: EDIT",
        "  cases:",
    ]
    described = {tool.name: tool.description for tool in tools}
    done: set[str] = set()
    for pair in pairs:
        for name, other in ((pair.first, pair.second), (pair.second, pair.first)):
            if name in done:
                continue
            done.add(name)
            lines += list(_case(name, other, described.get(name, ""), pair))
    if not pairs:
        lines[-1] = "  cases: []                  # no two tools are alike enough to be confused"
    return "\n".join(lines) + "\n"


def _case(name: str, other: str, description: str, pair: Pair) -> Iterator[str]:
    only = pair.only[0] if name == pair.first else pair.only[1]
    sentence = re.split(r"(?<=[.!?])\s", " ".join(description.split()))[0][:200]
    told = f"EDIT: {sentence or ' '.join(only)}"
    words = f" ({', '.join(filter(str.isprintable, only))})" if only else ""
    yield f"    - prompt: {_quoted(told)}"
    yield f"      expect_tool: {_quoted(name)}"
    yield f"      # not {_quoted(other)}; what tells them apart{words}"


def _quoted(text: str) -> str:
    """A YAML string, with escapes for all that YAML, or the log of a CI, does not take as it is."""
    quoted = json.dumps(text, ensure_ascii=not text.isprintable())
    return quoted.replace("\x7f", "\\u007f").replace("##", "#\\u0023")
