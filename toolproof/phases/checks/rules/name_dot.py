"""Rule `name-dot`."""

from collections.abc import Iterator

from toolproof.phases.checks.definitions import Definition
from toolproof.phases.checks.examples import sample
from toolproof.phases.checks.rule import Flaw, each_tool, listing, rule
from toolproof.report import Check, Severity


@rule(
    check=Check.CLIENTS,
    severity=Severity.WARNING,
    title="Name has a dot",
    fix="Use '_' in its place.",
    source="loomle/loomle#168; openai/codex#8174",
    error_for=["claude", "openai"],
    bad=listing(sample("weather.get")),
    good=listing(sample("weather_get")),
)
@each_tool
def name_dot(tool: Definition) -> Iterator[Flaw]:
    """The protocol allows it, but the Claude and OpenAI APIs refuse the whole request."""
    if "." in tool.name:
        yield Flaw("the name has a dot; Claude and OpenAI refuse it, expected '_'", "/name")
