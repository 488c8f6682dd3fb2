"""Rule `accepted-invalid`."""

from collections.abc import Iterator

from toolproof.judgement.fitting import argument_breaches
from toolproof.judgement.wording import reads_like_failure
from toolproof.phases.checks.examples import answer, called
from toolproof.phases.checks.pointing import pointer_in
from toolproof.phases.checks.rule import CallSeen, Flaw, calling, each_call, rule
from toolproof.report import Check, Severity
from toolproof.text import quoted


@rule(
    check=Check.PROTOCOL,
    severity=Severity.ERROR,
    calls=True,
    title="Arguments that break the schema are accepted",
    fix="Validate the arguments, and answer with isError.",
    source="MCP 2026-07-28 server/tools, Security Considerations; tavily-ai/tavily-mcp#211; esphome/device-builder#2766; morluto/flameox#30",
    bad=calling(called(answer("weather of null"), {"city": 7}, valid=False)),
    good=calling(called(answer("city must be a string", isError=True), {"city": 7}, valid=False)),
)
@each_call
def accepted_invalid(call: CallSeen) -> Iterator[Flaw]:
    """A wrong call looks like a right one: the model goes on with a result that means nothing."""
    if call.valid is not False or call.answer is None or call.answer.is_error:
        return
    breach = next(iter(argument_breaches(call.tool, call.result.arguments)), None)
    if breach is None:
        return
    text = call.answer.text
    failed = " (an error that is told as a success)" if reads_like_failure(text) else ""
    where = f" at {breach.pointer}" if breach.pointer else ""
    yield Flaw(
        f"{quoted(call.result.arguments, 80)} breaks {breach.keyword}{where}, but gave a result: "
        f"{quoted(text, 80)}{failed}",
        pointer_in(call.tool, f"/inputSchema{breach.schema_pointer}"),
    )
