"""Rule `prompt-get`."""

from collections.abc import Iterator

from toolproof.connection.observations import Kind, Seen
from toolproof.phases.checks.examples import saw
from toolproof.phases.checks.rule import Flaw, each_seen, rule, seeing
from toolproof.phases.checks.sightings import detail, fact
from toolproof.report import Check, Severity


@rule(
    check=Check.PROTOCOL,
    severity=Severity.ERROR,
    probe=True,
    title="A listed prompt cannot be got",
    fix="Fix the prompt.",
    source="MCP 2026-07-28 server/prompts, Error Handling; arabold/docs-mcp-server#226",
    bad=seeing(
        saw(
            Kind.PROBE_PROMPT_GET,
            "prompt review with all its arguments gives error -32603: Internal error",
            prompt="review",
        )
    ),
    good=seeing(),
)
@each_seen(Kind.PROBE_PROMPT_GET, whole=True)
def prompt_get(seen: Seen) -> Iterator[Flaw]:
    """The user picks the prompt from a menu, and gets an error in place of its messages."""
    for one in seen.kept:
        name = fact(one, "prompt")
        named = name in detail(one)
        yield Flaw(detail(one) if named else f"{name}: {detail(one)}", subject=f"prompt {name}")
