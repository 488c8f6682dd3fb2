"""Rule `internal-error`."""

from collections.abc import Iterator

from toolproof.judgement.rpc import internal_error as fault_in
from toolproof.phases.checks.examples import answer, called
from toolproof.phases.checks.rule import CallSeen, Flaw, calling, each_call, rule
from toolproof.report import Check, RpcError, Severity
from toolproof.text import quoted


@rule(
    check=Check.PROTOCOL,
    severity=Severity.ERROR,
    calls=True,
    title="A call is answered with an internal error",
    fix="Validate the input, and answer with a result that has isError.",
    source="MCP 2026-07-28 server/tools, Error Handling; MemPalace/mempalace#1574; Ataraxy-Labs/sem#182",
    bad=calling(called(RpcError(-32603, "'NoneType' object has no attribute 'get'"), {"city": ""})),
    good=calling(called(answer("there is no city without a name", isError=True), {"city": ""})),
)
@each_call
def internal_error(call: CallSeen) -> Iterator[Flaw]:
    """A model learns nothing from it that would help it call better, and many clients end the turn."""
    reply = call.result.reply
    if not isinstance(reply, RpcError) or call.subject is not None:
        return
    said = fault_in({"code": reply.code, "message": reply.message, "data": reply.data})
    if said is not None:
        yield Flaw(
            f"called with {quoted(call.result.arguments, 80)}, it gives the error {reply.code}: "
            f"{quoted(said, 100)}"
        )
