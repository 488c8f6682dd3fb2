"""Which tools are easily confused, from their definitions alone: BM25. Pure."""

import json
import math
import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence

from toolproof.records import record
from toolproof.report import Tool

K1, B = 1.5, 0.75
"""The usual constants. Source: Robertson and Zaragoza, The Probabilistic Relevance Framework (2009)."""
CONFUSABLE = 0.5
"""Pairs whose texts are alike to this share of what a text is to itself."""
MOST_WORDS, MOST_HOLDERS = 12, 50
"""A tool is compared with those that share one of so many rare words, which so many tools may have."""
_WORD = re.compile(r"[a-z]+|[0-9]+|[^\W\d_a-z]+", re.IGNORECASE)
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_FILLERS = frozenset(["a", "an", "and", "are", "as", "at", "be", "by", "can", "for", "from", "if", "in", "into", "is", "it", "its", "of", "on", "or", "that", "the", "this", "to", "use", "when", "which", "will", "with", "you", "your"])  # fmt: skip


@record
class Pair:
    """Two tools that a model may confuse.

    Attributes:
        likeness: 0 to 1: how much of what tells one text from all others is in the other, too.
        shared: The words that make them alike, those that say most first.
        only: Words that only the first, and only the second has.
    """

    first: str
    second: str
    likeness: float
    shared: tuple[str, ...]
    only: tuple[tuple[str, ...], tuple[str, ...]]


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
    """Without a plural s: "forecasts" and "forecast" are one word."""
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


def confusable(tools: Sequence[Tool], least: float = CONFUSABLE, most: int = 20) -> list[Pair]:
    """The pairs that are most alike, the worst first.

    Args:
        tools: As listed; those without a name are left out.
        least: In 0 to 1.
        most: How many pairs to give.
    """
    named = [tool for tool in tools if tool.name]
    bags = [Counter(words_of(tool)) for tool in named]
    if len(bags) < 2:
        return []
    frequency = Counter(word for bag in bags for word in bag)
    idf = {word: math.log(1 + (len(bags) - n + 0.5) / (n + 0.5)) for word, n in frequency.items()}
    mean = sum(sum(bag.values()) for bag in bags) / len(bags) or 1
    holders: dict[str, list[int]] = {}
    for index, bag in enumerate(bags):
        for word in bag:
            holders.setdefault(word, []).append(index)
    pairs: list[Pair] = []
    own = [_score(bag, bag, idf, mean) for bag in bags]
    for index, bag in enumerate(bags):
        for other in _others(index, bag, frequency, holders, len(bags)):
            there = _score(bag, bags[other], idf, mean) / (own[index] or 1)
            back = _score(bags[other], bag, idf, mean) / (own[other] or 1)
            likeness = min(1.0, math.sqrt(max(0.0, there * back)))
            if likeness >= least:
                pairs.append(_pair(named[index], named[other], likeness, bag, bags[other], idf))
    return sorted(pairs, key=lambda pair: (-pair.likeness, pair.first, pair.second))[:most]


def _others(
    index: int,
    bag: Counter[str],
    frequency: Counter[str],
    holders: dict[str, list[int]],
    tools: int,
) -> set[int]:
    """Later tools that share a word of some weight: to compare all with all takes too long.

    What many say tells no two apart. A tool whose words are all common still has its rarest.
    """
    rare = sorted(bag, key=lambda word: frequency[word])[:MOST_WORDS]
    most = max(MOST_HOLDERS, tools // 20)
    telling = [word for word in rare if frequency[word] <= most] or rare[:1]
    found: set[int] = set()
    for word in telling:
        start = bisect_right(holders[word], index)
        found.update(holders[word][start : start + most])
    return found


def _score(query: Counter[str], text: Counter[str], idf: dict[str, float], mean: float) -> float:
    """BM25 of a text for a query."""
    length = sum(text.values())
    total = 0.0
    for word, times in query.items():
        here = text.get(word, 0)
        if here:
            weight = here * (K1 + 1) / (here + K1 * (1 - B + B * length / mean))
            total += times * idf[word] * weight
    return total


def _pair(  # noqa: PLR0913, PLR0917 - the facts of a pair
    first: Tool,
    second: Tool,
    likeness: float,
    left: Counter[str],
    right: Counter[str],
    idf: dict[str, float],
) -> Pair:
    def telling(words: set[str]) -> tuple[str, ...]:
        return tuple(sorted(words, key=lambda word: (-idf[word], word))[:5])

    return Pair(
        first=first.name,
        second=second.name,
        likeness=likeness,
        shared=telling(set(left) & set(right)),
        only=(telling(set(left) - set(right)), telling(set(right) - set(left))),
    )


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
