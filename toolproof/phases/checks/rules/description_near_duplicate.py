"""Rule `description-near-duplicate`."""

from collections.abc import Iterator

from toolproof.judgement.naming import name_words, stem
from toolproof.phases.checks.definitions import Definition
from toolproof.phases.checks.examples import sample
from toolproof.phases.checks.near_twins import Twin, aligned, near_twins
from toolproof.phases.checks.rule import Evidence, Flaw, listing, rule
from toolproof.report import Check, Severity
from toolproof.text import quoted

_FIND = sample("find_person", description="Look people up in the directory by their name or team.")
_SEEK = "Look people up in the directory by their name or their team."


@rule(
    check=Check.QUALITY,
    severity=Severity.WARNING,
    title="Two tools have the same description, or nearly",
    fix="Say in each when to use it rather than the other.",
    source="buildinternet/uploads#859; microsoft/mcp#3035",
    bad=listing(_FIND, sample("seek_person", description=_SEEK)),
    good=listing(
        _FIND, sample("seek_person", description="Asks a person's team where that person is today.")
    ),
)
def description_near_duplicate(evidence: Evidence) -> Iterator[Flaw]:
    """A model picks by the description; between two that say the same it can only guess."""
    tools = evidence.tools

    def is_problem(twin: Twin) -> bool:
        tool, other = tools[twin.index], tools[twin.other]
        return tool.label != other.label and not _tells_apart(twin, tool, other)

    for twin in near_twins([tool.description for tool in tools], is_problem):
        how = "the same as" if not twin.differing else f"by {twin.share:.0%} the words of"
        yield Flaw(
            f"description is {how} that of {quoted(tools[twin.other].label, 60)}",
            "/description",
            tool=tools[twin.index].label,
        )


def _tells_apart(twin: Twin, tool: Definition, other: Definition) -> bool:
    """Whether the words that differ are those in which the names differ."""
    names = aligned(name_words(tool.name), name_words(other.name)).differing
    return bool(twin.differing & set(map(stem, names)))
