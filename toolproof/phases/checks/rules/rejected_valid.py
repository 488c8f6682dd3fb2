"""Rule `rejected-valid`."""

from collections.abc import Iterator

from toolproof.judgement.rpc import INVALID_PARAMS
from toolproof.judgement.wording import is_environment, reads_like_refusal
from toolproof.phases.checks.examples import answer, called
from toolproof.phases.checks.rule import CallSeen, Flaw, calling, each_call, rule
from toolproof.report import Check, RpcError, Severity
from toolproof.text import quoted


@rule(
    check=Check.PROTOCOL,
    severity=Severity.INFO,
    calls=True,
    title="Arguments that fit the schema are refused",
    fix="Accept what the schema accepts, or say the condition in the schema.",
    source="dmtrKovalenko/fff#328",
    bad=calling(called(answer("city must be one of Oslo, Rome", isError=True), {"city": "Paris"})),
    good=calling(called(answer("there is no city of this name", isError=True), {"city": "Ankh"})),
)
@each_call
def rejected_valid(call: CallSeen) -> Iterator[Flaw]:
    """A model that keeps to the schema is refused, and tries again with variations of the same."""
    reply, text = call.result.reply, call.result.text
    refused = isinstance(reply, RpcError) and reply.code == INVALID_PARAMS
    told = call.answer is not None and call.answer.is_error and reads_like_refusal(text)
    if call.valid and call.tool is not None and (refused or told) and not is_environment(text):
        yield Flaw(
            f"{quoted(call.result.arguments, 80)} fits the schema, but is refused: {quoted(text, 100)}"
        )
