"""Rule `duplicate-name`."""

from collections.abc import Iterator

from toolproof.phases.checks.examples import sample
from toolproof.phases.checks.rule import Evidence, Flaw, listing, rule
from toolproof.report import Check, Severity
from toolproof.text import listed, quoted

_OTHER = {"description": "Lists the cities for which there is a forecast."}


@rule(
    check=Check.DUPLICATE_NAME,
    severity=Severity.ERROR,
    title="Two tools have the same name",
    fix="Rename or drop one of them.",
    source=(
        "MCP 2026-07-28 server/tools, Tool Names; Azure/data-api-builder#3049; "
        "openai/openai-agents-python#3561"
    ),
    bad=listing(sample("get_weather"), sample("get_weather", **_OTHER)),
    good=listing(sample("get_weather"), sample("list_cities", **_OTHER)),
)
def duplicate_name(evidence: Evidence) -> Iterator[Flaw]:
    """A call reaches only one of them, and some clients refuse the whole list."""
    places: dict[str, list[int]] = {}
    for tool in evidence.tools:
        if tool.name:
            places.setdefault(tool.name, []).append(tool.index)
    for name, indices in places.items():
        if len(indices) > 1:
            where = listed([str(index) for index in indices])
            yield Flaw(
                f"{len(indices):,} tools have the name {quoted(name)}: the entries {where}, "
                "expected a name for each",
                "/name",
                tool=name,
            )
