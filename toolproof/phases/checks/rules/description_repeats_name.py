"""Rule `description-repeats-name`."""

from collections.abc import Iterator

from toolproof.judgement.naming import name_words, stem, text_words
from toolproof.phases.checks.definitions import Definition
from toolproof.phases.checks.examples import sample
from toolproof.phases.checks.rule import Flaw, each_tool, listing, rule
from toolproof.report import Check, Severity
from toolproof.text import quoted

_FILLERS = frozenset(
    {
        "a",
        "an",
        "and",
        "any",
        "as",
        "at",
        "by",
        "do",
        "does",
        "for",
        "from",
        "function",
        "given",
        "in",
        "into",
        "is",
        "it",
        "its",
        "me",
        "of",
        "on",
        "one",
        "or",
        "some",
        "that",
        "the",
        "their",
        "this",
        "to",
        "tool",
        "used",
        "with",
        "you",
        "your",
    }
)
_MOST_WORDS = 40  # a longer text says more than a name can


@rule(
    check=Check.QUALITY,
    severity=Severity.INFO,
    title="Description says no more than the name",
    fix="Add what the tool returns, or when to use it.",
    source="general practice",
    bad=listing(sample(description="Gets the weather.")),
    good=listing(sample(description="Gets the weather of today, in Celsius.")),
)
@each_tool
def description_repeats_name(tool: Definition) -> Iterator[Flaw]:
    """The words cost tokens and tell a model nothing by which to choose the tool."""
    words = text_words(tool.description) if len(tool.description) < 400 else ()
    if not words or len(words) > _MOST_WORDS:
        return
    known = {stem(word) for word in name_words(tool.name)}
    if known and all(word in _FILLERS or stem(word) in known for word in words):
        yield Flaw(
            f"description {quoted(tool.description, 60)} has no word beyond those of the name",
            "/description",
        )
