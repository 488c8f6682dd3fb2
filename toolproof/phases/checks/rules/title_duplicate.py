"""Rule `title-duplicate`."""

from collections.abc import Iterator

from toolproof.phases.checks.definitions import Definition
from toolproof.phases.checks.examples import NOTHING, sample
from toolproof.phases.checks.rule import Evidence, Flaw, listing, rule
from toolproof.report import Check, Severity
from toolproof.text import quoted

_LIST = sample(
    "list_rooms", title="Rooms", description="All rooms, by number.", inputSchema=NOTHING
)
_FIND = sample("find_room", description="The free room with the most seats.", inputSchema=NOTHING)


@rule(
    check=Check.QUALITY,
    severity=Severity.WARNING,
    title="Two tools have the same title",
    fix="Give each tool a title of its own.",
    source="general practice",
    bad=listing(_LIST, _FIND | {"title": "rooms"}),
    good=listing(_LIST, _FIND | {"title": "Find a free room"}),
)
def title_duplicate(evidence: Evidence) -> Iterator[Flaw]:
    """People see titles where they allow a call, and cannot tell which of the two they allow."""
    first: dict[str, Definition] = {}
    for tool in evidence.tools:
        title, pointer = _title(tool)
        key = " ".join(title.casefold().split())
        if not key:
            continue
        other = first.setdefault(key, tool)
        if other.label != tool.label:
            yield Flaw(
                f"title {quoted(title, 60)} is also that of {quoted(other.label, 60)}",
                pointer,
                tool=tool.label,
            )


def _title(tool: Definition) -> tuple[str, str]:
    """What clients show: `title`, else that of the annotations; and where it stands."""
    annotations = tool.object.get("annotations")
    inner = annotations.get("title") if isinstance(annotations, dict) else None
    for title, pointer in ((tool.object.get("title"), "/title"), (inner, "/annotations/title")):
        if isinstance(title, str) and title.strip():
            return title, pointer
    return "", ""
