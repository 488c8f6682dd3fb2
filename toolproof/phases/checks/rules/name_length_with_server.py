"""Rule `name-length-with-server`."""

from collections.abc import Iterator

from toolproof.phases.checks.examples import sample
from toolproof.phases.checks.rule import Evidence, Flaw, listing, rule
from toolproof.report import Check, Severity

_CURSOR_TAKES = 60
_HAS_RULE_OF_ITS_OWN = 64  # longer names are name-length's


@rule(
    check=Check.CLIENTS,
    severity=Severity.INFO,
    title="Name is too long together with the server's",
    fix="Shorten the tool's name.",
    source="ComposioHQ/composio#2788; PostHog/posthog#51483",
    error_for=["cursor"],
    bad=listing(
        sample("get_weather_of_one_city_for_the_next_ten_days"), server_name="weather-of-norway"
    ),
    good=listing(sample("get_weather_of_city"), server_name="weather-of-norway"),
)
def name_length_with_server(evidence: Evidence) -> Iterator[Flaw]:
    """Cursor joins both names and leaves out tools for which that is too long."""
    if not evidence.server_name:
        return
    for tool in evidence.tools:
        length = len(evidence.server_name) + 1 + len(tool.name)
        if tool.name and length > _CURSOR_TAKES and len(tool.name) <= _HAS_RULE_OF_ITS_OWN:
            yield Flaw(
                f"the name and the server's have {length} characters together; Cursor takes "
                f"{_CURSOR_TAKES}",
                "/name",
                tool=tool.label,
            )
