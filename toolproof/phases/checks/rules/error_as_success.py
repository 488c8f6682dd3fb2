"""Rule `error-as-success`."""

from collections.abc import Iterator

from toolproof.judgement.wording import reads_like_failure
from toolproof.phases.checks.examples import answer, called
from toolproof.phases.checks.rule import CallSeen, Flaw, calling, each_call, rule
from toolproof.report import Check, Severity
from toolproof.text import quoted


@rule(
    check=Check.PROTOCOL,
    severity=Severity.WARNING,
    calls=True,
    title="A failure is told as a success",
    fix="Set isError on results that tell of a failure.",
    source="MCP 2026-07-28 server/tools, Error Handling; glazperle/kimai_mcp#18; github/github-mcp-server#1952",
    bad=calling(called(answer("Error: there is no such city"))),
    good=calling(called(answer("Error: there is no such city", isError=True))),
)
@each_call
def error_as_success(call: CallSeen) -> Iterator[Flaw]:
    """A client counts the call as done, and a model may take the text for the data it asked for."""
    if not call.valid or call.answer is None or call.answer.is_error or call.subject is not None:
        return
    said = reads_like_failure(call.answer.text)
    if said is not None:
        yield Flaw(f"a result without isError begins like a failure: {quoted(said, 120)}")
