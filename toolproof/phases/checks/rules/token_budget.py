"""Rule `token-budget`."""

from collections.abc import Iterator

from toolproof.judgement.tokens import tokens_of_json
from toolproof.phases.checks.examples import sample
from toolproof.phases.checks.rule import Evidence, Flaw, listing, rule
from toolproof.report import Check, Severity
from toolproof.text import count, listed, one_line, shorten

MOST_TOKENS = 20_000
_HEAVIEST = 5


@rule(
    check=Check.SIZE,
    severity=Severity.WARNING,
    title="Definitions of all tools cost too many tokens",
    fix="Shorten the heaviest definitions, or split the server.",
    source="PostHog/posthog#52683; kesslerio/vibe-check-mcp#235",
    bad=listing(
        sample("build_report", description="Builds the report on what was spent."),
        sample(
            "sum_up",
            description="Adds up the figures of one department.",
            outputSchema={
                "type": "object",
                "properties": {
                    "sum": {
                        "type": "number",
                        "description": "What the department has spent since January. " * 2_000,
                    }
                },
            },
        ),
    ),
    good=listing(sample("build_report", description="Builds the report on what was spent.")),
)
def token_budget(evidence: Evidence) -> Iterator[Flaw]:
    """A client sends all definitions with every request: they cost money, and room for the work."""
    most = evidence.limits.max_tokens or MOST_TOKENS
    weights = [(tokens_of_json(tool.raw), tool.label) for tool in evidence.tools]
    total = sum(weight for weight, _ in weights)
    if total > most:
        heaviest = sorted(weights, key=lambda pair: -pair[0])[:_HEAVIEST]
        named = listed(f"{shorten(one_line(label), 40)} {weight:,}" for weight, label in heaviest)
        yield Flaw(
            f"all {count(len(weights), 'definition')} together are about {total:,} tokens, "
            f"more than {most:,}; the heaviest: {named}"
        )
