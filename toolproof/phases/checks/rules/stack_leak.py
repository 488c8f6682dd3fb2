"""Rule `stack-leak`."""

from collections.abc import Iterator

from toolproof.judgement.rpc import error_text
from toolproof.judgement.strings import strings_in
from toolproof.judgement.traces import stack_trace
from toolproof.phases.checks.examples import answer, called
from toolproof.phases.checks.rule import CallSeen, Flaw, calling, each_call, rule
from toolproof.report import Answer, Check, RpcError, Severity
from toolproof.text import quoted


@rule(
    check=Check.PROTOCOL,
    severity=Severity.WARNING,
    calls=True,
    title="An error text holds a stack trace",
    fix="Answer with one sentence; log the trace to stderr.",
    source="n8n-io/n8n#28791; agynio/v1#1362",
    bad=calling(
        called(
            answer(
                "TypeError: x is not a function\n"
                "    at Object.run (/srv/app/dist/weather.js:41:17)\n"
                "    at processTicksAndRejections (node:internal/process/task_queues:105:5)",
                isError=True,
            )
        )
    ),
    good=calling(called(answer("the weather service did not answer", isError=True))),
)
@each_call
def stack_leak(call: CallSeen) -> Iterator[Flaw]:
    """The model pays for each line and can use none, and the paths tell strangers how the server is built."""
    text = _error_text(call)
    trace = stack_trace(text, without=strings_in(call.result.arguments)) if text else None
    if trace is not None:
        cause = f" of {quoted(trace.cause, 80)}" if trace.cause else ""
        yield Flaw(
            f"an error text holds a {trace.language} stack trace{cause}: {quoted(trace.frame, 100)}"
        )


def _error_text(call: CallSeen) -> str:
    """What an error says, where the call ended in one."""
    reply = call.result.reply
    if isinstance(reply, RpcError):
        return error_text({"message": reply.message, "data": reply.data})
    return reply.text if isinstance(reply, Answer) and reply.is_error else ""
