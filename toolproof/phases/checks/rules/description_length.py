"""Rule `description-length`."""

from collections.abc import Iterator

from toolproof.phases.checks.examples import sample
from toolproof.phases.checks.rule import Evidence, Flaw, Profile, listing, rule
from toolproof.report import Check, Severity

_OPENAI_TAKES = 1024
_CLAUDE_CODE_SHOWS = 2048
_LONG = "Tells what the sky over a city looks like. " + " ".join(
    f"Station {number} reports wind, rain and clouds." for number in range(30)
)


@rule(
    check=Check.DESCRIPTION_LENGTH,
    severity=Severity.WARNING,
    title="Description is too long",
    fix="Cut it, or move details into the descriptions of the parameters.",
    source="getsentry/sentry-mcp#106; probelabs/probe#9; anthropics/claude-code#41593",
    error_for=["openai"],
    bad=listing(sample(description=_LONG)),
    good=listing(sample()),
)
def description_length(evidence: Evidence) -> Iterator[Flaw]:
    """OpenAI refuses a description of more than 1,024 characters; others show a part of it."""
    limit = evidence.limits.max_description_length
    for tool in evidence.tools:
        length = len(tool.description)
        if length <= limit:
            continue
        told = f"the description has {length:,} characters, expected at most {limit:,}"
        if length > _OPENAI_TAKES:
            told += f"; OpenAI refuses more than {_OPENAI_TAKES:,}"
        if length > _CLAUDE_CODE_SHOWS:
            told += f", Claude Code shows the model only the first {_CLAUDE_CODE_SHOWS:,}"
        concerned = {Profile.OPENAI} if length > _OPENAI_TAKES else ()
        yield Flaw(told, "/description", tool=tool.label, error_for=frozenset(concerned))
