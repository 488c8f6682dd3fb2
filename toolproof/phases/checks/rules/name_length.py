"""Rule `name-length`."""

from collections.abc import Iterator

from toolproof.phases.checks.definitions import Definition
from toolproof.phases.checks.examples import sample
from toolproof.phases.checks.rule import Flaw, each_tool, listing, rule
from toolproof.report import Check, Severity

_CLIENTS_TAKE = 64
_PROTOCOL_ALLOWS = 128


@rule(
    check=Check.CLIENTS,
    severity=Severity.WARNING,
    title="Name is too long",
    fix="Shorten it.",
    source=(
        "MCP 2026-07-28 server/tools, Tool Names; mims-harvard/ToolUniverse#3; "
        "microsoft/vscode#243602"
    ),
    error_for=["claude", "openai", "vscode"],
    bad=listing(sample("get_weather_of_one_city_for_the_next_ten_days_with_wind_rain_and_sun")),
    good=listing(sample("get_weather_of_city")),
)
@each_tool
def name_length(tool: Definition) -> Iterator[Flaw]:
    """Clients refuse the tool, or the whole request, over more than 64 characters."""
    length = len(tool.name)
    if length > _PROTOCOL_ALLOWS:
        yield Flaw(
            f"the name has {length:,} characters; the protocol allows {_PROTOCOL_ALLOWS}, and "
            f"Claude, OpenAI and VS Code {_CLIENTS_TAKE}",
            "/name",
            severity=Severity.ERROR,
        )
    elif length > _CLIENTS_TAKE:
        yield Flaw(
            f"the name has {length} characters; Claude, OpenAI and VS Code refuse more than "
            f"{_CLIENTS_TAKE}",
            "/name",
        )
