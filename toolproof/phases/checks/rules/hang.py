"""Rule `hang`."""

from collections.abc import Iterator

from toolproof.phases.checks.examples import answer, called
from toolproof.phases.checks.rule import CallSeen, Flaw, calling, each_call, rule
from toolproof.report import Check, Severity, TimedOut
from toolproof.text import one_line, quoted, shorten


@rule(
    check=Check.PROTOCOL,
    severity=Severity.ERROR,
    calls=True,
    title="A call got no answer within its time limit",
    fix="Answer, or report progress while the work goes on.",
    source="obot-platform/obot#3388; anthropics/claude-code#69593",
    bad=calling(called(TimedOut(10), {"city": ""})),
    good=calling(called(answer("12 C, sunny"))),
)
@each_call
def hang(call: CallSeen) -> Iterator[Flaw]:
    """The agent stands still until the client gives up, and the user is told of a time-out."""
    reply = call.result.reply
    if isinstance(reply, TimedOut):
        waited = reply.detail or f"no answer within {reply.limit_s:g} s"
        yield Flaw(
            f"{shorten(one_line(waited), 100)}; called with {quoted(call.result.arguments, 80)}",
            subject=call.subject,
        )
