"""Rule `output-mismatch`."""

from collections.abc import Iterator

from toolproof.judgement.fitting import output_mismatch as mismatches_of
from toolproof.phases.checks.examples import answer, called, sample
from toolproof.phases.checks.pointing import pointer_in
from toolproof.phases.checks.rule import Evidence, Flaw, calling, rule
from toolproof.report import Check, Severity

_TYPED = sample(
    outputSchema={
        "type": "object",
        "properties": {"celsius": {"type": "number"}},
        "required": ["celsius"],
    }
)


@rule(
    check=Check.PROTOCOL,
    severity=Severity.ERROR,
    calls=True,
    title="A result does not match outputSchema",
    fix="Send what the schema says, or correct the schema.",
    source="MCP 2026-07-28 server/tools, Output Schema; anthropics/claude-code#14465; olaservo/skilljack-mcp#94",
    bad=calling(called(answer("12 C", structuredContent={"celsius": "12"}), raw=_TYPED)),
    good=calling(called(answer("12 C", structuredContent={"celsius": 12}), raw=_TYPED)),
)
def output_mismatch(evidence: Evidence) -> Iterator[Flaw]:
    """Clients that validate refuse the result, so the tool does not work at all there."""
    for call in evidence.calls:
        if call.answer is None or call.subject is not None:
            continue
        for found in mismatches_of(call.tool, call.answer.raw, evidence.revision):
            yield Flaw(
                found.message,
                pointer_in(call.tool, f"/outputSchema{found.schema_pointer}"),
                tool=call.result.tool,
            )
