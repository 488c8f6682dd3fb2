"""Rule `result-invalid`."""

from collections.abc import Iterator

from toolproof.judgement.content import RESULT_INVALID, content_flaws
from toolproof.phases.checks.examples import called
from toolproof.phases.checks.rule import Evidence, Flaw, calling, rule
from toolproof.report import Check, Severity


@rule(
    check=Check.PROTOCOL,
    severity=Severity.ERROR,
    calls=True,
    title="A result has the wrong shape",
    fix="Send a content array of blocks with the members that their type needs.",
    source="MCP 2026-07-28 server/tools, Tool Result; cloudflare/mcp-server-cloudflare#12; langchain-ai/langchain#40186",
    bad=calling(called({"content": [{"type": "image", "data": "iVBORw0KGgo="}]})),
    good=calling(
        called({"content": [{"type": "image", "mimeType": "image/png", "data": "iVBORw0KGgo="}]})
    ),
)
def result_invalid(evidence: Evidence) -> Iterator[Flaw]:
    """Typed clients refuse the whole result: the call fails, though the tool did its work."""
    for call in evidence.calls:
        if call.answer is None or call.subject is not None:
            continue
        for found in content_flaws(call.answer.raw, evidence.revision):
            if found.rule == RESULT_INVALID:
                yield Flaw(found.message, tool=call.result.tool)
