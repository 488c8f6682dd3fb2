"""Rule `content-data`."""

from collections.abc import Iterator

from toolproof.judgement.content import CONTENT_DATA, content_flaws
from toolproof.phases.checks.examples import called
from toolproof.phases.checks.rule import Evidence, Flaw, calling, rule
from toolproof.report import Check, Severity


@rule(
    check=Check.PROTOCOL,
    severity=Severity.WARNING,
    calls=True,
    title="Data in a result is not what it is said to be",
    fix="Encode the bytes as base64, and declare their real type.",
    source="MCP 2026-07-28 server/tools, Image Content; modelcontextprotocol/servers#4262",
    bad=calling(
        called({"content": [{"type": "image", "mimeType": "image/png", "data": "/9j/4AAQ"}]})
    ),
    good=calling(
        called({"content": [{"type": "image", "mimeType": "image/png", "data": "iVBORw0KGgo="}]})
    ),
)
def content_data(evidence: Evidence) -> Iterator[Flaw]:
    """The client shows a broken image, or the model API refuses the conversation that holds it."""
    for call in evidence.calls:
        if call.answer is None or call.subject is not None:
            continue
        for found in content_flaws(call.answer.raw, evidence.revision):
            if found.rule == CONTENT_DATA:
                yield Flaw(found.message, tool=call.result.tool)
