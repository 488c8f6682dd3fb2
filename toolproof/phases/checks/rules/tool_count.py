"""Rule `tool-count`."""

from collections.abc import Iterator

from toolproof.phases.checks.examples import NOTHING, sample
from toolproof.phases.checks.rule import Evidence, Flaw, Profile, listing, rule
from toolproof.report import Check, Severity

MOST = 128
MOST_FOR_CURSOR = 80

_ROOMS = [
    sample(
        f"open_room_{number}",
        description=f"Opens the door of room {number}.",
        inputSchema=NOTHING,
    )
    for number in range(1, MOST + 2)
]


@rule(
    check=Check.SIZE,
    severity=Severity.WARNING,
    error_for=["openai", "vscode", "cursor"],
    title="Server has more tools than clients take",
    fix="Split the server, or offer groups of tools that can be switched off.",
    source="0x4m4/hexstrike-ai#30; anomalyco/opencode#4909; Snowflake-Labs/mcp#77",
    bad=listing(*_ROOMS),
    good=listing(*_ROOMS[:3]),
)
def tool_count(evidence: Evidence) -> Iterator[Flaw]:
    """Past their limit clients refuse the request or drop tools, and models choose worse long before."""
    number = len(evidence.entries)
    strict = not evidence.limits.clients.isdisjoint({Profile.CURSOR, Profile.STRICT})
    most = MOST_FOR_CURSOR if strict else MOST
    if number > most:
        concerned = {Profile.CURSOR}
        if number > MOST:
            concerned |= {Profile.OPENAI, Profile.VSCODE}
        yield Flaw(
            f"{number:,} tools, clients take {most}",
            error_for=frozenset(concerned),
        )
