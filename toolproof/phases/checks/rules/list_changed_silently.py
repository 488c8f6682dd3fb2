"""Rule `list-changed-silently`."""

from collections.abc import Iterator

from toolproof.connection.observations import Kind, Seen
from toolproof.phases.checks.examples import saw
from toolproof.phases.checks.rule import Flaw, each_seen, rule, seeing
from toolproof.phases.checks.sightings import detail, fact
from toolproof.report import Check, Severity


@rule(
    check=Check.PROTOCOL,
    severity=Severity.WARNING,
    probe=True,
    title="The set of tools changed after a call, without a word",
    fix="Keep the list fixed; on older versions send notifications/tools/list_changed.",
    source="MCP 2026-07-28 server/tools, Capabilities; aaronsb/obsidian-mcp-plugin#285; openai/codex#33266",
    bad=seeing(
        saw(
            Kind.PROBE_LIST_CHANGED,
            "after a call of log_in the list of tools differs",
            after="log_in",
            came="send_mail",
            went="",
        )
    ),
    good=seeing(),
)
@each_seen(Kind.PROBE_LIST_CHANGED, whole=True)
def list_changed_silently(seen: Seen) -> Iterator[Flaw]:
    """Clients read the list once: they never see what came, and offer the model what is gone."""
    for one in seen.kept:
        parts = [
            f"{what}: {names}"
            for what, names in (("new", fact(one, "came")), ("gone", fact(one, "went")))
            if names
        ]
        after = fact(one, "after")
        when = f"after calls, the last of {after}" if after else "from one list to the next"
        yield Flaw(f"the set of tools changed {when} ({'; '.join(parts) or detail(one)})")
