"""Rule `name-collision`."""

import re
from collections.abc import Iterator

from toolproof.phases.checks.examples import sample
from toolproof.phases.checks.rule import Evidence, Flaw, listing, rule
from toolproof.report import Check, Severity
from toolproof.text import quoted

_OTHER = {"description": "Lists the measurements of the past week, one for each hour."}


@rule(
    check=Check.CLIENTS,
    severity=Severity.WARNING,
    title="Two names differ only in case or punctuation",
    fix="Make the names differ in letters or digits.",
    source="openai/openai-agents-js#1934",
    error_for=["openai"],
    bad=listing(sample("get-weather"), sample("get_weather", **_OTHER)),
    good=listing(sample("get-weather"), sample("list-measurements", **_OTHER)),
)
def name_collision(evidence: Evidence) -> Iterator[Flaw]:
    """Clients that fold names call one tool where the model chose the other."""
    first: dict[str, str] = {}
    for tool in evidence.tools:
        if not tool.name:
            continue
        folded = re.sub("[^a-z0-9]", "_", tool.name.lower())
        other = first.setdefault(folded, tool.name)
        if other != tool.name:
            yield Flaw(
                f"the name becomes that of {quoted(other, 64)} once folded to {quoted(folded, 64)}; "
                "OpenAI mixes them up",
                "/name",
                tool=tool.label,
            )
